/** Joins a text that was cut off with its continuation. Pure. */

/** How much of the end of the first and of the beginning of the second text is compared, UTF-16 units. */
const compared = 20_000

/**
 * What of `after` follows `before`: without what it says once more of the end of that, without the line that opens a
 * fence which stands open, and with the line break or space that a text of its own does not begin with. A text that
 * goes on to the letter comes out as it is. `live`: more of it may come, and it is empty as long as it may be a
 * repetition.
 */
export function continuation(before: string, after: string, live = false): string {
  if (before === '' || after === '') return after
  const fence = openFence(before)
  const open = fence !== undefined
  for (const start of beginnings(after, open)) {
    const repeated = repetition(before, after.slice(start), start > 0)
    if (repeated > 0) return behindRepetition(before, after.slice(start + repeated))
  }
  if (live && mayRepeat(before, after, open)) return ''
  const again = fence === undefined ? 0 : openedAgain(after, fence)
  return again > 0 ? behindOpening(before, after.slice(again)) : glued(before, after, open)
}

/** Both as one text. */
export function joinedText(before: string, after: string, live = false): string {
  return before + continuation(before, after, live)
}

/**
 * The last words of a text that was cut off, by which the place is known: a few lines at most, from the beginning of a
 * word on.
 */
export function lastWords(text: string): string {
  const end = text.trimEnd()
  const near = end.split('\n').slice(-3).join('\n').slice(-shownWords)
  if (near.length < shownWords) return near.trimStart()
  const word = /[\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.exec(near)
  return near.slice(word?.index ?? 0).trimStart() || near
}
const shownWords = 120 // UTF-16 units

const anyFenceLine = /^[ \t]*(?:`{3,}|~{3,})[^\n`]*\n/
const fenceMark = /^\s*(`{3,}|~{3,})([^\n]*)$/

/** The fence that stands open at the end: its mark and the name of its language. */
function openFence(text: string): { mark: string; name: string } | undefined {
  let open: { mark: string; name: string } | undefined
  for (const line of text.split('\n')) {
    const [, mark = '', more = ''] = fenceMark.exec(line) ?? []
    if (mark === '') continue
    if (open === undefined) open = { mark, name: more.trim() }
    else if (mark.startsWith(open.mark) && more.trim() === '') open = undefined
  }
  return open
}

/** The length of the line that opens this fence once more; 0 for none. Without a name it is the end of the fence. */
function openedAgain(after: string, { name }: { name: string }): number {
  const line = anyFenceLine.exec(after)?.[0] ?? ''
  return name !== '' && line.replace(/[`~]/g, '').trim() === name ? line.length : 0
}

/**
 * Where a repetition may begin: at once, behind one line that announces it, behind a line that opens the fence again.
 */
function beginnings(after: string, open: boolean): number[] {
  const announced = /^[^\n]{1,200}[:：…]\s*\n\s*/.exec(after)?.[0].length ?? 0
  const fenced = (from: number): number[] => {
    const line = open ? (anyFenceLine.exec(after.slice(from))?.[0].length ?? 0) : 0
    return line > 0 ? [from, from + line] : [from]
  }
  return [...fenced(0), ...(announced > 0 ? fenced(announced) : [])]
}

type Signs = { text: string; at: number[] /* of each sign, where it stands in the text */ }

/** Without white space, and with one form of quotes: what a model copies may differ in these. */
function signsOf(text: string, offset: number): Signs {
  const signs: Signs = { text: '', at: [] }
  for (let i = 0; i < text.length; i++) {
    const sign = text[i]!
    if (/\s/.test(sign)) continue
    signs.text += quotes[sign] ?? sign
    signs.at.push(offset + i)
  }
  return signs
}
const quotes: Record<string, string> = { '’': "'", '‘': "'", '“': '"', '”': '"' }

/**
 * How much of the beginning of `after` repeats the end of `before`, UTF-16 units; 0 if it does not. `told`: the model
 * announced the repetition.
 */
