/** The catalogue of known servers: data only. What a person should know of them stands in `preset-hints.ts`. */
import { addressSpace } from '../../core/text/address/web-address.ts'

export type Preset = {
  id: string
  name: string
  baseUrl: string
  key: 'needed' | 'optional' | 'none'
  /** On this machine. */
  local: boolean
  /** Its own API instead of OpenAI's. */
  dialect?: 'anthropic'
  /** tokens; where the server does not tell and its own default is known. */
  contextWindow?: number
}

/**
 * Known servers, those on this machine first. All speak OpenAI's dialect but the one that says otherwise.
 * Ports and windows are the servers' own defaults: Ollama and LM Studio give 4 096 tokens to a model where nobody asked
 * for more, and cut off silently what is longer, so the least is assumed until they tell.
 */
export const presets: readonly Preset[] = [
  {
    id: 'ollama',
    name: 'Ollama',
    baseUrl: 'http://localhost:11434/v1',
    key: 'none',
    local: true,
    contextWindow: 4_096,
  },
  {
    id: 'lmstudio',
    name: 'LM Studio',
    baseUrl: 'http://localhost:1234/v1',
    key: 'optional',
    local: true,
    contextWindow: 4_096,
  },
  {
    id: 'llamacpp',
    name: 'llama.cpp',
    baseUrl: 'http://localhost:8080/v1',
    key: 'optional',
    local: true,
  },
  {
    id: 'vllm',
    name: 'vLLM',
    baseUrl: 'http://localhost:8000/v1',
    key: 'optional',
    local: true,
  },
  {
    id: 'openai',
    name: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    key: 'needed',
    local: false,
    contextWindow: 128_000,
  },
  {
    id: 'anthropic',
    name: 'Anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    key: 'needed',
    local: false,
    dialect: 'anthropic',
    contextWindow: 200_000,
  },
  {
    id: 'openrouter',
    name: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    key: 'needed',
    local: false,
  },
  {
    id: 'google',
    name: 'Google Gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    key: 'needed',
    local: false,
    contextWindow: 1_048_576,
  },
  {
    id: 'mistral',
    name: 'Mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    key: 'needed',
    local: false,
    contextWindow: 128_000,
  },
  {
    id: 'groq',
    name: 'Groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    key: 'needed',
    local: false,
    contextWindow: 131_072,
  },
  {
    id: 'deepseek',
    name: 'DeepSeek',
    baseUrl: 'https://api.deepseek.com/v1',
    key: 'needed',
    local: false,
    contextWindow: 65_536,
  },
  {
    id: 'xai',
    name: 'xAI',
    baseUrl: 'https://api.x.ai/v1',
    key: 'needed',
    local: false,
  },
  {
    id: 'huggingface',
    name: 'Hugging Face',
    baseUrl: 'https://router.huggingface.co/v1',
    key: 'needed',
    local: false,
  },
  {
    id: 'cerebras',
    name: 'Cerebras',
    baseUrl: 'https://api.cerebras.ai/v1',
    key: 'needed',
    local: false,
  },
]

/**
 * Where servers of this machine listen by themselves, beside those of the catalogue: Jan, KoboldCpp, GPT4All. Sources:
 * their documentation (2026-11).
 */
const furtherPorts = [1337, 5001, 4891]

/** Every address of this machine at which a model server can be looked for, when the person asks for that. */
export const usualLocalAddresses: readonly string[] = [
  ...presets.filter(({ local }) => local).map(({ baseUrl }) => baseUrl),
  ...furtherPorts.map(port => `http://localhost:${port}/v1`),
]

/** tokens; for an unknown server. Small enough for most, and the real window is learnt from the first refusal. */
const unknownWindow = 32_768

/** The window to begin with for a server that does not tell it, tokens. */
export function defaultWindow(baseUrl: string): number {
  return presetOf(baseUrl)?.contextWindow ?? unknownWindow
}

/** The preset that an address probably belongs to: by its host, in this machine's and the local network by its port. */
export function presetOf(baseUrl: string): Preset | undefined {
  const port = portOf(baseUrl)
  const near = addressSpace(hostOf(baseUrl)) !== 'public'
  return presets.find(candidate =>
    candidate.local ? near && portOf(candidate.baseUrl) === port : hostOf(candidate.baseUrl) === hostOf(baseUrl),
  )
}

/** What a server is called that nobody has named: on this machine by its kind, elsewhere by its host. */
export function serverNameOf(baseUrl: string, kind: string | undefined): string {
  const known = isLocalAddress(baseUrl) ? presets.find(({ id }) => id === kind) : undefined
  return known?.name ?? (URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl)
}

/** True for an address on this machine, where nothing leaves the device. */
export function isLocalAddress(url: string): boolean {
  return addressSpace(hostOf(url)) === 'loopback'
}

/** True for an address beyond this machine and its own network, as far as the address tells. */
export function needsNetwork(url: string): boolean {
  return addressSpace(hostOf(url)) === 'public'
}

/** True where the address ends in a version such as /v1 or /v1beta/openai, as those of model servers do. */
export function hasVersion(baseUrl: string): boolean {
  return /\/v\d+[a-z]*(\/openai)?$/i.test(baseUrl)
}

/** An address as people paste it, without blanks, slashes at its end, or the path of a single route. */
export function cleanBaseUrl(text: string): string {
  return text
    .trim()
    .replace(/\/+$/, '')
    .replace(/\/(chat\/completions|completions|models)$/, '')
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.toLowerCase() : ''
}

function portOf(url: string): string {
  return URL.canParse(url) ? new URL(url).port : ''
}
