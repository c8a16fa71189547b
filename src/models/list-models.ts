/** Which models a server lists. */
import { AgentError } from '../core/errors.ts'
import type { Server } from '../core/ports.ts'
import { cleanBaseUrl, hasVersion } from './catalog.ts'
import type { ModelFetch } from './model-fetch.ts'
import { modelsIn } from './model-list.ts'
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
    const mayBePath = thrown.code === 'model_not_found' || thrown.code === 'model_protocol' || thrown.data['status'] === 405
    if (!mayBePath || hasVersion(baseUrl)) throw thrown
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
  const listed = modelsIn(value)
  if (!listed) throw refusalError({ server, status: response.status, body })
  const windows: Record<string, number> = Object.create(null) as Record<string, number>
  for (const { id, row } of listed) {
    const window = windowIn(row)
    if (window) windows[id] = window
  }
  const models = listed.map(model => model.id)
  const told = Object.values(windows)
  const same = told.length === models.length && new Set(told).size === 1 ? told[0] : undefined
  return { models, windows: { ...windows }, ...(same ? { contextWindow: same } : {}), baseUrl: server.baseUrl }
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
