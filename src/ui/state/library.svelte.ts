/** UI state of the list of chats, search, import and export. */
import type { AgentApi, SearchFilter, SessionSnapshot, SearchHit } from '../../core/agent/api/api.ts'
import type { ExportOptions, ExportScope, ImportReport } from '../../core/agent/api/transfer-api.ts'
import { codeOf, type Code } from '../../core/errors.ts'
import type { SessionId } from '../../core/log/entry.ts'
import type { SessionInfo } from '../../core/ports/ports.ts'
import { idFrom } from '../../core/text/new-id.ts'
import { explainError } from '../i18n/display-error.ts'
import { dayOf } from '../../core/text/day.ts'
import { NotText } from '../files/encoding.ts'
import { fileName, saveFile, type Sink } from '../files/save-file.ts'
import type { OpenSession } from './session.svelte.ts'
import { texts } from '../i18n/texts.ts'

/** What an export or import is doing or did; one at a time is shown. */
export type Transfer =
  | { what: 'export'; state: 'running' | 'done'; lines: number }
  | { what: 'import'; state: 'running'; name: string; lines: number }
  | {
      what: 'import'
      state: 'done'
      name: string
      report: ImportReport
      file: LineFile
      asCopy: boolean
      /** The person ended it before the file did. */
      stopped?: true
    }
  | { what: 'export' | 'import'; state: 'failed'; code: Code; message: string }

/** What the import reads: a file, or what another program's export becomes as it is read. */
export type LineFile = { stream(): ReadableStream<Uint8Array<ArrayBuffer>> }

/** A file that was imported, and what became of it. */
export type Imported = Extract<Transfer, { what: 'import'; state: 'done' }>

const searchDelayMs = 150

/** Loaded before it is needed: later the files of the app may be gone together with the chats. */
export const loadRescueExport = () => import('./draft/rescue-lines.ts')

export class Library {
  readonly #api: AgentApi
  /** Newest last used first; undefined until read. */
  chats = $state.raw<readonly SessionInfo[] | undefined>()
  failure = $state.raw<{ code: Code; message: string } | null>(null)
  query = $state('')
  hits = $state.raw<readonly SearchHit[]>([])
  searching = $state(false)
  /** What the search is narrowed to. */
  filter = $state.raw<SearchFilter>({})
  transfer = $state.raw<Transfer | null>(null)
  /** Files with documents that the person is asked about, oldest first. */
  offers = $state.raw<readonly Imported[]>([])
  readonly byChat: readonly { session: SessionId; title: string; hits: readonly SearchHit[] }[] = $derived(
    groupByChat(this.hits),
  )
  #searchTimer: ReturnType<typeof setTimeout> | undefined
  #asked = 0
  #stopAsked = false

  constructor(api: AgentApi) {
    this.#api = api
  }

