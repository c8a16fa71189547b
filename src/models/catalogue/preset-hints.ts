/** What a person must know or do first with a known server, and where its keys are made. Read by the page only. */

export type PresetHint = { hint: { en: string; zh: string }; keyPage?: string }

/** By the ids of the catalogue. */
export const presetHints: Readonly<Record<string, PresetHint>> = {
  ollama: {
    hint: {
      en: 'Start Ollama with OLLAMA_ORIGINS set to the address of this page, and OLLAMA_CONTEXT_LENGTH to a window that fits your memory (its default is 4 096 tokens).',
      zh: '启动 Ollama 前，请把 OLLAMA_ORIGINS 设为本页面的地址，并按内存大小设置 OLLAMA_CONTEXT_LENGTH（默认只有 4096 个 token）。',
    },
  },
  lmstudio: {
    hint: {
      en: 'Switch on CORS in the Developer tab, or run: lms server start --cors',
      zh: '请在“Developer”页打开 CORS，或运行：lms server start --cors',
    },
  },
  llamacpp: {
    hint: {
      en: 'Run: llama-server -m model.gguf --jinja (the last option makes tool calls work).',
      zh: '运行：llama-server -m model.gguf --jinja（最后一个选项用于支持工具调用）。',
    },
  },
  vllm: {
    hint: {
      en: 'Run vllm serve with --allowed-origins, --enable-auto-tool-choice and the tool parser of your model.',
      zh: '运行 vllm serve 时请加上 --allowed-origins、--enable-auto-tool-choice 以及与模型对应的工具解析器。',
    },
  },
  openai: {
    hint: { en: 'Needs an API key; a ChatGPT subscription is not one.', zh: '需要 API 密钥；ChatGPT 订阅不包含它。' },
    keyPage: 'https://platform.openai.com/api-keys',
  },
  anthropic: {
    hint: {
      en: 'Needs an API key of the Console; the sign-in of a subscription (sk-ant-oat…) does not work from a page.',
      zh: '需要 Console 的 API 密钥；订阅账号的登录令牌（sk-ant-oat…）不能在网页中使用。',
    },
    keyPage: 'https://platform.claude.com/settings/keys',
  },
  openrouter: {
    hint: { en: 'One key for the models of many providers.', zh: '一个密钥即可使用多家服务商的模型。' },
    keyPage: 'https://openrouter.ai/settings/keys',
  },
  google: {
    hint: {
      en: 'The OpenAI-compatible address of the Gemini API; it has no /v1 at its end.',
      zh: 'Gemini API 的 OpenAI 兼容地址，末尾没有 /v1。',
    },
    keyPage: 'https://aistudio.google.com/apikey',
  },
  mistral: {
    hint: { en: 'Needs an API key.', zh: '需要 API 密钥。' },
    keyPage: 'https://console.mistral.ai/api-keys',
  },
  groq: {
    hint: { en: 'Very fast; free keys have low limits per minute.', zh: '速度很快；免费密钥每分钟的额度较低。' },
    keyPage: 'https://console.groq.com/keys',
  },
  deepseek: {
    hint: { en: 'Needs an API key.', zh: '需要 API 密钥。' },
    keyPage: 'https://platform.deepseek.com/api_keys',
  },
  xai: {
    hint: { en: 'Needs an API key.', zh: '需要 API 密钥。' },
    keyPage: 'https://console.x.ai',
  },
  huggingface: {
    hint: {
      en: 'Needs a token that may make calls to Inference Providers.',
      zh: '需要带有“Inference Providers”调用权限的令牌。',
    },
    keyPage: 'https://huggingface.co/settings/tokens',
  },
  cerebras: {
    hint: { en: 'Very fast; free keys have low limits.', zh: '速度很快；免费密钥的额度较低。' },
    keyPage: 'https://cloud.cerebras.ai',
  },
}
