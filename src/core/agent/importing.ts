/** Use case: import of lines, in batches, in order (C9.5). A line that cannot be read is reported, the rest is taken. */
import { AgentError } from '../errors.ts'
import type { Entry, Id, SessionId } from '../log/entry.ts'
import { parseLine, type ParsedLine } from '../log/jsonl.ts'
import { strictest, type Leaves } from '../log/leaves.ts'
import { parsePath } from '../log/paths.ts'
import { isFact } from '../log/query.ts'
import { asStored, isUsableId, renamed, sameEntry, toolNamer } from '../log/rename.ts'
import type { SessionInfo, TextRow } from '../ports.ts'
import type { AgentApi, ImportReport } from './api.ts'
import { faultsOf } from './import-faults.ts'
import type { Kit } from './kit.ts'
import type { Work } from './work.ts'

/** Entries of one append: large enough to be quick, small enough to keep a transaction short. */
const batchEntries = 500
const batchCharacters = 2_000_000
/** Problems that are listed one by one; a file that is no export at all has as many as lines. */
const listedProblems = 200

type Importing = Pick<AgentApi, 'importStart' | 'importLines' | 'importEnd'>

export function importing(kit: Kit, work: Work): Importing {
  const running = new Map<Id, Import>()
  const known = (handle: Id): Import => {
    const found = running.get(handle)
    if (!found) throw new AgentError('not_found', 'This import is over already')
    return found
  }
  return {
    importStart: async ({ asCopy }) => {
      const handle = kit.parts.world.newId()
      running.set(handle, new Import(kit, work, asCopy))
      return handle
    },
    importLines: (handle, lines) => known(handle).take(lines),
    importEnd: async handle => {
      const report = await known(handle).end()
      running.delete(handle)
      return report
    },
  }
}

/** The chat that lines go to now. */
type Target = {
  id: SessionId
  ours: boolean
  existed: boolean
  toCreate?: SessionInfo | undefined
  /** Given by the header: the version in view. */
  leaf?: Id
  /** As the header says; what does not say stays on this device. */
  leaves: Leaves
  last: Id | null          // newest entry taken, by its new id
  lastInChain: Id | null   // the same without lines that nothing follows
  at: number               // ms, of the newest entry taken
  nameTool: (entry: Entry) => Entry
  foreign: Set<string>     // raw lines that the chat holds already
}

class Import {
  readonly #kit: Kit
  readonly #work: Work
  readonly #asCopy: boolean
  readonly #report: ImportReport = { entries: 0, skipped: 0, sessions: [], problems: [] }
  /** New ids by old ones, where they differ. */
  readonly #names = new Map<Id, Id>()
  /** Ids that this import has put in, and that are not stored yet. */
  readonly #ids = new Set<Id>()
  /** Ids of the lines at hand that a chat has already. */
  #stored: ReadonlySet<Id> = new Set()
  /** The line that an entry came from, by its new id. */
  readonly #lines = new Map<Id, number>()
  #target: Target | undefined
  #batch: { entries: Entry[]; texts: TextRow[]; characters: number } = { entries: [], texts: [], characters: 0 }
  #blob: { id: Id; mime: string; pieces: Uint8Array[] } | undefined
  #line = 0
  #unlisted = 0
  /** Batches come one after the other, however quickly they are sent. */
  #queue: Promise<unknown> = Promise.resolve()

  constructor(kit: Kit, work: Work, asCopy: boolean) {
    this.#kit = kit
    this.#work = work
    this.#asCopy = asCopy
  }

  take(lines: readonly string[]): Promise<void> {
    const taken = this.#queue.then(() => this.#takeLines(lines))
    this.#queue = taken.catch(() => undefined)
    return taken
  }

  async end(): Promise<ImportReport> {
    await this.#queue
    await this.#endBlob()
    await this.#endTarget()
    if (this.#unlisted > 0) this.#report.problems.push({ line: this.#line, reason: `${this.#unlisted} more lines could not be read` })
    this.#kit.tell({ type: 'sessions' })
    this.#kit.tell({ type: 'memory' }) // notes and documents may have come with it
    return this.#report
  }

  /** Which ids are taken is asked once for many lines: a question for each would be most of the time. */
  async #takeLines(texts: readonly string[]): Promise<void> {
    let ours = this.#target?.ours ?? false
    const lines = texts.map(text => {
      const line = parseLine(text, { ours })
      if (line.kind === 'session') ours = isOurs(line)
      return line
    })
    const ids = lines.flatMap(line => (line.kind === 'entry' && line.id !== null && isUsableId(line.id) ? line.id : []))
    this.#stored = this.#asCopy ? new Set() : await this.#kit.parts.store.known(ids)
    for (const line of lines) await this.#takeLine(line)
  }

  async #takeLine(parsed: ParsedLine): Promise<void> {
    this.#line++
    if (parsed.kind !== 'blob' || parsed.id !== this.#blob?.id) await this.#endBlob()
    try {
      await this.#takeParsed(parsed)
    } catch (thrown) {
      if (!(thrown instanceof AgentError) || thrown.code !== 'bad_input') throw thrown
      this.#problem(thrown.message)
    }
  }

