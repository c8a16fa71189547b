/** Where the next words of an answer come: the line of a block that grows. Touches the DOM. */

/** The attribute of the line; the caret stands at its end (ReplyInProgress.svelte). */
const attribute = 'data-writing'
/** Elements that hold lines, and those that are one. */
const holders = 'ul, ol, li, blockquote, figure, pre, [data-scroll], table, thead, tbody, tr'
const lines = 'p, h3, h4, h5, h6, td, th, pre code'

/** Takes the mark off the block, and puts it on the line that grows where it is wanted. */
export function markGrowing(block: Element, wanted: boolean): void {
  block.querySelector(`[${attribute}]`)?.removeAttribute(attribute)
  if (wanted) growingLine(block)?.setAttribute(attribute, '')
}

/** The last of the last, as deep as blocks go; undefined behind a rule. */
function growingLine(block: Element): Element | undefined {
  const last = block.lastElementChild
  if (last === null || last.matches(lines)) return last ?? undefined
  if (!last.matches(holders)) return undefined
  // A list item holds its words itself, or paragraphs and lists.
  return last.lastElementChild?.matches(`${holders}, ${lines}`) ? growingLine(last) : last
}
