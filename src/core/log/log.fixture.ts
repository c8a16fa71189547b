/** Logs for tests, written short. */
import type { Edit, Entry, Id, Log, NewEntry } from './entry.ts'
import type { ToolCall } from './message.ts'

type Short = NewEntry & { id?: Id; at?: number; gone?: Entry['gone'] }

export const call = (id: string, text = '{}'): ToolCall => ({ id, name: 'tool', arguments: text })
export const u = (text: string): Short => ({ type: 'user', text })
export const a = (text: string, calls: (string | ToolCall)[] = []): Short => ({
  type: 'assistant',
  text,
  calls: calls.map(it => (typeof it === 'string' ? call(it) : it)),
  model: 'm',
  local: true,
  stop: calls.length > 0 ? 'calls' : 'stop',
})
export const r = (callId: string, text: string, tool = 'tool'): Short => ({
  type: 'result',
  callId,
  tool,
  text,
  isError: false,
})

type ShortEdit = Edit extends infer E ? (E extends Edit ? Omit<E, 'group'> & { group?: Id } : never) : never
/** An edit in a group of its own, unless it names one. */
export const e = (edit: ShortEdit, id?: Id): Short =>
  ({ group: `g-${id ?? JSON.stringify(edit)}`, ...edit, ...(id === undefined ? {} : { id }) }) as Short

export const summaryOf = (
  cut: Id,
  text: string,
  place: 'own message' | 'first question' = 'own message',
  id?: Id,
): Short =>
  e(
    {
      type: 'summary',
      of: cut,
      text,
      by: 'model',
      place,
      guide: [{ path: 'dialog/2026-03-01.jsonl', from: 1, to: 4 }],
      covers: { first: '0', last: '1' },
      stats: { entries: 2, before: 10, after: 5, ms: 1 },
    },
    id,
  )

/** One path of entries; ids are positions unless given, times a second apart. */
export function pathOfEntries(parts: readonly Short[]): Log {
  const log: Entry[] = []
  for (const [i, part] of parts.entries())
    log.push({ at: 1_772_359_200_000 + i * 1_000, ...part, id: part.id ?? String(i), parent: log.at(-1)?.id ?? null })
  return log
}
