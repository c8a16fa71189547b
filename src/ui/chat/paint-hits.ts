/**
 * Marks the found words in what is on screen, without touching the nodes. Does nothing where the browser has no custom
 * highlights.
 */
import { placesOf, normalizedQuery } from '../transcript/find.ts'

const name = 'found'
const most = 500 // ranges; a search for "e" must not hold up the page

/** Highlights now and whenever other rows are rendered. Returns the function that ends it. */
export function paintHits(query: string): () => void {
  const talk = document.querySelector('[role="log"]')
  if (normalizedQuery(query) === '' || talk === null || !('highlights' in CSS)) return () => {}
  let frame = 0
  const paint = () => {
    frame = 0
    CSS.highlights.set(name, new Highlight(...rangesOf(talk, query)))
  }
  const observer = new MutationObserver(() => {
    frame ||= requestAnimationFrame(paint)
  })
  observer.observe(talk, { childList: true, subtree: true })
  paint()
  return () => {
    observer.disconnect()
    cancelAnimationFrame(frame)
    CSS.highlights.delete(name)
  }
}

function rangesOf(root: Element, query: string): Range[] {
  const ranges: Range[] = []
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null && ranges.length < most; node = walker.nextNode()) {
    for (const { from, to } of placesOf(node.nodeValue ?? '', query, most - ranges.length)) {
      const range = new Range()
      range.setStart(node, from)
      range.setEnd(node, to)
      ranges.push(range)
    }
  }
  return ranges
}
