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
type Result = Extract<ForeignItem, { kind: 'result' }>

/** What an answer may say of itself. */
export type AnswerFacts = { at?: number; model?: string; stop?: StopReason; usage?: Usage }

/**
 * Gathers the parts of an answer in their order. It becomes one assistant item, with the results behind it in the order
 * of their calls; rows that are no talk stand before it.
 */
export class Answer {
  readonly #id: string
  readonly #ids: ChatIds
  readonly #reasoning: string[] = []
  readonly #text: string[] = []
  readonly #calls: OpenCall[] = []
  /** Calls of an answer before this one, which parted into branches before they were answered. */
  readonly #before: readonly OpenCall[]
  readonly #results = new Map<OpenCall, Result>()
  readonly #kept: ForeignItem[] = []
  readonly #attachments: ForeignAttachment[] = []

  /** `id`: wished for its item. `open`: calls before it that wait for a result. */
  constructor(id: string, ids: ChatIds, open: readonly OpenCall[] = []) {
    this.#id = id
    this.#ids = ids
    this.#before = open
  }

  reason(text: string): void {
    this.#reasoning.push(text)
  }

  /** `goesOn`: it continues the text before it, without a gap. */
  say(text: string, goesOn = false): void {
    if (goesOn && this.#text.length > 0) this.#text.push((this.#text.pop() ?? '') + text)
    else this.#text.push(text)
  }

  attach(files: readonly ForeignAttachment[]): void {
    this.#attachments.push(...files)
  }

  call(call: { id?: string | undefined; name: string; arguments: unknown }): void {
    const id = this.#ids.call(call.id ?? `${this.#id}/call`)
    this.#calls.push({
      call: { id, name: call.name, arguments: argumentsOf(call.arguments) },
      ...(call.id !== undefined && { said: call.id }),
    })
  }

  /**
   * What a tool gave. It belongs to the call that it names; where it names none, to the oldest open one, of that tool if
   * there is one. A second result of a call is added to the first. False where there is no such call.
   */
  result(
    result: { id: string; callId?: string | undefined; tool?: string | undefined; text: string; isError?: boolean },
    attachments: readonly ForeignAttachment[] = [],
  ): boolean {
    const calls = [...this.#before, ...this.#calls]
    const named = result.callId === undefined ? calls : calls.filter(({ said }) => said === result.callId)
    const open = named.filter(call => !this.#results.has(call))
    const call = open.find(one => one.call.name === result.tool) ?? open[0] ?? named.at(-1)
    if (call === undefined) return false
    const first = this.#results.get(call)
    const files = [...(first?.attachments ?? []), ...attachments]
    this.#results.set(call, {
      id: first?.id ?? result.id,
      parent: null,
      kind: 'result',
      callId: call.call.id,
      tool: call.call.name,
      text: first === undefined ? result.text : joinTexts([first.text, result.text]),
      isError: (first?.isError ?? false) || result.isError === true,
      ...(files.length > 0 && { attachments: files }),
    })
    return true
  }

  /** Keeps a row that is no talk. */
  keep(id: string, row: unknown, why: Extract<ForeignItem, { kind: 'foreign' }>['why'], at?: number): void {
    this.#kept.push({ id, parent: null, ...(at !== undefined && { at }), kind: 'foreign', raw: rawJson(row), why })
  }

  /** Calls that have no result yet. */
  get open(): readonly OpenCall[] {
    return [...this.#before, ...this.#calls].filter(call => !this.#results.has(call))
  }

  /** Its items, one behind the other; none where it is empty. */
  items(parent: string | null, { at, model, stop, usage }: AnswerFacts): ForeignItem[] {
    const resultsOf = (calls: readonly OpenCall[]): ForeignItem[] =>
      calls
        .flatMap(call => this.#results.get(call) ?? [])
        .map(result => ({ ...result, ...(at !== undefined && { at }) }))
    const own: ForeignItem = {
      id: this.#id,
      parent: null,
      ...(at !== undefined && { at }),
      kind: 'assistant',
      text: joinTexts(this.#text),
      ...(this.#reasoning.some(text => text.trim() !== '') && { reasoning: joinTexts(this.#reasoning) }),
      calls: this.#calls.map(({ call }) => call),
      ...(model !== undefined && { model }),
      ...(stop !== undefined && { stop }),
      ...(usage !== undefined && { usage }),
      ...(this.#attachments.length > 0 && { attachments: this.#attachments }),
    }
    const says = own.text !== '' || own.reasoning !== undefined || own.calls.length > 0 || this.#attachments.length > 0
    return inRow(
      [...this.#kept, ...resultsOf(this.#before), ...(says ? [own] : []), ...resultsOf(this.#calls)].map(item => ({
        ...item,
        id: this.#ids.item(item.id),
      })),
      parent,
    )
  }
}

/** The items, each hanging on the one before it, the first on `parent`. */
export function inRow(items: readonly ForeignItem[], parent: string | null): ForeignItem[] {
  return items.map((item, i) => ({ ...item, parent: items[i - 1]?.id ?? parent }))
}
