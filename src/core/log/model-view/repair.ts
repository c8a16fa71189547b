/** Makes calls and results match: in what is sent (C2.2), and in the log after a crash. Pure. */
import { turnsOf, unansweredCalls } from '../query.ts'
import type { AssistantFact, Fact, Log } from '../entry.ts'
import type { Message, ToolCall } from '../message.ts'

type Item = { readonly message: Message }

/** How repair changes items of a list. */
export type Remake<T extends Item> = {
  /** The same answer with these calls only. */
  withCalls(item: T, calls: readonly ToolCall[]): T
  /** The error result of a call that has none. `owner`: the answer that made it. */
  missing(call: ToolCall, owner: T): T
}

/** Collects what did not match, for a caller that repairs a list in pieces. */
export type RepairFindings = { orphans: string[]; missing: Set<string> }

/**
 * The messages as they may be sent (C2.2): a result follows the nearest unanswered call with its id before it, a
 * missing one is put in as an error, an orphan and a second result are left out, of one id twice in an answer the first
 * call stays. What needs no repair is given back as the same objects. O(n); never throws.
 */
export function repair<T extends Item>(items: readonly T[], remake: Remake<T>, left?: RepairFindings): T[] {
  // Owners in order; each with its results in the order in which they came.
  const open = new Map<string, Answer<T>[]>()
  const steps: (T | Answer<T>)[] = []
  for (const item of items) {
    const { message } = item
    if (message.role === 'assistant' && message.toolCalls !== undefined && message.toolCalls.length > 0) {
      const answer = answerOf(item, message.toolCalls, remake)
      for (const call of answer.calls) {
        const waiting = open.get(call.id)
        if (waiting) waiting.push(answer)
        else open.set(call.id, [answer])
      }
      steps.push(answer)
    } else if (message.role === 'tool') {
      const answer = open.get(message.toolCallId)?.pop()
      if (answer) answer.results.push(item)
      else left?.orphans.push(message.toolCallId) // not sent
    } else steps.push(item)
  }
  const repaired: T[] = []
  for (const step of steps) {
    if (!('results' in step)) {
      repaired.push(step)
      continue
    }
    repaired.push(step.item, ...step.results)
    if (step.results.length === step.calls.length) continue // each call takes one result
    for (const call of step.calls) {
      if (step.results.some(({ message }) => message.role === 'tool' && message.toolCallId === call.id)) continue
      repaired.push(remake.missing(call, step.item))
      left?.missing.add(call.id)
    }
  }
  return repaired
}

type Answer<T> = { item: T; calls: readonly ToolCall[]; results: T[] }

function answerOf<T extends Item>(item: T, calls: readonly ToolCall[], remake: Remake<T>): Answer<T> {
  if (calls.length === 1) return { item, calls, results: [] }
  const ids = new Set(calls.map(call => call.id))
  if (ids.size === calls.length) return { item, calls, results: [] }
  const first = calls.filter(call => ids.delete(call.id))
  return { item: remake.withCalls(item, first), calls: first, results: [] }
}

/**
 * The message that stands for a result that was never recorded. `imported`: the call came with a file. The same object
 * for the same call.
 */
export function missingResult(call: ToolCall, imported = false): Message {
  const known = missing.get(call)
  if (known) return known
  const why = imported ? ': it came with an import and was not run here' : ''
  const made: Message = {
    role: 'tool',
    toolCallId: call.id,
    name: call.name,
    isError: true,
    content: `Error: no result was recorded for this call${why}. Call again if the result is needed.`,
  }
  missing.set(call, made)
  return made
}
const missing = new WeakMap<ToolCall, Message>()

/** Plain messages as they may be sent (C2.2). */
export function repairMessages(messages: readonly Message[]): Message[] {
  return repair(
    messages.map(message => ({ message })),
    {
      withCalls: ({ message }, calls) => ({
        message: message.role === 'assistant' ? { ...message, toolCalls: calls } : message,
      }),
      missing: call => ({ message: missingResult(call) }),
    },
  ).map(({ message }) => message)
}

/** What had come of an answer when the app went away. */
export type CutOffReply = Pick<AssistantFact, 'text' | 'reasoning' | 'calls' | 'model' | 'local'>

/**
 * The facts that a log needs after a crash: the part of an answer that had come, with stop 'interrupted', and a result
 * for each call of the last turn that has none and that will not be asked again. `waiting`: ids of calls that keep
 * waiting for a permission. Nothing to do gives none. Older turns, and calls that came with a file, are left alone:
 * what is sent of them is repaired by the view.
 */
export function repairsAfterCrash(
  log: Log,
  partial: CutOffReply | undefined,
  waiting: ReadonlySet<string> = new Set(),
): Fact[] {
  const turn = turnsOf(log).at(-1)
  const repairs: Fact[] = []
  for (const { assistant, call } of unansweredCalls(turn?.facts ?? [])) {
    if (!assistant.imported && !waiting.has(call.id)) repairs.push(interrupted(call))
  }
  if (partial && (partial.text !== '' || partial.calls.length > 0 || (partial.reasoning ?? '') !== '')) {
    const { text, reasoning, calls, model, local } = partial
    repairs.push({
      type: 'assistant',
      text,
      ...(reasoning ? { reasoning } : {}),
      calls,
      model,
      local,
      stop: 'interrupted',
    })
    const ids = new Set(calls.map(call => call.id))
    for (const call of calls) if (ids.delete(call.id)) repairs.push(interrupted(call))
  }
  return repairs
}

function interrupted(call: ToolCall): Fact {
  return {
    type: 'result',
    callId: call.id,
    tool: call.name,
    isError: true,
    text: 'Error: interrupted. The app was closed before a result was recorded; whether the tool ran is not known.',
  }
}