  async refresh(): Promise<void> {
    try {
      this.chats = (await this.#api.sessions()).toSorted((a, b) => b.updatedAt - a.updatedAt)
      this.failure = null
    } catch (error) {
      this.failure = failureOf(error)
    }
  }

  find(id: SessionId): SessionInfo | undefined {
    return this.chats?.find(chat => chat.id === id)
  }

  rename(id: SessionId, title: string): Promise<void> {
    return this.#try(() => this.#api.rename(id, title))
  }
  pin(id: SessionId, pinned: boolean): Promise<void> {
    return this.#try(() => this.#api.pinChat(id, pinned))
  }
  remove(id: SessionId): Promise<void> {
    return this.#try(() => this.#api.remove(id))
  }

  /** Searches as the person types; the newest question wins. */
  search(query: string): void {
    this.query = query
    clearTimeout(this.#searchTimer)
    const asked = ++this.#asked
    if (query.trim() === '') {
      this.hits = []
      this.searching = false
      return
    }
    this.searching = true
    this.#searchTimer = setTimeout(() => {
      this.#api
        .search(query, this.filter)
        .then(
          hits => {
            if (asked === this.#asked) {
              this.hits = hits
              this.failure = null
            }
          },
          (error: unknown) => {
            if (asked === this.#asked) this.failure = failureOf(error)
          },
        )
        .finally(() => {
          if (asked === this.#asked) this.searching = false
        })
    }, searchDelayMs)
  }

  /** Narrows the search, and searches again. */
  setFilter(filter: SearchFilter): void {
    this.filter = filter
    this.search(this.query)
  }

  /** Saves a chat, a day or everything to a file. Must be called in a click, so that a dialog may open. */
  async export(what: ExportScope, options: ExportOptions = {}): Promise<boolean> {
    let sink: Sink | undefined
    try {
      sink = await saveFile(this.#exportName(what))
      if (sink === undefined) return false
      let lines = 0
      let cursor: string | undefined
      this.transfer = { what: 'export', state: 'running', lines }
      do {
        const page = await this.#api.exportLines(what, cursor, options)
        if (page.lines.length > 0) await sink.write(`${page.lines.join('\n')}\n`)
        lines += page.lines.length
        cursor = page.next
        this.transfer = { what: 'export', state: 'running', lines }
      } while (cursor !== undefined)
      await sink.close()
      this.transfer = { what: 'export', state: 'done', lines }
      return true
    } catch (error) {
      await sink?.abort().catch(() => undefined) // what broke the export is what the person must know
      this.transfer = { what: 'export', state: 'failed', ...failureOf(error) }
      return false
    }
  }

  /**
   * Saves to a file what page and worker still hold, `drafts` that could not be stored too. Needs no store. Must be
   * called in a click.
   */
  async saveRescueCopy(open: OpenSession | undefined, drafts: ReadonlyMap<SessionId, string>): Promise<boolean> {
    let sink: Sink | undefined
    try {
      sink = await saveFile(fileName('haversack-open', dayOf(Date.now())))
      if (sink === undefined) return false
      // without a worker there is what the screen shows
      const [{ rescueLines }, worker] = await Promise.all([
        loadRescueExport(),
        this.#api.sessionSnapshots().catch((): SessionSnapshot[] => []),
      ])
      const lines = rescueLines({
        worker,
        chats: this.chats ?? [],
        drafts,
        screen: open?.snapshot,
        newId: () => idFrom(crypto.getRandomValues(new Uint8Array(16))),
        now: Date.now(),
      })
      if (lines.length > 0) await sink.write(`${lines.join('\n')}\n`)
      await sink.close()
      this.transfer = { what: 'export', state: 'done', lines: lines.length }
      return true
    } catch (error) {
      await sink?.abort().catch(() => undefined) // what broke it is what the person must know
      this.transfer = { what: 'export', state: 'failed', ...failureOf(error) }
      return false
    }
  }

  /** Reads a file line by line into the log; the report says what became of it. */
  async import(file: LineFile & { name?: string }, asCopy = false): Promise<ImportReport | undefined> {
    const name = file.name ?? ''
    let read = 0
    this.#stopAsked = false
    try {
      this.transfer = { what: 'import', state: 'running', name, lines: read }
      const { chatLines } = await import('../files/chat-lines.ts')
      const handle = await this.#api.importStart({ asCopy })
      for await (const lines of chatLines(file.stream())) {
        if (this.#stopAsked) break
        await this.#api.importLines(handle, lines)
        read += lines.length
        this.transfer = { what: 'import', state: 'running', name, lines: read }
      }
      const report = await this.#api.importEnd(handle)
      const stopped = this.#stopAsked ? { stopped: true as const } : {}
      const done: Imported = { what: 'import', state: 'done', name, report, file, asCopy, ...stopped }
      this.transfer = done
      if (!asCopy && report.documents.some(({ state }) => state === 'offered')) this.offerDocuments(done)
      await this.refresh()
      return report
    } catch (error) {
      this.transfer = { what: 'import', state: 'failed', ...importFailure(error, read) }
      await this.refresh() // what came until then is there
      return undefined
    }
  }

  /** Ends an import where it is: what came stays, and importing the file again goes on. */
  stopImport(): void {
    this.#stopAsked = true
  }

  /** Asks about the documents of a file that was imported. */
  offerDocuments(done: Imported): void {
    this.offers = [...this.offers.filter(({ file }) => file !== done.file), done]
  }
  /** What is not taken is kept in the file: it can be asked for again. */
  dismissOffer(done: Imported): void {
    this.offers = this.offers.filter(offer => offer !== done)
  }

  /** Reads the file once more and takes these documents of it. */
  async takeDocuments(done: Imported, paths: readonly string[]): Promise<void> {
    this.dismissOffer(done)
    const { name, file, report } = done
    let read = 0
    try {
      this.transfer = { what: 'import', state: 'running', name, lines: read }
      const { chatLines } = await import('../files/chat-lines.ts')
      const handle = await this.#api.importStart({ asCopy: false, documents: [...paths] })
      for await (const lines of chatLines(file.stream())) {
        const documents = lines.filter(line => line.includes('"document"')) // a file may be mostly chats
        if (documents.length > 0) await this.#api.importLines(handle, documents)
        read += lines.length
        this.transfer = { what: 'import', state: 'running', name, lines: read }
      }
      const taken = new Map((await this.#api.importEnd(handle)).documents.map(document => [document.path, document]))
      this.transfer = {
        ...done,
        report: { ...report, documents: report.documents.map(document => taken.get(document.path) ?? document) },
      }
    } catch (error) {
      this.transfer = { what: 'import', state: 'failed', ...importFailure(error, 0) }
    }
  }

  /** Shows the version of a chat that came with a file, in place of the one in view. */
  async showVersion(version: ImportReport['versions'][number]): Promise<void> {
    await this.#try(() => this.#api.switchLeaf(version.session, version.leaf))
    const done = this.transfer
    if (this.failure !== null || done?.what !== 'import' || done.state !== 'done') return
    this.transfer = {
      ...done,
      report: { ...done.report, versions: done.report.versions.filter(({ session }) => session !== version.session) },
    }
  }

  dismissTransfer(): void {
    this.transfer = null
  }

  #exportName(what: ExportScope): string {
    const today = dayOf(Date.now())
    if (what.kind === 'session') return fileName(this.find(what.session)?.title ?? '', today)
    return what.kind === 'day' ? fileName('', what.day) : fileName('haversack-everything', today)
  }

  async #try(task: () => Promise<void>): Promise<void> {
    try {
      await task()
      this.failure = null
    } catch (error) {
      this.failure = failureOf(error)
    }
  }
}

function groupByChat(hits: readonly SearchHit[]): { session: SessionId; title: string; hits: SearchHit[] }[] {
  const groups = new Map<SessionId, { session: SessionId; title: string; hits: SearchHit[] }>()
  for (const hit of hits) {
    const group = groups.get(hit.session)
    if (group === undefined) groups.set(hit.session, { session: hit.session, title: hit.title, hits: [hit] })
    else group.hits.push(hit)
  }
  return [...groups.values()]
}

/** What ended an import; `read`: lines that had come. */
function importFailure(error: unknown, read: number): { code: Code; message: string } {
  const w = texts().app
  if (error instanceof NotText) return { code: 'bad_input', message: w.importNotText[error.kind] }
  const { code, message } = failureOf(error)
  return { code, message: read > 0 ? `${explainError({ code, message }).text} ${w.importCutOff}` : message }
}

/** An error as the page shows it. */
export function failureOf(error: unknown): { code: Code; message: string } {
  return { code: codeOf(error), message: error instanceof Error ? error.message : String(error) }
}
