/** A range of a text by lines or by bytes, bounded (C9.3). */
import { AgentError } from '../../errors.ts'
import { afterNewlines, lineCount, newlines, prefixLength, utf8Bytes } from '../../text/bytes.ts'
import type { ReadRange } from '../api/api.ts'

/** Most lines of one reading. Source: C9.3. */
export const maxLines = 2000

/** A text whose lines are counted and need not be in memory. Lines are 1-based and inclusive. */
type LineSource = { path: string; lines: number; lineText(from: number, to: number): Promise<string> }

/** A text whose size is known as well. Bytes are 0-based and exclusive at the end. */
export type MeasuredText = LineSource & {
  bytes: number
  /** Counting its lines costs nothing. */
  inMemory?: true
  byteText(from: number, to: number): Promise<string>
}

/** The size of some texts is known only once they are read whole. */
export type TextSource = MeasuredText | (LineSource & { whole(): Promise<MeasuredText> })

/** `from` and `to` are 0 where reading by bytes does not know its lines. */
export type RangeText = { text: string; from: number; to: number; more: boolean; nextLine?: number; nextByte?: number }

/** Reads at most 2 000 lines and `maxBytes`. Throws `bad_input`, with the size, for a start behind the end. */
export async function readRange(source: TextSource, range: ReadRange, maxBytes: number): Promise<RangeText> {
  const limit = Math.max(4, Math.min(maxBytes, range.maxBytes ?? maxBytes)) // 4: one character always fits
  if (range.startByte !== undefined)
    return byBytes('whole' in source ? await source.whole() : source, Math.max(0, range.startByte), limit)
  const from = Math.max(1, range.startLine ?? 1)
  const last = Math.min(source.lines, Math.max(1, range.endLine ?? source.lines))
  if (source.lines === 0) return { text: '', from: 0, to: 0, more: false }
  if (from > source.lines)
    throw new AgentError('bad_input', `start_line ${from} is behind the end: ${sizeText(source)}`)
  if (from > last)
    throw new AgentError('bad_input', `start_line ${from} is behind end_line ${range.endLine}: ${sizeText(source)}`)
  const to = Math.min(last, from + maxLines - 1)
  const text = await source.lineText(from, to)
  if (utf8Bytes(text) <= limit)
    return { text, from, to, more: to < source.lines, ...(to < source.lines ? { nextLine: to + 1 } : {}) }
  const cut = text.slice(0, prefixLength(text, limit, 'bytes'))
  const border = cut.lastIndexOf('\n') + 1
  if (border > 0) {
    const whole = cut.slice(0, border)
    const shown = from + newlines(whole) - 1
    return { text: whole, from, to: shown, more: true, nextLine: shown + 1 }
  }
  // The first line alone is too long: reading goes on inside it.
  const before = from === 1 ? 0 : utf8Bytes(await source.lineText(1, from - 1))
  return { text: cut, from, to: from, more: true, nextByte: before + utf8Bytes(cut) }
}

async function byBytes(source: MeasuredText, start: number, limit: number): Promise<RangeText> {
  if (start > 0 && start >= source.bytes)
    throw new AgentError('bad_input', `start_byte ${start} is behind the end: ${sizeText(source)}`)
  const end = Math.min(source.bytes, start + limit)
  const text = await source.byteText(start, end)
  const next = start + utf8Bytes(text)
  const on = next < source.bytes ? { nextByte: next } : {}
  // Counting the lines in front would cost the whole text, and reading a range costs the range.
  if (start > 0 && !source.inMemory) return { text, from: 0, to: 0, more: next < source.bytes, ...on }
  const from = start === 0 ? 1 : newlines(await source.byteText(0, start)) + 1
  const to = Math.max(from, from + newlines(text) - (text.endsWith('\n') ? 1 : 0))
  return { text, from, to, more: next < source.bytes, ...on }
}

/** A text in memory as a source. */
export function textSource(path: string, text: string): MeasuredText {
  return {
    path,
    lines: lineCount(text),
    bytes: utf8Bytes(text),
    inMemory: true,
    lineText: async (from, to) => text.slice(afterNewlines(text, from - 1), afterNewlines(text, to)),
    byteText: async (from, to) => {
      const start = prefixLength(text, from, 'bytes')
      return text.slice(start, start + prefixLength(text.slice(start), to - from, 'bytes'))
    },
  }
}

function sizeText(source: TextSource): string {
  const { path, lines } = source
  return `${path} has ${lines} ${lines === 1 ? 'line' : 'lines'}${'bytes' in source ? `, ${source.bytes} bytes` : ''}.`
}
