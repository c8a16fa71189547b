/** UI state of the chats that wait for a look: an answer is ready, or a tool asks. The app's badge counts them. */
import type { AgentEvent } from '../../core/agent/api/api.ts'
import type { SessionId } from '../../core/log/entry.ts'

export class ReadyChats {
  readonly #answered = new Set<SessionId>() // in the turn that runs
  #ready = $state.raw<ReadonlySet<SessionId>>(new Set())

  get count(): number {
    return this.#ready.size
  }

  /** Takes what the worker tells of all chats; `looked` is the one that the person looks at. */
  receive(events: readonly AgentEvent[], looked: SessionId | undefined): void {
    for (const event of events) {
      if (event.type === 'appended' && event.entries.some(({ type }) => type === 'assistant'))
        this.#answered.add(event.session)
      if (event.type !== 'status' || event.session === looked) continue
      const { state } = event.status
      if (state === 'asking') this.#add(event.session)
      else if (state === 'idle' || state === 'interrupted') {
        if (this.#answered.delete(event.session)) this.#add(event.session)
      } else this.seen(event.session) // it goes on: somebody has looked at it
    }
  }

  /** The person looks at this chat. */
  seen(chat: SessionId): void {
    if (this.#ready.has(chat)) this.#ready = new Set([...this.#ready].filter(id => id !== chat))
  }

  /** Chats that are not there any more wait for nobody. */
  keepOnly(chats: readonly { id: SessionId }[]): void {
    const here = new Set(chats.map(({ id }) => id))
    for (const id of this.#ready) if (!here.has(id)) this.seen(id)
  }

  #add(chat: SessionId): void {
    if (!this.#ready.has(chat)) this.#ready = new Set([...this.#ready, chat])
  }
}
