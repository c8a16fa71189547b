/** Passages and their places, read out of the text that a tool gave. Pure; takes any shape, never throws. */
import { contentTerms, terms } from '../../core/text/search/terms.ts'
import { readOnLine } from '../../core/agent/tools/read-result-texts.ts'

export type Passage = {
  path?: string
  from?: number
  to?: number
  /** Chat and day, as the search tells them. */
  said?: string
  who?: string
  /** How well it fits, as the search tells it. */
  score?: number
  /** The beginning of what stands behind it. */
  after?: string
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
      const [, said, score] = /^\((.+?)(?:, score ([\d.]+))?\)$/.exec(rest) ?? []
      open = {
        path: found[1],
        ...numbers(found),
        ...(said ? { said } : {}),
        ...(score ? { score: Number(score) } : {}),
        lines: !said && looksLikeText(rest) ? [rest] : [],
      }
      continue
    }
    const [, side, beside] = /^\[(before|after|older|newer|still holds)\] (.*)$/.exec(line) ?? []
    if (side !== undefined) {
      if (open && side === 'after' && beside) open.after = beside
      continue // what stands beside a find is none
    }
    if (readOnLine.test(line)) continue
    if (open) open.lines.push(line)
    else if (path && line.trim() !== '') open = { path, lines: [line] }
  }
  close()
  return passages
}

/** Passages far behind the best one are shown only where nothing better is there. Share of the best score. */
const nearBest = 0.6

/**
 * What is worth showing: not what only asks where something tells; behind the best only what is near it and has a word
 * of the question.
 */
export function realFinds(passages: readonly Passage[], question: string): Passage[] {
  const bare = (text: string): string => text.toLowerCase().replace(/[\s\p{P}\p{S}]+/gu, '')
  const asked = bare(question)
  const others = passages.filter(passage => {
    const said = bare(passage.text)
    const isQuestion = said.endsWith(asked) && said.length <= asked.length + 12
    return said !== '' && !(isQuestion && passage.after === undefined)
  })
  const telling = others.filter(({ text }) => !/[?？]\s*$/u.test(text))
  const finds = telling.length > 0 ? telling : others
  // Where an order is asked for, they stand by their time.
  const best = Math.max(0, ...finds.map(({ score = 0 }) => score))
  const wanted = new Set(contentTerms(question))
  return finds.filter(
    ({ score = best, text }) =>
      score === best || (score >= nearBest * best && terms(text).some(term => wanted.has(term))),
  )
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
