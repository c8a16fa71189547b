/** The title of a chat: one line with visible text that ends with a whole grapheme. Pure. */
import { clip } from './graphemes.ts'
import { hasVisibleText } from './invisible.ts'
import { withoutInvisible } from './visible.ts'

/** Longest title made from a first message, and longest one that a person or a file gives. Unit: UTF-16 units. */
const longestMade = 60
const longestGiven = 200
/** More marks than this on one letter are no writing, and would stand over the lines above. */
const mostMarks = 8

/** A title from the first line of a first message in which something can be seen; undefined where there is none. */
export function titleOf(text: string): string | undefined {
  const line = text
    .slice(0, 4000)
    .split('\n')
    .map(visibleLine)
    .find(line => line !== '')
  if (line === undefined || line.length <= longestMade) return line
  const cut = clip(line, longestMade - 1)
  const blank = cut.lastIndexOf(' ')
  return `${(blank > longestMade / 2 ? cut.slice(0, blank) : cut).trimEnd()}…`
}

/** The title that a person typed or a file brings, as it is kept; '' where nothing of it can be seen. */
export function givenTitle(text: string): string {
  return clip(visibleLine(text.slice(0, 4000)), longestGiven).trimEnd()
}

/** Whether a title was made of this text, also as earlier versions made it. */
export function isTitleOf(title: string, text: string): boolean {
  if (title === titleOf(text)) return true
  const beginning = title.replace(/…$/, '')
  const line = text
    .slice(0, 4000)
    .split('\n')
    .map(inOneLine)
    .find(line => line !== '')
  return beginning !== '' && line !== undefined && line.startsWith(beginning)
}

/** A text in one line, as far as it can be seen; '' where nothing of it can. */
export function visibleLine(text: string): string {
  const shown = inOneLine(
    withoutInvisible(inOneLine(text))
      .replace(/^[\p{M}\s]+/u, '')
      .replace(manyMarks, '$1'),
  )
  return hasVisibleText(shown) ? shown : ''
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
const manyMarks = new RegExp(`(\\p{M}{${mostMarks}})\\p{M}+`, 'gu')
