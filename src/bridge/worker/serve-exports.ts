/** The thread that reads other apps' exports: first for a look, then as lines of ours, batch by batch (C16). */
import { expose } from 'comlink'
import { headBytes } from '../../core/log/file-format/foreign-export.ts'
import { lookAt, type ExportLook } from '../../core/imports/look.ts'
import { ourLines } from '../../core/imports/our-lines.ts'
import { noFindings } from '../../core/imports/file-of-chats.ts'
import {
  chatsOf,
  fileFinder,
  filesOfChat,
  groupsOf,
  isReadableExport,
  type ExportGroup,
  type SourceFile,
} from '../../core/imports/read-export.ts'
import type { ForeignApp } from '../../core/log/file-format/foreign-export.ts'
import type { ExportChoice, ExportReading } from '../shared/export-reading.ts'
import { isZip, zipEntries, type ZipEntry } from '../shared/zip.ts'

/** Lines given at once: few enough that a batch is quickly stored. Unit: UTF-16 units. */
const batchLength = 1_000_000

class ExportThread implements ExportReading {
  #groups: (ExportGroup & { of: ForeignApp })[] = []
  #lines: AsyncGenerator<string[]> | undefined

  /** What the files hold, an entry for each program that they are of; empty where none is read here. */
  async look(files: readonly File[], told: (chats: number) => void): Promise<ExportLook[]> {
    const sources = (await Promise.all(files.map(sourcesIn))).flat()
    this.#groups = (await groupsOf(sources)).flatMap(group =>
      isReadableExport(group.of) ? [{ ...group, of: group.of }] : [],
    )
    const looks: ExportLook[] = []
    for (const group of this.#groups) looks.push(await lookAt(group.of, group, told))
    return looks
  }

  /** Begins to read what was looked at, from the first chat on. */
  async begin(choice: ExportChoice): Promise<void> {
    this.#lines = linesOf(this.#groups, choice)
  }

  /** The next lines of ours; undefined at the end. */
  async next(): Promise<string[] | undefined> {
    const { value } = (await this.#lines?.next()) ?? { value: undefined }
    return value as string[] | undefined
  }
}

export function serveExports(): void {
  expose(new ExportThread())
}

async function* linesOf(
  groups: readonly (ExportGroup & { of: ForeignApp })[],
  { app, chats, leaves }: ExportChoice,
): AsyncGenerator<string[]> {
  const group = groups.find(({ of }) => of === app)
  if (group === undefined) return
  const wanted = new Set(chats)
  const find = fileFinder(group.beside)
  let batch: string[] = []
  let length = 0
  for await (const chat of chatsOf(app, group, noFindings())) {
    if (!wanted.has(chat.id)) continue
    const options = { beside: await filesOfChat(chat, find), ...(leaves === undefined ? {} : { leaves }) }
    for (const line of ourLines(app, chat, options)) {
      batch.push(line)
      length += line.length
      if (length < batchLength) continue
      yield batch
      batch = []
      length = 0
    }
  }
  if (batch.length > 0) yield batch
}

async function sourcesIn(file: File): Promise<SourceFile[]> {
  const read = async (from: number, to: number): Promise<Uint8Array> =>
    new Uint8Array(await file.slice(from, to).arrayBuffer())
  if (!isZip(await read(0, 4))) return [sourceOf(file)]
  return (await zipEntries(read, file.size)).map(zippedSource)
}

const sourceOf = (file: File): SourceFile => ({
  path: file.name,
  head: () => file.slice(0, headBytes).text(),
  async *text() {
    const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader()
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
  },
  bytes: async () => new Uint8Array(await file.arrayBuffer()),
})

const zippedSource = (entry: ZipEntry): SourceFile => ({
  path: entry.path,
  head: async () => new TextDecoder().decode(await firstBytes(entry, headBytes)),
  async *text() {
    const decoder = new TextDecoder()
    for await (const part of entry.parts()) yield decoder.decode(part, { stream: true })
    yield decoder.decode()
  },
  bytes: () => firstBytes(entry, Infinity),
})

/** The first bytes of a packed file, or all of it. */
async function firstBytes(entry: ZipEntry, most: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of entry.parts()) {
    parts.push(part)
    size += part.length
    if (size >= most) break
  }
  const whole = new Uint8Array(Math.min(size, most))
  let at = 0
  for (const part of parts) {
    const fits = part.subarray(0, whole.length - at)
    whole.set(fits, at)
    at += fits.length
  }
  return whole
}
