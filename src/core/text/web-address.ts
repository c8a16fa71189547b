/** Web addresses: one reading of them, for what is shown and for what is requested. Pure. */
import { AgentError } from '../errors.ts'
import { lettersOf } from './punycode.ts'

/** This computer, the network it is in, or anywhere else. */
export type AddressSpace = 'loopback' | 'local' | 'public'

/** An address that is to be requested. Plain data, it crosses to the page. */
export type WebAddress = {
  href: string              // exactly what is requested
  origin: string            // scheme, host and port
  host: string              // international names in punycode, numbers with dots; with the port where it is not the scheme's own
  /** The host as it is read: an international name in its letters, the IPv4 address inside an IPv6 one. */
  readable?: string
  space: AddressSpace
  encrypted: boolean        // https
}

/** Longest address, characters: what every server should take. Source: RFC 9110 §4.1. */
const longest = 8_000
/** Longest name that can be looked up, characters. Source: RFC 1035 §2.3.4. */
const longestHost = 253

/**
 * The address as the browser reads it. Throws `bad_input` or `blocked_address` for what is never requested: no http(s), a
 * name or password inside.
 */
export function webUrl(text: string): URL {
  if (!URL.canParse(text)) throw new AgentError('bad_input', 'That is no web address.')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new AgentError('blocked_address', `Only http and https addresses can be fetched, not ${url.protocol}`)
  if (url.username !== '' || url.password !== '') throw new AgentError('blocked_address', 'An address with a name or password in it is not fetched.')
  return url
}

/** The address of a page, with all that a person has to know before it is requested. Throws as `webUrl` does, and for what is too long to be answered. */
export function webAddress(text: string): WebAddress {
  if (text.length > longest) throw new AgentError('bad_input', `The address has ${text.length} characters; at most ${longest} are requested.`)
  const { href, origin, host, hostname, protocol } = webUrl(text)
  if (href.length > longest) throw new AgentError('bad_input', `The address has ${href.length} characters once it is encoded; at most ${longest} are requested.`)
  if (hostname.length > longestHost) throw new AgentError('bad_input', `The name of the host has ${hostname.length} characters; no name is longer than ${longestHost}.`)
  const readable = readableHost(hostname)
  return { href, origin, host, ...(readable === undefined ? {} : { readable }), space: addressSpace(hostname), encrypted: protocol === 'https:' }
}

/**
 * Where a host lies, as browsers tell it: this computer, a private, link-local or otherwise unreachable address (IANA's
 * registries of special-purpose addresses) or a name of the local network, or anywhere else. A public name may still lead
 * to a private address: only a request would tell. `host`: as `URL.hostname` gives it.
 */
export function addressSpace(host: string): AddressSpace {
  const name = host.replace(/\.$/, '')
  const numbers = ipv4Of(name)
  if (numbers) return ipv4Space(numbers)
  if (name.startsWith('[')) return name === '[::1]' || name === '[::]' ? 'loopback' : /^\[(f[cdf][0-9a-f]{2}|fe[89a-f][0-9a-f]):/.test(name) ? 'local' : 'public'
  if (name === 'localhost' || name.endsWith('.localhost') || name === 'localhost.localdomain') return 'loopback'
  return /\.(local|lan|internal|home\.arpa)$/.test(name) || name !== '' && !name.includes('.') ? 'local' : 'public'
}

function ipv4Space(numbers: readonly number[]): AddressSpace {
  const [a = 0, b = 0] = numbers
  if (a === 127 || numbers.every(number => number === 0)) return 'loopback'       // 0.0.0.0 reaches this computer
  if (a === 0 || a === 10 || a === 172 && b >= 16 && b < 32 || a === 192 && b === 168) return 'local'
  if (a === 169 && b === 254 || a === 100 && b >= 64 && b < 128) return 'local'   // link-local; behind a provider's NAT
  return a === 198 && (b === 18 || b === 19) || a >= 224 ? 'local' : 'public'     // for tests of networks; multicast and broadcast
}

/** The four numbers of an IPv4 address, also where it is mapped into IPv6; undefined for anything else. */
function ipv4Of(host: string): number[] | undefined {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(host)) return host.split('.').map(Number)
  const mapped = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(host)
  if (!mapped) return undefined
  const [high, low] = [Number.parseInt(mapped[1] ?? '', 16), Number.parseInt(mapped[2] ?? '', 16)]
  return [high >> 8, high & 255, low >> 8, low & 255]
}

/** Only a form that leads to the same host: browsers differ in which broken punycode they take. */
function readableHost(hostname: string): string | undefined {
  if (hostname.startsWith('[')) return ipv4Of(hostname)?.join('.')
  const letters = hostname.split('.').map(label => lettersOf(label)).join('.')
  const same = letters !== hostname && URL.canParse(`http://${letters}/`) && new URL(`http://${letters}/`).hostname === hostname
  return same ? letters : undefined
}

/** Letters that run from left to right, which cannot change the order of what stands around them. */
const plainLetters = /^(?:(?![\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}])[\p{L}\p{M}\p{N}])+$/u

/** What stands behind the host, with letters in place of their %-codes; what could hide or reorder something stays a code. Never throws. */
export function readableRest({ href, origin }: Pick<WebAddress, 'href' | 'origin'>): string {
  return href.slice(origin.length).replace(/(?:%[89A-F][0-9A-F])+/gi, codes => {
    try {
      const letters = decodeURIComponent(codes)
      return plainLetters.test(letters) ? letters : codes
    } catch {
      return codes   // not UTF-8
    }
  })
}
