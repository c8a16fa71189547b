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
  let at = block.lastElementChild
  while (at?.matches(holders)) {
    const inner: Element | null = at.lastElementChild
    // A list item holds its words itself, or paragraphs and lists.
    if (inner === null || !inner.matches(`${holders}, ${lines}`)) return at
    at = inner
  }
  return at?.matches(lines) ? at : undefined
}
