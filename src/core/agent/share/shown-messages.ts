/** The messages of a chat as a person sees them, and nothing else of it: what may go out (C9.7). Pure. */
import { continuesAnswer } from '../../log/answer-parts.ts'
import type { AssistantFact, Entry, FactEntry, Id, Log } from '../../log/entry.ts'
import { firstFact } from '../../log/first-fact.ts'
import type { StopReason, ToolCall } from '../../log/message.ts'
import { isFact } from '../../log/query.ts'
import { joinedText } from '../../text/continuation.ts'
import type { MessageRange, ShareChoice } from '../api/share-api.ts'
import { shownArguments } from './shown-arguments.ts'

type Base = { entry: Id; at: number /* ms */; parts: readonly Id[] /* its entries */ }
export type SharedAttachment = { name: string; mime: string; bytes: number; text?: string }
export type SharedQuestion = Base & { type: 'user'; text: string; attachments: readonly SharedAttachment[] }
export type SharedAnswer = Base & {
  type: 'assistant'
  text: string
  model: string
  stop: StopReason
  calls: readonly ToolCall[]
}
export type SharedResult = Base & { type: 'result'; callId: string; tool: string; text: string; isError: boolean }
export type SharedMessage = SharedQuestion | SharedAnswer | SharedResult

/** Longest word at the border of a huge text that is left out: half a word could be half a key. UTF-16 units. */
const longestEdge = 4_096

/** All that the chat shows, what of it goes out, and which questions and answers these are. */
export type Shown = {
  all: readonly SharedMessage[]
  chosen: readonly SharedMessage[]
  total: number
  range: MessageRange
}

/**
 * The messages on the path in view, and those that the choice lets out, oldest first: no other version, thought, edit,
 * aside, and no message whose text was removed. An answer that came in parts is one message. `notShared`: what stands
 * for a result that does not go out.
 */
export function shownMessages(entries: readonly Entry[], path: Log, choice: ShareChoice, notShared: string): Shown {
  const all = whole(entries, path)
  const counted = all.flatMap((message, at) => (isCounted(message) ? [at] : []))
  const range = rangeOf(choice.range, all, counted)
  // What is between two of them, calls and their results, belongs to the one before.
  const start = range.from <= 1 ? 0 : counted[range.from - 1]!
  const end = range.to >= counted.length ? all.length : counted[range.to]!
  const inside = all.slice(start, end)
  return { all: inside, chosen: settled(inside, choice, notShared), total: counted.length, range }
}

const isCounted = (message: SharedMessage): boolean =>
  message.type === 'user' || (message.type === 'assistant' && message.text.trim() !== '')

function rangeOf(range: ShareChoice['range'], all: readonly SharedMessage[], counted: readonly number[]): MessageRange {
  const total = counted.length
  if (range === undefined) return { from: Math.min(1, total), to: total }
  if ('from' in range) {
    const from = Math.min(Math.max(1, Math.trunc(range.from) || 1), total)
    return { from, to: Math.min(Math.max(from, Math.trunc(range.to) || from), total) }
  }
  const here = all.findIndex(({ parts }) => parts.includes(range.around))
  if (here < 0) return { from: Math.min(1, total), to: total }
  const isQuestion = (at: number): boolean => all[at]?.type === 'user'
  const from = counted.findLastIndex(at => at <= here && isQuestion(at))
  const next = counted.findIndex(at => at > here && isQuestion(at))
  return { from: Math.max(0, from) + 1, to: next < 0 ? total : next }
}

/** All that the chat shows as messages, with all of their tool calls. */
function whole(entries: readonly Entry[], path: Log): SharedMessage[] {
  const children = new Map<Id | null, Entry[]>()
  for (const entry of entries) {
    const siblings = children.get(entry.parent)
    if (siblings === undefined) children.set(entry.parent, [entry])
    else siblings.push(entry)
  }
  const shown: SharedMessage[] = []
  let before: FactEntry | undefined
  let version: string | undefined // a fork above, until the first fact of the kind that has versions
  for (const entry of path) {
    version = forkAt(entry, children) ?? version
    if (!isFact(entry)) continue
    const isVersion = version === entry.type
    if (entry.type !== 'result') version = undefined
    const last = shown.at(-1)
    if (
      entry.type === 'assistant' &&
      last?.type === 'assistant' &&
      before !== undefined &&
      !isVersion &&
      !entry.rest &&
      !before.rest &&
      continuesAnswer(before, entry)
    )
      shown[shown.length - 1] = continued(last, entry)
    else shown.push(messageOf(entry))
    before = entry
  }
  const removed = new Set(path.filter(entry => entry.gone !== undefined).map(({ id }) => id))
  return shown.filter(({ entry }) => !removed.has(entry))
}

