/** Parses the beginning of a JSON text that may be cut off: a file may be a gigabyte in one line. Pure. */

/** Real files are not nested deeper; a deeper text is not parsed further. */
const deepest = 60

/**
 * The value that a text begins with. What is cut off at the end of the text ends there: lists and objects hold what
 * came, an unfinished string or number counts as far as it goes. Undefined where the text is no JSON. Time grows with
 * the text; never throws.
 */
export function jsonBeginning(text: string): unknown {
  const reader = new Reader(text)
  const value = reader.value(0)
  return reader.broken ? undefined : value
}

class Reader {
  /** Something stands there that no JSON has. */
  broken = false
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  value(depth: number): unknown {
    const sign = this.#next()
    if (sign === '') return undefined
    if (depth > deepest) return this.#break()
    if (sign === '{') return this.#object(depth)
    if (sign === '[') return this.#list(depth)
    if (sign === '"') return this.#string()
    return this.#word()
  }

  #object(depth: number): Record<string, unknown> | undefined {
    const found: Record<string, unknown> = Object.create(null) as Record<string, unknown> // a key may be "__proto__"
    this.#at++
    for (;;) {
      const sign = this.#next()
      if (sign === '' || this.#ends('}')) return found
      if (sign === ',') {
        this.#at++
        continue
      }
      if (sign !== '"') return this.#break()
      const key = this.#string()
      if (key === undefined || this.#next() === '') return found
      if (this.#text[this.#at++] !== ':') return this.#break()
      if (this.#next() === '') return found
      found[key] = this.value(depth + 1)
      if (this.broken) return undefined
    }
  }

  #list(depth: number): unknown[] | undefined {
    const found: unknown[] = []
    this.#at++
    for (;;) {
      const sign = this.#next()
      if (sign === '' || this.#ends(']')) return found
      if (sign === ',') {
        this.#at++
        continue
      }
      found.push(this.value(depth + 1))
      if (this.broken) return undefined
    }
  }

  #string(): string | undefined {
    const from = ++this.#at
    for (; this.#at < this.#text.length; this.#at++) {
      const sign = this.#text[this.#at]
      if (sign === '\\') this.#at++
      else if (sign === '"') return this.#unescaped(this.#text.slice(from, this.#at++))
    }
    return this.#text.slice(from) // cut off
  }

  #unescaped(text: string): string | undefined {
    if (!text.includes('\\')) return text
    try {
      return JSON.parse(`"${text}"`) as string
    } catch {
      return this.#break()
    }
  }

  #word(): unknown {
    const word = /^[\w.+-]+/.exec(this.#text.slice(this.#at, this.#at + 40))?.[0] ?? ''
    this.#at += word.length
    if (this.#at >= this.#text.length && word !== '') return undefined // may go on
    if (word === 'true' || word === 'false') return word === 'true'
    if (word === 'null') return null
    return word !== '' && Number.isFinite(Number(word)) ? Number(word) : this.#break()
  }

  /** The sign that comes next, behind blanks; '' at the end. */
  #next(): string {
    while (this.#at < this.#text.length && ' \t\r\n'.includes(this.#text[this.#at]!)) this.#at++
    return this.#text[this.#at] ?? ''
  }

  #ends(close: string): boolean {
    if (this.#text[this.#at] !== close) return false
    this.#at++
    return true
  }

  #break(): undefined {
    this.broken = true
    this.#at = this.#text.length
  }
}
