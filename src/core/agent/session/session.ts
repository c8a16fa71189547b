/** One session: its rows in memory, the path in view, the answer being written, and the only way to append. */
import { AgentError } from '../../errors.ts'
import type { Entry, Id, Log, NewEntry, ArchivePlace, LogRow, SessionId } from '../../log/entry.ts'
import { asStored } from '../../log/huge.ts'
import type { EgressMark } from '../../log/egress-mark.ts'
import type { ModelPart, ToolCall } from '../../log/message.ts'
import type { AppendOptions, LogStore, SessionChanges, SessionInfo, TextRow, World } from '../../ports/ports.ts'
import type { AgentEvent } from '../api/api.ts'

/** How often the answer being written is saved. Unit: ms. Source: C9.1, "at least each second". */
const partialEvery = 1000

/** An entry before it has its place in the log. One that another entry refers to brings its own id and time. */
export type EntryToAppend = NewEntry & { readonly id?: Id; readonly at?: number }

export type ReplyInProgress = {
  parent: Id | null
  at: number
  text: string
  reasoning: string
  calls: ToolCall[]
  model: string
  local: boolean
}

/** `onStored` is called once, when a new session has got its row. */
export type SessionDeps = { store: LogStore; world: World; emit: (event: AgentEvent) => void; onStored?: () => void }

export class Session {
  readonly id: SessionId
  readonly #deps: SessionDeps
  #info: SessionInfo
  #rows: LogRow[] = []
  #byId = new Map<Id, LogRow>()
  #places = new Map<Id, ArchivePlace>()
  /** Facts of each day, of all branches. */
  #ownLines = new Map<string, number>()
  #path: Log | undefined
  #reply: ReplyInProgress | undefined
  #saveScheduled = false
  /** It has no row yet: the first thing that is kept of it makes one. */
  #unstored = false
  /**
   * Appends and saves of the partial go one after the other: a late save must not bring back a partial that was
   * appended.
   */
  #queue: Promise<unknown> = Promise.resolve()

  private constructor(info: SessionInfo, parts: SessionDeps) {
    this.id = info.id
    this.#info = info
    this.#deps = parts
  }

  /**
   * Reads the whole session from the store; one that is not there begins as `begun` and is stored with its first
   * change. Throws `not_found`.
   */
  static async load(id: SessionId, parts: SessionDeps, begun?: SessionInfo): Promise<Session> {
    const stored = await parts.store.session(id)
    const info = stored ?? begun
    if (!info) throw new AgentError('not_found', `There is no chat ${id}`)
    const session = new Session(info, parts)
    session.#unstored = stored === undefined
    if (stored && begun) parts.onStored?.()
    session.#remember(await parts.store.read(id))
    return session
  }

  get info(): SessionInfo {
    return this.#info
  }
  get leaf(): Id | null {
    return this.#info.leaf
  }
  /** It shows an unfinished import: nothing may be appended by itself, or the next import could not continue it. */
  get awaitsImport(): boolean {
    return this.#info.unfinishedImport !== undefined && this.#info.unfinishedImport === this.#info.leaf
  }
  /** All rows, all branches, by seq. */
  get rows(): readonly LogRow[] {
    return this.#rows
  }
  /** What is being written now, if anything. */
  get reply(): ReplyInProgress | undefined {
    return this.#reply
  }

  /** The entries on the path to the leaf in view, oldest first. The same array as long as nothing was added. */
  get log(): Log {
    this.#path ??= this.pathTo(this.#info.leaf)
    return this.#path
  }

  /** The entries from the first one to this one; ends early where a parent is missing, and never runs in circles. */
  pathTo(leaf: Id | null): Log {
    const path: Entry[] = []
    const seen = new Set<Id>()
    for (let at = leaf; at !== null && !seen.has(at);) {
      const row = this.#byId.get(at)
      if (!row) break
      seen.add(at)
      path.push(row.entry)
      at = row.entry.parent
    }
    return path.toReversed()
  }

  find(id: Id): Entry | undefined {
    return this.#byId.get(id)?.entry
  }

  /** The place of a fact in the archive. */
  place = (fact: Id): ArchivePlace | undefined => this.#places.get(fact)

