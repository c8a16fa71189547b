/** Whole numbers in as few bytes as they need, seven bits each: for the packed search index. Pure. */

/** Bytes that grow as they are written. */
export class ByteWriter {
  #bytes = new Uint8Array(1024)
  #length = 0

  get length(): number {
    return this.#length
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow(this.#length + 1)
    this.#bytes[this.#length++] = value
  }

  /** A whole number from 0 to 2^53 − 1. */
  number(value: number): void {
    while (value > 0x7f) {
      this.byte((value % 128) | 0x80)
      value = Math.floor(value / 128)
    }
    this.byte(value)
  }

  /** A whole number of either sign, small ones short. */
  signed(value: number): void {
    this.number(value < 0 ? -2 * value - 1 : 2 * value)
  }

  text(text: string): void {
    this.number(text.length)
    for (let i = 0; i < text.length; i++) this.number(text.charCodeAt(i))
  }

  bytes(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#bytes.length) this.#grow(this.#length + bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** What was written, in a buffer of its own. */
  done(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }

  clear(): void {
    this.#length = 0
  }

  #grow(least: number): void {
    const larger = new Uint8Array(Math.max(least, 2 * this.#bytes.length))
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}

/** Reads what a `ByteWriter` wrote, from `at` on. Behind the end it reads zeros, so broken bytes never run on. */
export class ByteReader {
  readonly #bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes
    this.at = at
  }

  get isDone(): boolean {
    return this.at >= this.#bytes.length
  }

  byte(): number {
    return this.#bytes[this.at++] ?? 0
  }

  number(): number {
    let byte = this.byte()
    if (byte < 0x80) return byte
    let value = byte & 0x7f
    for (let unit = 128; ; unit *= 128) {
      byte = this.byte()
      value += (byte & 0x7f) * unit
      if (byte < 0x80) return value
    }
  }

  signed(): number {
    const value = this.number()
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2
  }

  text(): string {
    let text = ''
    for (let left = this.number(); left > 0 && !this.isDone; left--) text += String.fromCharCode(this.number())
    return text
  }
}
