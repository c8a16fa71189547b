/** How a file is written, by its first bytes. Pure. */

/** What a file is that cannot be read as lines of text. */
export type NotTextKind = 'packed' | 'utf-32'

export class NotText extends Error {
  readonly kind: NotTextKind
  constructor(kind: NotTextKind) {
    super(`The file is ${kind}`)
    this.kind = kind
  }
}

/** The name of the encoding for a TextDecoder. Throws `NotText`. */
export function encodingOf(first: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const [a = -1, b = -1, c = -1, d = -1] = first
  const begins = (...bytes: number[]): boolean => bytes.every((byte, at) => first[at] === byte)
  // gzip, zip, zstd, xz
  if (
    begins(0x1f, 0x8b) ||
    begins(0x50, 0x4b, 0x03, 0x04) ||
    begins(0x28, 0xb5, 0x2f, 0xfd) ||
    begins(0xfd, 0x37, 0x7a, 0x58)
  )
    throw new NotText('packed')
  if (begins(0xff, 0xfe, 0, 0) || begins(0, 0, 0xfe, 0xff)) throw new NotText('utf-32')
  if (begins(0xff, 0xfe)) return 'utf-16le'
  if (begins(0xfe, 0xff)) return 'utf-16be'
  // Without a mark: lines begin with a sign of ASCII, so every second byte is 0.
  if (a > 0 && b === 0 && c > 0 && d === 0) return 'utf-16le'
  if (a === 0 && b > 0 && c === 0 && d > 0) return 'utf-16be'
  return 'utf-8'
}
