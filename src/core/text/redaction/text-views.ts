/** A text without line breaks, or with its escapes undone, and which part of it each sign comes from. Pure. */
import { fromBase64 } from '../base64.ts'

/**
 * `from` and `to`: the place of each UTF-16 unit in the text at the bottom; absent: its own. `breaks`: where in this
 * view a line break was taken out.
 */
export type TextView = { text: string; from?: Int32Array; to?: Int32Array; breaks?: readonly number[] }

/** The place in the text at the bottom of a part of a view. */
export function placeIn({ from, to }: TextView, start: number, end: number): { from: number; to: number } {
  return { from: from?.[start] ?? start, to: end > start ? (to?.[end - 1] ?? end) : start }
}

/** Puts a view together with other signs in some places; never more than were there. */
class Rewriting {
  readonly #view: TextView
  readonly #parts: string[] = []
  readonly #from: Int32Array
  readonly #to: Int32Array
  #at = 0
  length = 0

  constructor(view: TextView) {
    this.#view = view
    this.#from = new Int32Array(view.text.length)
    this.#to = new Int32Array(view.text.length)
  }

  /** Keeps all up to here, and writes these signs in place of what stands up to `end`. */
  replace(start: number, end: number, signs: string): void {
    this.#keep(start)
    const place = placeIn(this.#view, start, end)
    this.#from.fill(place.from, this.length, this.length + signs.length)
    this.#to.fill(place.to, this.length, this.length + signs.length)
    this.#parts.push(signs)
    this.length += signs.length
    this.#at = end
  }

  end(): TextView {
    this.#keep(this.#view.text.length)
    return { text: this.#parts.join(''), from: this.#from, to: this.#to }
  }

  #keep(end: number): void {
    const { from, to, text } = this.#view
    for (let i = this.#at, at = this.length; i < end; i++, at++) {
      this.#from[at] = from === undefined ? i : from[i]!
      this.#to[at] = to === undefined ? i + 1 : to[i]!
    }
    this.#parts.push(text.slice(this.#at, end))
    this.length += end - this.#at
  }
}

/**
 * A line break with what is written around it where a text goes on: a backslash, a quote and a plus, a mark of a
 * quotation.
 */
const lineBreak =
  /(["'`])[ \t]{0,8}[+.]?[ \t]{0,8}\\?\r?\n[ \t]{0,80}[+.]?[ \t]{0,8}\1|(?<!\n[ \t\r]{0,80})[ \t]{0,4}\\?\r?\n(?![ \t]{0,80}\r?\n)[ \t]{0,80}(?:[>|*#] |\/\/ )?/g

/** Without line breaks, but for blank lines: nothing goes on behind one. Undefined where there are none. */
export function withoutBreaks(view: TextView): TextView | undefined {
  if (!view.text.includes('\n')) return undefined
  const rewriting = new Rewriting(view)
  const breaks: number[] = []
  for (const { index, 0: written } of view.text.matchAll(lineBreak)) {
    rewriting.replace(index, index + written.length, '')
    breaks.push(rewriting.length)
  }
  return { ...rewriting.end(), breaks }
}

const escapes =
  /\\(?:u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[nrtbf"'`\\/])|(?:%[0-9A-Fa-f]{2}){1,200}|&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|amp|lt|gt|quot|apos|nbsp|commat|colon|period|sol|equals);/g
const letters: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  commat: '@',
  colon: ':',
  period: '.',
  sol: '/',
  equals: '=',
}

/** With the escapes of JSON, addresses and HTML undone once; undefined where there are none. */
export function withoutEscapes(view: TextView): TextView | undefined {
  const rewriting = new Rewriting(view)
  let changed = false
  for (const { index, 0: written } of view.text.matchAll(escapes)) {
    changed = true
    rewriting.replace(index, index + written.length, meaningOf(written))
  }
  return changed ? rewriting.end() : undefined
}

function meaningOf(written: string): string {
  if (written.startsWith('%')) return ofPercents(written)
  if (written.startsWith('&')) {
    const name = written.slice(1, -1)
    return name.startsWith('#x')
      ? ofPoint(parseInt(name.slice(2), 16))
      : name.startsWith('#')
        ? ofPoint(Number(name.slice(1)))
        : (entities[name] ?? '')
  }
  const code = /^\\(?:u\{?|x)([0-9a-fA-F]+)/.exec(written)?.[1]
  return code === undefined ? (letters[written[1]!] ?? written[1]!) : ofPoint(parseInt(code, 16))
}

const ofPoint = (point: number): string => (point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd')

function ofPercents(written: string): string {
  try {
    return decodeURIComponent(written)
  } catch {
    return written.replace(/%(..)/g, (_, code: string) => String.fromCharCode(parseInt(code, 16))) // no UTF-8: byte by byte
  }
}

const base64Run = /[A-Za-z0-9+/_-]{16,}={0,2}/g
/** Decoded bytes that are text have at least this share of signs of text. */
const textShare = 0.85

/** The runs of base64 that are texts when they are decoded, with their places. */
export function* base64Texts({ text }: TextView): Generator<{ from: number; to: number; text: string }> {
  for (const { index, 0: run } of text.matchAll(base64Run)) {
    // the run may begin with a part of the path that it stands in
    for (let shift = 0; shift < 4; shift++) {
      const decoded = beginsReadable(run, shift) ? decodedRun(run.slice(shift)) : undefined
      if (decoded === undefined) continue
      yield { from: index, to: index + run.length, text: decoded }
      break
    }
  }
}

/** Most words of a program are no base64; that is seen at the first bytes. */
function beginsReadable(run: string, shift: number): boolean {
  const end = Math.min(run.length - 3, shift + 32)
  let [readable, all] = [0, 0]
  for (let i = shift; i < end; i += 4) {
    const bits =
      (sixBits(run, i) << 18) | (sixBits(run, i + 1) << 12) | (sixBits(run, i + 2) << 6) | sixBits(run, i + 3)
    for (const byte of [bits >> 16, (bits >> 8) & 255, bits & 255])
      if ((byte >= 32 && byte < 127) || byte === 10 || byte >= 0xc3) readable++
    all += 3
  }
  return readable >= all * 0.7
}

const values = Int8Array.from({ length: 128 }, (_, code) =>
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.indexOf(
    code === 45 ? '+' : code === 95 ? '/' : String.fromCharCode(code),
  ),
)
const sixBits = (run: string, at: number): number => Math.max(0, values[run.charCodeAt(at)] ?? 0)

function decodedRun(run: string): string | undefined {
  const plain = run.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/')
  const even = plain.length % 4 === 1 ? plain.slice(0, -1) : plain
  const bytes = fromBase64(even.padEnd(Math.ceil(even.length / 4) * 4, '='))
  if (bytes === undefined || bytes.length < 8) return undefined
  let readable = 0
  for (const byte of bytes) if ((byte >= 32 && byte < 127) || byte === 9 || byte === 10 || byte === 13) readable++
  if (readable / bytes.length >= textShare) return fromBytes(bytes)
  const utf8 = readable / bytes.length > 0.2 ? wellFormed(bytes) : undefined
  return utf8
}

/** Byte by byte: what is looked for is ASCII. */
function fromBytes(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += 8_192) parts.push(String.fromCharCode(...bytes.subarray(at, at + 8_192)))
  return parts.join('')
}

/** The text where the bytes are UTF-8 throughout. */
function wellFormed(bytes: Uint8Array): string | undefined {
  try {
    return decodeURIComponent(
      fromBytes(bytes).replace(/[^\w]/g, sign => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`),
    )
  } catch {
    return undefined
  }
}
