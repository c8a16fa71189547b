/** Marks the found words in what is on screen, without touching the nodes. Does nothing where the browser has no custom highlights. */

const name = 'found'
const most = 500 // ranges; a search for "e" must not hold up the page

/** Marks now and whenever the talk shows other rows. Answers with how to end it. */
export function paintHits(query: string): () => void {
  const wanted = query.trim().toLowerCase()
  const talk = document.querySelector('[role="log"]')
  if (wanted === '' || talk === null || !('highlights' in CSS)) return () => {}
  let frame = 0
  const paint = () => {
    frame = 0
    CSS.highlights.set(name, new Highlight(...rangesOf(talk, wanted)))
  }
  const observer = new MutationObserver(() => { frame ||= requestAnimationFrame(paint) })
  observer.observe(talk, { childList: true, subtree: true })
  paint()
  return () => {
    observer.disconnect()
    cancelAnimationFrame(frame)
    CSS.highlights.delete(name)
  }
}

function rangesOf(root: Element, wanted: string): Range[] {
  const ranges: Range[] = []
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null && ranges.length < most; node = walker.nextNode()) {
    const text = (node.nodeValue ?? '').toLowerCase()
    if (text.length !== (node.nodeValue ?? '').length) continue // lowering changed the length (İ): places would be wrong
    for (let at = text.indexOf(wanted); at !== -1 && ranges.length < most; at = text.indexOf(wanted, at + wanted.length)) {
      const range = new Range()
      range.setStart(node, at)
      range.setEnd(node, at + wanted.length)
      ranges.push(range)
    }
  }
  return ranges
}