function repetition(before: string, after: string, told: boolean): number {
  const from = Math.max(0, before.length - compared)
  const tail = signsOf(before.slice(from), from)
  const head = signsOf(after.slice(0, compared), 0)
  const same = longestBorder(head.text, tail.text)
  if (same === 0) return 0
  const start = tail.at[tail.at.length - same]!
  const end = head.at[same - 1]! + 1
  const next = after[end] ?? ''
  const signs = (head.text.slice(0, same).match(/[\p{L}\p{N}]/gu) ?? []).length
  const letters = /^\p{L}+$/u.test(head.text.slice(0, same))
  const inWord = isWord(next)
  // What ended with a line, or with a word, is said again to its end.
  const space = before.slice(before.trimEnd().length)
  if ((space !== '' && inWord) || (space.includes('\n') && next !== '' && next !== '\n' && next !== '\r')) return 0
  if (signs >= 8) return end
  if (!told && signs >= 2 && /(?:^|\n)[ \t]*$/.test(before.slice(Math.max(0, start - 40), start))) return end
  const atWord = start === 0 || !isWord(before[start - 1]!) || isWide(before[start]!)
  return atWord && !told && (signs >= 3 || (letters && signs >= 2 && !inWord)) ? end : 0
}

const isWord = (sign: string): boolean => /[\p{L}\p{N}]/u.test(sign)
const isWide = (sign: string): boolean => /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(sign)

/** The length of the longest beginning of `head` that is an end of `tail`. O(n). */
function longestBorder(head: string, tail: string): number {
  const all = `${head}\u0000${tail}`
  const border = new Int32Array(all.length)
  for (let i = 1, length = 0; i < all.length; i++) {
    while (length > 0 && all[i] !== all[length]) length = border[length - 1]!
    if (all[i] === all[length]) length++
    border[i] = length
  }
  return border[all.length - 1]!
}

/** Whether it may still turn out to be a repetition. */
function mayRepeat(before: string, after: string, open: boolean): boolean {
  if (after.length > compared) return false
  const rest = open ? after.replace(/^\s*(?:`{3,}|~{3,})[^\n`]*(?:\n|$)/, '') : after
  return signsOf(before.slice(-compared), 0).text.includes(signsOf(rest, 0).text)
}

/** What follows a repetition, whose white space stands there already where `before` ended with some. */
function behindRepetition(before: string, rest: string): string {
  const space = before.slice(before.trimEnd().length)
  const lead = rest.slice(0, rest.length - rest.trimStart().length)
  if (lead.startsWith(space)) return rest.slice(space.length)
  return space.startsWith(lead) ? rest.slice(lead.length) : rest
}

function behindOpening(before: string, rest: string): string {
  return before.endsWith('\n') || !fenceMark.test(lastLine(before)) ? rest : `\n${rest}`
}

const lastLine = (text: string): string => text.slice(text.lastIndexOf('\n') + 1)

/** The next block of Markdown: an item, a heading, a quote, a fence, a row. */
const block = /^(?:([-*+] )|(\d{1,9}[.)] )|(#{1,6} )|(> )|(`{3,}|~{3,})|(\|))/

/** Two pieces that no white space parts. Only where one text cannot have gone on so is anything put between them. */
function glued(before: string, after: string, open: boolean): string {
  if (/\s$/.test(before) || /^\s/.test(after)) return after
  const line = lastLine(before)
  if (open)
    return /^(?:`{3,}|~{3,})\s*(?:\n|$)/.test(after) || (/[;{}]$/.test(line) && /^[\p{L}}/#@]/u.test(after))
      ? `\n${after}`
      : after
  const [, item, number, heading, quote, fence, row] = block.exec(after) ?? []
  if ((item ?? number) !== undefined) {
    if (/^\s*(?:[-*+]|\d{1,9}[.)]) \S/.test(line) && !/[\d*+(=<-]$/.test(line)) return `\n${after}`
    return /[.!?:。！？：]$/.test(line) && !/^\s*\d+[.)]$/.test(line) ? `\n\n${after}` : after
  }
  if (heading !== undefined) return line.endsWith('#') ? after : `\n\n${after}`
  if (fence !== undefined) return /[`~]$/.test(line) ? after : `\n\n${after}`
  if (quote !== undefined) return line.startsWith('> ') && !/[-=<]$/.test(line) ? `\n${after}` : after
  if (row !== undefined) return /^\|.*\|$/.test(line) ? `\n${after}` : after
  const inCode = (line.match(/`/g) ?? []).length % 2 === 1
  return !inCode && /\p{Ll}{3}[.!?]$/u.test(line) && /^\p{Lu}\p{Ll}+(?:\s|$)/u.test(after) ? ` ${after}` : after
}
