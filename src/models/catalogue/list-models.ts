/** Which models a server lists, with what it tells of them. */
import { AgentError } from '../../core/errors.ts'
import type { Price, Server } from '../../core/ports/ports.ts'
import type { ServerKind } from '../../core/ports/server-diagnosis.ts'
import { capabilitiesInList, probeCapabilities, type CapabilitiesByModel } from './capabilities.ts'
import { cleanBaseUrl, hasVersion } from './catalog.ts'
import { chatModels } from './chat-models.ts'
import { headersFor, listRoute } from './dialects.ts'
import type { ModelFetch } from '../shared/model-fetch.ts'
import { modelsIn } from './model-list.ts'
import { pricesInList } from './prices.ts'
import { refusalError } from '../server-errors/server-errors.ts'
import { probeContextWindows, serverKindOf, windowsInList, type ReportedWindows } from './context-window-probe.ts'

export type ModelListing = {
  models: string[]
  kind?: ServerKind
  /** The same where it is no guess: the list says it, or the port is one that only this kind uses. */
  knownKind?: ServerKind
  /** Where the list, or another answer of this server, tells them. */
  windows: ReportedWindows
  prices: Record<string, Price>
  abilities: CapabilitiesByModel
  /** The one window of all listed models, tokens. */
  contextWindow?: number
  /** Where the list was found. */
  baseUrl: string
}

/** Asks `GET <address>/models`, then once with /v1 where that is missing. Throws AgentError with what to do. */
export async function listModels(server: Server, fetch: ModelFetch, signal: AbortSignal): Promise<ModelListing> {
  const baseUrl = cleanBaseUrl(server.baseUrl)
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new AgentError('bad_input', 'The address must start with http:// or https://.')
  try {
    return await ask({ ...server, baseUrl }, fetch, signal)
  } catch (thrown) {
    if (!(thrown instanceof AgentError)) throw thrown
    const mayBePath =
      thrown.code === 'model_not_found' || thrown.code === 'model_protocol' || thrown.data['status'] === 405
    if (!mayBePath || hasVersion(baseUrl)) throw thrown
    return await ask({ ...server, baseUrl: `${baseUrl}/v1` }, fetch, signal).catch(() => {
      throw thrown
    })
  }
}

async function ask(server: Server, fetch: ModelFetch, signal: AbortSignal): Promise<ModelListing> {
  const response = await fetch(listRoute(server), { headers: headersFor(server), signal }, { grant: true })
  const body = await response.text()
  if (!response.ok)
    throw refusalError({ server, status: response.status, body, headers: Object.fromEntries(response.headers) })
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    throw refusalError({ server, status: response.status, body })
  }
  const listed = modelsIn(value)
  if (!listed) throw refusalError({ server, status: response.status, body })
  const models = chatModels(listed).map(model => model.id)
  const kind = serverKindOf(listed, server.baseUrl)
  const { windows: served, abilities: own } = await probeModels(server, kind, models, fetch, signal)
  const windows = { ...windowsInList(listed, kind), ...served }
  const abilities = { ...capabilitiesInList(listed), ...own }
  const told = models.map(name => windows[name]?.tokens)
  const same = told[0] !== undefined && new Set(told).size === 1 ? told[0] : undefined
  return {
    models,
    ...(kind ? { kind } : {}),
    ...(kind && (isOwnPort(kind) || serverKindOf(listed, '') === kind) ? { knownKind: kind } : {}),
    windows,
    prices: pricesInList(listed),
    abilities,
    ...(same ? { contextWindow: same } : {}),
    baseUrl: server.baseUrl,
  }
}

/** Ports that other programs use as well, 8080 and 8000, say nothing. */
function isOwnPort(kind: ServerKind): boolean {
  return kind === 'ollama' || kind === 'lmstudio'
}

/** What a server tells in its own dialect of these models; each of its answers is asked for once. Never throws. */
export async function probeModels(
  server: Server,
  kind: ServerKind | undefined,
  names: readonly string[],
  fetch: ModelFetch,
  signal: AbortSignal,
): Promise<{ windows: ReportedWindows; abilities: CapabilitiesByModel }> {
  const asked = new Map<string, Promise<Response>>()
  const once: ModelFetch = async (url, init, ...more) => {
    const key = `${url} ${String(init?.body ?? '')}`
    const known = asked.get(key) ?? fetch(url, init, ...more)
    asked.set(key, known)
    return (await known).clone()
  }
  const [windows, abilities] = await Promise.all([
    probeContextWindows(server, kind, names, once, signal),
    probeCapabilities(server, kind, names, once, signal),
  ])
  return { windows, abilities }
}
