/** What a person typed where an address and a key are both welcome. Pure: nothing is asked. */
import { addressSpace } from '../../core/text/address/web-address.ts'
import type { Preset } from './catalog.ts'
import { keyOwners } from './key-forms.ts'

export type TypedAccess =
  | { type: 'nothing' }
  /** Addresses to try, the likelier first. There is no key with them. */
  | { type: 'address'; baseUrls: readonly [string, ...string[]] }
  /** `owners`: the services whose keys look like this; none where the form says nothing. */
  | { type: 'key'; key: string; owners: readonly Preset[] }
  /** Neither. */
  | { type: 'unclear' }

/**
 * Reads it. `page`: the protocol of this page, which over https may not try plain http on the internet. What could be a
 * key is never taken for an address: the name of a host is told to others before anything is connected.
 */
export function readAccess(text: string, page: string): TypedAccess {
  const typed = bare(text)
  if (typed === '') return { type: 'nothing' }
  const owners = keyOwners(typed)
  if (owners.length > 0) return { type: 'key', key: typed, owners }
  if (/\s/.test(typed)) return { type: 'unclear' }
  const baseUrls = addressesOf(typed, page)
  if (baseUrls) return { type: 'address', baseUrls }
  return looksSecret(typed) ? { type: 'key', key: typed, owners } : { type: 'unclear' }
}

/**
 * An address as it is meant: without http:// in front it gets that, or https:// where it is on the internet, and the
 * wide signs of an input method are the plain ones.
 */
export function addressOf(typed: string): string {
  const address = typed
    .trim()
    .replace(/[：／．。]/g, sign => ({ '：': ':', '／': '/' })[sign] ?? '.')
    .replace(/^\/\//, '')
  if (address === '' || hasScheme(address)) return address
  const http = `http://${address}`
  if (!URL.canParse(http)) return http
  const { hostname, port } = new URL(http)
  const isPublic = addressSpace(hostname) === 'public' && hostname.includes('.')
  return isPublic || port === '443' ? `https://${address}` : http
}

/** Undefined where it is no address. */
function addressesOf(typed: string, page: string): [string, ...string[]] | undefined {
  const address = addressOf(typed)
  if (!URL.canParse(address)) return undefined
  const { protocol, hostname, username, password } = new URL(address)
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '' || !isHost(hostname)) return undefined
  const given = hasScheme(typed.trim())
  if (!given && mayBeSecret(typed)) return undefined
  // Plain http on the internet is nothing that a page over https may try.
  const oneWay = given || /^https:\/\/[^/]+:443(\/|$)/.test(address) || (page === 'https:' && !isNear(hostname))
  return oneWay ? [address] : [address, otherScheme(address)]
}

/** A name that some computer can have: labels of at most 63 signs, of which the last is no part of a key. */
function isHost(hostname: string): boolean {
  if (hostname.startsWith('[')) return true
  const labels = hostname.replace(/\.$/, '').split('.')
  const last = labels.at(-1) ?? ''
  return (
    labels.every(label => /^[a-z\d_]([a-z\d_-]{0,61}[a-z\d_])?$/.test(label)) &&
    (labels.length === 1 || /^([a-z]{2,24}|xn--[a-z\d-]+|\d{1,3})$/.test(last))
  )
}

const isNear = (hostname: string): boolean => addressSpace(hostname) !== 'public'
const hasScheme = (text: string): boolean => /^[a-z][a-z\d+.-]*:\/\//i.test(text)

function otherScheme(address: string): string {
  return address.startsWith('https:') ? address.replace(/^https:/, 'http:') : address.replace(/^http:/, 'https:')
}

/** A word may be the name of a computer nearby, or a key; some keys have a dot or slashes in them. */
function mayBeSecret(typed: string): boolean {
  const [host = ''] = typed.split('/')
  return (
    looksSecret(typed) && host !== 'localhost' && !host.includes(':') && (!host.includes('.') || /[A-Z]/.test(host))
  )
}

/** Long, without a blank, of letters and digits: what services give out. */
function looksSecret(text: string): boolean {
  return /^[\w.~+/=-]{20,}$/.test(text) && /\d/.test(text) && /[a-z]/i.test(text)
}

/** Without what people copy along: quotes, `Bearer`, the name of a variable. */
function bare(text: string): string {
  return text
    .trim()
    .replace(/^(?:export\s+|set\s+|setx\s+)?[A-Z][A-Z\d_]*(?:KEY|TOKEN)\s*[=:]\s*/, '')
    .replace(/^(?:authorization:\s*)?bearer\s+/i, '')
    .replace(/^(["'`])(.*)\1[;,]?$/, '$2')
    .trim()
}
