/**
 * The channels that a page opens to the thread of an engine: one for itself, one for its agent's worker. A new one
 * replaces the old one of its kind.
 */
import { claimThread } from './claim-thread.ts'

export type ChannelUser = 'page' | 'agent'
/** What the page posts to the thread, with the port. */
export type PortHandover = { line: ChannelUser; port: MessagePort }
/** What the thread tells the agent beside the line's own messages: for the ledger of who was contacted. */
export type ContactReport = { contacted: { host: string; requests: number; received: number /* bytes */ } }

type Scope = { addEventListener(type: 'message', listener: (event: MessageEvent) => void): void }

/**
 * `serve` begins to serve a line and answers with how to end it: what ran for a dead agent is stopped. Throws where
 * this thread is served already.
 */
export function serveChannels(
  scope: Scope,
  serve: (port: MessagePort) => () => void,
): { contacted(contact: ContactReport['contacted']): void } {
  claimThread(scope)
  const ends = new Map<ChannelUser, () => void>()
  let agent: MessagePort | undefined
  // Bytes arrive in thousands of pieces: reported once a second.
  const untold = new Map<string, ContactReport['contacted']>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = (): void => {
    timer = undefined
    const tell = agent?.postMessage.bind(agent)
    if (!tell) return
    for (const contacted of untold.values()) tell({ contacted } satisfies ContactReport)
    untold.clear()
  }
  scope.addEventListener('message', event => {
    const handed = event.data as PortHandover | null
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
