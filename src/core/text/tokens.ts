/** Tokens of a plain text, in three ways (C1.1–C1.3). Estimates; nothing here throws. */
import { utf8Bytes } from './bytes.ts'

/**
 * A token has at least so many bytes in prose of any language (o200k: English above 4, Chinese about 4, Korean and
 * Japanese above 3).
 */
export const leastBytesPerToken = 3

/** Tokens as UTF-8 bytes over a divisor, half a token rounded up (C1.1). The divisor need not be whole. */
export function bytesTokens(text: string, divisor: number): number {
  return Math.floor(utf8Bytes(text) / divisor + 0.5)
}

/** Tokens by script (C1.2, CowAgent): 1.5 per code point above 127, 0.25 per other, and one. Empty text is 0. */
export function scriptTokens(text: string): number {
  if (text === '') return 0
  let points = text.length
  let plain = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit <= 127) plain++
    else if (unit >= 0xd800 && unit <= 0xdbff) {
      const next = text.charCodeAt(i + 1)
      if (next >= 0xdc00 && next <= 0xdfff) {
        points--
        i++
      }
    }
  }
  return Math.floor(1.5 * (points - plain) + 0.25 * plain) + 1
}

/**
 * Longest slice that is given to the tokenizer, UTF-16 units: one long run of a letter is quadratic in the library
 * (C1.3).
 */
const SLICE = 512
/** How far before the end of a slice a blank is looked for, so that a word is rarely split; UTF-16 units. */
const BLANK_WITHIN = 64
/** Above this size a text is estimated by its bytes (C1.3). */
const EXACT_UP_TO = 200_000 // bytes

/** Exact counting made safe: in short slices, estimated where the text is too large or the tokenizer throws. */
export function bpeOf(countTokens: (text: string) => number): (text: string) => number {
  return text => {
    if (text.length > EXACT_UP_TO) return bytesTokens(text, 4)
    if (text.length * 3 > EXACT_UP_TO && utf8Bytes(text) > EXACT_UP_TO) return bytesTokens(text, 4)
    let tokens = 0
    for (let from = 0; from < text.length;) {
      const to = sliceEnd(text, from)
      tokens += safely(countTokens, text.slice(from, to))
      from = to
    }
    return tokens
  }
}

function sliceEnd(text: string, from: number): number {
  const end = from + SLICE
  if (end >= text.length) return text.length
  for (let i = end; i > end - BLANK_WITHIN; i--) if (text.charCodeAt(i) === 0x20) return i
  const last = text.charCodeAt(end - 1)
  const next = text.charCodeAt(end)
  return last >= 0xd800 && last <= 0xdbff && next >= 0xdc00 && next <= 0xdfff ? end - 1 : end
}

function safely(countTokens: (text: string) => number, slice: string): number {
  try {
    const tokens = countTokens(slice)
    return Number.isFinite(tokens) && tokens >= 0 ? tokens : bytesTokens(slice, 4)
  } catch {
    return bytesTokens(slice, 4) // a tokenizer that refuses a text must not stop a chat
  }
}
