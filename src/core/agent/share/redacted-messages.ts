/** Looks for secrets in all texts of what goes out, and gives the messages without them. Pure. */
import type { ToolCall } from '../../log/message.ts'
import { SecretScan, type RedactionChoice } from '../../text/redaction/secret-scan.ts'
import type { SharedMessage } from './shown-messages.ts'
import { isJson } from '../../text/json.ts'

export class RedactedMessages {
  readonly scan = new SecretScan()
  readonly #title: number
  /** Positions of the texts of a message in the scan, in the order of `textsOf`. */
  readonly #texts: number[][] = []
  /** Whose texts these are; of the title's none. */
  readonly #owners: (SharedMessage | null)[] = [null]
  readonly messages: readonly SharedMessage[]

  constructor(title: string, messages: readonly SharedMessage[]) {
    this.messages = messages
    this.#title = this.scan.add(title)
  }

  /** Looks for secrets, a message with each step, so that other work can come between; then spreads what was found. */
  *look(): Generator<void> {
    for (const message of this.messages) {
      this.#texts.push(
        textsOf(message).map(text => {
          this.#owners.push(message)
          return this.scan.add(text)
        }),
      )
      yield
    }
    for (let index = 0; index < this.#owners.length; index++) {
      this.scan.spread(index)
      yield
    }
  }

  /** Whose text this is; null for the title. */
  ownerOf(text: number): SharedMessage | null {
    return this.#owners[text] ?? null
  }

  title(choice: RedactionChoice): string {
    return this.scan.redacted(this.#title, choice)
  }

  /** A message by its position, without what is not kept. */
  message(at: number, choice: RedactionChoice): SharedMessage {
    const texts = (this.#texts[at] ?? []).map(index => this.scan.redacted(index, choice))
    return withTexts(this.messages[at]!, texts)
  }
}

/** All that a person or a program wrote in it. */
function textsOf(message: SharedMessage): string[] {
  switch (message.type) {
    case 'user':
      return [message.text, ...message.attachments.flatMap(({ name, mime, text }) => [name, mime, text ?? ''])]
    case 'assistant':
      return [message.text, message.model, ...message.calls.flatMap(call => [call.name, call.arguments])]
    case 'result':
      return [message.text, message.tool]
    default:
      return message satisfies never
  }
}

/** The same message with these in place of its texts. */
function withTexts(message: SharedMessage, texts: readonly string[]): SharedMessage {
  const [text = '', second = ''] = texts
  switch (message.type) {
    case 'user':
      return {
        ...message,
        text,
        attachments: message.attachments.map((attachment, at) => {
          const [name = '', mime = '', inside = ''] = texts.slice(1 + 3 * at)
          return { ...attachment, name, mime, ...(attachment.text === undefined ? {} : { text: inside }) }
        }),
      }
    case 'assistant':
      return {
        ...message,
        text,
        model: second,
        calls: message.calls.map((call, at): ToolCall => {
          const [name = '', json = ''] = texts.slice(2 + 2 * at)
          return { ...call, name, arguments: sameJson(call.arguments, json) }
        }),
      }
    case 'result':
      return { ...message, text, tool: second }
    default:
      return message satisfies never
  }
}

/** What was JSON stays JSON: a number that was taken out leaves a text. */
function sameJson(before: string, after: string): string {
  if (before === after || !isJson(before) || isJson(after)) return after
  const quoted = after.replace(/(?<=[:,[]\s{0,8})(\[[^\s"[\]]{1,60}\])(?=\s{0,8}[,}\]])/g, '"$1"')
  return isJson(quoted) ? quoted : JSON.stringify({ text: after })
}
