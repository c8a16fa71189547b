/** Counting tokens: how the published rules of C1 turn text into a number. */
import type { Message } from '../log/message.ts'

/** One way of counting. Never throws; an estimate. */
export type Counter = {
  readonly name: string
  /** Tokens of a plain text. */
  text(text: string): number
  /** Tokens of a message as sent (C1.4), with what its role costs. */
  message(message: Message): number
}
