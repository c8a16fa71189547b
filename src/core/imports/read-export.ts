/** An export of another app, of one file or many: what it is, its chats, and the files beside them (C16). */
import { chatFile, type ChatFile, type ForeignApp } from '../log/file-format/foreign-export.ts'
import { FileOfChats } from './file-of-chats.ts'
import type { FileBeside } from './our-lines.ts'
import { isReadable } from './readable.ts'
import type { ForeignChat } from './shape/foreign-chat.ts'
import type { Findings } from './shape/reader.ts'

/** A file, wherever it lies: on the disk, in a ZIP, in a folder that was dropped. */
export type SourceFile = {
  path: string
  /** The first `headBytes` as text. */
  head(): Promise<string>
  /** All of it, in parts of whatever size. */
  text(): AsyncIterable<string>
  bytes(): Promise<Uint8Array>
}

/** Files that are one export. `of`: what the files of chats are; undefined where none is known. */
export type ExportGroup = {
  of: ChatFile['of'] | undefined
  files: { file: SourceFile; head: string }[]
  /** What lies beside: attachments, and what the export says of itself. */
  beside: SourceFile[]
}

/** What was given together, by what it is: all files of one program are one export. */
export async function groupsOf(files: readonly SourceFile[]): Promise<ExportGroup[]> {
  const groups = new Map<ChatFile['of'], ExportGroup>()
  const beside: SourceFile[] = []
  for (const file of files) {
    const head = await file.head()
    const of = chatFile(head)?.of
    if (of === undefined) beside.push(file)
    else {
      const group = groups.get(of) ?? { of, files: [], beside }
      group.files.push({ file, head })
      groups.set(of, group)
    }
  }
  return groups.size > 0 ? [...groups.values()] : [{ of: undefined, files: [], beside }]
}

/** Whether the import reads this export. */
export const isReadableExport = (of: ExportGroup['of']): of is ForeignApp =>
  of !== undefined && of !== 'haversack' && isReadable(of)

/** The chats of an export, one file after the other; one that is in two files comes twice. */
export async function* chatsOf(
  app: ForeignApp,
  { files }: Pick<ExportGroup, 'files'>,
  findings: Findings,
): AsyncGenerator<ForeignChat> {
  for (const { file, head } of files) {
    const reading = new FileOfChats(app, head, findings)
    for await (const part of file.text()) yield* reading.push(part)
    yield* reading.end()
  }
}

/** Finds the file that an attachment names, among those beside: by its path, its name, or the id that its name has. */
export function fileFinder(beside: readonly SourceFile[]): (ref: string) => SourceFile | undefined {
  const byName = new Map<string, SourceFile>()
  for (const file of beside) {
    const name = nameOf(file.path)
    for (const key of [file.path, name, idIn(name)]) if (!byName.has(key)) byName.set(key, file)
  }
  return ref => {
    const path = ref.replace(/^[a-z-]+:\/\//, '').replace(/[?#].*$/, '')
    return byName.get(path) ?? byName.get(nameOf(path)) ?? byName.get(idIn(nameOf(path)))
  }
}

/** The files beside that a chat names, read. */
export async function filesOfChat(
  chat: ForeignChat,
  find: (ref: string) => SourceFile | undefined,
): Promise<FileBeside> {
  const bytes = new Map<string, Uint8Array>()
  for (const item of chat.items)
    for (const { ref } of 'attachments' in item ? (item.attachments ?? []) : []) {
      const file = ref === undefined ? undefined : find(ref)
      if (ref !== undefined && file !== undefined) bytes.set(ref, await file.bytes())
    }
  return ref => {
    const found = bytes.get(ref)
    return found && { bytes: found }
  }
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
/** ChatGPT writes `file-9fX….dat`, and `file-9fX…-leaf.png`: the id, and the name behind it. */
const idIn = (name: string): string => /^file[-_][A-Za-z0-9]+/.exec(name)?.[0] ?? name.replace(/\.[^.]*$/, '')
