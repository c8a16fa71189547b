/** The file that is shared, piece by piece: the lines come from the worker, and the file shows what they hold. */
import type { ShareApi, KeptFindings } from '../../core/agent/api/share-api.ts'
import type { Id } from '../../core/log/entry.ts'
import { MarkdownFile } from './markdown-file.ts'
import { PageFile } from './page-file.ts'
import type { Pause } from './pauses.ts'
import type { ShareWords } from './share-words.ts'
import { ToldMessages } from './told-messages.ts'

export type ShareFormat = 'html' | 'markdown'

export type SharedFileOptions = {
  api: Pick<ShareApi, 'sharedLines'>
  handle: Id
  kept: KeptFindings
  format: ShareFormat
  words: ShareWords
  pause: Pause
}

/** Throws what the worker throws. */
export async function* sharedFile({
  api,
  handle,
  kept,
  format,
  words,
  pause,
}: SharedFileOptions): AsyncGenerator<string> {
  const file = format === 'html' ? new PageFile(handle, words, pause) : new MarkdownFile(handle, words)
  const told = new ToldMessages()
  const lines: string[] = []
  let isBegun = false
  for (let cursor: number | undefined = 0; cursor !== undefined;) {
    const page: { lines: string[]; next?: number } = await api.sharedLines(handle, kept, cursor)
    for (const line of page.lines) {
      lines.push(line)
      const messages = told.take(line)
      if (!isBegun) yield file.head(told.title, told.createdAt)
      isBegun = true
      for (const message of messages) yield await file.message(message)
      await pause()
    }
    cursor = page.next
  }
  for (const message of told.end()) yield await file.message(message)
  for (const part of file.end(lines)) {
    yield part
    await pause()
  }
}
