/**
 * The chat that imported lines go to: an existing or a new one, filled in batches, showing what has arrived so far
 * (C9.5).
 */
import type { Entry, Id, SessionId } from '../../log/entry.ts'
import type { ParsedLine } from '../../log/file-format/jsonl.ts'
import { strictestMark, type EgressMark } from '../../log/egress-mark.ts'
import { isFact } from '../../log/query.ts'
import { toolNamer } from '../../log/file-format/new-ids.ts'
import type { SessionInfo } from '../../ports/ports.ts'
import { givenTitle } from '../../text/display/title.ts'
import { importFaults, type ImportFault } from './import-faults.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import { appendTo, type Session } from '../session/session.ts'
import type { SessionTasks } from '../lifecycle/session-tasks.ts'

/** Entries of one append: large enough to be quick, small enough to keep a transaction short. */
const batchEntries = 500
const batchCharacters = 2_000_000

export type SessionLine = ParsedLine & { kind: 'session' }

/**
 * How it ended. `version`: the end of the file's path, where the chat goes on showing another one. `faults`: of a chat
 * that was made.
 */
export type ImportedChatEnd = { version?: Id; faults: ImportFault[] }

export class ImportChat {
  readonly #runtime: AgentRuntime
  readonly #tasks: SessionTasks
  /** The file was written by this program: nothing is filled in. */
  readonly #ours: boolean
  readonly #nameTool = toolNamer()
  #id: SessionId
  /** What the chat will be, until its first entries are stored with it. */
  #toCreate: SessionInfo | undefined
  #made = false
  /** The import may choose the version in view: it made the chat, or goes on with an import that was cut off. */
  #choosesLeaf = true
  /** The leaf as this or an unfinished import left it. */
  #leafSet: Id | null | undefined
  /** The version in view by the file, and its id here once it has come. */
  readonly #namedLeaf: Id | undefined
  /** As the header says; what does not say stays on this device. */
  readonly #leaves: EgressMark
  readonly #draft: string | undefined
  #foundLeaf: Id | undefined
  /** Parents that come after their children: none of them is the end of a path. */
  readonly #expectedParents = new Set<Id>()
  /** Entries of a chat that was here: asking the store for each would be most of the time. */
  readonly #present = new Map<Id, Entry>()
  /** Lines of unknown types that the chat holds already, with how often. */
  #foreign = new Map<string, number>()
  #batch = new Map<Id, Entry>()
  #characters = 0
  /** Newest entry of the file, by its id here. */
  last: Id | null = null
  /** The same without lines that nothing follows. */
  lastInChain: Id | null = null
  /** Time of the newest entry; ms. */
  at: number

  /** The chat of this header, under this id. */
  static async begin(
    runtime: AgentRuntime,
    tasks: SessionTasks,
    header: SessionLine,
    id: SessionId,
  ): Promise<ImportChat> {
    const createdAt = header.createdAt ?? runtime.deps.world.now()
    const name = givenTitle(header.name)
    const chat = new ImportChat(runtime, tasks, header, {
      id,
      title: name || runtime.untitled,
      titled: name !== '',
      createdAt,
      updatedAt: createdAt,
      leaf: null,
      leaves: strictestMark(header.leaves),
      ...(header.pinned ? { pinned: true as const } : {}),
      ...(header.draft ? { draft: header.draft } : {}),
    })
    if (await runtime.deps.store.session(id)) await chat.adopt(id)
    return chat
  }

  private constructor(runtime: AgentRuntime, tasks: SessionTasks, header: SessionLine, info: SessionInfo) {
    this.#runtime = runtime
    this.#tasks = tasks
    this.#ours = header.harness === 'haversack'
    this.#namedLeaf = header.leaf
    this.#leaves = strictestMark(header.leaves)
    this.#draft = header.draft
    this.#id = info.id
    this.#toCreate = info
    this.at = info.createdAt
  }

  get id(): SessionId {
    return this.#id
  }
  get isNew(): boolean {
    return this.#toCreate !== undefined
  }

  /** The lines belong to an existing chat, even if the file gives it another id: its entries show it. */
  async adopt(id: SessionId): Promise<void> {
    const { store } = this.#runtime.deps
    const info = await store.session(id)
    this.#id = id
    this.#toCreate = undefined
    this.#choosesLeaf = info !== undefined && (info.leaf === null || info.leaf === info.unfinishedImport)
    this.#leafSet = info?.leaf ?? undefined
    await this.#tasks.withSession(id, async session => {
      const leaves = strictestMark(session.info.leaves, this.#leaves)
      if (session.info.leaves !== leaves) await session.update({ leaves })
      // What is typed here is newer.
      if (this.#draft && !(await store.session(id))?.draft) await session.update({ draft: this.#draft })
    })
    for (const { entry } of await store.read(id)) {
      this.#present.set(entry.id, entry)
      if (entry.type === 'foreign') this.#foreign.set(entry.raw, (this.#foreign.get(entry.raw) ?? 0) + 1)
    }
  }

