/** Identifiers in a text, by rule: what a summary must copy letter for letter (C6.5). Pure; linear in the text. */

export type IdentifierKind = 'path' | 'url' | 'hash' | 'number' | 'error' | 'code'
export type Identifier = { kind: IdentifierKind; text: string }

/** Longer runs without a blank are data (base64, minified code), not names. Addresses may be longer. */
const LONGEST = 160 // UTF-16 units
const LONGEST_URL = 500 // UTF-16 units
const LONGEST_ERROR = 200 // UTF-16 units

/**
 * The identifiers of a text, each once: error messages first, then in order of first appearance paths and file names,
 * addresses, hashes and ids, numbers with their unit, names from code. Never throws.
 */
export function identifiersIn(text: string): Identifier[] {
  const found = new Map<string, Identifier>()
  eachIdentifier(text, (kind, value) => {
    if (!found.has(value)) found.set(value, { kind, text: value })
  })
  return [...found.values()]
}

type Add = (kind: IdentifierKind, value: string) => void

/**
 * The same, each as often as it stands there; of one that comes twice the first kind counts. The text is walked once by
 * hand; patterns see only pieces of bounded length, so hostile text costs no more than prose.
 */
export function eachIdentifier(text: string, add: Add): void {
  if (mayHoldErrors(text)) for (const error of errorsIn(text)) if (error !== '') add('error', error)
  const { length } = text
  for (let i = 0; i < length;) {
    let sort = sortOf(text.charCodeAt(i))
    if (sort === 0) {
      i++
      continue
    }
    const from = i
    let signs = 0
    let telling = false // a sign that words do not have, a capital behind the first letter
    while (sort !== 0) {
      signs |= sort
      if (sort !== PLAIN && !telling) {
        telling =
          sort === CAPITAL || sort === DASH
            ? (sort === CAPITAL) === i > from
            : sort !== DOT || sortOf(text.charCodeAt(i + 1)) !== 0
      }
      i++
      sort = i < length ? sortOf(text.charCodeAt(i)) : 0
    }
    if (text.charCodeAt(i) === 0x28 && text.charCodeAt(i + 1) === 0x29) {
      i += 2
      telling = true
    } // f()
    if (telling) addRun(text, from, i, signs, add)
  }
}

/**
 * What one run of name characters holds: a name, a number with what follows it, an error's code. `signs`: the sorts in
 * it.
 */
function addRun(text: string, from: number, to: number, signs: number, add: Add): void {
  if (to - from >= 2 && to - from <= LONGEST_URL) {
    const name = trimmed(text.slice(from, to))
    const kind = kindOf(name, name.length === to - from ? signs : signsIn(name))
    if (kind !== undefined) add(kind, name)
    if ((signs & CAPITAL) !== 0 && /^(?:E[A-Z]{4,20}|TS\d{4,5}|ORA-\d{5})$/.test(name)) add('error', name)
    // "HTTP 404", "exit code 1": the word stands in front of the number.
    if (name.length <= 3 && /^\d{1,3}$/.test(name)) {
      const told = /(?:HTTP|[Ee]xit (?:code|status)) $/.exec(text.slice(Math.max(0, from - 12), from))?.[0]
      if (told !== undefined) add('error', told + name)
    }
  }
  if ((signs & DIGIT) === 0) return
  const end = Math.min(to, from + 64) // a number is near the start of its run
  for (let i = from; i < end; i++) {
    if (!isDigit(text.charCodeAt(i))) continue
    const before = i === from ? 0 : text.charCodeAt(i - 1)
    if (before !== 0 && !'=,:~+-$!?'.includes(text.charAt(i - 1))) continue
    if (before === 0x2c && i - 2 >= from && isDigit(text.charCodeAt(i - 2))) continue
    const start = i
    while (i < end && isNumberUnit(text.charCodeAt(i))) i++
    const signed = start > 0 && '$€£¥-+'.includes(text.charAt(start - 1))
    if (!signed && !mayHaveUnit(text, start)) continue
    numberWithUnit.lastIndex = signed ? start - 1 : start
    const number = numberWithUnit.exec(text)?.[0]
    if (number !== undefined) add('number', number.trim().replace(/\s+/g, ' '))
  }
}

/** Whether the digits and separators from here on are followed by something that a unit may start with. */
function mayHaveUnit(text: string, from: number): boolean {
  let at = from
  while (isNumberUnit(text.charCodeAt(at))) at++
  const blank = text.charCodeAt(at)
  if (blank === 0x20 || (blank >= 0x09 && blank <= 0x0d) || (blank >= 0x80 && /\s/.test(text.charAt(at)))) at++
  const unit = text.charCodeAt(at)
  return unit >= 0x80 || unitStarts[unit] === 1 || at - from > 24
}

