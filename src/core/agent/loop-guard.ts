/** C12: the third identical call in a row whose results were equal is not run. Pure. */
import type { Entry, ResultFact } from '../log/entry.ts'
import type { ToolCall } from '../log/message.ts'

type Done = { key: string; result: string }

/**
 * Whether this call is the third or later of a streak in which two neighbours gave the same result. `since` are the
 * entries of the running turn. Calls of a tool in `exempt` (clocks, polling, writes) never count, and a write in between
 * ends a streak because it is another call. Never throws.
 */
export function isLoop(since: readonly Entry[], call: ToolCall, exempt: ReadonlySet<string>): boolean {
  if (exempt.has(call.name)) return false
  const key = keyOf(call)
  const done = callsDone(since)
  let streak = 0
  let equal = false
  for (let i = done.length - 1; i >= 0 && done[i]!.key === key; i--) {
    if (streak > 0 && done[i]!.result === done[i + 1]!.result) equal = true
    streak++
  }
  return streak >= 2 && equal
}

/** Every call of the turn that has a result, in order. */
function callsDone(since: readonly Entry[]): Done[] {
  const done: Done[] = []
  let open = new Map<string, ToolCall>()
  for (const entry of since) {
    if (entry.type === 'assistant') open = new Map(entry.calls.map(call => [call.id, call]))
    if (entry.type !== 'result') continue
    const call = open.get(entry.callId)
    if (call) done.push({ key: keyOf(call), result: textOf(entry) })
  }
  return done
}

const textOf = (result: ResultFact & { tail?: string }): string => `${result.isError ? 'error ' : ''}${result.text}${result.tail ?? ''}`

/** The same arguments in another order or spacing are the same call. */
function keyOf(call: ToolCall): string {
  try {
    return `${call.name} ${JSON.stringify(sorted(JSON.parse(call.arguments)))}`
  } catch {
    return `${call.name} ${call.arguments}` // no JSON: compared as written
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, sorted(inner)]))
}
