/** Lines of an export that travel inside a page or a Markdown text, where nobody sees them (C9.7). Pure. */

/** The `id` of a look is known to no words of the chat, so nothing that somebody wrote passes for these marks. */
type Carrier = 'html' | 'markdown'

/** By which a file is known; it stands in a line of its own, near the beginning. */
export function carrierMark(form: Carrier, id: string): string {
  return form === 'html' ? `<meta name="haversack-chat" content="${id}">` : `<!-- haversack-chat ${id} -->`
}

/** The lines in front of and behind those that are carried. Neither is a script, and neither is shown. */
export function carrierFrame(form: Carrier, id: string): { begin: string; end: string } {
  return form === 'html'
    ? { begin: `<template id="haversack-${id}">`, end: '</template>' }
    : { begin: `<!-- haversack-${id}`, end: '-->' }
}

/** A line as it is carried: the same JSON, without signs that could end what is around it. */
export function carriedLine(json: string): string {
  return json.replace(/[<>&]/g, sign => `\\u00${sign.charCodeAt(0).toString(16)}`)
}

const marks = /^(?:<meta name="haversack-chat" content="([\w.-]{1,128})">|<!-- haversack-chat ([\w.-]{1,128}) -->)$/
/** The mark stands among so many first lines. */
const firstLines = 20

/** The chat that a file carries, by its beginning; undefined for one that carries none. */
export function carriedChat(lines: readonly string[]): { form: Carrier; id: string } | undefined {
  for (const line of lines.slice(0, firstLines)) {
    const found = marks.exec(line.replace(/^\uFEFF/, '').trimEnd())
    if (found !== null)
      return found[1] === undefined ? { form: 'markdown', id: found[2]! } : { form: 'html', id: found[1] }
  }
  return undefined
}

/** Takes the lines of a file in pieces and gives those that it carries; all of a file that carries none. */
export class CarriedLines {
  #state: 'begin' | 'plain' | 'around' | 'inside' = 'begin'
  #frame: { begin: string; end: string } | undefined
  #waiting: string[] = []

  take(lines: readonly string[]): string[] {
    if (this.#state === 'plain') return [...lines]
    if (this.#state !== 'begin') return this.#inside(lines)
    this.#waiting.push(...lines)
    return this.#waiting.length < firstLines ? [] : this.#decide()
  }

  /** What is left of a short file. */
  end(): string[] {
    return this.#state === 'begin' ? this.#decide() : []
  }

  #decide(): string[] {
    const lines = this.#waiting
    this.#waiting = []
    const chat = carriedChat(lines)
    this.#state = chat === undefined ? 'plain' : 'around'
    if (chat === undefined) return lines
    this.#frame = carrierFrame(chat.form, chat.id)
    return this.#inside(lines)
  }

  #inside(lines: readonly string[]): string[] {
    const found: string[] = []
    for (const line of lines) {
      if (this.#state === 'around') {
        if (line.trimEnd() === this.#frame?.begin) this.#state = 'inside'
      } else if (line.trimEnd() === this.#frame?.end) this.#state = 'around'
      else found.push(line)
    }
    return found
  }
}
