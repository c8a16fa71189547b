/** Foreign text inside our own sentences: right-to-left text must not reorder the text around it. Pure. */

/** A letter of a script that is written from right to left. */
export const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** What turns the direction by itself: these letters, and the marks that embed, override or isolate. */
const turns = new RegExp(`${rightToLeft.source}|[\\u200f\\u202a-\\u202e\\u2066-\\u2069]`, 'u')

const [open, close] = ['\u2068', '\u2069']

/**
 * A text as it may stand inside of a sentence of ours, each line of it by itself: between marks that keep its direction
 * from its neighbours. What needs none comes back as it is, byte for byte, and what has them already gets no second
 * ones. Never throws.
 */
export function isolated(text: string): string {
  return turns.test(text) ? text.split('\n').map(isolatedLine).join('\n') : text
}

function isolatedLine(line: string): string {
  if (!turns.test(line) || isOnePiece(line)) return line
  const [, before = '', text = '', after = ''] = /^(\s*)([^]*?)(\s*)$/.exec(line) ?? []
  return `${before}${open}${balanced(text)}${close}${after}`
}

/**
 * Isolates are closed where they were opened: an end too many would end ours, and so would a beginning too many the
 * sentence.
 */
function balanced(text: string): string {
  let depth = 0
  const kept = text.replace(/[\u2066-\u2069]/g, mark => {
    if (mark !== close) {
      depth++
      return mark
    }
    if (depth === 0) return ''
    depth--
    return mark
  })
  return kept + close.repeat(depth)
}

/** Whether the first mark of a text ends with its last sign. */
function isOnePiece(text: string): boolean {
  if (!text.startsWith(open) || !text.endsWith(close)) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if (/[\u2066-\u2068]/.test(text.charAt(at))) depth++
    else if (text.charAt(at) === close && --depth === 0) return at === text.length - 1
  }
  return false
}

/**
 * Words whose functions isolate the texts that they are given, however deep they lie in lists and plain objects. What
 * they say in backticks is to be copied, so it stays without marks. All words for the person are made with it; those
 * that a model reads are not.
 */
export function withIsolatedArguments<T>(words: T): T {
  if (typeof words === 'function') return speaking(words as unknown as Say) as T
  if (Array.isArray(words)) return words.map(withIsolatedArguments) as T
  if (isPlain(words))
    return Object.fromEntries(Object.entries(words).map(([key, value]) => [key, withIsolatedArguments(value)])) as T
  return words
}

type Say = (...given: unknown[]) => unknown

function speaking(say: Say): Say {
  const speak: Say = (...given) => (given.some(holdsTurn) ? copyable(say(...given.map(inside))) : say(...given))
  return Object.defineProperty(speak, 'length', { value: say.length })
}

function holdsTurn(value: unknown): boolean {
  if (typeof value === 'string') return turns.test(value)
  return Array.isArray(value) ? value.some(holdsTurn) : isPlain(value) && Object.values(value).some(holdsTurn)
}

function inside(value: unknown): unknown {
  if (typeof value === 'string') return isolated(value)
  if (Array.isArray(value)) return value.map(inside)
  return isPlain(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inside(one)])) : value
}

/** Without marks in code: between backticks of one line, and in fences. */
function copyable(said: unknown): unknown {
  if (typeof said === 'string')
    return said.replace(/(`+)[^]*?\1/g, code =>
      code.includes('\n') && !code.startsWith('```') ? code : code.replaceAll(/[\u2068\u2069]/g, ''),
    )
  return Array.isArray(said) ? said.map(copyable) : said
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
