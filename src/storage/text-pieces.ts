/** Long texts in pieces, so that reading a range costs the range and not the whole. Pure. */

/** `from` is the piece's first byte (UTF-8) in the whole text, `line` how many newlines stand in front of it. */
export type Piece = { from: number; line: number; text: string }

/** 65 536 UTF-16 units: at most 192 KiB in the database, and about 0.3 ms to search for a border. */
const pieceUnits = 65_536

/** Cuts a text at code point borders; an empty text has one empty piece. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  let line = 0
  for (let start = 0; start < text.length || pieces.length === 0;) {
    const end = pieceEnd(text, start)
    const piece = text.slice(start, end)
    pieces.push({ from, line, text: piece })
    from += utf8Bytes(piece)
    line += newlines(piece)
    start = end
  }
  return pieces
}

/**
 * The bytes `from` (0-based) to `to` (exclusive) out of neighbouring pieces. A border within a character moves in
 * front of it, at either end, so that ranges which touch give the whole text when joined.
 */
export function cutBytes(pieces: readonly Piece[], from: number, to: number): string {
  const text = pieces.map(piece => piece.text).join('')
  const base = pieces[0]?.from ?? 0
  const start = unitAt(text, from - base)
  return text.slice(start, Math.max(start, unitAt(text, to - base)))
}

/** The lines `from` to `to` (1-based, inclusive), each with its newline, out of neighbouring pieces. */
export function cutLines(pieces: readonly Piece[], from: number, to: number): string {
  const text = pieces.map(piece => piece.text).join('')
  const base = pieces[0]?.line ?? 0
  const start = afterNewline(text, from - 1 - base)
  return text.slice(start, Math.max(start, afterNewline(text, to - base)))
}

/** Size in UTF-8, bytes; a lone surrogate counts 3, as it is written. */
export function utf8Bytes(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) continue
    if (unit < 0x800) bytes += 1
    else if (isPair(text, index)) { bytes += 2; index++ }
    else bytes += 2
  }
  return bytes
}

function pieceEnd(text: string, start: number): number {
  const end = Math.min(text.length, start + pieceUnits)
  return end < text.length && isPair(text, end - 1) ? end - 1 : end
}

/** The largest code point border that has at most `bytes` in front of it, in UTF-16 units. */
function unitAt(text: string, bytes: number): number {
  let seen = 0
  let index = 0
  while (index < text.length) {
    const unit = text.charCodeAt(index)
    const pair = isPair(text, index)
    seen += unit < 0x80 ? 1 : unit < 0x800 ? 2 : pair ? 4 : 3
    if (seen > bytes) return index
    index += pair ? 2 : 1
  }
  return index
}

/** The place behind the `count`th newline; the end where there are fewer. */
function afterNewline(text: string, count: number): number {
  let index = 0
  for (let seen = 0; seen < count; seen++) {
    const newline = text.indexOf('\n', index)
    if (newline < 0) return text.length
    index = newline + 1
  }
  return index
}

function newlines(text: string): number {
  let count = 0
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) count++
  return count
}

function isPair(text: string, index: number): boolean {
  const unit = text.charCodeAt(index)
  if (unit < 0xd800 || unit > 0xdbff) return false
  const next = text.charCodeAt(index + 1)
  return next >= 0xdc00 && next <= 0xdfff
}
