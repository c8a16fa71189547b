/**
 * Files and texts that a person drops, pastes or chooses: into the message box as texts, or into the log as chats; what
 * cannot be is named.
 */
import { attachPaste } from './draft/attach-text.ts'
import { attachLimit, pasteLimit, wholeUpToBytes } from './draft/compose.ts'
import { isReadable } from '../../core/imports/readable.ts'
import type { ForeignApp } from '../../core/log/file-format/foreign-export.ts'
import { explainError } from '../i18n/display-error.ts'
import { importSummary } from '../i18n/import-summary.ts'
import { transferTexts } from '../i18n/transfer.ts'
import type { AttachedText, MessageDraft } from './draft/message-draft.svelte.ts'
import { hashOf } from '../browser/route.ts'
import { texts } from '../i18n/texts.ts'
import type { Dropped } from '../files/dropped.ts'
import { fileKindOf, type FileRefusal } from '../files/file-kind.ts'
import { filesInFolders } from '../files/folder.ts'
import type { FilesPage, FilesReport, ForeignFile, ImportedFile, RefusedFile, FileIntent } from './report.ts'

/** A message with more than so many texts is a folder dropped by mistake. */
export const mostFiles = 100

/** Takes all that can be taken; `files` of the page tells the rest, once. */
export async function takeFiles(page: FilesPage, dropped: Dropped, wish: FileIntent): Promise<void> {
  page.files = null
  const { tooLarge = [] } = dropped
  if (dropped.files.length === 0 && dropped.folders.length === 0 && tooLarge.length === 0) {
    if (dropped.text !== '') takeText(page, dropped.text)
    return
  }
  const taking = new Taking(page, wish)
  const inFolders = await filesInFolders(dropped.folders, mostFiles)
  const all = [...dropped.files, ...inFolders.files]
  for (const file of all.slice(0, mostFiles)) await taking.take(file)
  for (const { name } of all.slice(mostFiles)) taking.refuse(name, 'too many')
  for (const name of tooLarge) taking.refuse(name, 'too large')
  if (inFolders.more) for (const { name } of dropped.folders) taking.refuse(`${name}/…`, 'too many')
  for (const name of inFolders.leftOut) taking.refuse(name, 'left out')
  for (const name of inFolders.unreadable) taking.refuse(name, 'unreadable')
  taking.end(all.length)
}

/** The exports of another program after all: as the texts that they are. */
export async function attachForeign(page: FilesPage, app: ForeignApp): Promise<void> {
  const before = page.files
  if (before === null) return
  page.files = null
  const taking = new Taking(page, 'attach', { ...before, foreign: before.foreign.filter(one => one.app !== app) })
  for (const { file, encoding } of before.foreign.filter(one => one.app === app)) await taking.attach(file, encoding)
  taking.end(mostFiles)
}

class Taking {
  readonly #page: FilesPage
  readonly #wish: FileIntent
  readonly #refused: RefusedFile[]
  readonly #foreign: ForeignFile[]
  readonly #imported: ImportedFile[]
  /** What other programs' exports may be: the person looks into them first. */
  readonly #exports: File[] = []
  #attached: number
  #draft: MessageDraft | undefined

  constructor(
    page: FilesPage,
    wish: FileIntent,
    before: FilesReport = { attached: 0, refused: [], foreign: [], imported: [] },
  ) {
    this.#page = page
    this.#wish = wish
    this.#refused = [...before.refused]
    this.#foreign = [...before.foreign]
    this.#imported = [...before.imported]
    this.#attached = before.attached
    // where it was meant for, also if another chat is opened meanwhile
    if (wish === 'attach') this.#draft = page.session?.draft
  }

  refuse(name: string, why: FileRefusal): void {
    this.#refused.push({ name, why })
  }

