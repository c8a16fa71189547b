/** Which models a server lists, and what is wrong where it does not answer. */
import { AgentError } from '../core/errors.ts'
import type { Server } from '../core/ports.ts'
import type { ModelFetch } from './model-fetch.ts'
import { cleanBaseUrl, presets } from './catalog.ts'
import { refusalError } from './server-errors.ts'

export type Listed = {
  models: string[]
  /** tokens, where the list tells it. */
  windows: Record<string, number>
  /** The one window of all listed models, tokens. */
  contextWindow?: number
  /** Where the list was found. */
  baseUrl: string
}

/** Asks `GET <address>/models`, then once with /v1 where that is missing. Throws AgentError with what to do. */
export async function listModels(server: Server, fetch: ModelFetch, signal: AbortSignal): Promise<Listed> {
  const baseUrl = cleanBaseUrl(server.baseUrl)
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) throw new AgentError('bad_input', 'The address must start with http:// or https://.')
  try {
    return await ask({ ...server, baseUrl }, fetch, signal)
  } catch (thrown) {
    if (!(thrown instanceof AgentError)) throw thrown
    if (thrown.code === 'network') throw await explained(thrown, { ...server, baseUrl }, fetch, signal)
    const mayBePath = thrown.code === 'model_not_found' || thrown.code === 'model_protocol' || thrown.data['status'] === 405
    if (!mayBePath || /\/v\d+[a-z]*$/i.test(baseUrl)) throw thrown
    return await ask({ ...server, baseUrl: `${baseUrl}/v1` }, fetch, signal).catch(() => { throw thrown })
  }
}

async function ask(server: Server, fetch: ModelFetch, signal: AbortSignal): Promise<Listed> {
  const headers: Record<string, string> = { ...(server.key ? { authorization: `Bearer ${server.key}` } : {}), ...server.headers }
  const response = await fetch(`${server.baseUrl}/models`, { headers, signal }, { grant: true })
  const body = await response.text()
  if (!response.ok) throw refusalError({ server, status: response.status, body, headers: Object.fromEntries(response.headers) })
  let value: unknown
  try { value = JSON.parse(body) } catch { throw refusalError({ server, status: response.status, body }) }
  const rows = rowsOf(value)
  if (!rows) throw refusalError({ server, status: response.status, body })
  const windows: Record<string, number> = Object.create(null) as Record<string, number>
  const models: string[] = []
  for (const row of rows) {
    const id = [row['id'], row['model'], row['name']].find(name => typeof name === 'string' && name !== '')
    if (typeof id !== 'string' || models.includes(id)) continue
    models.push(id)
    const window = windowIn(row)
    if (window) windows[id] = window
  }
  const told = Object.values(windows)
  const same = told.length === models.length && new Set(told).size === 1 ? told[0] : undefined
  return { models, windows: { ...windows }, ...(same ? { contextWindow: same } : {}), baseUrl: server.baseUrl }
}

function rowsOf(value: unknown): Record<string, unknown>[] | undefined {
  const list = Array.isArray(value) ? value : typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)['data'] ?? (value as Record<string, unknown>)['models'] : undefined
  return Array.isArray(list) ? list.filter((row): row is Record<string, unknown> => typeof row === 'object' && row !== null) : undefined
}

/**
 * The served window by the names that servers use: vLLM, OpenRouter, Groq, Mistral, LM Studio, Gemini.
 * llama.cpp's `n_ctx_train` is what the model was trained for, not what is served, so it is not read.
 */
function windowIn(row: Record<string, unknown>): number | undefined {
  const top = row['top_provider'] as Record<string, unknown> | undefined
  const names = ['loaded_context_length', 'max_model_len', 'context_length', 'context_window', 'max_context_length', 'max_input_tokens', 'inputTokenLimit']
  for (const value of [top?.['context_length'], ...names.map(name => row[name])]) {
    const tokens = Number(value)
    if (Number.isSafeInteger(tokens) && tokens >= 256) return tokens
  }
  return undefined
}

/**
 * A browser tells only "failed". A second request that needs no consent of the server (`no-cors`) tells whether anybody
 * is there at all.
 */
async function explained(error: AgentError, server: Server, fetch: ModelFetch, signal: AbortSignal): Promise<AgentError> {
  if (error.data['why'] !== undefined) return error   // offline, mixed content: known already
  const there = await fetch(server.baseUrl, { signal, mode: 'no-cors' }, { grant: true }).then(() => true, () => false)
  const { host, port } = new URL(server.baseUrl)
  const preset = presets.find(candidate => candidate.local && new URL(candidate.baseUrl).port === port)
  if (there) {
    return new AgentError('network', `${server.name} is there at ${host}, but does not allow this page to read its answers (CORS). ${preset ? preset.hint.en : 'Allow the address of this page in its settings.'}`, { data: { why: 'cors', host } })
  }
  return new AgentError('network', `Nobody answers at ${host}. Is ${server.name} running, and is the port right? ${preset ? preset.hint.en : ''}`.trim(), { data: { why: 'off', host } })
}
