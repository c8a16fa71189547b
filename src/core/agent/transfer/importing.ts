/**
 * Use case: import of lines, in batches, in order (C9.5). A line that cannot be read is reported, the rest is taken.
 */
import { AgentError } from '../../errors.ts'
import type { Entry, Id, SessionId } from '../../log/entry.ts'
import { parseLine, type ParsedLine } from '../../log/file-format/jsonl.ts'
import { isFact } from '../../log/query.ts'
import { derivedId, renamed } from '../../log/file-format/new-ids.ts'
import type { AgentApi } from '../api/api.ts'
import type { ImportReport } from '../api/transfer-api.ts'
import { ImportBlobs } from './import-blobs.ts'
import { ImportChat, type SessionLine } from './import-chat.ts'
import { ImportDocuments } from './import-documents.ts'
import { ImportIds } from './import-ids.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import type { SessionTasks } from '../lifecycle/session-tasks.ts'
import { isolated } from '../../text/display/isolate.ts'

/** Problems that are listed one by one; a file that is no export at all has as many as lines. */
const listedProblems = 200

type Importing = Pick<AgentApi, 'importStart' | 'importLines' | 'importEnd'>
type EntryLine = ParsedLine & { kind: 'entry' }

export function importing(runtime: AgentRuntime, tasks: SessionTasks): Importing {
  const running = new Map<Id, Import>()
  const known = (handle: Id): Import => {
    const found = running.get(handle)
    if (!found) throw new AgentError('not_found', 'This import is over already')
    return found
  }
  return {
    importStart: async ({ asCopy, documents }) => {
      const handle = runtime.deps.world.newId()
      running.set(handle, new Import(runtime, tasks, { asCopy, documents }))
      return handle
    },
    importLines: async (handle, lines) => {
      try {
        await known(handle).take(lines)
      } catch (thrown) {
        running.delete(handle) // what could not be stored is missing: only the next import of the file can go on
        throw thrown
      }
    },
    importEnd: async handle => {
      const ending = known(handle)
      running.delete(handle)
      return ending.end()
    },
  }
}

