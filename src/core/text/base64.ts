/** Base64 without a platform. Pure. */

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Base64 of bytes, with padding. */
export function toBase64(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let from = 0; from < bytes.length; from += 24_576) {
    const end = Math.min(bytes.length, from + 24_576) // a multiple of 3, so that pieces join without padding
    let part = ''
    for (let i = from; i < end; i += 3) {
      const [a = 0, b, c] = [bytes[i], bytes[i + 1], bytes[i + 2]]
      const bits = (a << 16) | ((b ?? 0) << 8) | (c ?? 0)
      part +=
        letters.charAt(bits >> 18) +
        letters.charAt((bits >> 12) & 63) +
        (b === undefined ? '=' : letters.charAt((bits >> 6) & 63)) +
        (c === undefined ? '=' : letters.charAt(bits & 63))
    }
    parts.push(part)
  }
  return parts.join('')
}

/** The bytes of a base64 text; undefined for anything that is none (other letters, wrong length, padding inside). */
export function fromBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const bytes = new Uint8Array((text.length / 4) * 3 - padding)
  let bits = 0
  let at = 0
  for (let i = 0; i < text.length; i++) {
    const value = i < text.length - padding ? (values[text.charCodeAt(i)] ?? -1) : 0
    if (value < 0) return undefined
    bits = (bits << 6) | value
    if (i % 4 !== 3) continue
    for (const shift of [16, 8, 0]) if (at < bytes.length) bytes[at++] = (bits >> shift) & 255
    bits = 0
  }
  return bytes
}

const values = Int8Array.from({ length: 128 }, (_, code) => letters.indexOf(String.fromCharCode(code)))
