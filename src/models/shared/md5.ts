/**
 * MD5 of a stream of bytes. Lists of weights give it for each file. Browsers do not offer it, because it does not
 * protect against an attacker.
 */
import { md5 as hash } from '@noble/hashes/legacy.js'

/** Takes the bytes in pieces of any size; `hex` ends it. */
export function md5(): { add(bytes: Uint8Array): void; hex(): string } {
  const sum = hash.create()
  return {
    add(bytes) {
      sum.update(bytes)
    },
    // The library's own way to hexadecimal asks for `toHex`, which the oldest browsers lack.
    hex: () => [...sum.digest()].map(byte => byte.toString(16).padStart(2, '0')).join(''),
  }
}