// The sorts of characters that names, addresses and numbers are made of; 0 is none of them.
const PLAIN = 1 // small letters and , ! ?
const CAPITAL = 2
const DASH = 4
const DOT = 8
const DIGIT = 16
const OTHER = 32 // _ @ # % + ~ & = $
const SLASH = 64 // both
const COLON = 128
const sorts = new Uint8Array(128)
for (const [sort, letters] of [
  [PLAIN, 'abcdefghijklmnopqrstuvwxyz,!?'],
  [CAPITAL, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
  [DASH, '-'],
  [DOT, '.'],
  [DIGIT, '0123456789'],
  [OTHER, '_@#%+~&=$'],
  [SLASH, '/\\'],
  [COLON, ':'],
] as const) {
  for (const letter of letters) sorts[letter.charCodeAt(0)] = sort
}
/** ASCII characters that a unit may start with. */
const unitStarts = new Uint8Array(128)
for (const letter of '%$kbBKMGTPmnshdwycgltofiprexEUCRJqHWVv') unitStarts[letter.charCodeAt(0)] = 1

function sortOf(unit: number): number {
  return unit < 128 ? (sorts[unit] ?? 0) : 0
}

function signsIn(run: string): number {
  let signs = 0
  for (let i = 0; i < run.length; i++) signs |= sortOf(run.charCodeAt(i))
  return signs
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39
}

function isNumberUnit(unit: number): boolean {
  return isDigit(unit) || unit === 0x2e || unit === 0x2c
}

/** Whether the lines of a text need be looked at for error messages: searching for a few pieces is much cheaper. */
function mayHoldErrors(text: string): boolean {
  if (['rror', 'xception', 'ERR', 'FAIL', 'atal', 'anic'].some(hint => text.includes(hint))) return true
  return (
    (text.includes('"') || text.includes('`') || text.includes('“') || text.includes('「')) && errorWords.test(text)
  )
}

/**
 * The kind of one run without blanks; undefined where it is an ordinary word. `signs`: the sorts of its characters,
 * which tell without any pattern what it cannot be. Never throws.
 */
export function kindOf(run: string, signs = signsIn(run)): IdentifierKind | undefined {
  if (run.length < 2 || run.length > LONGEST_URL) return undefined
  if (
    (signs & SLASH) !== 0 &&
    (signs & COLON) !== 0 &&
    run.includes('://') &&
    /^(?:https?|wss?|ftp|file|s3|gs|ssh|git|redis|postgres|postgresql|mysql|mongodb):\/\/[^\s]/i.test(run)
  )
    return 'url'
  if (run.length > LONGEST) return undefined
  if ((signs & OTHER) !== 0 && run.includes('@') && /^[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}$/.test(run))
    return 'url'
  if ((signs & (DIGIT | DASH)) !== 0 && (signs & (DOT | SLASH | OTHER)) === 0 && isHash(run)) return 'hash'
  if ((signs & (DOT | SLASH)) !== 0 && isPath(run)) return 'path'
  if ((signs & DIGIT) !== 0 && ((signs & SLASH) === 0 || run.length <= 10) && isNumber(run, signs)) return 'number'
  const mayBeCode =
    ((signs & (CAPITAL | OTHER | DOT)) !== 0 && (signs & SLASH) === 0) || run.startsWith('--') || run.endsWith(')')
  return mayBeCode && isCode(run) ? 'code' : undefined
}

function isHash(run: string): boolean {
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(run)) return true
  if (/^(?:sha\d{1,3}[:-])[0-9a-f]{6,64}$/i.test(run)) return true
  if (/^[0-9a-f]{7,64}$/.test(run) || /^[0-9A-F]{8,64}$/.test(run)) return /\d/.test(run) && /[a-f]/i.test(run)
  return /^0x[0-9a-f]{2,40}$/i.test(run)
}

const fileName = /^[\w@.+-]*[\w-]\.(?!\d+$)[A-Za-z][A-Za-z0-9]{0,7}(?::\d{1,7}(?::\d{1,7})?(?:-\d{1,7})?)?$/

