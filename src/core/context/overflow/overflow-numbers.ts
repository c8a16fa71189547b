/** The numbers in a refusal: what is allowed, how much was sent, how much was asked for as answer (C8). Pure. */

export type RefusalNumbers = {
  limit?: number
  actual?: number
  maxOutput?: number
  /** Prompt and answer together, where their shares are not told. */
  total?: number
  /** `actual` is only a lower bound ("at least"): never a size. */
  atLeast?: true
  /** `actual` is said of the prompt itself, not of what was asked for in all. */
  ofPrompt?: true
}

/** Text with its numbers made plain: 213,462 and 213 462 become 213462, 128k becomes 128000. */
export function plainNumbers(text: string): string {
  return text
    .replace(/(?<![\d.,])\d{1,3}([,_ \u00a0\u202f'’.])\d{3}(?:\1\d{3}){0,3}(?![\d]|[.,]\d)/g, digits =>
      digits.replace(/[^\d]/g, ''),
    )
    .replace(
      /(?<![\w.])(\d{1,6})(?:\.(\d{1,2}))?([kKmM])(?=\s|[),.;:]|$|-?tok)/g,
      (_, whole: string, part: string | undefined, unit: string) =>
        String(Math.round(Number(`${whole}.${part ?? '0'}`) * (unit.toLowerCase() === 'k' ? 1_000 : 1_000_000))),
    )
}

type Role = 'limit' | 'actual' | 'requested' | 'output' | 'total' | 'other'

/** Nouns that belong to a bound: "maximum allowed prompt length". */
const noun = String.raw`(?:number of|allowed|supported|available|input|prompt|context|model|model'?s?|token|tokens|sequence|text|length|size|window|limit|count|maximum|max|total|capacity)`

/**
 * Phrases that say what the next number is. Of several the one closest to the number tells; the longest form comes
 * first.
 */
const phrases = new RegExp(
  [
    String.raw`(?<other>upper bound|\bcharacters\b(?: is)?|minimum|\bby(?: about)? ?$|\bcode\b|\bstatus\b|\bhttp\b|error \(|\bat index\b|\blimits?\.\w+)`,
    String.raw`(?<output>max[ _-]?(?:completion[ _-]?|output[ _-]?|new[ _-]?)?tokens?\b(?: or '?max_completion_tokens'?)?(?:'? (?:is )?too (?:large|high|big)| value of)?)`,
    String.raw`(?<total>\btotal(?: of| tokens)?\b(?! (?:context|limit))|\binput and (?:max(?:imum)? )?output tokens\b)`,
    String.raw`(?<limit>(?:\bmax(?:imum)?|\bconfigured|\ballowed|\bavailable|\bsupported|\bpermitted)(?: ${noun})*` +
      String.raw`|\b(?:context|token|model|sequence)(?:'s)?(?: (?:token|tokens|context|input|prompt))* (?:length|window|size|limit|capacity|maximum|max|len)\b(?: ${noun})*` +
      String.raw`|\blimit(?:ed)?\b|\bat most\b|\bup to\b|\b(?:less|fewer|longer|larger|greater|more|bigger|smaller) than\b(?: or equal to)?|<=|>=|>|<|≤|\bn_ctx\b|\bmax_(?:model|seq)_len\b|\bcontext_window\b|\bsupports?\b|\bonly\b|\bexceed(?:s|ed|ing)?\b|最大[^\d]{0,10}|上限|限制|不能超过|最多|超过|超出|최대[^\d]{0,16}|\bl[ií]mite[^\d]{0,40}|höchstens|maximal\S*|zulässig\S*|\bmaxim\S+|máxim\S+|massim\S+|максимальн[^\d]{0,40})`,
    String.raw`(?<requested>\brequest(?:ed|ing)\b|\basked for\b|请求了?)`,
    String.raw`(?<actual>\b(?:inputs?|prompts?|request|messages?|conversation|history)(?:'s)?(?: (?:tokens?|text))?(?: (?:length|count|size))?\b|\bresult(?:ed|s) in\b|\bcontain(?:s|ed|ing)?\b|\bpassed\b|\bgiven\b|\bcurrent(?:ly)?\b` +
      String.raw`|\binputs?_ids\b(?: (?:size|length|is))?|\bkeep the first\b|\bn_keep\b|\b(?:n_)?prompt_tokens\b|\bsent\b|\bprovided\b|\bgot\b|\bsupplied\b|\breceived\b|\bcounted\b|\btoo (?:long|large|big)\b|输入|当前|目前|实际|提示词?|您的|入力[^\d]{0,10}|입력[^\d]{0,12}|eingabe|anfrage|requête|entrada|richiesta|запрошено|получено)`,
  ].join('|'),
  'g',
)

/** Further than this from its phrase a number means something else; UTF-16 units. */
const near = 60

const comparison =
  /\b(?:greater|larger|longer|bigger|higher|more) than\b|\bexceeds?\b|>|\bmassimo\b|\bmáximo\b|höchstens/

/**
 * Numbers and what they are, from plain lower-case text (see `plainNumbers`). What counts letters or bytes is passed
 * over. Never throws.
 */
export function numbersIn(plain: string): RefusalNumbers {
  const sum =
    /(\d{1,12}) ?\+ ?(\d{1,12})(?: ?= ?\d{1,12})?(?: ?(?:>=?|exceeds?) ?| is (?:greater|larger|more|longer) than (?:[a-z_']+ ){0,4})(\d{1,12})/.exec(
      plain,
    )
  if (sum) return { actual: Number(sum[1]), maxOutput: Number(sum[2]), limit: Number(sum[3]), ofPrompt: true }
  const range = /\b(?:input|prompt) length should be \[ ?\d+ ?, ?(\d{1,12}) ?\]/.exec(plain)
  if (range) return { limit: Number(range[1]) }
  // What was asked for in all, prompt and answer, by the name of a field.
  const asked =
    /\b(?:max_total_tokens|max_length) ?\(?(\d{1,12})\)? (?:must|cannot|should) [^.;\n\d]{0,60}?\b(?:max_seq_len|context_length) ?\(?(\d{1,12})/.exec(
      plain,
    )
  if (asked) return { total: Number(asked[1]), limit: Number(asked[2]) }
  const shares = sharesIn(plain)
  const found = new Map<Role, number>()
  let atLeast = false
  let before = 0
  for (const match of plain.matchAll(/(?<![\w.-])\d{1,12}(?![\w]|-\w|\.\d)/g)) {
    const value = Number(match[0])
    const from = match.index
    const to = from + match[0].length
    const lead = plain.slice(Math.max(before, from - 120), from)
    const follow = plain.slice(to, to + 60)
    before = to
    // Counts of attempts, codes and the like are smaller than any window.
    if (value < 10) continue
    const role = roleOf(lead, follow)
    const larger = found.get('limit')
    if (role === 'limit' && larger !== undefined && value < larger && !found.has('actual') && comparison.test(lead)) {
      // "Context length 9012 is greater than max_seq_len 8192": of two bounds the larger one was the prompt.
      found.set('actual', larger).set('limit', value)
      continue
    }
    if (role === undefined || found.has(role)) continue
    found.set(role, value)
    if (role === 'actual') atLeast = /\bat least $/.test(lead)
  }
  return settled(found, shares, atLeast, plain)
}

function roleOf(lead: string, follow: string): Role | undefined {
  if (
    /^ ?(?:input )?(?:characters|chars|bytes|[kmg]i?b\b|pixels|minutes?|seconds?|hours?|%|messages\b|images\b)/.test(
      follow,
    )
  )
    return 'other'
  if (
    /^ ?(?:tokens )?(?:(?:in|for|of) (?:the |your )?)?(?:output|completion|new|generated)\b|^ ?max_(?:new|completion|output)?_?tokens/.test(
      follow,
    )
  )
    return 'output'
  if (
    /^ ?(?:tokens? )?\(?(?:maximum|max|limit|context (?:length|window|size)|token (?:limit|context|window)|is the (?:maximum|limit))/.test(
      follow,
    )
  )
    return 'limit'
  if (/^ ?(?:トークン|토큰)?(?:が|を|이|을)? ?(?:要求|リクエスト|요청)/.test(follow)) return 'actual'
  let role: Role | undefined
  let end = 0
  for (const phrase of lead.matchAll(phrases)) {
    role = Object.entries(phrase.groups ?? {}).find(([, text]) => text !== undefined)?.[0] as Role | undefined
    end = phrase.index + phrase[0].length
  }
  if (role !== undefined && lead.length - end <= near) {
    // "you requested 100500 tokens in the messages": of the prompt alone.
    return role === 'requested' && /^ ?tokens? in the (?:messages?|prompt|input)/.test(follow) ? 'actual' : role
  }
  return /^ ?(?:input|prompt) tokens?\b|^ ?tokens? ?> ?\d/.test(follow) ? 'actual' : undefined
}

function settled(found: ReadonlyMap<Role, number>, shares: Shares, atLeast: boolean, plain: string): RefusalNumbers {
  const numbers: RefusalNumbers = {}
  const limit = found.get('limit')
  const output = shares.output ?? found.get('output')
  const requested = found.get('requested')
  // "resulted in 150000 tokens (149000 in the messages, …)": the sum outside is the larger.
  let actual = shares.input === undefined ? found.get('actual') : Math.max(shares.input, found.get('actual') ?? 0)
  if (actual === undefined && requested !== undefined) {
    // In this family the number asked for counts the answer too; without shares the prompt is not known.
    if (/\bhowever,? you requested\b/.test(plain)) numbers.total = requested
    else actual = requested
  }
  if (actual === undefined && found.has('total')) numbers.total = found.get('total') ?? 0
  if (limit !== undefined) numbers.limit = limit
  if (actual !== undefined) numbers.actual = actual
  if (output !== undefined) numbers.maxOutput = output
  if (atLeast && actual !== undefined) numbers.atLeast = true
  const own = shares.input ?? found.get('actual')
  if (own !== undefined && own === actual && !atLeast && !/\bat least\b|\babout\b|\bapprox/.test(plain))
    numbers.ofPrompt = true
  return numbers
}

type Shares = { input?: number; output?: number }

/** "(194895 of text input, 10398 of tool input, 51200 in the output)": parts of one request, added up by side. */
function sharesIn(plain: string): Shares {
  const shares: Shares = {}
  // "131808 tokens from the input messages and 8192 tokens for the completion"
  const told =
    /(?<![\w.])(\d{1,12}) tokens (?:from|in) (?:the |your )?(?:input|messages?|prompt)[a-z ]{0,20} and (\d{1,12}) tokens (?:for|in) (?:the |your )?(?:completion|output|answer|response)/.exec(
      plain,
    )
  if (told) return { input: Number(told[1]), output: Number(told[2]) }
  for (const list of plain.matchAll(/\(([^()]{0,300})\)/g)) {
    for (const part of (list[1] ?? '').matchAll(
      /(?<![\w.])(\d{1,12}) (?:tokens )?(?:of|in|for|from) (?:the |your |a )?((?:[a-z]+ ?){1,3})/g,
    )) {
      const words = part[2] ?? ''
      const side = /output|completion|answer|response|generat/.test(words)
        ? 'output'
        : /input|message|prompt|function|tool|image|text|system|schema/.test(words)
          ? 'input'
          : undefined
      if (side !== undefined) shares[side] = (shares[side] ?? 0) + Number(part[1])
    }
  }
  return shares
}

/** The number that the pattern captures, by whichever of its groups; undefined where it is not found. */
export function numberAfter(text: string, pattern: RegExp): number | undefined {
  const found = pattern
    .exec(text)
    ?.slice(1)
    .find(group => group !== undefined)
  return found === undefined ? undefined : Number(found)
}
