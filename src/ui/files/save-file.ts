/** Where an export goes: a file that the person picks, or parts of a Blob that is then offered. */
import { clip } from '../../core/text/display/graphemes.ts'

/** Takes text piece by piece; `close` finishes the file, `abort` gives it up. */
export type Sink = { write(text: string): Promise<void>; close(): Promise<void>; abort(): Promise<void> }

type FilePicker = (options: {
  suggestedName: string
  types: { description: string; accept: Record<string, string[]> }[]
}) => Promise<FileSystemFileHandle>

/** What a file is, for the dialog that saves it. */
export type FileType = { description: string; mime: string; ending: `.${string}` }

const jsonLines: FileType = { description: 'JSON Lines', mime: 'application/x-ndjson', ending: '.jsonl' }

/**
 * Must be called in a click. Undefined: the person closed the dialog. With a file handle memory use stays constant;
 * without one the browser keeps the parts of a Blob (on disk, where it is large) and saves them at the end.
 */
export async function saveFile(name: string, type = jsonLines): Promise<Sink | undefined> {
  const pick = (window as { showSaveFilePicker?: FilePicker }).showSaveFilePicker
  if (pick === undefined) return blobFile(name, type)
  let handle: FileSystemFileHandle
  try {
    handle = await pick.call(window, {
      suggestedName: name,
      types: [{ description: type.description, accept: { [type.mime]: [type.ending] } }],
    })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined
    return blobFile(name, type) // no click behind the call (a typed command), or a policy forbids it
  }
  const file = await handle.createWritable()
  return { write: text => file.write(text), close: () => file.close(), abort: () => file.abort() }
}

const partSize = 4 * 1024 * 1024 // characters; a Blob of few large parts is quicker than one of many small ones

function blobFile(name: string, { mime }: FileType): Sink {
  const parts: Blob[] = []
  let waiting: string[] = []
  let length = 0
  const flush = () => {
    parts.push(new Blob(waiting))
    waiting = []
    length = 0
  }
  return {
    async write(text) {
      waiting.push(text)
      length += text.length
      if (length >= partSize) flush()
    },
    async close() {
      flush()
      const url = URL.createObjectURL(new Blob(parts, { type: mime }))
      const link = document.createElement('a')
      link.href = url
      link.download = name
      link.click()
      setTimeout(() => {
        URL.revokeObjectURL(url)
      }, 60_000) // the download may begin late
    },
    async abort() {
      parts.length = 0
    },
  }
}

/** A name that every file system takes: letters of any script, digits, dashes. */
export function fileName(title: string, day: string, ending = jsonLines.ending): string {
  const name = title
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^[-\p{M}]+|-+$/gu, '')
  return `${name === '' ? 'haversack' : clip(name, 60)}-${day}${ending}`
}
