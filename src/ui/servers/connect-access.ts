/**
 * Connects an address or a key that was typed. Several addresses may be tried, but never with a key: that goes to the
 * one host that the person has seen and confirmed.
 */
import type { Diagnosis } from '../../core/ports/server-diagnosis.ts'
import type { ProbeReport, Server } from '../../core/ports/ports.ts'
import { serverNameOf, usualLocalAddresses } from '../../models/catalogue/catalog.ts'
import { failureOf } from '../state/library.svelte.ts'

/** The part of the settings that is needed here. */
export type ServerSettings = {
  readonly servers: readonly Server[]
  connect(
    server: Server,
    nameOf: (baseUrl: string, kind: ProbeReport['kind']) => string,
  ): Promise<{ models: string[]; baseUrl: string; name: string }>
  probe(server: Server): Promise<ProbeReport>
  diagnose(server: Server): Promise<Diagnosis>
}

export type ConnectedServer = { id: string; name: string; baseUrl: string; models: readonly string[] }

/** `server`: what was asked first, for whoever looks for the cause. */
export type ConnectResult =
  | { type: 'connected'; server: ConnectedServer }
  | { type: 'failed'; server: Server; failure: ReturnType<typeof failureOf> }

/** Failures whose cause the doctor can look for. */
export function hasCause(code: string): boolean {
  return /^(network|blocked_address|model_(auth|credit|not_found|protocol|rate_limited|refused|server))$/.test(code)
}

/** Tries these addresses, without any key but one that is kept for that very server. Never throws. */
export async function connectAddress(settings: ServerSettings, baseUrls: readonly string[]): Promise<ConnectResult> {
  let first: ConnectResult | undefined
  for (const baseUrl of baseUrls) {
    const tried = await connect(settings, serverFor(settings.servers, { baseUrl, name: '' }))
    // What answers, if only with a no, is the server that was meant.
    if (tried.type === 'connected' || tried.failure.code !== 'network') return tried
    first ??= tried
  }
  return first ?? Promise.reject(new TypeError('no address to try'))
}

/** Sends the key to this one address, after the person has seen and confirmed its host. Never throws. */
export function connectKey(
  settings: ServerSettings,
  access: { key: string; baseUrl: string; name?: string; dialect?: Server['dialect'] },
): Promise<ConnectResult> {
  return connect(settings, serverFor(settings.servers, access))
}

async function connect(settings: ServerSettings, server: Server): Promise<ConnectResult> {
  try {
    const { models, baseUrl, name } = await settings.connect(server, serverNameOf)
    return { type: 'connected', server: { id: server.id, name, baseUrl, models } }
  } catch (error) {
    return { type: 'failed', server, failure: failureOf(error) }
  }
}

/** The server that was named before at this address, with what is kept of it, else a new one. */
function serverFor(
  servers: readonly Server[],
  { key, baseUrl, name = '', dialect }: { key?: string; baseUrl: string; name?: string; dialect?: Server['dialect'] },
): Server {
  const known = servers.find(server => isSameAddress(server.baseUrl, baseUrl))
  return {
    id: newServerId(),
    name,
    ...(dialect ? { dialect } : {}),
    ...known,
    baseUrl: known?.baseUrl ?? baseUrl,
    models: [],
    ...(key === undefined ? {} : { key }),
  }
}

/** The same origin and path, whether the version at its end was typed or not. */
function isSameAddress(one: string, other: string): boolean {
  const bare = (url: string): string => url.replace(/\/+$/, '').replace(/\/v1$/, '')
  return bare(one) === bare(other)
}

export function newServerId(): string {
  return [...crypto.getRandomValues(new Uint8Array(8))].map(byte => byte.toString(36).padStart(2, '0')).join('')
}

/** What was found at a usual address: models, or somebody who cannot be asked. */
export type LocalServer = { name: string; baseUrl: string; models: readonly string[] }

/** A server of this machine answers at once, or is busy. Unit: ms. */
const localPatience = 5_000

/** Faults that say somebody is there, or that the browser stands in between; of the others nobody need hear. */
const worthTelling = new Set([
  'cors',
  'preflight',
  'mixed content',
  'network refused',
  'network not asked',
  'key missing',
  'no models',
  'loading',
])

/**
 * Asks the usual addresses of this machine, all at once, because the person wished it. `models` is empty where somebody
 * is there and the cause of the silence can be looked for. Never throws.
 */
export async function lookHere(settings: ServerSettings): Promise<LocalServer[]> {
  const looked = await Promise.all(
    usualLocalAddresses.map(async (baseUrl): Promise<LocalServer | undefined> => {
      const server = serverFor(settings.servers, { baseUrl, name: '' })
      const bare: Server = { ...server, id: `look ${new URL(baseUrl).port}`, baseUrl }
      const answer = await inTime(settings.probe(bare))
      if (answer && answer.models.length > 0) {
        const at = answer.baseUrl ?? baseUrl
        return { name: serverNameOf(at, answer.kind), baseUrl: at, models: answer.models }
      }
      const cause = await inTime(settings.diagnose(bare))
      return cause?.fault && worthTelling.has(cause.fault)
        ? { name: new URL(baseUrl).host, baseUrl, models: [] }
        : undefined
    }),
  )
  return looked.filter(found => found !== undefined)
}

/** Undefined where it fails or takes too long. */
function inTime<T>(task: Promise<T>): Promise<T | undefined> {
  return Promise.race([
    task.catch(() => undefined),
    new Promise<undefined>(resolve => {
      setTimeout(() => {
        resolve(undefined)
      }, localPatience)
    }),
  ])
}
