/** A name for what has none: made of its content, so that the same thing has the same one again. Pure. */

/**
 * 106 bits of a text in base 36. Two different texts share a name once in some 10¹⁶ chats (by the birthday rule), so
 * that an import that goes by it takes no other chat for the same. Not for secrets.
 */
export function contentName(text: string): string {
  return half(text, 0x9e37_79b9) + half(text, 0x85eb_ca6b)
}

/** 53 bits: two products of 32 bits, each mixed with the other at the end. */
function half(text: string, seed: number): string {
  let a = 0xdead_beef ^ seed
  let b = 0x41c6_ce57 ^ seed
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    a = Math.imul(a ^ unit, 0x9e37_79b1)
    b = Math.imul(b ^ unit, 0x5f35_6495)
  }
  a = Math.imul(a ^ (a >>> 16), 0x85eb_ca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2_ae35)
  b = Math.imul(b ^ (b >>> 16), 0x85eb_ca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2_ae35)
  return (4_294_967_296 * (b & 0x1f_ffff) + (a >>> 0)).toString(36).padStart(11, '0')
}
