/** Under which ids the things of a file are stored here, where something else may have theirs (C9.5). */
import type { Entry, Id, SessionId } from '../../log/entry.ts'
import { derivedId, isUsableId, sameEntry } from '../../log/file-format/new-ids.ts'
import { entryLine } from '../../log/file-format/jsonl.ts'
import { isFact } from '../../log/query.ts'
import type { AgentDeps } from '../session/agent-runtime.ts'
import type { ImportChat } from './import-chat.ts'

type Found = { entry: Entry; session: SessionId; isHere: boolean; whole?: string | undefined }

export class ImportIds {
  readonly #deps: Pick<AgentDeps, 'store' | 'world'>
  /** Everything gets a new id. */
  readonly #asCopy: boolean
  /** New ids by those of the file, where they differ; of chats too. */
  readonly #names = new Map<Id, Id>()
  /** Ids that this import has put in. */
  readonly #taken = new Set<Id>()
  /** Ids of the lines at hand that a chat has already. */
  #stored = new Set<Id>()
  readonly #sessionsHere = new Set<SessionId>()

  constructor(deps: Pick<AgentDeps, 'store' | 'world'>, asCopy: boolean) {
    this.#deps = deps
    this.#asCopy = asCopy
  }

  nameOf(id: Id): Id {
    return this.#names.get(id) ?? id
  }

  /** The id that something of the file gets here, if nothing else has it; the same each time it comes. */
  nameFor(id: Id): Id {
    const known = this.#names.get(id)
    if (known !== undefined) return known
    const name = this.#asCopy ? this.#deps.world.newId() : isUsableId(id) ? id : derivedId(id, '')
    this.rename(id, name)
    return name
  }

  /** From now on `name` is meant where the file says `id`. */
  rename(id: Id, name: Id): void {
    if (name !== id) this.#names.set(id, name)
  }

  /** This import puts in an entry with that id. */
  take(id: Id): void {
    this.#taken.add(id)
  }

  isTaken(id: Id): boolean {
    return this.#taken.has(id)
  }

  /** Asks which ids of the lines at hand are stored, once for all of them: one by one would be most of the time. */
  async lookUp(ids: readonly Id[]): Promise<void> {
    this.#stored = this.#asCopy ? new Set() : await this.#deps.store.knownIds(ids.map(id => this.nameOf(id)))
  }

  /**
   * Where an entry of the file goes: under its own id, or one that is made of it where something else has that.
   * `session`: the same is in that chat already. `onTwice`: this import has put in something else under its id.
   */
  async place(
    inFile: Id,
    { chat, made, onTwice }: { chat: ImportChat; made: (id: Id) => Entry; onTwice: () => void },
  ): Promise<Entry | { id: Id; session: SessionId }> {
    for (let id = this.nameFor(inFile); ;) {
      const entry = made(id)
      const known = await this.#find(id, chat)
      if (!known) return entry
      if (known.isHere && sameEntry(known.entry, entry, known.whole)) return { id, session: known.session }
      if (this.#taken.has(id)) onTwice()
      id = derivedId(id, entryLine(entry, 0) ?? '')
      for (const stored of await this.#deps.store.knownIds([id])) this.#stored.add(stored)
    }
  }

  /** The entry that has this id; `isHere`: its chat was not deleted. */
  async #find(id: Id, chat: ImportChat): Promise<Found | undefined> {
    const { store } = this.#deps
    const wholeOf = async (entry: Entry): Promise<string | undefined> =>
      isFact(entry) && entry.rest ? store.text(id, 'all') : undefined
    const own = chat.find(id)
    if (own) return { entry: own, session: chat.id, isHere: true, whole: await wholeOf(own) }
    const found = this.#taken.has(id) || this.#stored.has(id) ? await store.find(id) : undefined
    if (!found) return undefined
    const {
      session,
      row: { entry },
    } = found
    if (!this.#sessionsHere.has(session) && (await store.session(session))) this.#sessionsHere.add(session)
    return { entry, session, isHere: this.#sessionsHere.has(session), whole: await wholeOf(entry) }
  }
}
