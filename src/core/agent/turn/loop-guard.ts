/**
 * C12: loop detection. The third identical call in a row is not run; repeated failures or repeated calls end the
 * calling. Pure.
 */
import type { Entry, ResultFact } from '../../log/entry.ts'
import type { ToolCall } from '../../log/message.ts'
import { parseArguments, type Tool } from '../tools/tool.ts'

type Done = { key: string; result: string }

/**
 * Whether this call is the third or later of a streak in which two neighbours gave the same result. `since` are the
 * entries of the running turn. Calls of a tool in `exempt` (clocks, polling, writes) never count, and a write in
 * between ends a streak because it is another call. Never throws.
 */
export function isRepeatedCall(since: readonly Entry[], call: ToolCall, exempt: ReadonlySet<string>): boolean {
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

/**
 * This many identical failures in a row, or this many model calls in a row without a new tool call, are a loop. Source:
 * C12.
 */
const mostFaults = 3
const mostRepeats = 6

/** The result of a call that is not run because it repeats an earlier one. */
export const repeatedCallText =
  'Not run: this is the same call again, and its results so far were the same. Use the result above, or try something else.'

/**
 * Whether the newest answers of a turn go round in circles: three in a row of which each made only calls with the same
 * fault (the same unknown tool, arguments of the same tool that are no JSON), or six in a row that made only calls
 * which this turn had made before with the same result. A write ends a row; clocks and polling tools are passed over.
 * Never throws.
 */
export function callLoopOf(since: readonly Entry[], tools: readonly Tool[]): 'faults' | 'repeats' | undefined {
  // from there on it was continued
  const told = since.findLastIndex(entry => entry.type === 'note' && entry.code === 'loop_ended')
  const answers = answersWithCalls(since.slice(told + 1))
  if (trailing(answers.map(({ calls }) => faultOf(calls, tools))) >= mostFaults) return 'faults'
  const before = new Map<string, Set<string>>()
  let row = 0
  for (const { done } of answers) {
    const kinds = done.map(({ call }) => tools.find(({ name }) => name === call.name))
    const counted = done.filter((_, at) => kinds[at]?.polls !== true)
    if (kinds.some(tool => tool?.kind === 'acts' && tool.writes)) row = 0
    else if (counted.length > 0)
      row = counted.every(({ key, result }) => result.endsWith(repeatedCallText) || before.get(key)?.has(result))
        ? row + 1
        : 0
    for (const { key, result } of done) before.set(key, (before.get(key) ?? new Set()).add(result))
  }
  return row >= mostRepeats ? 'repeats' : undefined
}

/** How often the last of these stands at their end in a row; none of an undefined one. */
function trailing(keys: readonly (string | undefined)[]): number {
  const last = keys.at(-1)
  if (last === undefined) return 0
  const other = keys.findLastIndex(key => key !== last)
  return keys.length - 1 - other
}

/** The one fault that all calls of an answer have. */
function faultOf(calls: readonly ToolCall[], tools: readonly Tool[]): string | undefined {
  const faults = new Set(
    calls.map(call => {
      if (!tools.some(({ name }) => name === call.name)) return `unknown ${call.name}`
      return 'fault' in parseArguments(call.arguments) ? `unreadable ${call.name}` : ''
    }),
  )
  const [fault] = faults
  return faults.size === 1 && fault !== '' ? fault : undefined
}

type AnswerDone = { calls: readonly ToolCall[]; done: (Done & { call: ToolCall })[] }

function answersWithCalls(since: readonly Entry[]): AnswerDone[] {
  const answers: AnswerDone[] = []
  for (const entry of since) {
    if (entry.type === 'assistant') answers.push({ calls: entry.calls, done: [] })
    const answer = answers.at(-1)
    if (entry.type !== 'result' || !answer) continue
    const call = answer.calls.find(({ id }) => id === entry.callId)
    if (call) answer.done.push({ call, key: keyOf(call), result: textOf(entry) })
  }
  return answers.filter(({ calls }) => calls.length > 0)
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

const textOf = (result: ResultFact & { tail?: string }): string =>
  `${result.isError ? 'error ' : ''}${result.text}${result.tail ?? ''}`

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
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}
