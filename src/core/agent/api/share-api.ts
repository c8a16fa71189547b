/** What the page asks about sharing a chat. Types only. */
import type { Id, SessionId } from '../../log/entry.ts'
import type { SecretKind } from '../../text/redaction/secret-kinds.ts'

/** Messages by their position among the questions and answers of a chat, from 1, both included. */
export type MessageRange = { from: number; to: number }

/**
 * What of a chat goes out: these messages (absent: all; `around`: the question and the answers of the turn that this
 * message belongs to), with or without tool calls. `names`: a line for each call, as the chat shows it; `results`: with
 * all that was given and answered. `attachedTexts`: texts that a person attached go out too, not only their names.
 */
export type ShareChoice = {
  range?: MessageRange | { around: Id }
  tools: 'none' | 'names' | 'results'
  attachedTexts: boolean
}

/** A place of a finding, with the text around it; each side has at most some 40 characters. */
export type FindingPlace = { entry: Id | null /* the title */; before: string; found: string; after: string }

/** A secret, or what tells of a person. `count`: in how many places it stands; `places`: the first of them. */
export type ShareFinding = {
  id: number
  kind: SecretKind
  number: number
  of?: string
  count: number
  places: FindingPlace[]
}

/** A message by who wrote it and its first words. */
export type MessageWords = { who: 'user' | 'assistant'; words: string }

/**
 * What would go out. `handle` names it until the next look. `total`: questions and answers of the chat; `range`: those
 * that go out, `ends` the first and the last of them. `calls`: tool calls that go out, or could; `attached`: texts that
 * were attached. `counts`: what was found by kind; `findings`: of each kind the first ones.
 */
export type ShareReview = {
  handle: Id
  total: number
  range: MessageRange
  ends: MessageWords[]
  calls: number
  attached: number
  counts: { kind: SecretKind; findings: number }[]
  findings: ShareFinding[]
}

/** What stays in although it was found. */
export type KeptFindings = { ids: number[]; kinds: SecretKind[] }

export interface ShareApi {
  /** Looks at what would go out; the look before is forgotten. Throws `not_found`. */
  reviewShare(session: SessionId, choice: ShareChoice): Promise<ShareReview>
  /**
   * The lines of what goes out (C9.7), a page at a time. Throws `not_found` where another look has come since, or the
   * worker was restarted.
   */
  sharedLines(handle: Id, kept: KeptFindings, cursor?: number): Promise<{ lines: string[]; next?: number }>
}