  async take(file: File): Promise<void> {
    // What the import is given is its own to judge: it says more of a file that it cannot read.
    const kind = await fileKindOf(file)
    const isImport = this.#wish === 'import'
    if (this.#wish !== 'attach' && (kind.is === 'zip' || (kind.is === 'foreign' && isReadable(kind.app))))
      this.#exports.push(file)
    else if (kind.is === 'zip') this.refuse(file.name, 'packed')
    else if (kind.is === 'foreign' && this.#wish !== 'attach')
      this.#foreign.push({ file, app: kind.app, encoding: kind.encoding })
    else if (isImport || (kind.is === 'chats' && this.#wish === 'either')) await this.#import(file)
    else if (kind.is === 'refused') this.refuse(file.name, kind.why)
    else await this.attach(file, kind.encoding)
  }

  async attach(file: File, encoding: string): Promise<void> {
    if (file.size > attachLimit) return this.refuse(file.name, 'too large')
    const draft = (this.#draft ??= draftOf(this.#page))
    if (bytesOf(draft) + file.size > attachLimit) return this.refuse(file.name, 'together too large')
    try {
      const text = new TextDecoder(encoding).decode(await file.arrayBuffer())
      add(draft, {
        name: file.name,
        mime: /^(?:text\/|application\/(?:json|xml))/.test(file.type) ? file.type : 'text/plain',
        bytes: file.size,
        text,
      })
      this.#attached++
    } catch {
      this.refuse(file.name, 'unreadable')
    }
  }

  async #import(file: File): Promise<void> {
    const { library } = this.#page
    const from = hashOf(this.#page.route)
    const report = await library.import(file)
    const { transfer } = library
    this.#imported.push(
      report === undefined
        ? { name: file.name, said: transfer?.state === 'failed' ? explainError(transfer).text : '', failed: true }
        : { name: file.name, said: importSummary(report, transferTexts()), failed: false },
    )
    const [only, ...others] = report?.sessions ?? []
    // A long import must not take away what the person has gone to, or begun to write, meanwhile.
    const { route, session } = this.#page
    const isElsewhere = hashOf(route) !== from && route.page !== 'start' && route.page !== 'new'
    if (only !== undefined && others.length === 0 && !isElsewhere && this.#attached === 0 && session?.drafting !== true)
      this.#page.open(only)
  }

  /** Reports the result; nothing if everything was taken as expected and is visible. */
  end(files: number): void {
    // for a single file the library shows more
    const imported = files > 1 && this.#imported.length > 0 ? this.#imported : []
    const isSeen = this.#page.dialog === null && this.#page.sheet === null
    const isNews = this.#refused.length + this.#foreign.length + imported.length > 0 || (this.#attached > 0 && !isSeen)
    this.#page.files = isNews
      ? { attached: this.#attached, refused: this.#refused, foreign: this.#foreign, imported }
      : null
    if (this.#exports.length > 0) this.#page.lookIntoExports(this.#exports)
    else if (this.#attached > 0 && isSeen) this.#page.focusMessageBox(this.#page.session?.id ?? '')
  }
}

/** Words or an address from elsewhere: into the message box, a long text as an attachment. */
function takeText(page: FilesPage, text: string): void {
  const draft = draftOf(page)
  if (text.length > pasteLimit) {
    const found = attachPaste(text, 'dropped.txt')
    if (found === 'too large' || bytesOf(draft) + found.bytes > attachLimit)
      page.files = { attached: 0, refused: [{ name: 'dropped.txt', why: 'too large' }], foreign: [], imported: [] }
    else add(draft, found)
  } else {
    draft.typed += `${draft.typed === '' || /\s$/.test(draft.typed) ? '' : draft.typed.includes('\n') ? '\n' : ' '}${text}`
    page.session?.saveDraft()
  }
  if (page.session !== undefined) page.focusMessageBox(page.session.id)
}

/** The message box that the person sees, or would see: of the open chat, else of a new one. */
function draftOf(page: FilesPage): MessageDraft {
  const { session } = page
  if (session === undefined || session.state === 'gone') page.newChat()
  else if (page.route.page !== 'chat') {
    if (session.isUnstored) page.newChat()
    else page.open(session.id)
  }
  return page.session!.draft
}

function add(draft: MessageDraft, text: AttachedText): void {
  draft.attached = [...draft.attached, text]
  draft.hint = text.bytes > wholeUpToBytes ? texts().chat.longAttachment : draft.hint
}

const bytesOf = (draft: MessageDraft): number => draft.attached.reduce((sum, { bytes }) => sum + bytes, 0)
