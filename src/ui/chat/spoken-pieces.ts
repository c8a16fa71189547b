/** An answer as it is read out: in pieces that end at a sentence or a paragraph, each said once. Pure. */

/** A piece is not shorter than this while more may come, and not longer. Unit: UTF-16 units. */
const [shortest, longest] = [40, 280]

/** Where one may breathe: behind a sentence, in any script, or at the end of a paragraph or a line of a list. */
const borders = /[.!?…]["'”’»)\]]*(?=\s)|[。！？…؟۔।]["'”’」』）]*|\n+/g

/** The pieces of an answer that grows, in order. */
export class SpokenPieces {
  #text = ''
  #said = 0 // UTF-16 units of it

  /** The answer so far; one that does not go on with the text before is another answer. Answers with what is whole. */
  grow(text: string): string[] {
    if (!text.startsWith(this.#text.slice(0, this.#said))) this.#said = 0
    this.#text = text
    return this.#take(false)
  }

  /** The answer is done: the rest of it. Nothing of it is said again. */
  end(whole: string = this.#text): string[] {
    const pieces = [...this.grow(whole), ...this.#take(true)]
    this.#text = ''
    this.#said = 0
    return pieces
  }

  #take(isWhole: boolean): string[] {
    const pieces: string[] = []
    for (;;) {
      const rest = this.#text.slice(this.#said)
      const length = pieceLength(rest, isWhole)
      if (length === 0) return pieces
      this.#said += length
      const spoken = spokenText(rest.slice(0, length))
      if (spoken !== '') pieces.push(spoken)
    }
  }
}

/** How much of the text is the next piece; 0: none is whole yet. */
function pieceLength(rest: string, isWhole: boolean): number {
  let found = 0
  borders.lastIndex = 0
  for (let border = borders.exec(rest); border !== null; border = borders.exec(rest)) {
    const end = border.index + border[0].length
    if (end > longest && found > 0) break
    found = end
    if (found >= shortest) break
  }
  if (found >= shortest && found <= longest) return found
  if (isWhole && rest.length <= longest) return rest.length
  if (rest.length <= longest) return 0
  // No border in sight: between words, else anywhere but inside of a pair.
  const blank = rest.lastIndexOf(' ', longest)
  const cut = blank > shortest ? blank + 1 : longest
  return /[\uD800-\uDBFF]/.test(rest[cut - 1]!) ? cut + 1 : cut
}

/** Markdown without its marks: what stands in links and emphasis is said, addresses, fences and rules are not. */
export function spokenText(markdown: string): string {
  return markdown
    .replace(/^\s*(?:```|~~~).*$/gm, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s*(?:#{1,6}|>|[-*+])\s+/gm, '')
    .replace(/^[\s|:-]+$/gm, '')
    .replace(/\*\*|__|`|~~/g, '')
    .replace(/(^|\s)[*_](?=\S)|(?<=\S)[*_](?=[\s.,;:!?]|$)/g, '$1')
    .replace(/\s*\|\s*/g, ', ')
    .replace(/\s+/g, ' ')
    .replace(/,(?:\s*,)+/g, ',')
    .replace(/^[,\s]+|[,\s]+$/g, '')
}
