/** Files of the disk, of a folder and of a ZIP, as the readers of other apps' chats take them. */
import { createReadStream } from 'node:fs'
import { open, readdir, readFile, stat } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { isZip, zipEntries, type ZipEntry } from '../../src/bridge/shared/zip.ts'
import type { SourceFile } from '../../src/core/imports/read-export.ts'
import { headBytes } from '../../src/core/log/file-format/foreign-export.ts'

/** All files of a path: the file itself, those in a folder, or those in a ZIP. Throws where there is none. */
export async function filesAt(path: string): Promise<SourceFile[]> {
  if ((await stat(path)).isDirectory()) {
    const names = (await readdir(path, { recursive: true, withFileTypes: true }))
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
      .toSorted()
    return names.map(name => diskFile(name, relative(path, name)))
  }
  if (!isZip(await beginning(path, 4))) return [diskFile(path, basename(path))]
  const { size } = await stat(path)
  const read = async (from: number, to: number): Promise<Uint8Array> => {
    const file = await open(path)
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(to - from), 0, to - from, from)
      return buffer.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  }
  return (await zipEntries(read, size)).map(zippedFile)
}

const diskFile = (place: string, path: string): SourceFile => ({
  path,
  head: async () => new TextDecoder().decode(await beginning(place, headBytes)),
  text: () => createReadStream(place, { encoding: 'utf8' }) as AsyncIterable<string>,
  bytes: () => readFile(place),
})

const zippedFile = (entry: ZipEntry): SourceFile => ({
  path: entry.path,
  head: async () => {
    const parts: Uint8Array[] = []
    let size = 0
    for await (const part of entry.parts()) {
      parts.push(part)
      size += part.length
      if (size >= headBytes) break
    }
    return new TextDecoder().decode(Buffer.concat(parts).subarray(0, headBytes))
  },
  async *text() {
    const decoder = new TextDecoder()
    for await (const part of entry.parts()) yield decoder.decode(part, { stream: true })
    yield decoder.decode()
  },
  bytes: async () => {
    const parts: Uint8Array[] = []
    for await (const part of entry.parts()) parts.push(part)
    return Buffer.concat(parts)
  },
})

async function beginning(path: string, bytes: number): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
