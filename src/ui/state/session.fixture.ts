/** The worker's side of a chat, as far as tests of the open chat need it. */
import type { AgentApi, OpenedSession } from '../../core/agent/api/api.ts'
import type { ContextInfo } from '../../core/agent/api/context-api.ts'
import type { Entry } from '../../core/log/entry.ts'
import { OpenSession, type OpenSessionHooks } from './session.svelte.ts'

export const entry = (seq: number, more: Partial<Entry> = {}): Entry =>
  ({
    id: `e${seq}`,
    parent: seq === 0 ? null : `e${seq - 1}`,
    at: seq,
    type: 'user',
    text: `text ${seq}`,
    ...more,
  }) as Entry
export const run = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => entry(from + i))

/** The worker's side, as far as a test needs it: a log that can be read by seq. */
export function worker(log: Entry[], { newest = 50 }: { newest?: number } = {}) {
  const calls: string[] = []
  const api: Partial<AgentApi> = {
    open: async id => {
      const from = Math.max(0, log.length - newest)
      return {
        info: { id, title: 'T', createdAt: 0, updatedAt: 0, leaf: log.at(-1)?.id ?? null },
        entries: log.slice(from),
        from,
        total: log.length,
        status: { state: 'idle' },
      } satisfies OpenedSession
    },
    entries: async (_, from, to) => {
      calls.push(`${from}-${to}`)
      return log.slice(from, to)
    },
    context: async () => ({ window: 100 }) as ContextInfo,
    idleTrim: async () => null,
  }
  return { api, calls, log }
}

export async function opened(api: Partial<AgentApi>, hooks: OpenSessionHooks = {}) {
  const frames: (() => void)[] = []
  const session = new OpenSession(api as AgentApi, 's', {
    nextFrame: task => {
      frames.push(task)
    },
    yieldToMain: async () => {},
    ...hooks,
  })
  await session.open()
  return {
    session,
    paint: () => {
      for (const frame of frames.splice(0)) frame()
    },
  }
}

/** What the message box does with each letter; `now`: with what is done at once. */
export function type(session: OpenSession, text: string, now = false): void {
  session.draft.typed = text
  session.saveDraft(now)
}

export const ids = (session: OpenSession) => session.entries.map(({ id }) => id)
export const all = (length: number) => Array.from({ length }, (_, i) => `e${i}`)

export const newChat = { id: 's', title: '', createdAt: 0, updatedAt: 0, leaf: null }
