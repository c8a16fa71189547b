/**
 * The letters of an international name (RFC 3492). Only ever shown beside the name itself: letters of two alphabets
 * look alike. Pure.
 */

/** Numbers of RFC 3492 §5. */
const base = 36
const [tMin, tMax, skew, damp, firstBias, firstCode] = [1, 26, 38, 700, 72, 128]

/**
 * A label of a host in its letters; the label itself where it is not in punycode, is broken, or holds more than
 * letters, marks, digits and hyphens. Never throws.
 */
export function lettersOf(label: string): string {
  if (!label.startsWith('xn--')) return label
  const letters = decoded(label.slice(4))
  return letters !== undefined && /^(?:(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{M}\p{N}-])+$/u.test(letters)
    ? letters
    : label
}

function decoded(text: string): string | undefined {
  const end = text.lastIndexOf('-')
  const codes = Array.from(text.slice(0, Math.max(end, 0)), letter => letter.codePointAt(0) ?? 0)
  let [code, bias, place, at] = [firstCode, firstBias, 0, end + 1]
  while (at < text.length) {
    const before = place
    for (let weight = 1, k = base; ; k += base) {
      const digit = digitOf(text.charCodeAt(at++))
      if (digit === undefined) return undefined
      place += digit * weight
      const threshold = Math.min(Math.max(k - bias, tMin), tMax)
      if (digit < threshold) break
      weight *= base - threshold
    }
    const length = codes.length + 1
    bias = adapted(place - before, { length, first: before === 0 })
    code += Math.floor(place / length)
    if (!(code <= 0x10ffff)) return undefined
    place %= length
    codes.splice(place++, 0, code)
  }
  return String.fromCodePoint(...codes)
}

function digitOf(code: number): number | undefined {
  if (code >= 0x61 && code <= 0x7a) return code - 0x61 // a–z: 0…25
  return code >= 0x30 && code <= 0x39 ? code - 0x30 + 26 : undefined // 0–9: 26…35
}

function adapted(delta: number, { length, first }: { length: number; first: boolean }): number {
  let left = Math.floor(delta / (first ? damp : 2))
  left += Math.floor(left / length)
  let k = 0
  for (; left > ((base - tMin) * tMax) / 2; k += base) left = Math.floor(left / (base - tMin))
  return k + Math.floor(((base - tMin + 1) * left) / (left + skew))
}
