/** What becomes of the messages of a preview, and what each is called. Pure. */
import type { PreviewItem } from '../../core/agent/api/context-api.ts'
import { clip } from '../../core/text/display/graphemes.ts'
import { visibleLine } from '../../core/text/display/title.ts'
import { callSubject } from '../../core/text/display/call-subject.ts'
import type { Entry, Id } from '../../core/log/entry.ts'

export const fates = ['goes', 'shortened', 'stays'] as const
export type Fate = (typeof fates)[number]

const longestWords = 120 // UTF-16 units

/** The items by what becomes of them, each list in the order of the talk. */
export function itemsByFate(items: readonly PreviewItem[]): Record<Fate, PreviewItem[]> {
  const found: Record<Fate, PreviewItem[]> = { goes: [], shortened: [], stays: [] }
  for (const item of items)
    found[item.after === 0 ? 'goes' : item.after < item.tokens ? 'shortened' : 'stays'].push(item)
  return found
}

/** Entries by id, and the calls by theirs: of an id that comes again the newest. Made once for a list. */
export type KnownEntries = { entries: ReadonlyMap<Id, Entry>; calls: ReadonlyMap<string, string> }

export function knownEntries(entries: readonly Entry[]): KnownEntries {
  const calls = new Map<string, string>()
  for (const entry of entries)
    if (entry.type === 'assistant') for (const call of entry.calls) calls.set(call.id, call.arguments)
  return { entries: new Map(entries.map(entry => [entry.id, entry])), calls }
}

/** Who says it, or which tool about what; the first words; when. Empty for an entry that is not here yet. */
export function lineOf(
  id: Id,
  known: KnownEntries,
  names: { user: string; assistant: string },
): { who: string; words: string; at: number | undefined } {
  const entry = known.entries.get(id)
  switch (entry?.type) {
    case 'user':
      return { who: names.user, words: wordsOf(entry.text), at: entry.at }
    case 'assistant':
      return {
        who: names.assistant,
        words: wordsOf(entry.text) || entry.calls.map(call => `${call.name} ${callSubject(call.arguments)}`).join(', '),
        at: entry.at,
      }
    case 'result':
      return {
        who: `${entry.tool} ${callSubject(known.calls.get(entry.callId) ?? '')}`.trim(),
        words: wordsOf(entry.text),
        at: entry.at,
      }
    default:
      return { who: '', words: '', at: entry?.at }
  }
}

function wordsOf(text: string): string {
  return clip(visibleLine(text.slice(0, 4 * longestWords)), longestWords)
}