  /**
   * Stores the entries in one transaction, remembers them, and only then tells. They follow the leaf in view, or
   * `parent`, and the leaf moves along unless `keepLeaf`; `changes` are of the chat's row. Answers with the entries as
   * stored; for none it does nothing.
   */
  append(
    fresh: readonly EntryToAppend[],
    options: { parent?: Id | null; keepLeaf?: boolean; changes?: AppendOptions['changes'] } = {},
  ): Promise<Entry[]> {
    return this.#inOrder(async () => {
      if (fresh.length === 0) return []
      let parent = options.parent === undefined ? this.#info.leaf : options.parent
      const placed: Entry[] = []
      for (const one of fresh) {
        const id = one.id ?? this.#deps.world.newId()
        placed.push({ ...one, id, parent, at: one.at ?? this.#deps.world.now() })
        parent = id
      }
      const leaves = leavesWith(this.#info.leaves, placed)
      // Written only where it changes: what another tab has imported meanwhile may have made it stricter.
      const changes = {
        ...options.changes,
        ...(leaves === undefined || leaves === this.#info.leaves ? {} : { leaves }),
      }
      const { entries, rows } = await appendTo(this.#deps.store, this.id, placed, {
        keepLeaf: options.keepLeaf ?? false,
        changes,
        ...(this.#unstored ? { create: this.#info } : {}),
      })
      const grown =
        !options.keepLeaf && options.parent === undefined && this.#path ? [...this.#path, ...entries] : undefined
      this.#remember(rows)
      const updatedAt = Math.max(this.#info.updatedAt, entries.at(-1)!.at)
      this.#info = { ...this.#info, ...changes, updatedAt, leaf: options.keepLeaf ? this.#info.leaf : parent }
      this.#path = options.keepLeaf ? this.#path : grown
      this.#markStored()
      if (entries.some(entry => entry.type === 'assistant')) this.#reply = undefined
      this.#emitAppended(rows)
      return entries
    })
  }

  /**
   * Stores entries of a file as they are, with their own ids, parents and times, and with them the changes of the
   * chat's row: the leaf moves only by these.
   */
  appendImported(imported: readonly Entry[], changes: SessionChanges): Promise<void> {
    return this.#inOrder(async () => {
      if (imported.length === 0) return
      const { rows } = await appendTo(this.#deps.store, this.id, imported, { keepLeaf: true, changes })
      const info = await this.#deps.store.session(this.id)
      if (info) this.#info = info
      this.#remember(rows)
      this.#path = undefined
      this.#emitAppended(rows)
    })
  }

  #emitAppended(rows: readonly LogRow[]): void {
    this.#deps.emit({
      type: 'appended',
      session: this.id,
      entries: rows.map(row => row.entry),
      from: rows[0]!.seq,
      leaf: this.#info.leaf,
    })
    this.#deps.emit({ type: 'context', session: this.id })
  }

  /**
   * A chat that has entries and shows none (an import or an edit was cut off by a crash) shows its newest. Only under
   * the session's lock: somebody who edits the first message has no leaf for a moment.
   */
  async restoreLeaf(): Promise<void> {
    const leaf = shownLeaf(this.#info, this.#rows)
    if (leaf !== this.#info.leaf) await this.update({ leaf })
  }

  /** Changes the row of the session: title, model, leaf and the like. */
  async update(changes: SessionChanges): Promise<void> {
    await this.#inOrder(async () => {
      if (this.#unstored) await this.#deps.store.createSession({ ...this.#info, ...changes })
      else await this.#deps.store.updateSession(this.id, changes)
      this.#info = { ...this.#info, ...changes }
      this.#markStored()
      if (changes.leaf !== undefined) this.#path = undefined
    })
    if (changes.leaf !== undefined) this.#deps.emit({ type: 'leaf', session: this.id, leaf: changes.leaf })
    this.#deps.emit({ type: 'sessions' })
    this.#deps.emit({ type: 'context', session: this.id })
  }

  /** A new answer begins. */
  startReply(model: { id: string; local: boolean }): void {
    const at = this.#deps.world.now()
    this.#reply = {
      parent: this.#info.leaf,
      at,
      text: '',
      reasoning: '',
      calls: [],
      model: model.id,
      local: model.local,
    }
  }

  /** Takes one part of the answer: it is emitted at once and saved about once a second. */
  addPart(part: ModelPart): void {
    const writing = this.#reply
    if (!writing) return
    const at = (part.type === 'reasoning' ? writing.reasoning : writing.text).length
    if (part.type === 'text') writing.text += part.text
    else if (part.type === 'reasoning') writing.reasoning += part.text
    else if (part.type === 'call') writing.calls.push(part.call)
    this.#deps.emit({ type: 'delta', session: this.id, part, at })
    void this.#save()
  }

  /** Saves what has come a second after the first part that is not saved yet, also when nothing more comes. */
  async #save(): Promise<void> {
    if (this.#saveScheduled) return
    this.#saveScheduled = true
    try {
      await this.#deps.world.sleep(partialEvery, new AbortController().signal)
      this.#saveScheduled = false
      await this.#inOrder(async () => {
        const writing = this.#reply
        if (!writing) return // appended or dropped meanwhile
        await this.#deps.store.savePartial({ session: this.id, ...writing, calls: [...writing.calls] })
      })
    } catch {
      this.#saveScheduled = false // the append that follows meets the same fault and reports it
    }
  }

  /** Discards the answer: it is asked for again, or it was empty. */
  discardReply(): Promise<void> {
    this.#reply = undefined
    return this.#inOrder(() => this.#deps.store.dropPartial(this.id))
  }

  /** Reads what another tab has written since; with `all` everything, because texts were blanked. */
  async refresh(all = false): Promise<void> {
    await this.#inOrder(async () => {
      const info = await this.#deps.store.session(this.id)
      if (!info && this.#unstored) return
      if (!info) throw new AgentError('not_found', `There is no chat ${this.id}`)
      if (all) {
        this.#rows = []
        this.#byId = new Map()
        this.#places = new Map()
        this.#ownLines = new Map()
      }
      const rows = await this.#deps.store.read(this.id, { from: this.#rows.length })
      this.#remember(rows)
      if (all || rows.length > 0 || info.leaf !== this.#info.leaf) this.#path = undefined
      this.#info = info
    })
  }

  #markStored(): void {
    if (!this.#unstored) return
    this.#unstored = false
    this.#deps.onStored?.()
    this.#deps.emit({ type: 'sessions' })
  }

  #remember(rows: readonly LogRow[]): void {
    for (const row of rows) {
      this.#rows.push(row)
      this.#byId.set(row.entry.id, row)
      if (row.line === null) continue
      const ownLine = (this.#ownLines.get(row.day) ?? 0) + 1 // lines of a day are given in the order of appending
      this.#ownLines.set(row.day, ownLine)
      this.#places.set(row.entry.id, { day: row.day, line: row.line, session: this.id, ownLine })
    }
  }

  #inOrder<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(task, task)
    this.#queue = result.catch(() => undefined)
    return result
  }
}

