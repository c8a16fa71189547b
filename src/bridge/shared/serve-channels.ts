/**
 * The lines that a page hands to the thread of an engine: one for itself, one for its agent's worker, each replaced by
 * the next of its kind.
 */
import { claimThread } from './claim-thread.ts'

export type LineFor = 'page' | 'agent'
/** What the page posts to the thread, with the port. */
export type HandedLine = { line: LineFor; port: MessagePort }
/** What the thread tells the agent beside the line's own messages: for the ledger of who was contacted. */
export type ContactTold = { contacted: { host: string; requests: number; received: number /* bytes */ } }

type Scope = { addEventListener(type: 'message', listener: (event: MessageEvent) => void): void }

/**
 * `serve` begins to serve a line and answers with how to end it: what ran for a dead agent is stopped. Throws where
 * this thread is served already.
 */
export function serveLines(
  scope: Scope,
  serve: (port: MessagePort) => () => void,
): { contacted(contact: ContactTold['contacted']): void } {
  claimThread(scope)
  const ends = new Map<LineFor, () => void>()
  let agent: MessagePort | undefined
  // Bytes come in thousands of pieces: told once a second.
  const untold = new Map<string, ContactTold['contacted']>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = (): void => {
    timer = undefined
    const tell = agent?.postMessage.bind(agent)
    if (!tell) return
    for (const contacted of untold.values()) tell({ contacted } satisfies ContactTold)
    untold.clear()
  }
  scope.addEventListener('message', event => {
    const handed = event.data as HandedLine | null
    if (!handed || !(handed.port instanceof MessagePort)) return // the engine's own messages, where it has some
    ends.get(handed.line)?.()
    ends.set(handed.line, serve(handed.port))
    if (handed.line === 'agent') agent = handed.port
  })
  return {
    contacted({ host, requests, received }) {
      const before = untold.get(host) ?? { host, requests: 0, received: 0 }
      untold.set(host, { host, requests: before.requests + requests, received: before.received + received })
      timer ??= setTimeout(flush, 1_000)
    },
  }
}
