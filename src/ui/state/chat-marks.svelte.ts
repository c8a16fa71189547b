/** UI state of the marks beside chats: where something runs, where it waits for the person, where an answer is new. */
import type { AgentEvent, Status } from '../../core/agent/api/api.ts'
import type { SessionId } from '../../core/log/entry.ts'

/**
 * `runs`: an answer is being written. `asks`: a tool waits for a permission. `stands`: it was broken off and can go on.
 * `done`: an answer came while the chat was not on the screen.
 */
export type ChatMark = 'runs' | 'asks' | 'stands' | 'done'
export type StoredMarks = Readonly<Record<SessionId, ChatMark>>

/** What a status means for the list; undefined: nothing. */
function markOf({ state }: Status): ChatMark | undefined {
  switch (state) {
    case 'idle':
    case 'waiting':
      return undefined
    case 'asking':
      return 'asks'
    case 'interrupted':
      return 'stands'
    case 'thinking':
    case 'writing':
    case 'running':
    case 'compacting':
    case 'retrying':
    case 'offline':
      return 'runs'
    default:
      return state satisfies never
  }
}

export class ChatMarks {
  #marks = $state.raw<StoredMarks>({})
  /** Chats with an answer that the person has not seen. */
  readonly #answered = new Set<SessionId>()
  readonly #store: (marks: StoredMarks) => void

  /** `stored`: the marks of the page before this one, whose answers have ended with it unless another tab says more. */
  constructor(stored: StoredMarks, store: (marks: StoredMarks) => void) {
    this.#store = store
    this.#marks = Object.fromEntries(
      Object.entries(stored).map(([id, mark]) => [id, mark === 'runs' ? 'stands' : mark] as const),
    )
    for (const [id, mark] of Object.entries(stored)) if (mark === 'done') this.#answered.add(id)
  }

  of(id: SessionId): ChatMark | undefined {
    return this.#marks[id]
  }

  /** How many chats wait for a look, besides the one that is looked at: an answer is new, or a tool asks. */
  waiting(looked: SessionId | undefined): number {
    return Object.entries(this.#marks).filter(([id, mark]) => id !== looked && (mark === 'done' || mark === 'asks'))
      .length
  }

  /** Takes what the worker tells of all chats; `shown` is the one on the screen. */
  receive(events: readonly AgentEvent[], shown: SessionId | undefined): void {
    for (const event of events) {
      if (
        event.type === 'appended' &&
        event.session !== shown &&
        event.entries.some(({ type }) => type === 'assistant')
      )
        this.#answered.add(event.session)
      if (event.type === 'status') this.take(event.session, event.status, event.session === shown)
    }
  }

  /** A chat has this status; one that is shown has nothing new for the person. */
  take(id: SessionId, status: Status, isShown: boolean): void {
    if (status.state === 'waiting') return // another tab works on it, and says what it does
    if (isShown) this.#answered.delete(id)
    this.#set(id, markOf(status) ?? (this.#answered.has(id) ? 'done' : undefined))
  }

  /** The person looks at the chat: nothing in it is new any more. */
  seen(id: SessionId): void {
    this.#answered.delete(id)
    if (this.#marks[id] === 'done') this.#set(id, undefined)
  }

  /** Chats that are not there any more have no marks. */
  keepOnly(chats: readonly { id: SessionId }[]): void {
    const here = new Set(chats.map(({ id }) => id))
    for (const id of Object.keys(this.#marks)) if (!here.has(id)) this.#set(id, undefined)
  }

  #set(id: SessionId, mark: ChatMark | undefined): void {
    if (this.#marks[id] === mark) return
    const { [id]: _before, ...others } = this.#marks
    this.#marks = mark === undefined ? others : { ...others, [id]: mark }
    this.#store(this.#marks)
  }
}
