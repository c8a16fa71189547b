/** Stores long texts in pieces, so that reading a range costs only the range. Pure. */
import { afterNewlines, newlines, prefixLength, utf8Bytes } from '../../core/text/bytes.ts'

/** `from` is the piece's first byte (UTF-8) in the whole text, `line` how many newlines stand in front of it. */
export type TextPiece = { from: number; line: number; text: string }

/** At most this much in a piece, bytes of UTF-8: finding a border in it takes about a millisecond. */
const pieceBytes = 131_072

/** Cuts a text at code point borders; an empty text has one empty piece. */
export function splitText(text: string): TextPiece[] {
  const pieces: TextPiece[] = []
  let from = 0
  let line = 0
  for (let start = 0; start < text.length || pieces.length === 0;) {
    const ahead = text.slice(start, start + pieceBytes) // as many units at most, for each is at least a byte
    const piece = ahead.slice(0, prefixLength(ahead, pieceBytes, 'bytes'))
    pieces.push({ from, line, text: piece })
    from += utf8Bytes(piece)
    line += newlines(piece)
    start += piece.length
  }
  return pieces
}

/**
 * The bytes `from` (0-based) to `to` (exclusive) out of neighbouring pieces. A border within a character moves in
 * front of it, at either end, so that ranges which touch give the whole text when joined.
 */
export function cutBytes(pieces: readonly TextPiece[], from: number, to: number): string {
  const text = pieces.map(piece => piece.text).join('')
  const base = pieces[0]?.from ?? 0
  const start = prefixLength(text, Math.max(0, from - base), 'bytes')
  return text.slice(start, Math.max(start, prefixLength(text, Math.max(0, to - base), 'bytes')))
}

/** The lines `from` to `to` (1-based, inclusive), each with its newline, out of neighbouring pieces. */
export function cutLines(pieces: readonly TextPiece[], from: number, to: number): string {
  const text = pieces.map(piece => piece.text).join('')
  const base = pieces[0]?.line ?? 0
  const start = afterNewlines(text, from - 1 - base)
  return text.slice(start, Math.max(start, afterNewlines(text, to - base)))
}
