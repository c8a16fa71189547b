/**
 * A Markdown document in a fence, with fences of its own that are no shorter: the whole document is one block of code.
 * Pure.
 */

const documentFence = /^ {0,3}(`{3,}|~{3,})[ \t]*(?:markdown|md|mdx|mdown|mkd)\b[^\n`]*(?:\n|$)/i
const anyFence = /^ {0,3}(`{3,}|~{3,})[ \t]*([^\n]*?)[ \t]*$/

/** A document with more blocks than this is none: each fence of a text would be followed to its end. */
const mostInside = 50

/**
 * `raw` is what the block takes of the text, `code` what it holds. `open`: how many blocks are open at the end of the
 * text.
 */
export type NestedFence = { raw: string; lang: string; code: string } | { open: number }

/**
 * The document that begins at the start of the text, where inside of it a fence with a language opens a block and one
 * without closes it. Undefined where none begins, or where it has no blocks inside: the parser's own rule reads it.
 * `open` where the text ends before it does: it may be one when more has come, and until then, and if it never closes,
 * the parser's own rule holds.
 */
export function nestedFence(text: string): NestedFence | undefined {
  const opening = documentFence.exec(text)
  if (opening === null) return undefined
  const open = [opening[1]!]
  let inside = 0
  for (let at = opening[0].length; at < text.length;) {
    const newline = text.indexOf('\n', at)
    const end = newline === -1 ? text.length : newline
    const [, marks, info = ''] = anyFence.exec(text.slice(at, end)) ?? []
    const last = open.at(-1)!
    if (marks !== undefined && info === '' && marks[0] === last[0] && marks.length >= last.length) {
      open.pop()
      if (open.length === 0) {
        if (inside === 0) return undefined
        return {
          raw: text.slice(0, end),
          lang: 'markdown',
          code: text.slice(opening[0].length, Math.max(opening[0].length, at - 1)),
        }
      }
    } else if (
      marks !== undefined &&
      info !== '' &&
      !(marks.startsWith('`') && info.includes('`')) &&
      isOpening(marks, open)
    ) {
      open.push(marks)
      if (++inside > mostInside) return undefined
    }
    at = end + 1
  }
  return inside > 0 ? { open: open.length } : undefined
}

/** Shorter fences, or of the other sign, are text of the block that is open; only a document has blocks inside. */
function isOpening(marks: string, open: readonly string[]): boolean {
  return open.length === 1 && marks.length >= open[0]!.length && marks[0] === open[0]![0]
}
