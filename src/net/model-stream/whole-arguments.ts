/** Joins the streamed pieces of a call's arguments, whatever the dialect. Pure. */

/**
 * Most servers send increments, which together are one JSON text. Others begin with a complete placeholder (`{}`), tell
 * the whole again, tell another whole instead, or all that there is so far with each piece. Increments that are no JSON
 * stay as they are, so that the model is told what is wrong with them. Linear in the text.
 */
export function wholeArguments(pieces: readonly string[]): string {
  const joined = pieces.join('')
  if ((pieces.length < 2 && !/\}\s*\{/.test(joined)) || isJson(joined)) return joined
  const last = pieces.at(-1)!
  if (growing(pieces)) return last
  const { objects, rest } = objectsIn(joined)
  const said =
    objects.findLast(object => !/^\{\s*\}$/.test(object)) ?? (rest.trim() === '' ? objects.at(-1) : undefined)
  if (objects.length === 0 || (said === undefined && rest.trim() !== '')) return objects.length === 0 ? joined : rest
  return said ?? joined
}

/** Each piece holds the one before: snapshots. */
function growing(pieces: readonly string[]): boolean {
  return (
    pieces.length > 1 &&
    pieces.every((piece, at) => at === 0 || piece.startsWith(pieces[at - 1]!)) &&
    isJson(pieces.at(-1)!)
  )
}

/** The complete JSON objects that a text begins with, and what stands behind them. */
function objectsIn(text: string): { objects: string[]; rest: string } {
  const objects: string[] = []
  let from = 0
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (inString) {
      if (char === '\\') at++
      else if (char === '"') inString = false
      continue
    }
    if (char === '"') inString = true
    else if (char === '{' || char === '[') depth++
    else if ((char === '}' || char === ']') && depth > 0 && --depth === 0) {
      const object = text.slice(from, at + 1).trim()
      if (!isJson(object)) return { objects, rest: text.slice(from) }
      objects.push(object)
      from = at + 1
    }
  }
  return { objects, rest: text.slice(from) }
}

function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
