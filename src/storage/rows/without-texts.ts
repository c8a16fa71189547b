/** What is left of an entry whose texts were removed: its place, its kind, and a tombstone. Pure. */
import type { Entry, Id, Tombstone } from '../../core/log/entry.ts'
import { utf8Bytes } from '../../core/text/bytes.ts'

/**
 * The entry without its texts. Names and ids stay, so that calls keep their results; what is blank already keeps its
 * first tombstone.
 */
export function withoutTexts(entry: Entry, tombstone: Omit<Tombstone, 'bytes'>): Entry {
  if (entry.gone) return entry
  const gone: Tombstone = { ...tombstone, bytes: removedBytes(entry) }
  switch (entry.type) {
    case 'user': {
      const { tail: _tail, rest: _rest, attachments: _attachments, ...kept } = entry
      return { ...kept, text: '', gone }
    }
    case 'assistant': {
      const { tail: _tail, rest: _rest, reasoning: _reasoning, details: _details, ...kept } = entry
      return { ...kept, text: '', calls: entry.calls.map(call => ({ ...call, arguments: '{}' })), gone }
    }
    case 'result': {
      const { tail: _tail, rest: _rest, ...kept } = entry
      return { ...kept, text: '', gone }
    }
    case 'note': {
      const { data: _data, ...kept } = entry
      return { ...kept, text: '', gone }
    }
    case 'summary':
    case 'memory':
      return { ...entry, text: '', gone }
    case 'foreign':
      return { ...entry, raw: '', gone }
    case 'shorten':
    case 'strip':
    case 'cut':
    case 'pin':
    case 'undo':
      return entry
    default:
      return entry satisfies never
  }
}

/** The rows of `blobs` that an entry names. */
export function blobsOf(entry: Entry): Id[] {
  if (entry.type !== 'user') return []
  return (entry.attachments ?? []).flatMap(attachment => attachment.blob ?? [])
}

function removedBytes(entry: Entry): number {
  switch (entry.type) {
    case 'user':
    case 'result':
      return entry.rest?.bytes ?? utf8Bytes(entry.text)
    case 'assistant':
      return (
        (entry.rest?.bytes ?? utf8Bytes(entry.text)) +
        utf8Bytes(entry.reasoning ?? '') +
        utf8Bytes(JSON.stringify(entry.details?.value) ?? '') +
        entry.calls.reduce((sum, call) => sum + utf8Bytes(call.arguments), 0)
      )
    case 'note':
    case 'summary':
    case 'memory':
      return utf8Bytes(entry.text)
    case 'foreign':
      return utf8Bytes(entry.raw)
    default:
      return 0
  }
}
