/** Marks in the text of an answer for what a page draws there. Pure; never throws, linear. */
import { parsedJson } from '../../text/json.ts'
import { listOf, stringOf } from './fields.ts'

const [markBegin, markNext, markEnd] = ['\uE200', '\uE202', '\uE201']

/**
 * A text without the marks for what a page draws: sources, pictures, lists of links. The marks whose words the reader
 * sees as part of the sentence, names and links, leave these words. ChatGPT writes them, and LibreChat took them over.
 */
export function withoutMarks(text: string): string {
  if (!/[\uE200-\uE20F]/.test(text)) return text
  const [before = '', ...marked] = text.split(markBegin)
  const clean = [before]
  for (const piece of marked) {
    const end = piece.indexOf(markEnd)
    const words = end === -1 ? '' : wordsOf(piece.slice(0, end))
    const after = end === -1 ? piece : piece.slice(end + 1)
    // A mark stands behind a blank, which is left over before the end of a sentence.
    if (words === '' && /^(?:[.,;:!?)\]]|\s|$)/.test(after)) clean.push(clean.pop()!.trimEnd())
    clean.push(words + after)
  }
  // LibreChat's sources also stand alone.
  return clean
    .join('')
    .replaceAll(/ ?\uE202turn\d+[a-z]+\d+/g, '')
    .replaceAll(/[\uE200-\uE20F]/g, '')
}

function wordsOf(mark: string): string {
  const [kind, first = '', second = ''] = mark.split(markNext)
  if (kind === 'url') return second === '' ? first : `[${first}](${second})`
  return kind === 'entity' ? stringOf(listOf(parsedJson(first))[1]) : ''
}
