/** Whether an answer is a valid summary (C6.5). An error text never is. Pure. */
import type { StopReason } from '../../log/message.ts'
import { nothingToKeep } from './prompts.ts'
import { emptySection, parseSections } from './sections.ts'

/**
 * Whether an answer says that nothing is worth keeping: in these words, in one of the usual ones, or by six empty
 * sections.
 */
export function saysNothing(text: string): boolean {
  const plain = text
    .replace(/[\s.。!！"'“”()（）*]+/g, ' ')
    .trim()
    .toLowerCase()
  if (plain.length <= 40) return nothings.has(plain)
  const { found, preface, other } = parseSections(text)
  return found.size >= 2 && preface === '' && other === '' && [...found.values()].every(isEmpty)
}

const nothings: ReadonlySet<string> = new Set([
  nothingToKeep.toLowerCase(),
  'none',
  'nothing',
  'nothing to keep',
  'nothing worth recording',
  '无',
  '没有',
  '没有值得保留的内容',
  '没有值得记录的内容',
  '无值得记录的内容',
])

/** A section of which every line says "(none)". */
function isEmpty(body: string): boolean {
  return body
    .split('\n')
    .every(
      line => line.startsWith('#') || ['', emptySection].includes(line.replace(/^\s*(?:[-*]|\d+\.)\s*/, '').trim()),
    )
}

/** `cap` and `replaces` in tokens: a summary has at most the first and less than the second. */
export type SummaryBounds = { cap: number; replaces: number; count: (text: string) => number }

/**
 * The answer without what a reasoning model put around it: closed and unclosed thinking, a fence around the whole.
 * Linear; never throws.
 */
export function withoutThinking(answer: string): string {
  let text = answer
  for (const tag of ['think', 'thinking', 'reasoning', 'thought']) text = withoutTag(text, tag)
  text = text.trim()
  const fence = /^```(?:markdown|md)?\s*\n/.exec(text)?.[0]
  return fence !== undefined && text.endsWith('```') ? text.slice(fence.length, -3).trim() : text
}

/**
 * What is wrong with an answer, in words that the retry can quote; undefined where it is valid. `text` is the answer
 * without its thinking, `raw` as it came.
 */
export function summaryFault(
  answer: { raw: string; text: string; finish: StopReason },
  bounds: SummaryBounds,
): string | undefined {
  if (answer.raw.trim() === '') return 'it was empty'
  if (answer.text === '') return 'it held only reasoning and no notes'
  if (answer.finish === 'length') return 'it was cut off at the output limit; be shorter'
  if (answer.finish !== 'stop') return `it was not finished (${answer.finish})`
  const { found } = parseSections(answer.text)
  if (found.size < 2)
    return isErrorText(answer.text)
      ? 'it was an error message'
      : 'its headings were missing: at least two of the six must be there'
  if ([...found.values()].every(body => body === '' || isErrorText(body))) return 'its sections held nothing'
  const tokens = bounds.count(answer.text)
  if (tokens > bounds.cap) return `it was too long: ${tokens} tokens, at most ${bounds.cap} are allowed`
  if (tokens >= bounds.replaces)
    return `it was not shorter than what it replaces: ${tokens} tokens instead of fewer than ${bounds.replaces}`
  return undefined
}

function withoutTag(text: string, tag: string): string {
  const open = `<${tag}>`
  const close = `</${tag}>`
  const lower = text.toLowerCase()
  let kept = ''
  let from = 0
  // Some servers send only the closing tag: the template had opened it.
  const firstOpen = lower.indexOf(open)
  const firstClose = lower.indexOf(close)
  if (firstClose >= 0 && (firstOpen < 0 || firstClose < firstOpen)) from = firstClose + close.length
  for (;;) {
    const start = lower.indexOf(open, from)
    if (start < 0) return kept + text.slice(from)
    kept += text.slice(from, start)
    const end = lower.indexOf(close, start)
    if (end < 0) return kept // unclosed: it thought until the end
    from = end + close.length
  }
}

function isErrorText(text: string): boolean {
  return /^\W*(?:\{?"?error"?\b|an? (?:internal |unexpected )?error\b|error (?:generating|code|while)|request failed|failed to|sorry,|i(?:'m| am) (?:sorry|unable)|i can(?:not|'t)|internal server error|\d{3} |rate limit|too many requests|抱歉|对不起|错误|请求失败)/i.test(
    text.slice(0, 200),
  )
}
