/** Tokens of a message as sent (C1.4): the counters of the strategies. */
import type { Message } from './message.ts'

/** One way of counting. Never throws; an estimate. */
export type Counter = {
  readonly name: string
  /** Tokens of a plain text. */
  text(text: string): number
  /** Tokens of a message as sent (C1.4), with what its role costs. */
  message(message: Message): number
}
