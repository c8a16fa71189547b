/** What became of files that a person dropped, pasted or chose. Types only. */
import type { ForeignApp } from '../../core/log/file-format/foreign-export.ts'
import type { SessionId } from '../../core/log/entry.ts'
import type { Library } from './library.svelte.ts'
import type { Route } from '../browser/route.ts'
import type { OpenSession } from './session.svelte.ts'
import type { FileRefusal } from '../files/file-kind.ts'

export type RefusedFile = { name: string; why: FileRefusal }
/** An export of another program, which can still be attached as a text. */
export type ForeignFile = { file: File; app: ForeignApp; encoding: string }
/** A file that was imported among others: what is said of it, or why it failed. */
export type ImportedFile = { name: string; said: string; failed: boolean }

/** `attached`: how many went into the message box. */
export type FilesReport = {
  attached: number
  refused: readonly RefusedFile[]
  foreign: readonly ForeignFile[]
  imported: readonly ImportedFile[]
}

/** `attach`: as texts, whatever they are; `import`: as chats; `either`: each as what it is. */
export type FileIntent = 'attach' | 'import' | 'either'

/** What the taking of files needs of the page. */
export interface FilesPage {
  files: FilesReport | null
  readonly route: Route
  readonly dialog: object | null
  readonly sheet: string | null
  readonly session: OpenSession | undefined
  readonly library: Library
  open(id: SessionId): void
  newChat(): void
  /** Looks into these files, which may be exports of other programs, and asks what of them is wanted. */
  lookIntoExports(files: readonly File[]): void
  focusMessageBox(chat: SessionId): void
}
