/** The only place that fetches. It asks only hosts that the person named or has just allowed, and keeps a ledger. */
import type { Contact } from '../core/agent/api/api.ts'
import { AgentError } from '../core/errors.ts'
import type { LogStore } from '../core/ports/ports.ts'
import { webUrl } from '../core/text/address/web-address.ts'
import { createLedger } from './ledger.ts'
import { unreachable } from './unreachable.ts'

export type AllowedFetchOptions = {
  store: Pick<LogStore, 'setting' | 'saveSetting'>
  now: () => number
  /** This app's own origin; undefined in Node. */
  ownOrigin?: string
  /** The platform's; a test hands in its own. */
  fetch?: typeof globalThis.fetch
}

type Init = {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  signal: AbortSignal
  mode?: 'cors' | 'no-cors'
}

export type AllowedFetch = {
  /** Names all model servers by their base URLs; replaces those named before. */
  allow(baseUrls: readonly string[]): void
  /**
   * For models: named servers only, or with `grant` this one address. An answer to POST comes as a mended stream,
   * unless it is wanted `whole`.
   */
  model(url: string, init: Init, options?: { grant?: boolean; whole?: boolean }): Promise<Response>
  /** For `fetch_url`, whose permission the person has given for this one address. GET, no headers of ours. */
  page(url: string, signal: AbortSignal): Promise<Response>
  contacted(): Promise<Contact[]>
  /** What other threads fetched for a model of this device. */
  count(host: string, more: { requests: number; received: number /* bytes */ }): void
  /** Stores the ledger now, before the worker ends. */
  flush(): Promise<void>
}

/** Longest body of a refusal that is read, bytes. */
const refusalBytes = 65_536

/**
 * Throws AgentError only: `blocked_address`, `network`, `stopped`. No cookies, no referrer, no cache; a redirect is
 * never followed, because a page cannot see where it leads before it is there.
 */
export function createAllowedFetch(options: AllowedFetchOptions): AllowedFetch {
  const fetch = options.fetch ?? ((input: string, init: RequestInit) => globalThis.fetch(input, init))
  const ledger = createLedger(options.store, options.now)
  let named: ReadonlySet<string> = new Set()

  const ask = async (url: URL, why: Contact['why'], init: Init): Promise<Response> => {
    const headers = new Headers(init.headers)
    // a page may set it only in Chromium; elsewhere it makes a preflight that servers refuse
    headers.delete('user-agent')
    ledger.count(url.host, why, { requests: 1, sent: init.body ? new TextEncoder().encode(init.body).length : 0 })
    let response: Response
    try {
      response = await fetch(url.href, {
        method: init.method ?? 'GET',
        headers,
        signal: init.signal,
        mode: init.mode ?? 'cors',
        ...(init.body === undefined ? {} : { body: init.body }),
        ...targetSpace(url),
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        cache: 'no-store',
        redirect: init.mode === 'no-cors' ? 'follow' : 'manual',
      })
    } catch (thrown) {
      if (init.signal.aborted) throw new AgentError('stopped', 'Stopped by the user.')
      throw unreachable(url, thrown)
    }
    return counted(response, bytes => ledger.count(url.host, why, { received: bytes }))
  }

  return {
    allow(baseUrls) {
      named = new Set(baseUrls.flatMap(base => (URL.canParse(base) ? [new URL(base).origin] : [])))
    },
    async model(address, init, { grant = false, whole = false } = {}) {
      const url = webUrl(address)
      if (!grant && !named.has(url.origin) && url.origin !== options.ownOrigin) {
        throw new AgentError(
          'blocked_address',
          `${url.host} is not among the servers that you named, so nothing was sent to it.`,
          { data: { host: url.host } },
        )
      }
      const response = await ask(url, 'model', init)
      refuseRedirect(response, url)
      if (!response.ok) return shortened(response)
      if (init.method !== 'POST' || whole || !response.body) return response
      const { normalizeSse } = await import('./model-stream/normalize-sse.ts')
      return new Response(response.body.pipeThrough(normalizeSse()), {
        status: response.status,
        headers: { 'content-type': 'text/event-stream' },
      })
    },
    async page(address, signal) {
      const url = webUrl(address)
      const response = await ask(url, 'tool', {
        signal,
        headers: { accept: 'text/html, text/markdown, text/plain, application/json;q=0.9, */*;q=0.5' },
      })
      refuseRedirect(response, url)
      return response
    },
    contacted: () => ledger.rows(),
    count: (host, more) => {
      ledger.count(host, 'model', more)
    },
    flush: () => ledger.flush(),
  }
}

/**
 * A page over https reaches a plain http server of the local network only where the browser knows beforehand that it is
 * one. It knows numbers and `.local`; of other names it must be told. A name that turns out to lie elsewhere is
 * refused, as it would have been without. Source: Chromium's Local Network Access.
 */
function targetSpace(url: URL): object {
  const secure = (globalThis as { location?: { protocol: string } }).location?.protocol === 'https:'
  return secure &&
    url.protocol === 'http:' &&
    /^[^.:]+$|\.(lan|internal|home\.arpa)$/.test(url.hostname) &&
    url.hostname !== 'localhost'
    ? { targetAddressSpace: 'local' }
    : {}
}

/** In a browser a redirect is opaque: neither its status nor its target can be read. */
function refuseRedirect(response: Response, url: URL): void {
  const opaque = response.type === 'opaqueredirect'
  if (!opaque && (response.status < 300 || response.status > 399)) return
  const to = opaque ? undefined : target(response.headers.get('location'), url)
  throw new AgentError(
    'blocked_address',
    `${url.host} sends on to ${to ? to.href : 'another address'}, and redirects are not followed, so that nothing goes to a host that was not allowed.${to ? '' : ' Give the final address.'}`,
    { data: { host: url.host, redirect: true, ...(to ? { to: to.href } : {}) } },
  )
}

function target(location: string | null, from: URL): URL | undefined {
  return location !== null && URL.canParse(location, from) ? new URL(location, from) : undefined
}

/** The same response, whose bytes are counted as they are read. */
function counted(response: Response, count: (bytes: number) => void): Response {
  if (!response.body || response.type === 'opaque' || response.type === 'opaqueredirect') return response
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      count(bytes.length)
      controller.enqueue(bytes)
    },
  })
  return new Response(response.body.pipeThrough(counter), {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  })
}

/** A refusal whose body ends after 64 KiB: what says why stands at its beginning. */
function shortened(response: Response): Response {
  if (!response.body) return response
  let left = refusalBytes
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      controller.enqueue(bytes.subarray(0, left))
      left -= bytes.length
      if (left <= 0) controller.terminate()
    },
  })
  return new Response(response.body.pipeThrough(limit), {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  })
}
