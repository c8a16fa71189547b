/** The catalogue of known servers: data only. The page reads it too. */
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
  /** What the person must know or do first. */
  hint: { en: string; zh: string }
  /** Where a key is made. */
  keyPage?: string
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
    hint: {
      en: 'Start Ollama with OLLAMA_ORIGINS set to the address of this page, and OLLAMA_CONTEXT_LENGTH to a window that fits your memory (its default is 4 096 tokens).',
      zh: '启动 Ollama 前，请把 OLLAMA_ORIGINS 设为本页面的地址，并按内存大小设置 OLLAMA_CONTEXT_LENGTH（默认只有 4096 个 token）。',
    },
  },
  {
    id: 'lmstudio',
    name: 'LM Studio',
    baseUrl: 'http://localhost:1234/v1',
    key: 'optional',
    local: true,
    contextWindow: 4_096,
    hint: {
      en: 'Switch on CORS in the Developer tab, or run: lms server start --cors',
      zh: '请在“Developer”页打开 CORS，或运行：lms server start --cors',
    },
  },
  {
    id: 'llamacpp',
    name: 'llama.cpp',
    baseUrl: 'http://localhost:8080/v1',
    key: 'optional',
    local: true,
    hint: {
      en: 'Run: llama-server -m model.gguf --jinja (the last option makes tool calls work).',
      zh: '运行：llama-server -m model.gguf --jinja（最后一个选项用于支持工具调用）。',
    },
  },
  {
    id: 'vllm',
    name: 'vLLM',
    baseUrl: 'http://localhost:8000/v1',
    key: 'optional',
    local: true,
    hint: {
      en: 'Run vllm serve with --allowed-origins, --enable-auto-tool-choice and the tool parser of your model.',
      zh: '运行 vllm serve 时请加上 --allowed-origins、--enable-auto-tool-choice 以及与模型对应的工具解析器。',
    },
  },
  {
    id: 'openai',
    name: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    key: 'needed',
    local: false,
    contextWindow: 128_000,
    keyPage: 'https://platform.openai.com/api-keys',
    hint: { en: 'Needs an API key; a ChatGPT subscription is not one.', zh: '需要 API 密钥；ChatGPT 订阅不包含它。' },
  },
  {
    id: 'anthropic',
    name: 'Anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    key: 'needed',
    local: false,
    dialect: 'anthropic',
    contextWindow: 200_000,
    keyPage: 'https://platform.claude.com/settings/keys',
    hint: {
      en: 'Needs an API key of the Console; the sign-in of a subscription (sk-ant-oat…) does not work from a page.',
      zh: '需要 Console 的 API 密钥；订阅账号的登录令牌（sk-ant-oat…）不能在网页中使用。',
    },
  },
  {
    id: 'openrouter',
    name: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    key: 'needed',
    local: false,
    keyPage: 'https://openrouter.ai/settings/keys',
    hint: { en: 'One key for the models of many providers.', zh: '一个密钥即可使用多家服务商的模型。' },
  },
  {
    id: 'google',
    name: 'Google Gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    key: 'needed',
    local: false,
    contextWindow: 1_048_576,
    keyPage: 'https://aistudio.google.com/apikey',
    hint: {
      en: 'The OpenAI-compatible address of the Gemini API; it has no /v1 at its end.',
      zh: 'Gemini API 的 OpenAI 兼容地址，末尾没有 /v1。',
    },
  },
  {
    id: 'mistral',
    name: 'Mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    key: 'needed',
    local: false,
    contextWindow: 128_000,
    keyPage: 'https://console.mistral.ai/api-keys',
    hint: { en: 'Needs an API key.', zh: '需要 API 密钥。' },
  },
  {
    id: 'groq',
    name: 'Groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    key: 'needed',
    local: false,
    contextWindow: 131_072,
    keyPage: 'https://console.groq.com/keys',
    hint: { en: 'Very fast; free keys have low limits per minute.', zh: '速度很快；免费密钥每分钟的额度较低。' },
  },
  {
    id: 'deepseek',
    name: 'DeepSeek',
    baseUrl: 'https://api.deepseek.com/v1',
    key: 'needed',
    local: false,
    contextWindow: 65_536,
    keyPage: 'https://platform.deepseek.com/api_keys',
    hint: { en: 'Needs an API key.', zh: '需要 API 密钥。' },
  },
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

/** True for an address on this machine, where nothing leaves the device. */
export function isLocalAddress(url: string): boolean {
  return addressSpace(hostOf(url)) === 'loopback'
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
