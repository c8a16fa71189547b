/** Texts that are too large for an entry (C3.7). Pure. */
import { codePoints, lineCount, prefixLength, suffixStart, utf8Bytes } from '../text/bytes.ts'
import { isFact } from './query.ts'
import type { Entry, HugeTextParts } from './entry.ts'

/** A text above this is split when it is recorded, and never shown whole (C3.7). */
export const hugeAboveBytes = 131_072 // bytes
/** What the entry keeps of its beginning and of its end (C3.7). */
const KEPT_HEAD = 72 * 1024 // bytes
const KEPT_TAIL = 40 * 1024 // bytes

/** Most of a huge text that is shown, whatever a strategy says (C3.7). */
export const hugeShown = { limit: 100_000, unit: 'bytes', headShare: 70 } as const

/** Whether a text is above 131 072 bytes of UTF-8. */
export function isHuge(text: string): boolean {
  return text.length > hugeAboveBytes || (text.length * 3 > hugeAboveBytes && utf8Bytes(text) > hugeAboveBytes)
}

/**
 * A text as its entry keeps it: whole up to 131 072 bytes, else its first 72 KiB, its last 40 KiB and the size of the
 * whole; `whole` is then what the store has to keep beside the entry.
 */
export function splitHuge(text: string): { text: string; whole?: string } & HugeTextParts {
  if (!isHuge(text)) return { text }
  return {
    text: detached(text.slice(0, prefixLength(text, KEPT_HEAD, 'bytes'))),
    tail: detached(text.slice(suffixStart(text, KEPT_TAIL, 'bytes'))),
    rest: { bytes: utf8Bytes(text), lines: lineCount(text), chars: codePoints(text) },
    whole: text,
  }
}

/** An entry as it is stored: a huge text is split, and `whole` then belongs beside it (C3.7). */
export function asStored(entry: Entry): { entry: Entry; whole?: string } {
  if (!isFact(entry) || entry.rest) return { entry }
  const { whole, ...parts } = splitHuge(entry.text)
  return whole === undefined ? { entry } : { entry: { ...entry, ...parts }, whole }
}

/**
 * JavaScript engines let a slice share the memory of the whole string: an entry would keep megabytes alive for its 72
 * KiB.
 */
function detached(slice: string): string {
  return ` ${slice}`.slice(1)
}