/** The egress mark of a chat after these entries: an answer of a remote model shows that it has left the device. */
function leavesWith(leaves: EgressMark | undefined, entries: readonly Entry[]): EgressMark | undefined {
  const answers = entries.flatMap(entry => (entry.type === 'assistant' ? [entry] : []))
  if (answers.some(({ local }) => !local)) return 'asks'
  return answers.length > 0 ? (leaves ?? 'stays') : leaves
}

/** The leaf in view; where a chat has entries and no leaf, the newest one that others follow. */
export function shownLeaf({ leaf }: Pick<SessionInfo, 'leaf'>, rows: readonly Pick<LogRow, 'entry'>[]): Id | null {
  return leaf ?? (rows.findLast(({ entry }) => entry.type !== 'foreign') ?? rows.at(-1))?.entry.id ?? null
}

/** The only way to append: splits huge texts and stores the whole beside the entry in the same transaction (C3.7). */
export async function appendTo(
  store: LogStore,
  id: SessionId,
  entries: readonly Entry[],
  options: Omit<AppendOptions, 'texts'>,
): Promise<{ entries: Entry[]; rows: LogRow[] }> {
  const kept: Entry[] = []
  const texts: TextRow[] = []
  for (const one of entries) {
    const { entry, whole } = asStored(one)
    kept.push(entry)
    if (whole !== undefined) texts.push({ entry: entry.id, text: whole })
  }
  return { entries: kept, rows: await store.append(id, kept, { ...options, texts }) }
}
