/** The hash of a term: the search index stores it instead of the word. Pure. */

/**
 * 32 bits of a term, never negative. Two terms share a number once in four thousand millions; a shared one brings a
 * passage too many, never one too few.
 */
export function termHash(term: string): number {
  let hash = 0x811c9dc5 // FNV-1a over UTF-16 units, then mixed so that the order of the numbers says nothing
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
