/** One answer of a model, put together from the rows or blocks in which another app keeps it. Pure. */
import type { StopReason, ToolCall, Usage } from '../../log/message.ts'
import type { ForeignAttachment, ForeignItem } from './foreign-chat.ts'
import { argumentsOf, freeId, joinTexts, rawJson, type TakenIds } from './fields.ts'

/** Ids that are given in a chat, so that each is unique in it. */
export class ChatIds {
  readonly #items: TakenIds = new Map()
  readonly #calls: TakenIds = new Map()
  item(wished: string): string {
    return freeId(wished, this.#items)
  }
  call(wished: string): string {
    return freeId(wished, this.#calls)
  }
}

/** A call as its answer keeps it. `said`: the id that the source gave it, by which its result may name it. */
type OpenCall = { call: ToolCall; said?: string }
type Result = { id: string; texts: string[]; isError: boolean; attachments: ForeignAttachment[] }

/** What an answer may say of itself. */
export type AnswerFacts = { at?: number; model?: string; stop?: StopReason; usage?: Usage }

/**
 * Gathers the parts of an answer in their order. It becomes one assistant item, with the results behind it in the order
 * of their calls; rows that are no talk stand before it. Where it says something after a result, its text is an item of
 * its own behind the results, so that the turn is seen to have ended.
 */
export class GatheredAnswer {
  readonly #id: string
  readonly #ids: ChatIds
  readonly #reasoning: string[] = []
  readonly #text: string[] = []
  readonly #calls: OpenCall[] = []
  /** Calls of an answer before this one, which parted into branches before they were answered. */
  readonly #before: readonly OpenCall[]
  readonly #waiting = new WaitingCalls()
  readonly #results = new Map<OpenCall, Result>()
  readonly #kept: ForeignItem[] = []
  readonly #attachments: ForeignAttachment[] = []
  #saysAfterResults = false

  /** `id`: wished for its item. `open`: calls before it that wait for a result. */
  constructor(id: string, ids: ChatIds, open: readonly OpenCall[] = []) {
    this.#id = id
    this.#ids = ids
    this.#before = open
    for (const call of open) this.#waiting.add(call)
  }

  reason(text: string): void {
    this.#reasoning.push(text)
  }

  /** `goesOn`: it continues the text before it, without a gap. */
  say(text: string, goesOn = false): void {
    if (goesOn && this.#text.length > 0) this.#text.push((this.#text.pop() ?? '') + text)
    else this.#text.push(text)
    this.#saysAfterResults ||= text.trim() !== '' && this.#calls.some(one => this.#results.has(one))
  }

  attach(files: readonly ForeignAttachment[]): void {
    for (const file of files) this.#attachments.push(file)
  }

  call(call: { id?: string | undefined; name: string; arguments: unknown }): void {
    const id = this.#ids.call(call.id ?? `${this.#id}/call`)
    const open: OpenCall = {
      call: { id, name: call.name, arguments: argumentsOf(call.arguments) },
      ...(call.id !== undefined && { said: call.id }),
    }
    this.#calls.push(open)
    this.#waiting.add(open)
  }

  /**
   * What a tool gave. It belongs to the call that it names; where it names none, to the oldest open one, of that tool
   * if there is one. A second result of a call is added to the first. False where there is no such call.
   */
  result(
    result: { id: string; callId?: string | undefined; tool?: string | undefined; text: string; isError?: boolean },
    attachments: readonly ForeignAttachment[] = [],
  ): boolean {
    const call = this.#waiting.of(result, one => !this.#results.has(one))
    if (call === undefined) return false
    const known = this.#results.get(call) ?? { id: result.id, texts: [], isError: false, attachments: [] }
    known.texts.push(result.text)
    known.isError ||= result.isError === true
    for (const file of attachments) known.attachments.push(file)
    this.#results.set(call, known)
    return true
  }

  /** Keeps a row that is no talk. */
  keep(id: string, row: unknown, why: Extract<ForeignItem, { kind: 'foreign' }>['why'], at?: number): void {
    this.#kept.push(foreignItem(id, row, why, at))
  }

  /** Calls that have no result yet. */
  get open(): readonly OpenCall[] {
    return [...this.#before, ...this.#calls].filter(call => !this.#results.has(call))
  }

  /** What was kept of it that is no talk: all that comes of a row which is no answer. */
  keptItems(): ForeignItem[] {
    return this.#kept.map(item => ({ ...item, id: this.#ids.item(item.id) }))
  }

  /** Its items, one behind the other; none where it is empty. */
  items(parent: string | null, { at, model, stop, usage }: AnswerFacts): ForeignItem[] {
    const resultsOf = (calls: readonly OpenCall[]): ForeignItem[] =>
      calls.flatMap(one => {
        const result = this.#results.get(one)
        return result === undefined ? [] : resultItem(one.call, result, at)
      })
    const text = joinTexts(this.#text)
    const reasoning = this.#reasoning.some(one => one.trim() !== '') ? joinTexts(this.#reasoning) : undefined
    const calls = this.#calls.map(({ call }) => call)
    const said = {
      id: this.#id,
      parent: null,
      ...(at !== undefined && { at }),
      kind: 'assistant' as const,
      ...(model !== undefined && { model }),
    }
    const ended = {
      ...(stop !== undefined && { stop }),
      ...(usage !== undefined && { usage }),
      ...(this.#attachments.length > 0 && { attachments: this.#attachments }),
    }
    const thought = reasoning !== undefined && { reasoning }
    const says = text !== '' || reasoning !== undefined || calls.length > 0 || this.#attachments.length > 0
    const results = resultsOf(this.#calls)
    const own: ForeignItem[] = this.#saysAfterResults
      ? [
          { ...said, id: `${this.#id}/calls`, text: '', ...thought, calls },
          ...results,
          { ...said, text, calls: [], ...ended },
        ]
      : [...(says ? [{ ...said, text, ...thought, calls, ...ended }] : []), ...results]
    return inRow(
      [...this.#kept, ...resultsOf(this.#before), ...own].map(item => ({
        ...item,
        id: this.#ids.item(item.id),
      })),
      parent,
    )
  }
}

function resultItem(call: ToolCall, result: Result, at: number | undefined): ForeignItem {
  return {
    id: result.id,
    parent: null,
    ...(at !== undefined && { at }),
    kind: 'result',
    callId: call.id,
    tool: call.name,
    text: joinTexts(result.texts),
    isError: result.isError,
    ...(result.attachments.length > 0 && { attachments: result.attachments }),
  }
}

/** Calls in the order in which they wait, by the id that the source gave them and by their tool. */
class WaitingCalls {
  readonly #queues = new Map<string, { calls: OpenCall[]; from: number }>()

  add(one: OpenCall): void {
    for (const name of ['all', `tool ${one.call.name}`, ...(one.said === undefined ? [] : [`id ${one.said}`])]) {
      const queue = this.#queues.get(name)
      if (queue === undefined) this.#queues.set(name, { calls: [one], from: 0 })
      else queue.calls.push(one)
    }
  }

  /** The call that a result belongs to; the newest that fits where none is open. */
  of(
    { callId, tool }: { callId?: string | undefined; tool?: string | undefined },
    isOpen: (one: OpenCall) => boolean,
  ): OpenCall | undefined {
    const names = callId === undefined ? [`tool ${tool ?? ''}`, 'all'] : [`id ${callId}`]
    const queues = names.flatMap(name => this.#queues.get(name) ?? [])
    for (const queue of queues) {
      while (queue.from < queue.calls.length && !isOpen(queue.calls[queue.from]!)) queue.from++
      if (queue.from < queue.calls.length) return queue.calls[queue.from]
    }
    return queues[0]?.calls.at(-1)
  }
}

/** A row that is no talk, kept as it came. */
export function foreignItem(
  id: string,
  row: unknown,
  why: Extract<ForeignItem, { kind: 'foreign' }>['why'],
  at?: number,
): ForeignItem {
  return { id, parent: null, ...(at !== undefined && { at }), kind: 'foreign', raw: rawJson(row), why }
}

/** What a person wrote. */
export function userItem(
  id: string,
  said: { text: string; at: number | undefined; files: readonly ForeignAttachment[] },
): ForeignItem {
  const { text, at, files } = said
  const attachments = files.length > 0 && { attachments: [...files] }
  return { id, parent: null, ...(at !== undefined && { at }), kind: 'user', text, ...attachments }
}

/** The items, each hanging on the one before it, the first on `parent`. */
export function inRow(items: readonly ForeignItem[], parent: string | null): ForeignItem[] {
  return items.map((item, i) => ({ ...item, parent: items[i - 1]?.id ?? parent }))
}
