/** Formats an id: 128 random bits as 25 digits of base 36. Pure; the random bits come from the caller. */

/** 128 bits need 25 digits in base 36. */
const idDigits = 25

/** The id made of these 16 random bytes. */
export function idFrom(bytes: Uint8Array): string {
  const bits = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  return bits.toString(36).padStart(idDigits, '0')
}