function isPath(run: string): boolean {
  if (run.charCodeAt(1) === 0x3a && /^[A-Za-z]:\\[^\s]/.test(run)) return true
  const slash = Math.max(run.lastIndexOf('/'), run.lastIndexOf('\\'))
  if (slash < 0) return fileName.test(run) && knownEnding(run)
  if (!/[A-Za-z_]/.test(run) || /[?!,]/.test(run)) return false
  if (/^(?:\/|\.{1,2}\/|~\/)[\w.@-]/.test(run)) return true
  const last = run.slice(slash + 1)
  if (fileName.test(last)) return true
  const parts = run.split(/[/\\]/)
  // "and/or" is prose; a path without an ending has three parts or a sign that prose has not.
  return (
    (parts.length >= 3 && parts.every(part => part !== '' || part === last) && run.length > 6) ||
    (/[_\d-]/.test(run) && parts.every(part => part.length > 1) && !/^[\d/.-]+$/.test(run))
  )
}

const endings = new Set(
  (
    'ts tsx js jsx mjs cjs json jsonl yaml yml toml ini cfg conf env lock md mdx txt rst csv tsv xls xlsx doc docx odt ods ppt pptx pdf png jpg jpeg gif ' +
    'svg webp heic mp3 mp4 wav mov zip tar gz tgz bz2 xz 7z rar sql db sqlite parquet ipynb py pyc rb go rs java kt c h cc cpp hpp cs swift php pl sh bash zsh ps1 bat ' +
    'html htm css scss less vue svelte xml xsd proto graphql log out err bak tmp patch diff pem key crt cer p12 ics eml msg exe dll so dylib wasm gguf onnx pt bin dat ' +
    'r jl lua ex exs erl hs ml scala clj dart tf dockerfile gradle properties plist feather avro orc npy npz com org net io dev app ai de uk fr eu cn jp'
  ).split(' '),
)

function knownEnding(run: string): boolean {
  const ending = /\.([A-Za-z][A-Za-z0-9]{0,7})(?:[:-]|$)/.exec(run.slice(run.lastIndexOf('.')))?.[1]?.toLowerCase()
  return ending !== undefined && endings.has(ending)
}

