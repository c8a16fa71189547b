/** Headings of a foreign text in the order of the page: none skips a level, whatever the text does. */

/**
 * The level of each heading, for one that stands below others of level `top - 1`: of the same depth the same, a deeper
 * one just one more than the one above it. Never above 6.
 */
export function headingLevels(depths: readonly number[], top: number): number[] {
  const open: number[] = []
  return depths.map(depth => {
    while (open.length > 0 && open.at(-1)! >= depth) open.pop()
    open.push(depth)
    return Math.min(6, top + open.length - 1)
  })
}

/** Tells the levels of all headings in this element to assistive technology; their look stays that of their depth. */
export function levelHeadings(within: Element, top: number): void {
  const headings = [...within.querySelectorAll('h3, h4, h5, h6')]
  const levels = headingLevels(
    headings.map(({ tagName }) => Number(tagName.slice(1))),
    top,
  )
  for (const [at, heading] of headings.entries()) {
    const level = String(levels[at])
    if (heading.getAttribute('aria-level') !== level) heading.setAttribute('aria-level', level)
  }
}
