/** Whose a key is, by its form. Pure: it looks at the key and sends it nowhere. */
import { presets, type Preset } from './catalog.ts'

/**
 * The forms of keys, the narrow ones first. `of`: ids of the catalogue; several where several services give out such
 * keys. Sources: the rules of gitleaks, GitHub's list of patterns that its secret scanning knows, and what the services
 * show where a key is made (2026-11). Mistral's and other keys without a beginning of their own are not told apart.
 */
const forms: readonly { form: RegExp; of: readonly string[] }[] = [
  // `sk-ant-api03-` and 95 signs (gitleaks `anthropic-api-key`)
  { form: /^sk-ant-[\w-]{8,}$/, of: ['anthropic'] },
  // `sk-or-v1-` and 64 hex digits (GitHub `openrouter_api_key`)
  { form: /^sk-or-[\w-]{8,}$/, of: ['openrouter'] },
  // keys of a project, a service account, an administrator (gitleaks `openai-api-key`)
  { form: /^sk-(?:proj|svcacct|admin)-[\w-]{8,}$/, of: ['openai'] },
  // older keys of OpenAI have "OpenAI" in base64 in their middle (gitleaks `openai-api-key`)
  { form: /^sk-[A-Za-z\d]{8,}T3BlbkFJ[A-Za-z\d]{8,}$/, of: ['openai'] },
  // DeepSeek: `sk-` and 32 hex digits (GitHub `deepseek_api_key`). Gateways and other services make such keys too, and
  // old ones of OpenAI begin alike.
  { form: /^sk-[\w-]{8,}$/, of: ['openai', 'deepseek'] },
  // `AIza` and 35 signs (gitleaks `gcp-api-key`); newer ones of AI Studio begin with `AQ.`
  { form: /^AIza[\w-]{16,}$/, of: ['google'] },
  { form: /^AQ\.[\w-]{16,}$/, of: ['google'] },
  // `gsk_` and 52 signs (GitHub `groq_api_key`)
  { form: /^gsk_[A-Za-z\d]{8,}$/, of: ['groq'] },
  // `xai-` and 80 signs (GitHub `xai_api_key`)
  { form: /^xai-[\w-]{8,}$/, of: ['xai'] },
  // `hf_` and 34 letters (gitleaks `huggingface-access-token`)
  { form: /^hf_[A-Za-z\d]{8,}$/, of: ['huggingface'] },
  // `csk-` and 48 signs (gitleaks `cerebras-api-key`)
  { form: /^csk-[a-z\d]{8,}$/i, of: ['cerebras'] },
]

/** The services that give out keys of this form; none where the form says nothing. */
export function keyOwners(key: string): readonly Preset[] {
  const owners = forms.find(({ form }) => form.test(key))?.of ?? []
  return owners.flatMap(id => presets.find(preset => preset.id === id) ?? [])
}

/** Every service whose key a person can have. */
export const keyServices: readonly Preset[] = presets.filter(({ key }) => key === 'needed')