  /** Another tab may have made the chat meanwhile. */
  async refresh(): Promise<void> {
    if (this.isNew && (await this.#runtime.deps.store.session(this.#id))) await this.adopt(this.#id)
  }

  /** Whether the chat holds this line of an unknown type already; each one that it holds is found once. */
  hasForeign(raw: string): boolean {
    const left = this.#foreign.get(raw) ?? 0
    if (left > 0) this.#foreign.set(raw, left - 1)
    return left > 0
  }

  /** An entry that the chat had before, or that was taken and is not stored yet. */
  find(id: Id): Entry | undefined {
    return this.#batch.get(id) ?? this.#present.get(id)
  }

  /** Results of other programs name no tool. */
  withToolName(entry: Entry): Entry {
    return this.#ours ? entry : this.#nameTool(entry)
  }

  expectParent(parent: Id): void {
    this.#expectedParents.add(parent)
  }

  /** Records that an entry of the file is stored, under this id. `inFile`: its id in the file. */
  recordPresent(inFile: Id, { id, at }: Pick<Entry, 'id' | 'at'>): void {
    this.last = id
    if (!this.#expectedParents.has(id)) this.lastInChain = id
    if (inFile === this.#namedLeaf) this.#foundLeaf = id
    this.at = at
  }

  /** Takes an entry; with many of them they are stored. */
  async add(entry: Entry): Promise<void> {
    this.#batch.set(entry.id, entry)
    this.#characters += isFact(entry) ? entry.text.length : 0
    if (this.#batch.size >= batchEntries || this.#characters >= batchCharacters) await this.store()
  }

  /** The file goes on with another chat, or is over. */
  async end(): Promise<ImportedChatEnd> {
    await this.store()
    if (this.#toCreate) {
      await this.#runtime.deps.store.createSession(this.#toCreate)
      this.#toCreate = undefined
    }
    const leaf = this.#leaf
    if (leaf === null) return { faults: [] }
    return this.#tasks.withSession(this.#id, async session => {
      const version = await this.#show(session, leaf)
      return { ...(version ? { version: leaf } : {}), faults: this.#made ? importFaults(session.log) : [] }
    })
  }

  /** The end of the path that the file shows, as far as it has come. */
  get #leaf(): Id | null {
    return this.#foundLeaf ?? this.lastInChain
  }

  /**
   * Stores what was taken, in one transaction with the leaf: an import that is cut off here shows what it brought, and
   * the next one knows that it may go on.
   */
  async store(): Promise<void> {
    const entries = [...this.#batch.values()]
    if (entries.length === 0) return
    this.#batch = new Map()
    this.#characters = 0
    const leaf = this.#leaf
    if (this.#toCreate) {
      await appendTo(this.#runtime.deps.store, this.#id, entries, {
        keepLeaf: true,
        create: { ...this.#toCreate, leaf, ...unfinished(leaf) },
      })
      this.#toCreate = undefined
      this.#made = true
      this.#leafSet = leaf
    } else {
      await this.#tasks.withSession(this.#id, async session => {
        const moves = this.#mayMove(session)
        await session.appendImported(entries, moves ? { leaf, ...unfinished(leaf) } : {})
        if (moves) this.#leafSet = leaf
      })
    }
  }

  /**
   * Whether the version in view is still the one that an import chose: the person may have gone on in the chat
   * meanwhile.
   */
  #mayMove(session: Session): boolean {
    if (this.#leafSet !== undefined && session.leaf !== this.#leafSet) this.#choosesLeaf = false
    return this.#choosesLeaf && !this.#tasks.isRunning(this.#id)
  }

  /** Shows the file's path where that hides nothing that is shown now. Answers whether it is another version. */
  async #show(session: Session, leaf: Id): Promise<boolean> {
    const { info } = session
    const isBehind = leads(session, leaf, session.leaf) // what is shown goes on from there already
    const moves =
      !isBehind && (this.#mayMove(session) || (leads(session, session.leaf, leaf) && !this.#tasks.isRunning(this.#id)))
    const isWhole = moves || leaf === session.leaf
    if (moves || info.hidden || (isWhole && info.unfinishedImport !== undefined)) {
      await session.update({
        ...(moves ? { leaf } : {}),
        ...(isWhole ? { unfinishedImport: undefined } : {}),
        ...(info.hidden ? { hidden: false } : {}),
      })
    }
    return !moves && !isBehind
  }
}

const unfinished = (leaf: Id | null): Partial<SessionInfo> => (leaf === null ? {} : { unfinishedImport: leaf })

/** Whether the path to `to` goes through `from`; the empty path is the beginning of all. */
function leads(session: Session, from: Id | null, to: Id | null): boolean {
  if (from === null) return true
  const seen = new Set<Id>() // an imported file may hold a ring
  for (let at = to; at !== null && !seen.has(at); at = session.find(at)?.parent ?? null) {
    if (at === from) return true
    seen.add(at)
  }
  return false
}
