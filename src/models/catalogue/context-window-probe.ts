/** Probes a server for the context window that it really serves, besides what its list of models says. */
import type { Server } from '../../core/ports/ports.ts'
import type { ServerKind } from '../../core/ports/server-diagnosis.ts'
import { presetOf } from './catalog.ts'
import { headersFor } from './dialects.ts'
import { probeLlamaModels } from './llama-props.ts'
import type { ModelFetch } from '../shared/model-fetch.ts'
import type { ListedModel } from './model-list.ts'

/** Tokens, and which of the server's answers said so. */
export type ReportedWindow = { tokens: number; place: string }
export type ReportedWindows = Record<string, ReportedWindow>

/** How many models of an Ollama are asked for one by one. */
const mostShown = 24
/** A smaller number is not a context window but something else. Unit: tokens. */
const leastWindow = 256

/** Which server it is: by the owner that its list names, else by its usual port. */
export function serverKindOf(listed: readonly ListedModel[], baseUrl: string): ServerKind | undefined {
  const owner = String(listed[0]?.row['owned_by'] ?? '')
  const named = ({ library: 'ollama', llamacpp: 'llamacpp', vllm: 'vllm', organization_owner: 'lmstudio' } as const)[
    owner
  ]
  if (named) return named
  const preset = presetOf(baseUrl)
  return preset?.local ? (preset.id as ServerKind) : undefined
}

/**
 * What the list itself tells, by the names that servers use: vLLM, OpenRouter, Groq, Mistral, Gemini. Not read is what
 * a model was trained for: llama.cpp's `n_ctx_train`, LM Studio's `max_context_length`.
 */
export function windowsInList(listed: readonly ListedModel[], kind: ServerKind | undefined): ReportedWindows {
  const names = [
    'loaded_context_length',
    'max_model_len',
    'context_length',
    'context_window',
    ...(kind === 'lmstudio' ? [] : ['max_context_length']),
    'max_input_tokens',
    'inputTokenLimit',
  ]
  return tableOf(
    listed.map(({ id, row }) => {
      const top = fieldsOf(row['top_provider'])
      return [
        id,
        [top['context_length'], ...names.map(name => row[name]), ...(kind === 'llamacpp' ? [servedByLlama(row)] : [])]
          .map(tokensOf)
          .find(tokens => tokens !== undefined),
        '/models',
      ] as const
    }),
  )
}

/**
 * Asks the server in its own dialect: llama.cpp's `/props` (of a router its list first), Ollama's `/api/ps` (loaded
 * models: what they were given) and `/api/show` (a `num_ctx` of its own, or a model that was trained for less than the
 * default), LM Studio's `/api/v0/models` (loaded models). What it does not tell is absent. Never throws.
 */
export async function probeContextWindows(
  server: Server,
  kind: ServerKind | undefined,
  names: readonly string[],
  fetch: ModelFetch,
  signal: AbortSignal,
): Promise<ReportedWindows> {
  const root = server.baseUrl.replace(/\/v1$/, '')
  const headers = headersFor(server)
  const get = (path: string): Promise<Record<string, unknown>> =>
    json(fetch(`${root}${path}`, { headers, signal }, { grant: true }))
  const post = (path: string, body: unknown): Promise<Record<string, unknown>> =>
    json(
      fetch(
        `${root}${path}`,
        {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
          signal,
        },
        { grant: true, whole: true },
      ),
    )

  switch (kind) {
    case 'llamacpp': {
      const models = await probeLlamaModels(names, get)
      return tableOf(
        models.map(({ name, row = {}, props = {} }) => {
          const inList = tokensOf(servedByLlama(row))
          return inList === undefined
            ? [name, tokensOf(fieldsOf(props['default_generation_settings'])['n_ctx']), '/props']
            : [name, inList, '/models']
        }),
      )
    }
    case 'lmstudio': {
      const rows = rowsOf((await get('/api/v0/models'))['data'])
      return tableOf(rows.map(row => [String(row['id']), tokensOf(row['loaded_context_length']), '/api/v0/models']))
    }
    case 'ollama': {
      const loaded = tableOf(
        rowsOf((await get('/api/ps'))['models']).map(row => [
          String(row['model'] ?? row['name']),
          tokensOf(row['context_length']),
          '/api/ps',
        ]),
      )
      const others = names.filter(name => !(name in loaded)).slice(0, mostShown)
      const shown = await Promise.all(
        others.map(async name => [name, windowShown(await post('/api/show', { model: name })), '/api/show'] as const),
      )
      return { ...tableOf(shown), ...loaded }
    }
    default:
      return {}
  }
}

/**
 * A row of llama.cpp's list: what a loaded model was given, else what it will be started with. With several slots each
 * has a share only.
 */
function servedByLlama(row: Record<string, unknown>): unknown {
  const given = fieldsOf(row['meta'])['n_ctx']
  if (given !== undefined) return given
  const args = fieldsOf(row['status'])['args']
  if (!Array.isArray(args)) return undefined
  const valueOf = (...names: readonly string[]): unknown =>
    args[args.findLastIndex(arg => names.includes(String(arg))) + 1]
  const has = (...names: readonly string[]): boolean => args.some(arg => names.includes(String(arg)))
  if (!has('--ctx-size', '-c') || (has('--parallel', '-np') && String(valueOf('--parallel', '-np')) !== '1'))
    return undefined
  return valueOf('--ctx-size', '-c')
}

/**
 * A `num_ctx` in the model's own parameters holds whatever the server's default is; a model cannot be given more than
 * it was trained for.
 */
function windowShown(answer: Record<string, unknown>): number | undefined {
  const own = tokensOf(/^num_ctx\s+(\d+)/m.exec(String(answer['parameters'] ?? ''))?.[1])
  if (own !== undefined) return own
  const trained = Object.entries(fieldsOf(answer['model_info'])).find(([name]) => name.endsWith('.context_length'))?.[1]
  const most = tokensOf(trained)
  const usual = presetOf('http://localhost:11434/v1')?.contextWindow ?? 0
  return most !== undefined && most < usual ? most : undefined
}

async function json(asking: Promise<Response>): Promise<Record<string, unknown>> {
  try {
    const response = await asking
    return response.ok ? fieldsOf(await response.json()) : {}
  } catch {
    return {} // a server without this answer: its window is learnt from its refusals (C8)
  }
}

function tableOf(rows: readonly (readonly [string, number | undefined, string])[]): ReportedWindows {
  return Object.fromEntries(
    rows.flatMap(([name, tokens, place]) => (tokens === undefined ? [] : [[name, { tokens, place }]])),
  )
}

function tokensOf(value: unknown): number | undefined {
  const tokens = typeof value === 'string' || typeof value === 'number' ? Number(value) : NaN
  return Number.isSafeInteger(tokens) && tokens >= leastWindow ? tokens : undefined
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}

function rowsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(fieldsOf) : []
}
