/** Search in the open chat: over all items, also those that no screen shows. Pure. */
import { foldText, sourceRange } from '../../core/text/search/fold-text.ts'
import type { TranscriptItem } from './transcript-items.ts'

const lowered = new WeakMap<TranscriptItem, string>() // items do not change; a new text is a new item

/** The keys of the items that hold the words, in order; ignoring case, width, and signs that nobody sees. */
export function findIn(items: readonly TranscriptItem[], query: string): string[] {
  const wanted = normalizedQuery(query)
  if (wanted === '') return []
  return items.filter(item => textOf(item).includes(wanted)).map(item => item.key)
}

/** Where the words stand in a text: ranges of UTF-16 units, in order, at most `most`. */
export function placesOf(text: string, query: string, most: number): { from: number; to: number }[] {
  const wanted = normalizedQuery(query)
  const read = foldText(text)
  const small = read.text.toLowerCase()
  const places: { from: number; to: number }[] = []
  // lowering changed the length (İ): places would be wrong
  if (wanted === '' || small.length !== read.text.length) return places
  for (
    let at = small.indexOf(wanted);
    at !== -1 && places.length < most;
    at = small.indexOf(wanted, at + wanted.length)
  )
    places.push(sourceRange(read, at, at + wanted.length))
  return places
}

/** What is looked for; '' where there is nothing to look for. */
export function normalizedQuery(query: string): string {
  return foldText(query).text.trim().toLowerCase()
}

function textOf(item: TranscriptItem): string {
  let text = lowered.get(item)
  if (text === undefined) lowered.set(item, (text = foldText(rawTextOf(item)).text.toLowerCase()))
  return text
}

function rawTextOf(item: TranscriptItem): string {
  switch (item.type) {
    case 'user':
      return `${item.whole}\n${item.gap?.tail ?? ''}`
    case 'assistant':
      return `${item.reasoning}\n${item.text}\n${item.gap?.tail ?? ''}`
    case 'tool':
      return `${item.call.name}\n${item.call.arguments}\n${item.result?.text ?? ''}\n${item.result?.gap?.tail ?? ''}`
    case 'orphan':
      return `${item.tool}\n${item.result.text}\n${item.result.gap?.tail ?? ''}`
    case 'summary':
    case 'note':
    case 'memory':
    case 'foreign':
      return item.text
    case 'mark':
      return ''
    default:
      return item satisfies never
  }
}
