/**
 * The capabilities of a model by what its server reports: tools, images, reasoning effort. What is not reported is
 * absent.
 */
import type { Effort } from '../../core/log/message.ts'
import type { Server } from '../../core/ports/ports.ts'
import type { ServerKind } from '../../core/ports/server-diagnosis.ts'
import { headersFor } from './dialects.ts'
import { probeLlamaModels } from './llama-props.ts'
import type { ModelFetch } from '../shared/model-fetch.ts'
import type { ListedModel } from './model-list.ts'

/** `efforts`: an empty list where it does not think. */
export type ModelCapabilities = { tools?: boolean; images?: boolean; efforts?: readonly Effort[] }
export type CapabilitiesByModel = Record<string, ModelCapabilities>

const all: readonly Effort[] = ['off', 'low', 'medium', 'high']
/** How many models of an Ollama are asked for one by one. */
const mostShown = 24

/** By the list itself: OpenRouter's parameters and modalities, Anthropic's and Mistral's capabilities. */
export function capabilitiesInList(listed: readonly ListedModel[]): CapabilitiesByModel {
  return Object.fromEntries(
    listed.flatMap(({ id, row }) => {
      const found = ofRow(row)
      return Object.keys(found).length === 0 ? [] : [[id, found]]
    }),
  )
}

function ofRow(row: Readonly<Record<string, unknown>>): ModelCapabilities {
  const parameters = namesOf(row['supported_parameters'])
  const input = namesOf(fieldsOf(row['architecture'])['input_modalities'])
  const can = fieldsOf(row['capabilities'])
  const thinks = parameters ? parameters.includes('reasoning') : supports(can['thinking'])
  return {
    ...told('tools', parameters ? parameters.includes('tools') : supports(can['function_calling'])),
    ...told('images', input ? input.includes('image') : (supports(can['image_input']) ?? supports(can['vision']))),
    ...(thinks === undefined ? {} : { efforts: thinks ? effortsOf(fieldsOf(row['reasoning'])) : [] }),
  }
}

/** OpenRouter's own allowlist; without one all are taken. */
function effortsOf({ supported_efforts: supported, mandatory }: Record<string, unknown>): readonly Effort[] {
  const names = namesOf(supported)
  return all.filter(effort => (effort === 'off' ? mandatory !== true : !names || names.includes(effort)))
}

/**
 * By the server's own answers beside its list: llama.cpp's `/props` (what the chat template knows, and whether it
 * sees), Ollama's `/api/show`, LM Studio's `/api/v0/models`. LM Studio gives tools to every model, in words where its
 * template knows none, so what it says of them is not read. Never throws.
 */
export async function probeCapabilities(
  server: Server,
  kind: ServerKind | undefined,
  names: readonly string[],
  fetch: ModelFetch,
  signal: AbortSignal,
): Promise<CapabilitiesByModel> {
  const root = server.baseUrl.replace(/\/v1$/, '')
  const headers = headersFor(server)
  const get = (path: string): Promise<Record<string, unknown>> =>
    json(fetch(`${root}${path}`, { headers, signal }, { grant: true }))
  switch (kind) {
    case 'llamacpp': {
      const models = await probeLlamaModels(names, get)
      return Object.fromEntries(
        models.flatMap(({ name, props }) => (props === undefined ? [] : [[name, ofProps(props)]])),
      )
    }
    case 'lmstudio': {
      const rows = (await get('/api/v0/models'))['data']
      return Object.fromEntries(
        (Array.isArray(rows) ? rows : [])
          .map(fieldsOf)
          .flatMap(row =>
            row['type'] === 'vlm' || row['type'] === 'llm'
              ? [[String(row['id']), { images: row['type'] === 'vlm' }]]
              : [],
          ),
      )
    }
    case 'ollama': {
      const shown = await Promise.all(
        names.slice(0, mostShown).map(async name => {
          const can = namesOf(
            (
              await json(
                fetch(
                  `${root}/api/show`,
                  {
                    method: 'POST',
                    headers: { ...headers, 'content-type': 'application/json' },
                    body: JSON.stringify({ model: name }),
                    signal,
                  },
                  { grant: true, whole: true },
                ),
              )
            )['capabilities'],
          )
          return [
            name,
            can
              ? {
                  tools: can.includes('tools'),
                  images: can.includes('vision'),
                  efforts: can.includes('thinking') ? all : [],
                }
              : {},
          ] as const
        }),
      )
      return Object.fromEntries(shown)
    }
    default:
      return {}
  }
}

/** A chat template without tools silently leaves them out; one without a switch for reasoning may reason anyway. */
function ofProps(props: Record<string, unknown>): ModelCapabilities {
  const caps = fieldsOf(props['chat_template_caps'])
  const template = typeof props['chat_template'] === 'string' ? props['chat_template'] : undefined
  const knowsTools = [caps['supports_tools'], caps['supports_tool_calls']].filter(value => typeof value === 'boolean')
  const vision = fieldsOf(props['modalities'])['vision']
  return {
    ...told('tools', knowsTools.length === 0 ? undefined : knowsTools.every(Boolean)),
    ...told('images', typeof vision === 'boolean' ? vision : undefined),
    ...(template !== undefined && /enable_thinking|reasoning_effort|<think>/.test(template) ? { efforts: all } : {}),
  }
}

function told<Name extends 'tools' | 'images'>(name: Name, value: boolean | undefined): Pick<ModelCapabilities, Name> {
  return (value === undefined ? {} : { [name]: value }) as Pick<ModelCapabilities, Name>
}

/** `true`, or `{ supported: true }`. */
function supports(value: unknown): boolean | undefined {
  const said = typeof value === 'boolean' ? value : fieldsOf(value)['supported']
  return typeof said === 'boolean' ? said : undefined
}

async function json(asking: Promise<Response>): Promise<Record<string, unknown>> {
  try {
    const response = await asking
    return response.ok ? fieldsOf(await response.json()) : {}
  } catch {
    return {} // a server without this answer: what it refuses is learnt from its refusals
  }
}

function namesOf(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter(name => typeof name === 'string') : undefined
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}
