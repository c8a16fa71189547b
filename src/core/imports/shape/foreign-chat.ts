/** A chat of another app, as a reader has understood it, before it becomes one of ours. Types only. */
import type { StopReason, ToolCall, Usage } from '../../log/message.ts'

/** A file that belongs to a message. What is known of its content stands in one of the three, or in none. */
export type ForeignAttachment = {
  name: string
  mime?: string
  /** Its text, which goes with the message. */
  text?: string
  base64?: string
  /** What the export calls it: a path or an id of a file that may lie beside. */
  ref?: string
}

/** One thing of a chat. Ids are the source's own, or made of its place where it has none; unique within the chat. */
export type ForeignItem = {
  id: string
  /** The one before it in its branch; null for a root. A parent that is not in the chat makes a root as well. */
  parent: string | null
  at?: number // ms since epoch
} & (
  | { kind: 'user'; text: string; attachments?: ForeignAttachment[] }
  | {
      kind: 'assistant'
      text: string
      reasoning?: string
      calls: ToolCall[]
      model?: string
      stop?: StopReason
      usage?: Usage
      attachments?: ForeignAttachment[]
    }
  | { kind: 'result'; callId: string; tool: string; text: string; isError: boolean; attachments?: ForeignAttachment[] }
  /** Another agent's compaction. `firstKept`: the oldest item that its model still saw whole; absent: none of them. */
  | { kind: 'summary'; text: string; firstKept?: string }
  /** Kept as it came, and no talk: the source hides it, wrote it itself, or we do not know it. */
  | { kind: 'foreign'; raw: string /* JSON */; why: 'hidden' | 'injected' | 'sidechain' | 'unknown' }
)

export type ForeignChat = {
  id: string
  title?: string
  createdAt?: number // ms since epoch
  updatedAt?: number // ms since epoch
  /** Instructions to the model. */
  system?: string
  /** The item in view; it need not be the last of its branch. Absent or unknown: the newest one. */
  leaf?: string
  /** Parents stand before their children. */
  items: ForeignItem[]
}
