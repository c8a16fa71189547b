/** Passwords and keys that are known by what stands before them: a name, a word, a header, an address. Pure. */
import { looksRandom, type Finder, type SecretMatch } from './secret-kinds.ts'

/** What is always secret, whatever it looks like, and what is so where it looks like a key. */
const strong =
  'pass(?:word|wd|phrase|code)|passwort|kennwort|pwd|secret|mot[ _-]de[ _-]passe|contrase(?:ñ|n)a|senha|парол[ья]|密码|密碼|口令|パスワード|비밀번호'
const weak =
  'api[ _-]?key|access[ _-]?key(?:[ _-]?id)?|auth(?:orization)?|token|credentials?|bearer|signature|(?:signing|encryption|account|private|client|master|license|session|service|shared|subscription|deploy|storage|ssh|webhook|secret)[ _-]?(?:access[ _-]?)?(?:key|secret|token)|密钥|密鑰|令牌|schlüssel|x-key|sig|sid'
const names = new RegExp(
  `(?<strong>${strong})|(?<weak>${weak})|(?<=[_.-])(?<after>pass|pw|key|auth)(?![A-Za-z])|(?<=["'?&])(?<alone>pass|pw|key|code|auth|sig)(?=["'=])|(?<![A-Za-z])(?<said>key|pass)(?=\\s{1,3}(?:is|ist|est|:)\\s)`,
  'giu',
)
/** Between a name and its value: the rest of the name, a quote, the sign. */
const between =
  /(?<rest>(?:[_-]?(?:key|token|secret|value|text|base64|b64|live|test|prod|dev|\d{1,2})){0,3})(?<quote>["'`\]]{0,2})\s{0,3}(?<sign>=>|:=|==?|->|value\s?=|[:：|>]|\b(?:is|ist|est|es|was|lautet)\b[:：]?|是|为|為|は)\s{0,3}/iuy
/** The same where a sentence has words in between: "the password for the server is". */
const sentence =
  /(?<rest>)(?<quote>)(?: (?!is\b|ist\b|est\b|es\b)[\p{L}\p{N}'-]{1,20}){1,6}\s{1,2}(?<sign>is|ist|est|es|lautet)[:：]?\s{1,3}/iuy
const quoted = /(?<open>\\?["'`]|“|«|「)(?<inside>(?:\\[^\n]|[^"'`”»」\\\n]){1,4000})\\?["'`”»」]/uy
/** With other quotes inside, for a value that contains one. */
const quotedAs: Record<string, RegExp> = {
  '"': /"(?<inside>(?:\\[^\n]|[^"\\\n]){1,4000})"/y,
  "'": /'(?<inside>(?:\\[^\n]|[^'\\\n]){1,4000})'/y,
  '`': /`(?<inside>[^`\n]{1,4000})`/y,
}
const bare = /[^\s"'`<>,;(){}[\]|，。；]{1,400}/uy
const rowValue = /[^\s"'`]{1,400}/y
const inQuery = /[^\s"'`<>&#]{1,1000}/y

export const namedValues: Finder = text => {
  const found: SecretMatch[] = []
  for (const name of text.matchAll(names)) {
    if (isInWord(text, name.index)) continue
    const isStrong =
      name.groups?.['strong'] !== undefined ||
      name.groups?.['after'] === 'pass' ||
      /pass|pw/i.test(name.groups?.['after'] ?? '')
    const match = valueBehind(text, name.index + name[0].length, isStrong, name[0])
    if (match !== undefined) found.push(match)
  }
  return found
}

/** `sid` in "inside" names nothing; `Token` in "userToken" and `password` in "dbpassword" do. */
function isInWord(text: string, at: number): boolean {
  const [before = '', first = ''] = [text[at - 1], text[at]]
  return /[A-Za-z]/.test(before) && !/[A-Z]/.test(first) && !/^(?:pass(?:w|p)|api|secret)/i.test(text.slice(at, at + 6))
}

function valueBehind(text: string, at: number, isStrong: boolean, name: string): SecretMatch | undefined {
  const joint =
    sticky(between, text, at) ?? (isStrong || /key|token/i.test(name) ? sticky(sentence, text, at) : undefined)
  if (joint === undefined) return undefined
  const sign = joint.groups?.['sign'] ?? ''
  if (sign === '|' && /["']/.test(joint.groups?.['quote'] ?? '')) return undefined // one of several texts
  const from = at + joint[0].length
  const isQuery = sign === '=' && /[?&][\w.-]{0,40}$/.test(text.slice(Math.max(0, at - 44), at))
  const isSaid = /\p{L}/u.test(sign)
  const open = text[from] ?? ''
  const inQuotes = (quotedAs[open] && sticky(quotedAs[open], text, from)) ?? sticky(quoted, text, from)
  if (inQuotes !== undefined) {
    const value = inQuotes.groups?.['inside'] ?? ''
    const start = from + inQuotes[0].indexOf(value)
    const isWord = open === '`' && /^[a-z]+$/i.test(value) // a word of code, in a sentence about it
    return !isWord && isSecret(value, { isStrong, isQuoted: true, isSaid, isRow: false })
      ? made(start, value, isStrong)
      : undefined
  }
  const isRow =
    sign === '=' &&
    /(?:(?:^|\n)[ \t]{0,8}(?:export |set |\$env:|- )?[\w.-]{0,60}|(?<![\w.-])[A-Z][A-Z0-9_]{3,60})$/.test(
      text.slice(Math.max(0, at - 80), at),
    )
  const raw = sticky(isQuery ? inQuery : isRow ? rowValue : bare, text, from)?.[0] ?? ''
  const value = isRow || isQuery ? raw : raw.replace(/[.,;:!?)]+$/, '')
  if (sign === '>' && text[from + raw.length] !== '<') return undefined // the end of an element, and then text
  // "Passwort:" at the end of a line, "token: Token"
  return isSecret(value, {
    isStrong,
    isQuoted: false,
    isSaid: isSaid || /[:：|>]/.test(sign),
    isRow: (isRow && /[A-Z_]$|[A-Z]_/.test(name + text.slice(at - name.length, at))) || isQuery,
  })
    ? made(from, value, isStrong)
    : undefined
}

const made = (from: number, value: string, isStrong: boolean): SecretMatch => ({
  kind: isStrong && value.length < 40 ? 'password' : 'key',
  from,
  to: from + value.length,
  value,
  ...(value.length < 8 || /^[a-z]+$/i.test(value) ? { word: true as const } : {}),
})

/** Two signs of a script that nobody types into a field for passwords. */
const sentenceSigns = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2}/u

type Written = { isStrong: boolean; isQuoted: boolean; isSaid: boolean; isRow: boolean }

/** What stands for a value: a variable, a placeholder, a type, a word of the language that it is written in. */
const standsForOne =
  /^(?:\$[\w{(]|%[\w(]|<|\{\{|\[|&|\*|@)|^(?:process|os|env|System|import|config|settings|self|this|secrets?|vars?|args|options|params|ctx|req|request|input|data|user)[.[(]|^(?:null|nil|none|true|false|undefined|string|str|number|bytes|any|required|optional|yes|no|on|off|empty|hidden|redacted|removed|example|placeholder|password|passwd|passphrase|passwort|kennwort|pass|pwd|secret|token|key|api[-_ ]?key|credentials?|user(?:name)?|changeme|todo)s?\b[;,?]?$|^(?:your|my|the|new|old|enter|insert|some|dein|ihr)[-_ ]|\.{3}|…|^(.)\1+$|^[xX*•.]{3,}|^removed:/i

function isSecret(value: string, { isStrong, isQuoted, isSaid, isRow }: Written): boolean {
  if (value.length < 4 || standsForOne.test(value) || sentenceSigns.test(value)) return false
  if (/\s/.test(value)) return isStrong && isQuoted && /\d/.test(value) && value.length < 60 && !/[.!?]$/.test(value)
  const isPlain = /^[A-Za-z_$][\w$]*(?:\.[\w$]+)*$/.test(value) && !/\d/.test(value) && !isMixed(value)
  if (!isStrong) return value.length >= 8 && !isPlain && !isLabel(value) && looksRandom(value)
  if (isQuoted) return !/^(?:[a-z]+(?:[-_ ][a-z]+)+|[\w.-]+(?:\/[\w.-]+){2,})$/i.test(value) || value.length > 40
  if (isRow) return !/[()]/.test(value)
  if (isSaid)
    return value.length >= 6 && /[\d!#$%&*+/=?@^~]/.test(value) && /\p{L}/u.test(value) && !/^[\w.]+\(/.test(value)
  return !isPlain && !/[()[\]]/.test(value) && (/\d/.test(value) || /[!#$%&*+=?@^~]/.test(value))
}

/** Letters whose case changes more often than words of a name begin. */
function isMixed(value: string): boolean {
  return value.length >= 24 && (value.match(/[a-z][A-Z]/g)?.length ?? 0) > value.length / 6
}

/** Words with dashes, a version, a name with a number: what a setting of this name may hold. */
function isLabel(value: string): boolean {
  return (
    /^[a-z]+(?:[-_./:][a-z0-9]{1,12}){0,5}$/i.test(value) &&
    value.length < 32 &&
    !/[A-Z].*\d.*[a-z]|\d.*[a-z].*\d/.test(value)
  )
}

function sticky(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}

const headers = /\b(?:Bearer|Basic|Token|Digest)\s{1,2}([A-Za-z0-9._~+/!$-]{8,4000}={0,2})/g
const flags =
  /(?<=\s)(?:--(?:[a-z-]{0,20}-)?(?:password|passwd|pass|token|secret|api-?key|auth-token)|(?<=(?:sshpass|mysql|curl|wget)[^\n]{0,60}\s)-p)[ =]?("[^"\n]{1,400}"|'[^'\n]{1,400}'|[^\s"'`]{4,400})/g
const userFlag = /(?<=\s)(?:-u|--user) ?["']?[^\s:"']{1,80}:([^\s"']{3,200})/g

/** Values behind the name of a scheme in a header, or behind a flag of a command. */
export const givenValues: Finder = text => {
  const found: SecretMatch[] = []
  const take = (all: Iterable<RegExpMatchArray>, kind: SecretMatch['kind']): void => {
    for (const match of all) {
      const value = (match[1] ?? '').replace(/^["']|["']$/g, '')
      const from = match.index! + match[0].lastIndexOf(value)
      if (!standsForOne.test(value) && (kind === 'password' || looksRandom(value)))
        found.push({ kind, from, to: from + value.length, value })
    }
  }
  if (/bearer|basic|token|digest/i.test(text)) take(text.matchAll(headers), 'key')
  if (text.includes(' -')) {
    take(text.matchAll(flags), 'password')
    take(text.matchAll(userFlag), 'password')
  }
  return found
}

const login = /:\/\/([^\s/@:"'`<>\\]{0,128})(?::([^\s/@"'`<>\\]{1,256}))?@(?=[\w[])/y

/** Passwords and tokens in addresses: scheme://user:password@host. */
export const addressPasswords: Finder = text => {
  const found: SecretMatch[] = []
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', at + 3)) {
    const match = sticky(login, text, at)
    if (match === undefined) continue
    const [, user = '', word] = match
    const value = word ?? user
    const from = at + 3 + (word === undefined ? 0 : user.length + 1)
    const isToken = word !== undefined || (user.length >= 16 && looksRandom(user))
    if (isToken && !standsForOne.test(value) && value !== 'x-oauth-basic')
      found.push({
        kind: 'password',
        from,
        to: from + value.length,
        value,
        ...(value.length < 8 ? { word: true } : {}),
      })
  }
  return found
}

/** Providers whose keys begin with nothing of their own, and words that say that a key comes. */
const near =
  /\b(?:cohere|mistral|azure|twilio|deepl|together|aws|elevenlabs|deepseek|moonshot|datadog|algolia|cloudflare|heroku|api[ _-]?key|secret|credentials?)\b/gi
const randomWord = /(?<![\w+/=-])(?=[\w+/-]{0,40}\d)(?=[\w+/-]{0,40}[A-Za-z])[A-Za-z0-9+/_-]{32,90}={0,2}(?![\w+/=-])/g
const tellsOtherwise = /sha-?\d|md5|hash|commit|digest|checksum|integrity|base64|etag|uuid|revision|image/i

/** Long words without a form of their own, close behind the name of a provider whose keys look like that. */
export const wordsOfProviders: Finder = text => {
  const found: SecretMatch[] = []
  const places = [...text.matchAll(near)].map(({ index, 0: word }) => index + word.length)
  if (places.length === 0) return found
  let next = 0
  for (const { index, 0: value } of text.matchAll(randomWord)) {
    while (next + 1 < places.length && places[next + 1]! <= index) next++
    const distance = index - places[next]!
    if (distance < 0 || distance > 60) continue
    if (tellsOtherwise.test(text.slice(places[next], index)) || /^[0-9a-f]{8}-[0-9a-f]{4}-/.test(value)) continue
    if (/^[0-9a-f]+$/.test(value) && value.length !== 32) continue // a commit, a digest
    found.push({ kind: 'key', from: index, to: index + value.length, value })
  }
  return found
}
