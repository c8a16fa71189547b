/** Passages and their places, read out of the text that a tool gave. Pure; takes any shape, never throws. */
import { readOnLine } from '../../core/agent/tools/read-result-texts.ts'

export type Passage = {
  path?: string
  from?: number
  to?: number
  /** Chat and day, as the search tells them. */
  said?: string
  who?: string
  text: string
}

/** A place as tools write it: `dialog/2026-01-31.jsonl:12`, `… lines 12-14`, `… line 12`, `… L12–L14`. */
const place =
  /((?:dialog|tool_result|user_text|answer|call|memory|workspace)\/[^\s:,;"'`()[\]]+|MEMORY\.md)(?:(?::|#|,?\s*\(?(?:lines?|行|第)?\s*)L?(\d+)(?:\s*(?:-|–|—|to|\.\.)\s*L?(\d+))?)?/
/** Longest part of one passage that is shown, code points. */
const shown = 600

/**
 * A line that carries a place opens a passage; what follows up to the next such line is its text. Lines that are
 * records of `dialog/` become their role and words. `path` is taken where the text names none.
 */
export function passagesIn(text: string, path?: string): Passage[] {
  const passages: Passage[] = []
  let open: (Omit<Passage, 'text'> & { lines: string[] }) | undefined
  const close = (): void => {
    if (!open) return
    const { lines, ...rest } = open
    const said = lines.join('\n').trim()
    if (said !== '') passages.push({ ...rest, text: clip(said) })
    open = undefined
  }
  for (const line of text.split('\n')) {
    const record = recordIn(line)
    if (record) {
      close()
      if (record.text.trim() !== '')
        passages.push({ ...(path ? { path } : {}), who: record.role, text: clip(record.text.trim()) })
      continue
    }
    const found = place.exec(line)
    if (found?.[1] && isHeading(line, found)) {
      close()
      const rest = line.slice(found.index + found[0].length).replace(/^[\s)\].:·|,—–-]+/, '')
      const said = /^\((.+?)(?:, score [\d.]+)?\)$/.exec(rest)?.[1]
      open = {
        path: found[1],
        ...numbers(found),
        ...(said ? { said } : {}),
        lines: !said && looksLikeText(rest) ? [rest] : [],
      }
      continue
    }
    if (/^\[(?:before|after|older|newer|still holds)\] /.test(line)) continue // what stands beside a find is none
    if (readOnLine.test(line)) continue
    if (open) open.lines.push(line)
    else if (path && line.trim() !== '') open = { path, lines: [line] }
  }
  close()
  return passages
}

/**
 * How Recall's own answers begin and end. They quote what was found, so the next search would find them instead of it.
 */
const ownWords =
  /I am Recall, not a language model|I am \*\*Recall\*\*|^I found (nothing about|one passage in|\d+ passages in)|我是 ?\*{0,2}Recall|^在保存的内容里(没有)?找到/

/** A piece out of the middle of such an answer: its list of places, or nothing but what it quotes. */
function isOwnQuote({ path, text }: Passage): boolean {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  return (
    lines.some(line => /^[\s>]*\d+\. `[^`]+` · (?:lines?|第) ?\d/.test(line)) ||
    (path?.startsWith('answer/') === true && lines.every(line => /^\s*>/.test(line)))
  )
}

/** The search also finds the very question that is being answered, and Recall's earlier answers; those are no finds. */
export function realFinds(passages: readonly Passage[], question: string): Passage[] {
  const bare = (text: string): string => text.toLowerCase().replace(/[\s\p{P}\p{S}]+/gu, '')
  const asked = bare(question)
  return passages.filter(passage => {
    const said = bare(passage.text)
    return (
      said !== '' &&
      !ownWords.test(passage.text) &&
      !isOwnQuote(passage) &&
      !(said.endsWith(asked) && said.length <= asked.length + 12)
    )
  })
}

/** A heading has its place near its beginning; a place in the middle of prose is prose. */
function isHeading(line: string, found: RegExpExecArray): boolean {
  return found[2] !== undefined ? found.index <= 24 : found.index <= 6 && line.length - found[0].length <= 40
}

function numbers(found: RegExpExecArray): { from?: number; to?: number } {
  return { ...(found[2] ? { from: Number(found[2]) } : {}), ...(found[3] ? { to: Number(found[3]) } : {}) }
}

/** What stands behind a place is text if it has a word beside dates, numbers and scores. */
function looksLikeText(rest: string): boolean {
  return /\p{L}{3,}[^\n]*\s+\S|\p{Script=Han}{4,}/u.test(rest)
}

/** A line of dialog/<day>.jsonl, perhaps with a line number in front. */
function recordIn(line: string): { role: string; text: string } | undefined {
  const from = line.indexOf('{')
  if (from < 0 || from > 12 || !line.includes('"message"')) return undefined
  try {
    const value = JSON.parse(line.slice(from)) as { message?: { role?: unknown; content?: unknown } }
    const { role, content } = value.message ?? {}
    return typeof role === 'string' && typeof content === 'string' ? { role, text: content } : undefined
  } catch {
    return undefined // an excerpt of a record is text like any other
  }
}

function clip(text: string): string {
  const points = Array.from(text)
  return points.length <= shown ? text : `${points.slice(0, shown).join('').trimEnd()} …`
}