  async #takeParsed(parsed: ParsedLine): Promise<void> {
    switch (parsed.kind) {
      case 'empty': return
      case 'bad': return this.#problem(parsed.reason)
      case 'session': return this.#begin(parsed)
      case 'entry': return this.#takeEntry(parsed)
      case 'foreign': return this.#takeForeign(parsed.raw)
      case 'blob':
        if (this.#blob) this.#blob.pieces.push(parsed.bytes)
        else this.#blob = { id: parsed.id, mime: parsed.mime, pieces: [parsed.bytes] }
        return
      case 'document': return this.#takeDocument(parsed)
      default: parsed satisfies never
    }
  }

  /** A header opens a chat: the one that is here already, or a new one. */
  async #begin(header: ParsedLine & { kind: 'session' }): Promise<void> {
    await this.#endTarget()
    const { store, world } = this.#kit.parts
    const existing = this.#asCopy ? undefined : await store.session(header.id)
    const now = world.now()
    const id = existing || (!this.#asCopy && isUsableId(header.id)) ? header.id : world.newId()
    const createdAt = header.createdAt ?? now
    const title = header.name || this.#kit.words.untitled
    const leaves = strictest(header.leaves)
    this.#target = {
      id, leaves, ours: isOurs(header), existed: existing !== undefined, last: null, lastInChain: null, at: createdAt,
      nameTool: toolNamer(), foreign: new Set(), ...(header.leaf === undefined ? {} : { leaf: header.leaf }),
      ...(existing ? {} : { toCreate: { id, title, titled: header.name !== '', createdAt, updatedAt: createdAt, leaf: null, leaves } }),
    }
    if (existing) await this.#adopt(this.#target, id)
  }

  /** The lines belong to a chat that is here, also where the file gives it another id: its entries tell. */
  async #adopt(target: Target, id: SessionId): Promise<void> {
    target.id = id
    target.existed = true
    target.toCreate = undefined
    await this.#work.change(id, async session => {
      const leaves = strictest(session.info.leaves, target.leaves)
      if (session.info.leaves !== leaves) await session.update({ leaves })
    })
    for (const { entry } of await this.#kit.parts.store.read(id)) if (entry.type === 'foreign') target.foreign.add(entry.raw)
    this.#report.sessions.push(id)
  }

  /** A chat is created with its first entries, in one write, or when the file has an empty one. */
  async #create(target: Target, create: SessionInfo, entries: readonly Entry[] = [], texts: readonly TextRow[] = []): Promise<void> {
    const { store } = this.#kit.parts
    if (entries.length === 0) await store.createSession(create)
    else await store.append(target.id, entries, { texts, keepLeaf: true, create })
    target.toCreate = undefined
    this.#report.sessions.push(target.id)
  }

  /** Lines without a header in front get a chat of their own. */
  async #needTarget(): Promise<Target> {
    if (!this.#target) await this.#begin({ kind: 'session', harness: '', id: this.#kit.parts.world.newId(), name: '', createdAt: null })
    return this.#target!
  }

  async #takeEntry(line: ParsedLine & { kind: 'entry' }): Promise<void> {
    const target = await this.#needTarget()
    const old = line.id ?? this.#kit.parts.world.newId()
    const at = line.at ?? (target.last === null ? this.#kit.parts.world.now() : target.at + 1)
    const parent = await this.#parentOf(line, target)
    const read = target.nameTool({ ...line.entry, id: old, parent: null, at, ...(line.gone ? { gone: line.gone } : {}) })
    const entry = this.#withParent(renamed(read, id => (id === old ? old : this.#nameOf(id))), parent)
    const id = await this.#idFor(old, entry)
    if (typeof id === 'object') {
      if (target.toCreate) await this.#adopt(target, id.skip)
      this.#report.skipped++
      target.last = target.lastInChain = old
      target.at = at
      return
    }
    if (id !== old) this.#names.set(old, id)
    await this.#add(id === old ? entry : this.#withParent(renamed(read, one => (one === old ? id : this.#nameOf(one))), parent))
    target.last = target.lastInChain = id
    target.at = at
    if (line.extras.length > 0) this.#problem(`taken, without fields that are not known: ${line.extras.join(', ')}`)
  }

  /** A parent that is not there, because its line was damaged, is replaced by the entry before, so that the path holds. */
  async #parentOf({ parent }: ParsedLine & { kind: 'entry' }, target: Target): Promise<Id | null> {
    if (parent === undefined) return target.lastInChain
    if (parent === null) return null
    const named = this.#nameOf(parent)
    if (this.#ids.has(named) || target.last === null) return named
    const stored = await this.#kit.parts.store.find(named)
    return stored ? named : target.lastInChain
  }

  /** The id to store under: the same; a new one where it is taken by something else; none where the same is in a chat already. */
  async #idFor(old: Id, entry: Entry): Promise<Id | { skip: SessionId }> {
    const { store, world } = this.#kit.parts
    if (this.#asCopy || !isUsableId(old)) return world.newId()
    if (this.#ids.has(old)) {
      this.#problem(`the id ${old} comes twice in this file; this entry was taken under a new one`)
      return world.newId()
    }
    const stored = this.#stored.has(old) ? await store.find(old) : undefined
    if (!stored) return old
    const found = stored.row.entry
    const whole = isFact(found) && found.rest ? await store.text(old, 'all') : undefined
    return sameEntry(found, entry, whole) ? { skip: stored.session } : world.newId()
  }

  async #takeForeign(raw: string): Promise<void> {
    const target = await this.#needTarget()
    if (target.foreign.has(raw)) {
      this.#report.skipped++
      return
    }
    const id = this.#kit.parts.world.newId()
    await this.#add({ type: 'foreign', raw, id, parent: target.lastInChain, at: target.at })
    target.last = id
  }

  async #takeDocument(document: ParsedLine & { kind: 'document' }): Promise<void> {
    const { store, world } = this.#kit.parts
    const kind = parsePath(document.path)?.kind
    if (kind !== 'workspace' && kind !== 'memory file') throw new AgentError('bad_input', `"${document.path.slice(0, 200)}" is no path of a document`)
    const known = await store.document(document.path)
    const newest = known?.revision ?? 0
    for (let revision = newest; revision > 0; revision--) {
      if ((await store.document(document.path, revision))?.text !== document.text) continue
      if (known && strictest(known.leaves, document.leaves) !== known.leaves) await store.keepDocument(document.path)
      this.#report.skipped++
      return
    }
    // Times of revisions rise with their numbers: an older text that replaces a newer one does so now.
    await store.saveDocument(document.path, document.text, document.at >= (known?.at ?? 0) ? document.at : world.now(), newest, strictest(document.leaves))
    this.#report.entries++
  }

  async #endBlob(): Promise<void> {
    const blob = this.#blob
    if (!blob) return
    this.#blob = undefined
    const { store, world } = this.#kit.parts
    const bytes = joined(blob.pieces)
    const stored = await store.blob(blob.id)
    if (stored && sameBytes(stored.bytes, bytes) && !this.#asCopy) return
    const id = stored || this.#asCopy || !isUsableId(blob.id) ? world.newId() : blob.id
    if (id !== blob.id) this.#names.set(blob.id, id)
    await store.putBlob(id, blob.mime, bytes)
  }

  async #add(entry: Entry): Promise<void> {
    const { entry: kept, whole } = asStored(entry)
    this.#batch.entries.push(kept)
    this.#ids.add(kept.id)
    this.#lines.set(kept.id, this.#line)
    if (whole !== undefined) this.#batch.texts.push({ entry: kept.id, text: whole })
    this.#batch.characters += (whole ?? (isFact(kept) ? kept.text : '')).length
    this.#report.entries++
    if (this.#batch.entries.length >= batchEntries || this.#batch.characters >= batchCharacters) await this.#flush()
  }

  /** `leaf`: the version in view of a chat that is created with all it has. */
  async #flush(leaf: Id | null = null): Promise<void> {
    const { entries, texts } = this.#batch
    const target = this.#target
    if (!target || entries.length === 0) return
    this.#batch = { entries: [], texts: [], characters: 0 }
    if (target.toCreate) return this.#create(target, { ...target.toCreate, leaf }, entries, texts)
    await this.#work.change(target.id, async session => {
      const rows = await this.#kit.parts.store.append(target.id, entries, { texts, keepLeaf: true })
      await session.refresh()
      if (target.existed) this.#kit.tell({ type: 'appended', session: target.id, entries, from: rows[0]!.seq, leaf: session.leaf })
    })
  }

  /** The chat is whole: a new one shows what the file showed; one that was here already stays as it is. */
  async #endTarget(): Promise<void> {
    const target = this.#target
    if (!target) return
    const named = target.leaf === undefined ? null : this.#nameOf(target.leaf)
    const leaf = named !== null && this.#ids.has(named) ? named : target.lastInChain
    await this.#flush(leaf)
    this.#target = undefined
    if (target.toCreate) await this.#create(target, target.toCreate)
    if (target.existed || target.lastInChain === null) return
    await this.#work.change(target.id, async session => {
      if (session.info.leaf !== leaf) await session.update({ leaf })
      for (const { first, reason } of faultsOf(session.log)) this.#problem(reason, this.#lines.get(first))
    })
  }

  #withParent(entry: Entry, parent: Id | null): Entry {
    return { ...entry, parent }
  }

  #nameOf(id: Id): Id {
    return this.#names.get(id) ?? id
  }

  #problem(reason: string, line = this.#line): void {
    if (this.#report.problems.length < listedProblems) this.#report.problems.push({ line, reason })
    else this.#unlisted++
  }
}

const isOurs = (header: ParsedLine & { kind: 'session' }): boolean => header.harness === 'haversack'

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1) return pieces[0]!
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}
