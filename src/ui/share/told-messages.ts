/** The lines that go out as messages to be written: with each call its result. The file says what the lines hold. */
import type { AssistantFact, ResultFact, UserFact } from '../../core/log/entry.ts'
import { parseLine } from '../../core/log/file-format/jsonl.ts'
import type { ToolCall } from '../../core/log/message.ts'
import { splitAttachments, type Chip } from '../transcript/transcript-items.ts'

export type ToldCall = { call?: ToolCall; name: string; result?: ResultFact }
export type ToldMessage =
  | { type: 'user'; at: number /* ms */; text: string; chips: readonly Chip[] }
  | {
      type: 'assistant'
      at: number /* ms */
      text: string
      model: string
      stop: AssistantFact['stop']
      calls: readonly ToldCall[]
    }

/** Takes lines in order and gives the messages that are whole: calls wait for their results. */
export class ToldMessages {
  #title = ''
  #createdAt = 0
  #open: (ToldMessage & { type: 'assistant' }) | undefined

  /** Of the chat, once its first line has come. */
  get title(): string {
    return this.#title
  }
  /** Time of the first message, ms. */
  get createdAt(): number {
    return this.#createdAt
  }

  take(line: string): ToldMessage[] {
    const parsed = parseLine(line, { ours: true })
    if (parsed.kind === 'session') {
      this.#title = parsed.name
      this.#createdAt = parsed.createdAt ?? 0
    }
    if (parsed.kind !== 'entry') return []
    const { entry, at } = parsed
    switch (entry.type) {
      case 'user':
        return [...this.end(), question(entry, at ?? 0)]
      case 'assistant': {
        const before = this.end()
        const { text, model, stop } = entry
        this.#open = {
          type: 'assistant',
          at: at ?? 0,
          text,
          model,
          stop,
          calls: entry.calls.map(call => ({ call, name: call.name })),
        }
        return before
      }
      case 'result':
        this.#answer(entry, at ?? 0)
        return []
      default:
        return [] // no other goes out
    }
  }

  /** The last one. */
  end(): ToldMessage[] {
    const open = this.#open
    this.#open = undefined
    return open === undefined ? [] : [open]
  }

  #answer(result: ResultFact, at: number): void {
    const open = (this.#open ??= { type: 'assistant', at, text: '', model: '', stop: 'stop', calls: [] })
    const place = open.calls.findIndex(({ call, result: known }) => call?.id === result.callId && known === undefined)
    const calls =
      place < 0
        ? [...open.calls, { name: result.tool, result }]
        : open.calls.map((call, i) => (i === place ? { ...call, result } : call))
    this.#open = { ...open, calls }
  }
}

function question(fact: UserFact, at: number): ToldMessage {
  return { type: 'user', at, ...splitAttachments({ ...fact, id: '', parent: null, at }) }
}
