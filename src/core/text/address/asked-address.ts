/** A web address as it is shown to a person who has to allow it. Pure. */
import { AgentError } from '../../errors.ts'
import { lettersOf } from './punycode.ts'
import { addressSpace, ipv4Of, webUrl, type AddressSpace } from './web-address.ts'

/** An address that is to be requested. Plain data, it crosses to the page. */
export type WebAddress = {
  href: string // exactly what is requested
  origin: string // scheme, host and port
  host: string // international names in punycode, numbers with dots; with the port where it is not the scheme's own
  /** The host as it is read: an international name in its letters, the IPv4 address inside an IPv6 one. */
  readable?: string
  space: AddressSpace
  encrypted: boolean // https
}

/** Longest address, characters: what every server should take. Source: RFC 9110 §4.1. */
const longest = 8_000
/** Longest name that can be looked up, characters. Source: RFC 1035 §2.3.4. */
const longestHost = 253

/**
 * The address of a page, with all that a person has to know before it is requested. Throws as `webUrl` does, and for
 * what is too long to be answered.
 */
export function webAddress(text: string): WebAddress {
  if (text.length > longest)
    throw new AgentError('bad_input', `The address has ${text.length} characters; at most ${longest} are requested.`)
  const { href, origin, host, hostname, protocol } = webUrl(text)
  if (href.length > longest)
    throw new AgentError(
      'bad_input',
      `The address has ${href.length} characters once it is encoded; at most ${longest} are requested.`,
    )
  if (hostname.length > longestHost)
    throw new AgentError(
      'bad_input',
      `The name of the host has ${hostname.length} characters; no name is longer than ${longestHost}.`,
    )
  const readable = readableHost(hostname)
  return {
    href,
    origin,
    host,
    ...(readable === undefined ? {} : { readable }),
    space: addressSpace(hostname),
    encrypted: protocol === 'https:',
  }
}

/** Letters that are seen and run from left to right, which cannot change the order of what stands around them. */
const plainLetters =
  /^(?:(?![\p{Default_Ignorable_Code_Point}\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}])[\p{L}\p{M}\p{N}])+$/u

/**
 * What stands behind the host, with letters in place of their %-codes; what could hide or reorder something stays a
 * code. Never throws.
 */
export function readableRest({ href, origin }: Pick<WebAddress, 'href' | 'origin'>): string {
  return href.slice(origin.length).replace(/(?:%[89A-F][0-9A-F])+/gi, codes => {
    try {
      const letters = decodeURIComponent(codes)
      return plainLetters.test(letters) ? letters : codes
    } catch {
      return codes // not UTF-8
    }
  })
}

/** Only a form that leads to the same host: browsers differ in which broken punycode they take. */
function readableHost(hostname: string): string | undefined {
  if (hostname.startsWith('[')) return ipv4Of(hostname)?.join('.')
  const letters = hostname
    .split('.')
    .map(label => lettersOf(label))
    .join('.')
  const same =
    letters !== hostname && URL.canParse(`http://${letters}/`) && new URL(`http://${letters}/`).hostname === hostname
  return same ? letters : undefined
}
