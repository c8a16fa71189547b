/** Values with what they are the value of: records of dense lines, and the words around a number or a hash. Pure. */
import { identifiersIn } from './identifiers.ts'

/** `key`: what it is the value of; what is said later under the same key replaces it. */
export type StatedValue = { key: string; text: string }

/** What parts values where a summary lists them. */
export const listMark = ' · '

/** Longest line that is looked at, and longest key and value; UTF-16 units. */
const longestLine = 60_000
const longestKey = 80
const longestValue = 160
/** Fewer items on a line are a sentence, and its words say what they are. */
const leastItems = 3

const sign = '(?:=|->|=>|→|:|：)'
/** `key=value` without a blank; no address, no option, no time of day, no place in a file. */
const tight = new RegExp(
  `(?<![^\\s,;|(])(?![-/]|https?:|\\d+:\\d)[\\w.@#/-]{2,${longestKey}}${sign}(?![/:=>\\\\])[^\\s;,]{1,${longestValue}}`,
  'g',
)
/** `some words = value`: alone between two borders. */
const loose = new RegExp(`^([^=:：→;|]{2,40}?)\\s*(?:=|->|=>|→|:\\s|：)\\s*(\\S[^=]{0,${longestValue}})$`)
/** A place in a file, a scope, code. */
const noValue = /\.[a-z]{1,4}:\d|::|[(){}[\]<"'`]|=>?$/i

/**
 * The records of a text: items `key = value` of lines that hold several, and single ones without a blank where the text
 * is `short` (the answer of a tool, not a file). Never throws.
 */
export function* valuesIn(text: string, short: boolean): Generator<StatedValue> {
  const least = short ? 1 : leastItems
  if (!holdsSigns(text, least)) return
  for (const line of text.split('\n')) {
    if (line.length > longestLine || line.length < 5 || !holdsSigns(line, least)) continue
    const found = [...line.matchAll(tight)].map(([record]) => record.replace(/[.!?]$/, '')).filter(isValue)
    if (found.length >= least) {
      for (const record of found) yield { key: valueKey(record), text: record }
      continue
    }
    const items = line.split(/[;；|]/)
    if (items.length < leastItems) continue
    const pairs = items.flatMap(item => {
      const [, key, value] = loose.exec(item.trim()) ?? []
      return key === undefined || value === undefined || /[{}()<>]/.test(item)
        ? []
        : [item.trim().replace(/[.。]$/, '')]
    })
    if (pairs.length >= leastItems) for (const text of pairs) yield { key: valueKey(text), text }
  }
}

/** What a sentence says in front of its records, which are told on their own; the sentence where it holds fewer. */
export function withoutValues(sentence: string): string {
  if (!holdsSigns(sentence, leastItems)) return sentence
  let first: number | undefined
  let found = 0
  for (const { 0: record, index } of sentence.matchAll(tight)) {
    if (!isValue(record.replace(/[.!?]$/, ''))) continue
    first ??= index
    found++
  }
  return first === undefined || found < leastItems ? sentence : withoutEnd(sentence.slice(0, first))
}

/** Without the signs and blanks at its end; by hand, because a pattern looks at a long run of them again and again. */
function withoutEnd(text: string): string {
  let end = text.length
  while (end > 0 && /[\s:：,;]/.test(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** Whether a text has so many signs that may stand between a key and a value: cheaper than any pattern. */
function holdsSigns(text: string, least: number): boolean {
  let found = 0
  for (const sign of ['=', '->', ':', '→', '：'])
    for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) if (++found >= least) return true
  return false
}

function isValue(record: string): boolean {
  return /^\D*[A-Za-z]/.test(record) && /\d/.test(record) && !noValue.test(record) && !record.includes(listMark)
}

/** What a record is the value of: the part before its first sign. */
export function valueKey(record: string): string {
  return (/^(.{2,80}?)\s*(?:=|->|=>|→|:|：)/.exec(record)?.[1] ?? record).trim().toLowerCase()
}

/** Units of the text before and behind a name that say what it is the name of. */
const before = 56
const behind = 36
const borderBefore = /[.!?]\s|[;；。！？|]| · /g
const borderBehind = /[.!?]\s|[;；。！？|]| · |[.!?]$/

/**
 * A number, a hash or an error's code with the words around it, whole items and whole words; of a row of a table with
 * the first cell and the header of its column. Undefined where nothing stands around it.
 */
export function inItsWords(name: string, source: string): string | undefined {
  const at = source.indexOf(name)
  if (at < 0) return undefined
  const from = source.lastIndexOf('\n', at) + 1
  const newline = source.indexOf('\n', at)
  const to = newline < 0 ? source.length : newline
  const cell = cellOf(source, { from, to, at })
  if (cell !== undefined) return cell
  let left = source.slice(Math.max(from, at - before), at)
  if (at - before > from) left = left.replace(/^\S*\s+/, '')
  left = left.slice(endOfLast(borderBefore, left))
  const rest = source.slice(at + name.length, Math.min(to, at + name.length + behind))
  const end = borderBehind.exec(rest)?.index
  let right = end === undefined ? rest : rest.slice(0, end)
  if (end === undefined && at + name.length + behind < to) right = right.replace(/\s*\S*$/, '')
  const words = `${left}${name}${right}`
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^[-*•>#]+\s+|^\d+[→:|]\s*/, '')
  return words.replace(name, '').match(/[\p{L}]{2,}/u) === null || words.includes(listMark) ? undefined : words
}

/** Where the last match ends; 0 where there is none. */
function endOfLast(pattern: RegExp, text: string): number {
  let end = 0
  for (const { 0: match, index } of text.matchAll(pattern)) end = index + match.length
  return end
}

/** The words of a value without the value: two with the same tell of one thing, and the later counts. */
export function keyOfWords(words: string): string {
  let key = words
  for (const { kind, text } of identifiersIn(words))
    if (kind === 'number' || kind === 'hash') key = key.replace(text, '#')
  return key.toLowerCase()
}

function cellOf(source: string, { from, to, at }: { from: number; to: number; at: number }): string | undefined {
  const row = source.slice(from, Math.min(to, from + 2_000))
  const mark = /^\s*\|.*\|/.test(row) ? '|' : row.includes('\t') ? '\t' : row.split(',').length > 3 ? ',' : undefined
  if (mark === undefined || at - from > row.length) return undefined
  const cells = cellsOf(row, mark)
  const column = source.slice(from, at).split(mark).length - (mark === '|' ? 2 : 1)
  // The header is the first row of the block, it has as many cells, and none of them is a number.
  const block = source.lastIndexOf('\n\n', from)
  const top = block < 0 ? 0 : block + 2
  const below = source.indexOf('\n', top)
  const header = cellsOf(source.slice(top, Math.min(below < 0 ? from : below, from, top + 2_000)), mark)
  const [owner, title] = [cells[0], header[column]]
  if (header.length !== cells.length || owner === undefined || title === undefined || column === 0) return undefined
  if (header.some(name => name === '' || name.length > 40 || /^[\d.,%]+$/.test(name)) || owner.length > 80)
    return undefined
  return `${owner}: ${title} ${cells[column]}`
}

function cellsOf(row: string, mark: string): string[] {
  const cells = row.split(mark).map(cell => cell.trim())
  return mark === '|' ? cells.slice(1, cells.at(-1) === '' && cells.length > 2 ? -1 : undefined) : cells
}
