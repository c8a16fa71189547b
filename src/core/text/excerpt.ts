/**
 * Head and tail of a text that is too long, and the notice between them (C3). Payload and notice are separate values.
 * Pure.
 */
import { codePoints, lineCount, newlines, prefixLength, sizeOf, suffixStart, utf8Bytes, type Unit } from './bytes.ts'

/**
 * `limit` in `unit`; `headShare` in whole percent: 0 leaves the head empty, 100 the tail. `replaced`: what made the
 * text old, which the notice says.
 */
export type ExcerptLimits = { limit: number; unit: Unit; headShare: number; replaced?: Replaced }
/** The same call was made again later, or the file that the text shows was changed. */
export type Replaced = 'repeated' | 'edited'

/**
 * What is not in `text`: its last part, and the size of the whole (C3.7). `chars`: code points of the whole, where
 * known.
 */
export type OutsideExcerpt = { tail: string; bytes: number; lines: number; chars?: number }

export type ExcerptParts = {
  whole: false
  head: string
  tail: string
  omitted: number // in `unit`
  unit: Unit
  startLine: number // 1-based line on which the omission starts
  startByte: number // bytes in front of the omission
  insideLine: boolean // the omission starts inside a line: reading on needs start_byte
  bytes: number // of the whole text
  lines: number // of the whole text
  replaced?: Replaced
}
export type Excerpt = { whole: true } | ExcerptParts

/** How far from a border a newline may lie to be preferred to it; in the unit of the limit (C3.2). */
const NEAR = 200

/**
 * The text within the limit (C3.1, C3.2); a size equal to the limit is whole. Of a text that is only there in part,
 * `beyond` says the rest: it is never whole, and its parts are never longer than what is there. Never throws.
 */
export function excerpt(text: string, limits: ExcerptLimits, beyond?: OutsideExcerpt): Excerpt {
  const limit = Math.max(0, Math.floor(limits.limit))
  const { unit } = limits
  if (!beyond && fits(text, limit, unit)) return { whole: true }
  const share = Math.min(100, Math.max(0, Math.floor(limits.headShare)))
  const headLimit = Math.floor((limit * share) / 100)
  const head = headOf(text, headLimit, unit)
  const tail = tailOf(beyond?.tail ?? text, limit - headLimit, unit)
  const startByte = utf8Bytes(head)
  // A huge text knows its size in bytes always, in code points only where it was counted when the text came.
  const inBytes = unit === 'bytes' || (beyond !== undefined && beyond.chars === undefined)
  const bytes = beyond?.bytes ?? utf8Bytes(text)
  const omitted = inBytes
    ? bytes - startByte - utf8Bytes(tail)
    : (beyond?.chars ?? codePoints(text)) - codePoints(head) - codePoints(tail)
  return {
    whole: false,
    head,
    tail,
    omitted,
    unit: inBytes ? 'bytes' : 'chars',
    startLine: 1 + newlines(head),
    startByte,
    insideLine: head !== '' && !head.endsWith('\n'),
    bytes,
    lines: beyond?.lines ?? lineCount(text),
    ...(limits.replaced !== undefined && { replaced: limits.replaced }),
  }
}

const replacedTexts: Record<Replaced, string> = {
  repeated: ' The same call was made again later: see there.',
  edited: ' The file was changed later.',
}

/** Most characters of a notice (C3.3). */
const NOTICE_LIMIT = 300

/**
 * The words between head and tail: how much is missing, from where on, the size of the whole, and how to read on.
 * At most 300 characters; where the path does not fit, it is left out. Starts and ends so that it stands on its own
 * line.
 */
export function readOnNotice(cut: ExcerptParts, path: string): string {
  const from = cut.insideLine ? `start_byte=${cut.startByte}` : `start_line=${cut.startLine}`
  const what =
    `${cut.omitted} ${unitName(cut)} omitted from line ${cut.startLine} (byte ${cut.startByte}) on; ` +
    `whole text: ${cut.bytes} bytes, ${cut.lines} ${cut.lines === 1 ? 'line' : 'lines'}.` +
    (cut.replaced === undefined ? '' : replacedTexts[cut.replaced])
  return onItsOwnLine(cut.insideLine, what, ` Read on with read_file: path="${path}", ${from}.`)
}

/**
 * The line under a page that is shown whole: its size, and that it can be read again by its path. At most 300
 * characters.
 */
export function wholeNotice(text: string, path: string): string {
  const what = `End of this text: ${utf8Bytes(text)} bytes, ${lineCount(text)} lines.`
  return onItsOwnLine(
    text !== '' && !text.endsWith('\n'),
    what,
    ` Read it again with read_file: path="${path}", start_line=1.`,
  )
}

/** Head, notice and tail as the model reads them. */
export function shownText(cut: ExcerptParts, path: string): string {
  return cut.head + readOnNotice(cut, path) + cut.tail
}

/** Bytes of a text that an excerpt shows, without the notice. */
export function shownBytes(result: Excerpt, wholeBytes: number): number {
  return result.whole ? wholeBytes : result.startByte + utf8Bytes(result.tail)
}

/** Bytes of what the model reads in place of the text, notice and all. */
export function sentBytes(result: Excerpt, wholeBytes: number, path: string): number {
  return result.whole ? wholeBytes : shownBytes(result, wholeBytes) + utf8Bytes(readOnNotice(result, path))
}

function fits(text: string, limit: number, unit: Unit): boolean {
  if (unit === 'chars' ? text.length <= limit : text.length * 3 <= limit) return true
  // A code point has at most two units, a unit at least one byte: most long texts are known to be too long at once.
  if (unit === 'chars' ? text.length > limit * 2 : text.length > limit) return false
  return sizeOf(text, unit) <= limit
}

function headOf(text: string, limit: number, unit: Unit): string {
  const head = text.slice(0, prefixLength(text, limit, unit))
  if (head === '' || head.endsWith('\n')) return head
  const newline = head.lastIndexOf('\n')
  return newline >= 0 && sizeOf(head.slice(newline), unit) <= NEAR ? head.slice(0, newline + 1) : head
}

function tailOf(text: string, limit: number, unit: Unit): string {
  const start = suffixStart(text, limit, unit)
  const tail = text.slice(start)
  if (tail === '' || (start > 0 && text[start - 1] === '\n')) return tail
  const newline = tail.indexOf('\n')
  return newline >= 0 && sizeOf(tail.slice(0, newline + 1), unit) <= NEAR ? tail.slice(newline + 1) : tail
}

function unitName(cut: ExcerptParts): string {
  return cut.unit === 'bytes' ? 'bytes' : 'characters'
}

function onItsOwnLine(insideLine: boolean, what: string, how: string): string {
  const before = insideLine ? '\n[' : '['
  const whole = `${before}${what}${how}]\n`
  return whole.length <= NOTICE_LIMIT ? whole : `${before}${what}]\n`
}
