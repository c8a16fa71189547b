/** Diagnoses a server that does not answer: probes it in several ways until the cause is known. Loaded on demand. */
import { AgentError } from '../../core/errors.ts'
import type { Server } from '../../core/ports/ports.ts'
import type { Diagnosis } from '../../core/ports/server-diagnosis.ts'
import { addressSpace } from '../../core/text/address/web-address.ts'
import { cleanBaseUrl, hasVersion, presets } from '../catalogue/catalog.ts'
import { chatRoute, headersFor, listRoute } from '../catalogue/dialects.ts'
import { diagnose, type ProbeResult, type ProbeFindings, type Probe } from './diagnose.ts'
import { networkPermission, type BrowserScope } from './local-network.ts'
import type { ModelFetch, ModelRequestInit } from '../shared/model-fetch.ts'
import { isModelList } from '../catalogue/model-list.ts'

export type DoctorOptions = {
  fetch: ModelFetch
  /** Where the app runs; a test hands in its own. */
  here?: BrowserScope
  /** The longest wait for one answer, ms. */
  patience?: number
}

/** Long enough for a slow line, short enough to wait for: at most three such waits follow each other. Unit: ms. */
const defaultPatience = 8_000
/** A neighbour answers at once or is not there. Unit: ms. */
const neighbourPatience = 1_500
/** Most of a body that is read, UTF-16 units: a list of models of a large provider has some 500 000. */
const bodyChars = 4_000_000

/** Throws `stopped` only; every other trouble is what it is looking for. Sends no chat and no question to the model. */
export async function diagnoseServer(
  server: Server,
  model: string | undefined,
  options: DoctorOptions,
  signal: AbortSignal,
): Promise<Diagnosis> {
  const here = options.here ?? (globalThis as BrowserScope)
  const probes = probesOf(server, { ...options, here }, signal)
  let found: ProbeFindings = {
    server,
    ...(model === undefined ? {} : { model }),
    page: {
      protocol: here.location?.protocol ?? '',
      host: here.location?.hostname ?? '',
      online: here.navigator?.onLine !== false,
      webkit:
        /AppleWebKit/.test(here.navigator?.userAgent ?? '') &&
        !/Chrom|Edg|Android/.test(here.navigator?.userAgent ?? ''),
    },
  }
  for (;;) {
    const verdict = diagnose(found)
    if (!('wants' in verdict)) return verdict
    const answer = await probes[verdict.wants]()
    if (signal.aborted) throw new AgentError('stopped', 'Stopped by the user.')
    found = { ...found, [verdict.wants]: answer }
  }
}

function probesOf(
  server: Server,
  { fetch, here, patience = defaultPatience }: DoctorOptions & { here: BrowserScope },
  signal: AbortSignal,
): { [P in Probe]: () => Promise<NonNullable<ProbeFindings[P]> | null> } {
  const baseUrl = cleanBaseUrl(server.baseUrl)
  const all = headersFor(server)
  const key = headersFor({ ...server, headers: {} })

  const ask = async (
    url: string,
    init: Omit<ModelRequestInit, 'signal'> = {},
    within = patience,
  ): Promise<ProbeResult> => {
    const limit = AbortSignal.timeout(within)
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.any([signal, limit]) }, { grant: true })
      return { reached: true, status: response.status, body: (await response.text()).slice(0, bodyChars) }
    } catch (thrown) {
      if (limit.aborted) return { reached: false, late: true }
      return { reached: false, ...(thrown instanceof AgentError && thrown.data['redirect'] ? { redirect: true } : {}) }
    }
  }
  const list = (headers: Record<string, string>): Promise<ProbeResult> => ask(listRoute(server, baseUrl), { headers })
  const question = (headers: Record<string, string>): Promise<ProbeResult> =>
    ask(chatRoute(server, baseUrl), {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{}',
    })
  const isThere = async (url: string, within?: number): Promise<boolean> =>
    (await ask(url, { mode: 'no-cors' }, within)).reached

  return {
    list: () => list(all),
    bare: () => list(headersFor(server, { bare: true })),
    keyed: () => list(key),
    ask: () => question(all),
    askKeyed: () => question(key),
    there: () => isThere(`${new URL(baseUrl).origin}/`),
    permission: () => networkPermission(new URL(baseUrl).hostname, here),
    near: async () => {
      const candidates = neighbours(baseUrl)
      const there = await Promise.all(candidates.map(url => isThere(`${new URL(url).origin}/`, neighbourPatience)))
      return candidates.find((_, i) => there[i]) ?? null
    },
    versioned: async () => {
      for (const url of new Set([...(hasVersion(baseUrl) ? [] : [`${baseUrl}/v1`]), `${new URL(baseUrl).origin}/v1`])) {
        if (url === baseUrl) continue
        const answer = await ask(listRoute(server, url), { headers: all })
        if (answer.reached && answer.status === 200 && isModelList(answer.body)) return url
      }
      return null
    },
  }
}

/** The other scheme, and in reach of this machine the usual ports of the known servers. */
function neighbours(baseUrl: string): string[] {
  const url = new URL(baseUrl)
  const other = url.protocol === 'https:' ? 'http:' : 'https:'
  const swapped = url.port === '' ? [] : [`${other}//${url.host}${url.pathname.replace(/\/$/, '')}`]
  if (addressSpace(url.hostname) === 'public') return swapped
  const ports = presets
    .filter(preset => preset.local)
    .map(preset => new URL(preset.baseUrl).port)
    .filter(port => port !== url.port)
  return [...ports.map(port => `http://${url.hostname}:${port}/v1`), ...swapped]
}