function forkAt(entry: Entry, children: ReadonlyMap<Id | null, readonly Entry[]>): string | undefined {
  const siblings = children.get(entry.parent) ?? []
  if (siblings.length < 2) return undefined
  const type = firstFact(entry, children)
  if (type === undefined || type === 'result') return undefined
  return siblings.some(other => other !== entry && firstFact(other, children) === type) ? type : undefined
}

function continued(answer: SharedAnswer, { id, text, model, stop, calls }: Entry & AssistantFact): SharedAnswer {
  return { ...answer, parts: [...answer.parts, id], text: joinedText(answer.text, text), model, stop, calls }
}

function messageOf(fact: FactEntry): SharedMessage {
  const base = { entry: fact.id, at: fact.at, parts: [fact.id] }
  switch (fact.type) {
    case 'user':
      return { ...base, type: 'user', ...questionOf(fact) }
    case 'assistant': {
      const { model, stop, calls } = fact
      return { ...base, type: 'assistant', text: withEnds(fact), model, stop, calls }
    }
    case 'result':
      return {
        ...base,
        type: 'result',
        callId: fact.callId,
        tool: fact.tool,
        text: withEnds(fact),
        isError: fact.isError,
      }
    default:
      return fact satisfies never
  }
}

/** What the chat shows of a text: the whole, or of a huge one its ends (C3.7), without the words at the cut. */
function withEnds({ text, tail, rest }: FactEntry): string {
  if (!rest) return text
  const head = text.slice(0, Math.max(text.length - longestEdge, text.search(/\S*$/)))
  const word = /^\S*/.exec((tail ?? '').slice(0, longestEdge))?.[0] ?? ''
  return `${head.trimEnd()}\n\n[…]\n\n${(tail ?? '').slice(word.length).trimStart()}`
}

function questionOf(fact: FactEntry & { type: 'user' }): Pick<SharedQuestion, 'text' | 'attachments'> {
  const text = withEnds(fact)
  const spans = (fact.attachments ?? []).flatMap(({ span }) => (span ? [span] : [])).toSorted((a, b) => a[0] - b[0])
  let [typed, at] = ['', 0]
  for (const [from, to] of spans) {
    if (from > at) typed += text.slice(at, from)
    at = Math.max(at, fact.rest && to > fact.text.length ? text.length : to)
  }
  const attachments = (fact.attachments ?? []).map(({ name, mime, bytes, span }): SharedAttachment => {
    if (span === undefined) return { name, mime, bytes }
    const end = fact.rest && span[1] > fact.text.length ? text.length : span[1]
    return { name, mime, bytes, text: text.slice(span[0], end) }
  })
  return { text: typed + text.slice(at), attachments }
}

/** What the choice leaves of them, so that it reads as the chat does once it is imported. */
function settled(
  all: readonly SharedMessage[],
  { tools, attachedTexts }: ShareChoice,
  notShared: string,
): SharedMessage[] {
  const called = new Set<string>()
  const chosen = all.flatMap((message): SharedMessage[] => {
    switch (message.type) {
      case 'user':
        return [
          attachedTexts
            ? message
            : { ...message, attachments: message.attachments.map(({ text: _text, ...attachment }) => attachment) },
        ]
      case 'assistant': {
        const calls =
          tools === 'none'
            ? []
            : tools === 'names'
              ? message.calls.map(call => ({ ...call, arguments: shownArguments(call.arguments) }))
              : message.calls
        const stop = message.stop === 'calls' && calls.length === 0 ? 'stop' : message.stop
        for (const { id } of calls) called.add(id)
        return message.text.trim() === '' && calls.length === 0 ? [] : [{ ...message, calls, stop }]
      }
      case 'result':
        if (tools === 'results') return [message]
        return tools === 'names' && called.delete(message.callId) ? [{ ...message, text: notShared }] : []
      default:
        return message satisfies never
    }
  })
  // One that was cut off would be gone on with by an answer that did not follow it.
  return chosen.map((message, at) =>
    message.type === 'assistant' && message.calls.length === 0 && chosen[at + 1]?.type === 'assistant'
      ? { ...message, stop: 'stop' }
      : message,
  )
}
