/** Search in the open chat: over all items, also those that no screen shows. Pure. */
import type { TranscriptItem } from '../transcript-items.ts'

const lowered = new WeakMap<TranscriptItem, string>() // items do not change; a new text is a new item

/** The keys of the items that hold the words, in order; ignoring case. */
export function findIn(items: readonly TranscriptItem[], query: string): string[] {
  const wanted = query.trim().toLowerCase()
  if (wanted === '') return []
  return items.filter(item => textOf(item).includes(wanted)).map(item => item.key)
}

function textOf(item: TranscriptItem): string {
  let text = lowered.get(item)
  if (text === undefined) lowered.set(item, text = rawTextOf(item).toLowerCase())
  return text
}

function rawTextOf(item: TranscriptItem): string {
  switch (item.type) {
    case 'user': return `${item.whole}\n${item.gap?.tail ?? ''}`
    case 'assistant': return `${item.reasoning}\n${item.text}\n${item.gap?.tail ?? ''}`
    case 'tool': return `${item.call.name}\n${item.call.arguments}\n${item.result?.text ?? ''}\n${item.result?.gap?.tail ?? ''}`
    case 'orphan': return `${item.tool}\n${item.result.text}\n${item.result.gap?.tail ?? ''}`
    case 'summary': case 'note': case 'memory': case 'foreign': return item.text
    case 'mark': return ''
    default: return item satisfies never
  }
}
