/** Morphs existing DOM nodes into new ones with minimal changes: a growing block keeps its nodes. */

/**
 * The children of `old` become those of `fresh`, which is used up. A text that only grew is added to, so that a
 * selection in it stays.
 */
export function morph(old: Node, fresh: Node): void {
  const wanted = [...fresh.childNodes]
  for (const [i, node] of wanted.entries()) {
    const there = old.childNodes[i]
    if (there === undefined) old.appendChild(node)
    else if (!isAlike(there, node)) old.replaceChild(node, there)
    else if (there instanceof Text) grow(there, node.textContent ?? '')
    else morph(there, node)
  }
  while (old.childNodes.length > wanted.length) old.lastChild!.remove()
}

function grow(there: Text, text: string): void {
  if (there.data === text) return
  if (text.startsWith(there.data)) there.appendData(text.slice(there.data.length))
  else there.data = text
}

function isAlike(a: Node, b: Node): boolean {
  if (a.nodeType !== b.nodeType || a.nodeName !== b.nodeName) return false
  if (!(a instanceof Element && b instanceof Element)) return true
  return (
    a.attributes.length === b.attributes.length &&
    [...a.attributes].every(({ name, value }) => b.getAttribute(name) === value)
  )
}