/** `run` holds a digit. Each pattern needs a sign that most runs do not have. */
function isNumber(run: string, signs: number): boolean {
  return (
    (run.startsWith('v') && /^v\d{1,4}(?:\.\d{1,6})?$/.test(run)) ||
    ((signs & DASH) !== 0 && /^\d{4}-\d{2}-\d{2}(?:T[\d:.+Z-]{4,20})?$/.test(run)) || // a day, a moment
    // a version, an address
    ((signs & DOT) !== 0 && /^v?\d{1,6}(?:\.\d{1,6}){2,3}(?:[-+][\w.]{1,30})?(?::\d{1,5})?$/.test(run)) ||
    ((signs & (DOT | SLASH)) !== 0 && /^\d{1,2}[./]\d{1,2}[./]\d{2,4}$/.test(run)) || // another way to write a day
    ((signs & COLON) !== 0 &&
      (/^\d{1,2}:\d{2}(?::\d{2})?$/.test(run) || // a time
        /^:\d{2,5}$/.test(run) ||
        /^(?:localhost|[\w-]{1,40}(?:\.[\w-]{1,40}){0,4}):\d{2,5}$/.test(run))) ||
    ((signs & OTHER) !== 0 &&
      (/^[$]\d[\d,.]{0,20}[kKmM]?$/.test(run) || /^#\d{1,10}$/.test(run) || /^\d[\d.,]{0,20}%$/.test(run))) ||
    ((signs & CAPITAL) !== 0 &&
      (/^[A-Z][A-Z0-9]{1,9}-\d{1,8}$/.test(run) || // a ticket
        /^[A-Z]{1,6}-?\d{2,10}[A-Z]?$/.test(run) || // a flight, an error number, a booking
        /^(?=[A-Z0-9-]{5,40}$)(?=.*\d)(?=.*[A-Z])[A-Z0-9]+(?:-[A-Z0-9]+)*$/.test(run)))
  ) // a reference
}

function isCode(run: string): boolean {
  if (run.startsWith('-') && /^--?[A-Za-z][\w-]{1,40}(?:=[\w./:-]{0,60})?$/.test(run)) return run.startsWith('--')
  if (/[^\w.:$()#-]/.test(run)) return false
  if (run.endsWith('()')) return /^[A-Za-z_$][\w.$:]*\(\)$/.test(run)
  return (
    /^[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+$/.test(run) || // camelCase
    /^(?:[A-Z][a-z0-9]+){2,}$/.test(run) || // PascalCase
    /^[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+$/.test(run) || // snake_case, CONSTANT_CASE
    // a.bC, Map.get
    (/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(run) && (/[A-Z_$]/.test(run.slice(1)) || /^[A-Z]\w/.test(run)))
  )
}

/** Without the punctuation of the sentence around it. */
function trimmed(run: string): string {
  let to = run.length
  while (to > 0 && '.,:;?!=&'.includes(run.charAt(to - 1))) to--
  let from = 0
  while (from < to && ',;:!?=&'.includes(run.charAt(from)) && !/^:\d{2,5}$/.test(run.slice(from, to))) from++
  return run.slice(from, to)
}

const units =
  '%|‰|°[CF]?|€|\\$|£|¥|k?[Bb]\\b|[KMGTP]i?B\\b|[kMG]?bit/s\\b|[kMG]bps\\b|ms\\b|µs\\b|ns\\b|s\\b|sec(?:onds?)?\\b|min(?:utes?)?\\b|h\\b|hours?\\b|hrs?\\b|days?\\b|' +
  'weeks?\\b|months?\\b|years?\\b|[mcd]?m\\b|k[mg]\\b|m?g\\b|[mcd]?l\\b|liters?\\b|litres?\\b|tbsp\\b|tsp\\b|cups?\\b|ounces?\\b|oz\\b|lbs?\\b|miles?\\b|feet\\b|ft\\b|inch(?:es)?\\b|' +
  'px\\b|rem\\b|em\\b|tokens?\\b|rows?\\b|lines?\\b|bytes\\b|people\\b|persons?\\b|nights?\\b|euros?\\b|dollars?\\b|EUR\\b|USD\\b|GBP\\b|CHF\\b|CNY\\b|RMB\\b|JPY\\b|req/s\\b|rps\\b|qps\\b|' +
  '[kMG]?Hz\\b|[kM]?Wh?\\b|V\\b|mA\\b|degrees\\b|x\\b|bpm\\b|kcal\\b|cores?\\b|vCPUs?\\b|GPUs?\\b|' +
  '万元|亿元|元|块|万|亿|个月|个人|个|月|日|号|天|周|小时|分钟|毫秒|微秒|秒|年|点|公里|米|厘米|毫米|公斤|克|升|毫升|人|台|次|件|条|行|度|楼|版|页|倍|折'

/**
 * A number of at most 24 digits and separators, and its unit right behind it or after one blank. Tried at one place
 * only.
 */
const numberWithUnit = new RegExp(
  `(?:[€$£¥]\\s?\\d[\\d.,]{0,23}(?:[kKmM]\\b|万|亿)?|[-+]?\\d[\\d.,]{0,23}\\s?(?:${units}))`,
  'yu',
)

const errorWords =
  /\b(?:[A-Za-z]*(?:Error|Exception|Panic)|error|fatal|panic|failed|failure|cannot|denied|refused|not found|undefined|timed out|exit code \d+|errno)\b|错误|失败|异常/

/** Lines that are error messages, quotes that hold one, and names of errors. */
function* errorsIn(text: string): Generator<string> {
  for (const line of linesOf(text)) {
    if (line.length < 6) continue
    const start = line.trimStart()
    if (
      /^(?:[\w.]{0,60}(?:Error|Exception)|error(?:\[\w{1,10}\])?|fatal|panic|FAIL(?:ED)?|ERROR|E\s{3})[: ]/.test(
        start,
      ) &&
      start.length > 8
    ) {
      yield start.slice(0, LONGEST_ERROR).trimEnd()
      continue
    }
    const named = /\b[A-Z]\w{2,50}(?:Error|Exception): [^\n]{3,160}/.exec(line)?.[0]
    if (named !== undefined) yield named.slice(0, LONGEST_ERROR).trimEnd()
    for (const quoted of quotesIn(line)) if (quoted.length > 5 && errorWords.test(quoted)) yield quoted
  }
}

/** What stands in quotes or backticks within one line; each piece bounded. */
function quotesIn(line: string): string[] {
  const quotes: string[] = []
  for (const match of line.matchAll(/"([^"]{1,200})"|`([^`]{1,200})`|“([^”]{1,200})”|「([^」]{1,200})」/g)) {
    quotes.push(match[1] ?? match[2] ?? match[3] ?? match[4] ?? '')
  }
  return quotes
}

/** Lines, the long ones in pieces, so that no pattern ever sees more than 2 000 units. */
function* linesOf(text: string): Generator<string> {
  let from = 0
  let newline = -1
  while (from < text.length) {
    // Looked for once a line: a long one comes in many pieces.
    if (newline < from) newline = text.indexOf('\n', from)
    if (newline < 0) newline = text.length
    const to = Math.min(newline, from + 2_000)
    yield text.slice(from, to)
    from = to === newline ? to + 1 : to
  }
}
