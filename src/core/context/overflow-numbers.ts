/** The numbers in a refusal: what is allowed, how much was sent, how much was asked for as answer (C8). Pure. */

export type Numbers = {
  limit?: number
  actual?: number
  maxOutput?: number
  /** Prompt and answer together, where their shares are not told. */
  total?: number
  /** `actual` is only a lower bound ("at least"): never a size. */
  atLeast?: true
}

/** Text with its numbers made plain: 213,462 and 213 462 become 213462, 128k becomes 128000. */
export function plainNumbers(text: string): string {
  return text
    .replace(/(?<![\d.,])\d{1,3}(?:([,_ \u00a0\u202f'’.])\d{3})(?:\1\d{3}){0,3}(?![\d]|[.,]\d)/g, digits => digits.replace(/[^\d]/g, ''))
    .replace(/(?<![\w.])(\d{1,6})(?:\.(\d{1,2}))?([kKmM])(?=\s|[),.;:]|$|-?tok)/g, (_, whole: string, part: string | undefined, unit: string) =>
      String(Math.round(Number(`${whole}.${part ?? '0'}`) * (unit.toLowerCase() === 'k' ? 1_000 : 1_000_000))))
}

/** In front of a number: "is only", ": ", "(", "of about". */
const gap = String.raw`\s*(?:is|are|was|were|to|of|:|=|\(|at|set)?\s*(?:only|just|about|around|approximately|at most|up to|at least|at|over)?\s*[:=(\[]?\s*`
const n = String.raw`(\d{1,12})`
const re = (source: string): RegExp => new RegExp(source, 'i')

/** What was allowed; the first that fits tells. */
const limits = [
  re(String.raw`\bat least ${n} tokens? (?:is|are) (?:allowed|supported)`),
  re(String.raw`range of (?:input|prompt) length should be \[\s*\d+\s*,\s*${n}`),
  re(String.raw`\d\s*\+\s*\d+\s*>\s*${n}`),
  re(String.raw`(?:tokens?|\d)\s*>\s*${n}\s*(?:tokens?\s*)?(?:max|limit|allowed|$|[.,;)])`),
  re(String.raw`(?:must be|should be|has to be)\s*(?:<=|<|≤|less than or equal to|less than|at most|no more than|smaller than|under|below)\s*[\`']?${n}`),
  re(String.raw`must have (?:less|fewer) than ${n}`),
  re(String.raw`(?:context|prompt|input|model|sequence|position)[\w' -]{0,24}?(?:length|window|size|limit|len|maximum|max)(?:\s+(?:allowed|supported|available))?(?:\s+(?:for|of) (?:this|the) model)?${gap}${n}`),
  re(String.raw`(?:max(?:imum)?|limit(?:ed)?|configured|allowed|allows|supports?|capacity|budget|cap)[\w' -]{0,40}?${gap}${n}(?!\s*(?:characters|chars|bytes|mb|kb|pixels))`),
  re(String.raw`n_ctx\s*[:=]?\s*${n}`),
  re(String.raw`(?:token|context|prompt|input) limit[\w' ]{0,12}${gap}${n}`),
  re(String.raw`(?:exceed(?:s|ed|ing)?|over|above|larger than|longer than|greater than|more than|than) (?:the |its |a |of )*(?:[\w']+ ){0,4}?(?:of |is |\()?${n}(?:\s*[- ]?tokens?)?(?:\s*(?:context|limit|max|window|allowed))`),
  re(String.raw`${n}[- ]tokens?\s*(?:\(?max|limit|context|window)`),
  re(String.raw`${n} (?:maximum|max) `),
  re(String.raw`(?:最大|上限|限制|最多|不能超过|不得超过)[^\d]{0,16}${n}`),
]

/** How much was sent. */
const actuals = [
  re(String.raw`(\d{1,12})\s*\+\s*\d+\s*>\s*\d`),
  re(String.raw`${n}\s*(?:input |prompt )?(?:tokens?)?\s*>\s*\d+\s*(?:tokens?\s*)?(?:max|limit|allowed|$|[.,;)])`),
  re(String.raw`(?:prompt|input|request|messages?|conversation|context|text)[^.;\d]{0,40}?(?:contain(?:s|ed|ing)?|has|have|had|resulted in|results? in|uses?|used|consists? of|totals?|is|are|was|were|of)\s*(?:about |around |approximately |at least |over |roughly )?${n}\s*(?:input |prompt |text )?tokens`),
  re(String.raw`(?:passed|sent|provided|given|got|found|counted)[:\s]+(?:at least |about )?${n}\s*(?:[\`']?(?:input|prompt|inputs)[\`']?\s*)?tokens`),
  re(String.raw`requested (?:about )?${n} tokens in the (?:messages?|prompt|input)`),
  re(String.raw`(?:prompt|input|request)(?:ed)?(?:[ _-]?tokens?)?(?:[ _-]?(?:token )?(?:count|length|size))?\s*(?:is|of|:|=|\()?\s*(?:length\s*)?${n}`),
  re(String.raw`(?:number of |total )?(?:prompt|input) tokens?${gap}${n}`),
  re(String.raw`\brequested\b[:\s]*(?:about )?${n}`),
  re(String.raw`given[:\s]+${n}`),
  re(String.raw`current(?:ly)?(?: length| size| context)?${gap}${n}`),
  re(String.raw`n_(?:prompt_tokens|keep)\s*[:=]\s*${n}`),
  re(String.raw`(?:keep the first|first) ${n} tokens`),
  re(String.raw`\b(?:got|received|actual|contains?|resulted in|but (?:was|is|has))[:\s]+(?:about )?${n}`),
  re(String.raw`(?:输入|当前|实际|请求|提示)[^\d]{0,16}${n}`),
]

/** How much was asked for as answer. */
const outputs = [
  re(String.raw`\d\s*\+\s*${n}\s*>\s*\d`),
  re(String.raw`(?:requested|requesting|asked for)\s+(?:about )?${n} (?:output|completion|new|generated) tokens`),
  re(String.raw`(?:whereas you (?:provided|requested)|but (?:got|you (?:provided|requested))|you (?:provided|requested))\s+${n}`),
  re(String.raw`${n} [\`']?(?:max_new_tokens|max_tokens|max_completion_tokens|max_output_tokens)`),
  re(String.raw`max[_-]?(?:completion[_-]|output[_-]|new[_-])?tokens[\`']?(?: or [\`']?max_completion_tokens[\`']?)?\s*(?:value of|is too (?:large|high|big)|limit exceeded|too (?:large|high)|of|value|is|=|\()?[:\s=(]*${n}`),
  re(String.raw`maxoutputtokens (?:value )?of ${n}`),
]

/** Numbers and what they are, from plain text (see `plainNumbers`). A limit never comes from a number of characters or bytes. Never throws. */
export function numbersIn(plain: string): Numbers {
  const numbers: Numbers = {}
  const shares = sharesIn(plain)
  const limit = firstOf(plain, limits)
  const output = shares.output ?? firstOf(plain, outputs)
  let actual = shares.input ?? firstOf(plain, actuals)
  // "However, you requested N tokens" counts the answer too; without shares the prompt is not known.
  if (shares.input === undefined && /however,? you requested (?:about )?\d+ tokens(?! in the)/i.test(plain)) {
    const total = actual
    actual = undefined
    if (total !== undefined) numbers.total = total
  }
  if (/(?:input )?characters/i.test(plain) && /\d+ (?:input )?characters/i.test(plain)) actual = undefined
  // A text may name its limit twice ("32000 > 100000 - 95000"); a number is never both.
  if (actual !== undefined && actual === limit && !/\+/.test(plain)) actual = undefined
  if (limit !== undefined) numbers.limit = limit
  if (actual !== undefined) numbers.actual = actual
  if (output !== undefined) numbers.maxOutput = output
  if (actual !== undefined && new RegExp(`at least ${actual}\\b`, 'i').test(plain)) numbers.atLeast = true
  return numbers
}

/** "(194895 of text input, 10398 of tool input, 51200 in the output)": parts of one request, added up by side. */
function sharesIn(plain: string): { input?: number; output?: number } {
  const shares: { input?: number; output?: number } = {}
  for (const list of plain.matchAll(/\(([^()]{0,300})\)/g)) {
    for (const part of (list[1] ?? '').matchAll(/(\d{1,12}) (?:tokens )?(?:of|in|for|from) (?:the |your |a )?((?:\w+ ?){1,3})/gi)) {
      const words = part[2] ?? ''
      const side = /output|completion|answer|response|generat/i.test(words) ? 'output' : /input|message|prompt|function|tool|image|text|system|schema/i.test(words) ? 'input' : undefined
      if (side !== undefined) shares[side] = (shares[side] ?? 0) + Number(part[1])
    }
  }
  // "(149000 in the messages, 1000 in the functions)" repeats a sum that stands outside; the parts alone are enough.
  return shares
}

function firstOf(plain: string, patterns: readonly RegExp[]): number | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(plain)?.[1]
    if (found !== undefined && Number(found) > 0) return Number(found)
  }
  return undefined
}
