/** Web addresses: one reading of them, for what is shown and for what is requested, and where a host lies. Pure. */
import { AgentError } from '../../errors.ts'

/** This computer, the network it is in, or anywhere else. */
export type AddressSpace = 'loopback' | 'local' | 'public'

/**
 * The address as the browser reads it. Throws `bad_input` or `blocked_address` for what is never requested: no http(s),
 * a name or password inside.
 */
export function webUrl(text: string): URL {
  if (!URL.canParse(text)) throw new AgentError('bad_input', 'That is no web address.')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new AgentError('blocked_address', `Only http and https addresses can be fetched, not ${url.protocol}`)
  if (url.username !== '' || url.password !== '')
    throw new AgentError('blocked_address', 'An address with a name or password in it is not fetched.')
  return url
}

/**
 * Where a host lies, as browsers tell it: this computer, a private, link-local or otherwise unreachable address (IANA's
 * registries of special-purpose addresses) or a name of the local network, or anywhere else. A public name may still
 * lead to a private address: only a request would tell. `host`: as `URL.hostname` gives it.
 */
export function addressSpace(host: string): AddressSpace {
  const name = host.replace(/\.$/, '')
  const numbers = ipv4Of(name)
  if (numbers) return ipv4Space(numbers)
  if (name.startsWith('['))
    return name === '[::1]' || name === '[::]'
      ? 'loopback'
      : /^\[(f[cdf][0-9a-f]{2}|fe[89a-f][0-9a-f]):/.test(name)
        ? 'local'
        : 'public'
  if (name === 'localhost' || name.endsWith('.localhost') || name === 'localhost.localdomain') return 'loopback'
  return /\.(local|lan|internal|home\.arpa)$/.test(name) || (name !== '' && !name.includes('.')) ? 'local' : 'public'
}

function ipv4Space(numbers: readonly number[]): AddressSpace {
  const [a = 0, b = 0] = numbers
  if (a === 127 || numbers.every(number => number === 0)) return 'loopback' // 0.0.0.0 reaches this computer
  if (a === 0 || a === 10 || (a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168)) return 'local'
  // link-local; behind a provider's NAT
  if ((a === 169 && b === 254) || (a === 100 && b >= 64 && b < 128)) return 'local'
  // for tests of networks; multicast and broadcast
  return (a === 198 && (b === 18 || b === 19)) || a >= 224 ? 'local' : 'public'
}

/** The four numbers of an IPv4 address, also where it is mapped into IPv6; undefined for anything else. */
export function ipv4Of(host: string): number[] | undefined {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(host)) return host.split('.').map(Number)
  const mapped = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(host)
  if (!mapped) return undefined
  const [high, low] = [Number.parseInt(mapped[1] ?? '', 16), Number.parseInt(mapped[2] ?? '', 16)]
  return [high >> 8, high & 255, low >> 8, low & 255]
}
