/** How stored things are cut into passages that can be found. Pure. */
import { newlines } from '../../text/bytes.ts'
import { borderAt } from '../../text/display/graphemes.ts'
import type { Entry, FactEntry } from '../../log/entry.ts'
import { isFact } from '../../log/query.ts'

/** Longest passage. A whole message of usual length is one; a long one is cut at line borders. Unit: UTF-16 units. */
const maxPassageLength = 1500

/** The id of the built-in model, which finds and quotes. */
const builtIn = 'recall'

/** A piece of a text, by offsets (UTF-16) and lines (1-based, inclusive). */
export type PassageSpan = { from: number; to: number; fromLine: number; toLine: number }

/**
 * Whether a fact or a note for later can be found at all. An answer of the built-in model is none: it only repeats what
 * is kept, and would be found instead of it.
 */
export function isFindable(entry: Entry): entry is FactEntry | (Entry & { type: 'memory' }) {
  if (entry.gone || (entry.type === 'assistant' && entry.model === builtIn)) return false
  return (isFact(entry) || entry.type === 'memory') && entry.text.trim() !== ''
}

/** The pieces of a text in order; a short text is one piece. */
export function splitIntoPassages(text: string): PassageSpan[] {
  const pieces: PassageSpan[] = []
  let line = 1
  for (let from = 0; from < text.length;) {
    const to = endOf(text, from)
    const breaks = newlines(text.slice(from, to))
    const toLine = line + breaks - (text.charAt(to - 1) === '\n' ? 1 : 0)
    pieces.push({ from, to, fromLine: line, toLine: Math.max(line, toLine) })
    line += breaks
    from = to
  }
  return pieces
}

function endOf(text: string, from: number): number {
  const end = from + maxPassageLength
  if (end >= text.length) return text.length
  const border = text.lastIndexOf('\n', end - 1) + 1
  if (border > from + maxPassageLength / 3) return border
  const blank = text.lastIndexOf(' ', end - 1) + 1
  if (blank > from + maxPassageLength / 3) return blank
  const last = text.charCodeAt(end - 1)
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end
}

/** The part of a passage around its marks, at most `most` UTF-16 units, at word borders where there are any. */
export function passageAround(
  text: string,
  marks: readonly [number, number][],
  most: number,
): { text: string; from: number } {
  if (text.length <= most) return { text, from: 0 }
  const first = marks[0]?.[0] ?? 0
  let from = Math.max(0, Math.min(first - Math.floor(most / 4), text.length - most))
  const blank = from === 0 ? -1 : text.indexOf(' ', from)
  if (blank >= 0 && blank - from < 40) from = blank + 1
  let to = Math.min(text.length, from + most)
  if (to < text.length) {
    const end = text.lastIndexOf(' ', to)
    if (end > to - 40 && end > from) to = end
  }
  from = borderAt(text, from)
  to = Math.max(from, borderAt(text, to))
  return { text: text.slice(from, to), from }
}
