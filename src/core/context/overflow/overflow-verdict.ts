/** Whether a refusal says that the request is too long, in words, by a code or by its numbers. */
import { numbersIn, numberAfter } from './overflow-numbers.ts'
import type { RefusalNumbers } from './overflow-numbers.ts'
import type { RefusalParts } from './overflow-parts.ts'
import * as texts from './overflow-texts.ts'
import type { Verdict, ParsedRefusal } from './verdict.ts'

/** What is too long, with its numbers; undefined where the refusal says nothing of the kind. */
export function overflowVerdict(known: ParsedRefusal): Verdict | undefined {
  const { parts, status, text } = known
  const said = saysOverflow(known)
  const coded = hasCode(known)
  const fields =
    parts.numbers.limit !== undefined &&
    parts.numbers.actual !== undefined &&
    parts.numbers.actual > parts.numbers.limit
  if (!said && !coded && !fields) {
    const bytes =
      (status === 413 || texts.payloadTexts.test(known.words)) &&
      (status !== undefined || parts.structured || !isTalk(known))
    return bytes ? sizeOfBody(known) : undefined
  }
  // "Request Too Long" of a gateway, which counts no tokens.
  if (status === 413 && !coded && !fields && !/token|context|prompt|window|model|input|messages/.test(text))
    return sizeOfBody(known)
  // "summarisation failed: prompt is too long" is the overflow of another request than the chat's.
  if (/\b(?:summari[sz](?:ation|er|ing)|compaction) (?:has )?(?:failed|error|overflow)/.test(text))
    return { kind: 'summariser_overflow' }
  const numbers = merged(bestNumbers(parts.texts), parts)
  const { limit, actual, maxOutput, total, structured, atLeast, ofPrompt } = numbers
  const promptAlone = limit !== undefined && actual !== undefined && actual > limit && !texts.bothSides.test(text)
  // A bound in bytes only, and no word of tokens or context: a gateway's.
  const kind = promptAlone
    ? 'overflow_prompt'
    : namesOutput(text, maxOutput, total)
      ? 'overflow_total'
      : 'overflow_prompt'
  // "keep the first 4000 tokens" of a window of 4096 is no size of the prompt.
  const tells = actual !== undefined && (kind === 'overflow_total' || promptAlone || limit === undefined)
  return {
    kind,
    ...(limit !== undefined && { limit }),
    ...(tells && { actual }),
    ...(maxOutput !== undefined &&
      kind !== undefined &&
      (maxOutput !== actual || kind === 'overflow_total') && { maxOutput }),
    ...(structured && { structured }),
    ...(atLeast && tells && { atLeast }),
    ...(ofPrompt && tells && { ofPrompt }),
  }
}

/**
 * The numbers of the text that tells most, those that say it themselves first: words of a wrapper around it tell
 * nothing.
 */
function bestNumbers(all: readonly string[]): RefusalNumbers {
  const telling = all.filter(isOverflowText)
  let best: RefusalNumbers = {}
  for (const text of telling.length > 0 ? telling : all) {
    const numbers = numbersIn(withoutExcess(text))
    if (Object.keys(numbers).length > Object.keys(best).length) best = numbers
  }
  return best
}

function isOverflowText(text: string): boolean {
  return [...texts.overflowTexts, ...texts.overflowTextsEast].some(pattern => pattern.test(text))
}

function sizeOfBody({ text }: ParsedRefusal): Verdict {
  // "Request body too large … Max size: 8000 tokens" is the window after all.
  const tokens = numberAfter(text, /\bmax(?:imum)? (?:size|length)[: ]+(?:of |is )?(\d+) tokens/)
  return tokens === undefined ? { kind: 'payload_too_large' } : { kind: 'overflow_prompt', limit: tokens }
}

function namesOutput(text: string, maxOutput: number | undefined, total: number | undefined): boolean {
  if (total !== undefined || texts.bothSides.test(text)) return true
  if (maxOutput !== undefined) return true
  return /\btotal tokens\b|\band max[_-]?(?:completion[_-]|output[_-]|new[_-])?tokens\b|\bmax[_-]?tokens\b[^.\n]{0,30}\bexceed|\binputs? tokens? \+|\b(?:prompt|input) (?:tokens )?(?:and|plus|\+) (?:the )?(?:requested |max(?:imum)? )?(?:output|completion)/.test(
    text,
  )
}

function merged(numbers: RefusalNumbers, parts: RefusalParts): RefusalNumbers & { structured?: true } {
  const { limit, actual } = parts.numbers
  const told = actual === undefined ? {} : { actual, ofPrompt: true as const }
  if (limit === undefined) return { ...numbers, ...told }
  return { ...numbers, limit, ...told, structured: true }
}

/** Without numbers that are no size: by how much it is too long, and a provider's own code behind "limit". */
function withoutExcess(text: string): string {
  return text
    .replace(/\bby (?:about )?\d+(?: tokens)?/g, '')
    .replace(/\bexceeds limit \(\d+\)/g, 'exceeds limit')
    .replace(/^\W*(?:http )?[45]\d\d\b/, '')
    .replace(/\berror \(\d{3}\)/g, 'error')
    .replace(/<\d{3}>/g, '')
}

/** Whether a code, or the name of an error, says it: that needs no words. */
export function hasCode({ parts, text }: ParsedRefusal): boolean {
  return (
    parts.codes.some(code => texts.overflowCodes.has(code)) ||
    /\b(?:contextwindow(?:size)?exceedederror|contextlengthexceeded(?:error)?|context_length_exceeded|exceed_context_size_error)\b/.test(
      text,
    )
  )
}

/** Whether the words say it, and are an error's own: not talk, not a tool's output, not a quotation. */
function saysOverflow(known: ParsedRefusal): boolean {
  const unquoted = known.text.replace(/"[^"\n]{12,400}"/g, '""')
  const bare = known.status === undefined && !known.parts.structured
  if (bare && isTalk(known)) return false
  const source = bare ? unquoted.slice(0, 600) : unquoted
  const found = isOverflowText(source)
  // More bytes than allowed are no tokens.
  return (
    found &&
    !(/\b\d+(?:\.\d+)? ?(?:bytes|[kmg]i?b)\b/.test(source) && !/\btokens?\b|\bcontext\b|\bprompt\b/.test(source))
  )
}

function isTalk({ parts, text }: ParsedRefusal): boolean {
  return (
    parts.texts.some(words => texts.toolTexts.test(words.trim())) ||
    text.length > 1_500 ||
    texts.proseTexts.test(text.trim())
  )
}
