/** Messages that go out as lines of the export format (C9.4, C9.7), under ids of their own. Pure. */
import type { Attachment, Entry, Fact, Id } from '../../log/entry.ts'
import { entryLine, sessionLine } from '../../log/file-format/jsonl.ts'
import type { SharedAttachment, SharedMessage } from './shown-messages.ts'

const minute = 60_000 // ms; people see no more of a time

export class SharedLines {
  readonly #id: Id
  #count = 0
  #calls = 0
  #parent: Id | null = null
  /** Calls without a result: their ids in the chat, and those that go out. */
  #open: { id: string; shared: string }[] = []

  /** `id`: of the chat that goes out; it is another one than that which it comes from. */
  constructor(id: Id) {
    this.#id = id
  }

  /** The first line. `at`: time of the first message, ms. */
  header(name: string, at: number): string {
    return sessionLine({ id: this.#id, name, createdAt: inMinutes(at) })
  }

  /** The line of the next message, in order. */
  line(message: SharedMessage): string {
    const id = `${this.#id}.${this.#count}`
    const entry = { id, parent: this.#parent, at: inMinutes(message.at), ...this.#factOf(message) } satisfies Entry
    this.#parent = id
    return entryLine(entry, this.#count++) ?? ''
  }

  #factOf(message: SharedMessage): Fact {
    switch (message.type) {
      case 'user':
        return { type: 'user', ...textAndSpans(message.text, message.attachments) }
      case 'assistant': {
        const { text, model, stop } = message
        const calls = message.calls.map(call => {
          const shared = `c${this.#calls++}`
          this.#open.push({ id: call.id, shared })
          return { ...call, id: shared }
        })
        return { type: 'assistant', text, calls, model, local: false, stop }
      }
      case 'result': {
        const { tool, text, isError } = message
        return { type: 'result', callId: this.#callOf(message.callId), tool, text, isError }
      }
      default:
        return message satisfies never
    }
  }

  /** C2.2: the nearest call with its id before it that has no result. */
  #callOf(id: string): string {
    const at = this.#open.findLastIndex(open => open.id === id)
    return at < 0 ? `c${this.#calls++}` : this.#open.splice(at, 1)[0]!.shared
  }
}

const inMinutes = (at: number): number => Math.floor(at / minute) * minute

/** The typed words, and behind them the attached texts, each in its span. */
function textAndSpans(
  typed: string,
  attachments: readonly SharedAttachment[],
): { text: string; attachments?: Attachment[] } {
  let text = typed
  const placed = attachments.map(({ name, mime, bytes, text: inside }): Attachment => {
    if (inside === undefined) return { name, mime, bytes }
    const from = text.length
    text += inside
    return { name, mime, bytes, span: [from, text.length] as const }
  })
  return placed.length === 0 ? { text } : { text, attachments: placed }
}