class Import {
  readonly #runtime: AgentRuntime
  readonly #tasks: SessionTasks
  /** Entries are passed over: this is a choice of documents. */
  readonly #onlyDocuments: boolean
  readonly #documents: ImportDocuments
  readonly #report: ImportReport = {
    entries: 0,
    messages: 0,
    skipped: 0,
    sessions: [],
    versions: [],
    documents: [],
    problems: [],
  }
  readonly #ids: ImportIds
  readonly #blobs: ImportBlobs
  /**
   * Ids of the lines at hand and of those behind them: parents may come a little later, in the canonical order for one.
   */
  readonly #ahead = new Set<Id>()
  /** Lines that wait until the ones behind them are known. */
  #waiting: ParsedLine[] = []
  #ours = false
  /** The line that an entry came from, by its new id. */
  readonly #lines = new Map<Id, number>()
  #chat: ImportChat | undefined
  #line = 0
  #hasBadLine = false
  #unlisted = 0
  /** Batches come one after the other, however quickly they are sent. */
  #queue: Promise<unknown> = Promise.resolve()

  constructor(
    runtime: AgentRuntime,
    tasks: SessionTasks,
    { asCopy, documents }: { asCopy: boolean; documents?: readonly string[] | undefined },
  ) {
    this.#runtime = runtime
    this.#tasks = tasks
    this.#ids = new ImportIds(runtime.deps, asCopy)
    this.#blobs = new ImportBlobs(runtime.deps.store, this.#ids)
    this.#onlyDocuments = documents !== undefined
    this.#documents = new ImportDocuments(runtime, documents)
  }

  take(lines: readonly string[]): Promise<void> {
    const taken = this.#queue.then(() => this.#takeLines(lines))
    this.#queue = taken.catch(() => undefined)
    return taken
  }

  async end(): Promise<ImportReport> {
    await this.#queue
    await this.#alone(async () => {
      await this.#takeWaiting([])
      await this.#blobs.end()
      await this.#endChat()
    })
    this.#report.documents = await this.#documents.end(reason => {
      this.#problem(reason)
    })
    if (this.#unlisted > 0)
      this.#report.problems.push({ line: this.#line, reason: `${this.#unlisted} more lines could not be read` })
    this.#runtime.emit({ type: 'sessions' })
    this.#runtime.emit({ type: 'memory' }) // notes, documents or a proposal may have come with it
    return this.#report
  }

  async #takeLines(texts: readonly string[]): Promise<void> {
    const lines = texts.map(text => {
      const line = parseLine(text, { ours: this.#ours })
      if (line.kind === 'session') this.#ours = line.harness === 'haversack'
      return line
    })
    await this.#alone(async () => {
      await this.#takeWaiting(lines)
      await this.#chat?.store()
    })
  }

  /**
   * One import in this browser at a time looks at what is stored and adds to it: the same file may come in two tabs.
   */
  #alone(task: () => Promise<void>): Promise<void> {
    return this.#runtime.deps.locks.run('import', {}, async () => {
      await this.#chat?.refresh()
      await task()
    })
  }

  /** Takes the lines that wait; these ones wait from now on. */
  async #takeWaiting(behind: readonly ParsedLine[]): Promise<void> {
    const lines = this.#waiting
    this.#waiting = [...behind]
    const ids = idsOf(lines)
    this.#ahead.clear()
    for (const id of [...ids, ...idsOf(behind)]) this.#ahead.add(this.#ids.nameFor(id))
    if (!this.#onlyDocuments) await this.#ids.lookUp(ids)
    for (const line of lines) await this.#takeLine(line)
  }

  async #takeLine(parsed: ParsedLine): Promise<void> {
    this.#line++
    if (!this.#blobs.goesOn(parsed)) await this.#blobs.end()
    if (!this.#onlyDocuments || parsed.kind === 'document') await this.#takeParsed(parsed)
  }

  async #takeParsed(parsed: ParsedLine): Promise<void> {
    switch (parsed.kind) {
      case 'empty':
        return
      case 'bad':
        this.#hasBadLine = true
        return this.#problem(parsed.reason)
      case 'session':
        return this.#begin(parsed)
      case 'entry':
        return this.#takeEntry(parsed)
      case 'foreign':
        return this.#takeForeign(parsed.raw)
      case 'blob':
        this.#blobs.take(parsed)
        return
      case 'document': {
        const fault = await this.#documents.take(parsed)
        if (fault !== undefined) this.#problem(fault)
        return
      }
      default:
        parsed satisfies never
    }
  }

  /** A header opens a chat: the one that is here already, also from further up in this file, or a new one. */
  async #begin(header: SessionLine): Promise<void> {
    await this.#endChat()
    const { store } = this.#runtime.deps
    let id = this.#ids.nameFor(header.id)
    // A chat that was deleted has left its tombstones under this id: what comes back is a chat of its own.
    while (!(await store.session(id)) && (await store.count(id)) > 0) id = derivedId(id, 'again')
    this.#chat = await ImportChat.begin(this.#runtime, this.#tasks, header, id)
    if (!this.#chat.isNew) this.#nameSession(this.#chat.id)
  }

  /** Lines without a header in front get a chat of their own. */
  async #needChat(): Promise<ImportChat> {
    if (!this.#chat)
      await this.#begin({
        kind: 'session',
        harness: '',
        id: this.#runtime.deps.world.newId(),
        name: '',
        createdAt: null,
      })
    return this.#chat!
  }

  async #takeEntry(line: EntryLine): Promise<void> {
    const chat = await this.#needChat()
    const inFile = line.id ?? this.#runtime.deps.world.newId()
    const at = line.at ?? (chat.last === null ? this.#runtime.deps.world.now() : chat.at + 1)
    const parent = await this.#parentOf(line, chat)
    const read = chat.withToolName(
      fromFile({ ...line.entry, id: inFile, parent: null, at, ...(line.gone ? { gone: line.gone } : {}) }),
    )
    const placed = await this.#ids.place(inFile, {
      chat,
      made: id => ({ ...renamed(read, one => (one === inFile ? id : this.#ids.nameOf(one))), parent }),
      onTwice: () => {
        this.#problem(`the id ${inFile} comes twice in this file; this entry was taken under a new one`)
      },
    })
    this.#ids.rename(inFile, placed.id)
    if ('session' in placed) {
      if (chat.isNew) {
        await chat.adopt(placed.session)
        this.#nameSession(chat.id)
      }
      this.#report.skipped++
      chat.recordPresent(inFile, { id: placed.id, at })
      return
    }
    chat.recordPresent(inFile, placed)
    await this.#add(chat, placed)
    if (line.extras.length > 0)
      this.#problem(`taken, without fields that are not known: ${line.extras.map(isolated).join(', ')}`)
  }

  /**
   * A parent that is not there, because its line was damaged, is replaced by the entry before, so that the path holds.
   */
  async #parentOf({ parent }: EntryLine, chat: ImportChat): Promise<Id | null> {
    if (parent === undefined) return chat.lastInChain
    if (parent === null) return null
    const named = this.#ids.nameOf(parent)
    if (this.#ids.isTaken(named) || chat.last === null || (await this.#runtime.deps.store.find(named))) return named
    if (this.#ahead.has(named)) {
      chat.expectParent(named)
      return named
    }
    if (!this.#hasBadLine)
      this.#problem(`follows ${parent.slice(0, 100)}, which is not there; put behind the entry before it`)
    return chat.lastInChain
  }

  async #takeForeign(raw: string): Promise<void> {
    const chat = await this.#needChat()
    if (chat.hasForeign(raw)) {
      this.#report.skipped++
      return
    }
    const entry: Entry = {
      type: 'foreign',
      raw,
      id: this.#runtime.deps.world.newId(),
      parent: chat.lastInChain,
      at: chat.at,
    }
    chat.last = entry.id
    await this.#add(chat, entry)
  }

  async #add(chat: ImportChat, entry: Entry): Promise<void> {
    this.#ids.take(entry.id)
    this.#lines.set(entry.id, this.#line)
    this.#report.entries++
    if (isFact(entry)) this.#report.messages++
    await chat.add(entry)
  }

  async #endChat(): Promise<void> {
    const chat = this.#chat
    if (!chat) return
    const { version, faults } = await chat.end()
    this.#chat = undefined
    this.#nameSession(chat.id)
    if (version !== undefined) this.#report.versions.push({ session: chat.id, leaf: version })
    for (const { first, reason } of faults) this.#problem(reason, this.#lines.get(first))
  }

  #nameSession(id: SessionId): void {
    if (!this.#report.sessions.includes(id)) this.#report.sessions.push(id)
  }

  #problem(reason: string, line = this.#line): void {
    if (this.#report.problems.length < listedProblems) this.#report.problems.push({ line, reason })
    else this.#unlisted++
  }
}

const idsOf = (lines: readonly ParsedLine[]): Id[] =>
  lines.flatMap(line => (line.kind === 'entry' && line.id !== null ? line.id : []))

/** Calls of a file never run here and never ask. */
function fromFile(entry: Entry): Entry {
  return entry.type === 'assistant' && entry.calls.length > 0 ? { ...entry, imported: true } : entry
}
