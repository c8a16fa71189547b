/**
 * The reasoning effort of a request in each provider's own form. Pure. What a provider does not document is not sent;
 * one that refuses the field all the same is asked without it (`quirks.ts`).
 */
import type { Effort } from '../../core/log/message.ts'
import type { Server } from '../../core/ports/ports.ts'
import type { ServerKind } from '../../core/ports/server-diagnosis.ts'
import { dialectOf } from '../catalogue/dialects.ts'

export type EffortTarget = {
  server: Pick<Server, 'baseUrl' | 'dialect'>
  kind?: ServerKind | undefined
  name: string
  /** What the server tells of this model. */ advertised?: readonly Effort[] | undefined
}

/** `maxTokens`: the output limit of the request; budgets are shares of it. */
type Fields = (effort: Effort, maxTokens: number) => Record<string, unknown>
export type EffortForm = { efforts: readonly Effort[]; fields: Fields }

const all: readonly Effort[] = ['off', 'low', 'medium', 'high']
const levels: readonly Effort[] = ['low', 'medium', 'high']
/** A model that thinks or does not. */
const either: readonly Effort[] = ['off', 'high']

/**
 * Share of the output limit that may be thought, where a provider wants a number of tokens. Source: OpenRouter's own
 * mapping.
 */
const shares: Record<Exclude<Effort, 'off'>, number> = { low: 0.2, medium: 0.5, high: 0.8 }
/** Anthropic takes no smaller budget, tokens. */
const leastBudget = 1_024

/** Families that think, for servers that tell nothing of their models. */
const hybrid =
  /qwen-?3(?!.*(instruct|coder|embed|rerank|thinking))|glm-?(4\.[5-9]|[5-9])|deepseek-?(v?3\.[1-9]|v?[4-9]|chat)|granite-?(3\.[2-9]|4)|nemotron|smollm-?3|hunyuan-a13b|gemma-?4|kimi-?k2\.[5-9]/i
const leveled = /gpt-?oss/i
const always = /qwq|deepseek-?r1|magistral|thinking|minimax-?m2|reasoner/i

const openAi =
  (off: string): Fields =>
  effort => ({ reasoning_effort: effort === 'off' ? off : effort })
const byType: Fields = effort => ({ thinking: { type: effort === 'off' ? 'disabled' : 'enabled' } })
/**
 * The names of the switch in the chat templates of Qwen, GLM and Gemma, and of DeepSeek and Granite; templates pass
 * over what they do not know.
 */
const byTemplate: Fields = effort => ({
  chat_template_kwargs: { enable_thinking: effort !== 'off', thinking: effort !== 'off' },
})
const budgetOf = (effort: Exclude<Effort, 'off'>, maxTokens: number): number => Math.floor(maxTokens * shares[effort])

type Row = { at: RegExp; form: (name: string, told: readonly Effort[] | undefined) => EffortForm | undefined }

/** By the documents of the providers, read in November 2026. */
const providers: readonly Row[] = [
  {
    // GPT-5.1 and later know `none`, GPT-5 `minimal` instead, the o-series neither
    at: /^https:\/\/api\.openai\.com\//,
    form: name =>
      /^(o[134]|gpt-oss)/.test(name)
        ? { efforts: levels, fields: openAi('low') }
        : /^gpt-5(-|$)(?!.*(chat|pro))/.test(name)
          ? { efforts: all, fields: openAi('minimal') }
          : /^gpt-(5\.[1-9]|[6-9])(?!.*(chat|pro))/.test(name)
            ? { efforts: all, fields: openAi('none') }
            : undefined,
  },
  {
    at: /^https:\/\/openrouter\.ai\//,
    form: (_, told) =>
      told && { efforts: told, fields: effort => ({ reasoning: { effort: effort === 'off' ? 'none' : effort } }) },
  },
  {
    // only 2.5 Flash can be told not to think
    at: /^https:\/\/generativelanguage\.googleapis\.com\//,
    form: name =>
      /gemini-2\.5-flash/.test(name)
        ? { efforts: all, fields: openAi('none') }
        : /gemini-(2\.5|[3-9])/.test(name)
          ? { efforts: levels, fields: openAi('low') }
          : undefined,
  },
  {
    // it maps medium to high itself
    at: /^https:\/\/([\w-]+\.)*deepseek\.com\//,
    form: () => ({
      efforts: ['off', 'low', 'high'],
      fields: effort => ({
        ...byType(effort, 0),
        ...(effort === 'off' ? {} : { reasoning_effort: effort === 'medium' ? 'high' : effort }),
      }),
    }),
  },
  {
    // GLM 5.3 always thinks, by levels; 4.7 cannot be told not to
    at: /^https:\/\/([\w-]+\.)*(z\.ai|bigmodel\.cn)\//,
    form: name =>
      /glm-(5\.[3-9]|[6-9])/i.test(name)
        ? { efforts: ['low', 'high'], fields: effort => ({ reasoning_effort: effort === 'high' ? 'high' : 'low' }) }
        : /glm-(4\.[56]|5)/i.test(name)
          ? { efforts: either, fields: byType }
          : undefined,
  },
  {
    at: /^https:\/\/([\w-]+\.)*(moonshot\.(ai|cn)|kimi\.(ai|com))\//,
    form: name => (/kimi-k2\.[5-9]/i.test(name) ? { efforts: either, fields: byType } : undefined),
  },
  { at: /^https:\/\/([\w-]+\.)*xiaomimimo\.com\//, form: () => ({ efforts: either, fields: byType }) },
  {
    at: /^https:\/\/api\.groq\.com\//,
    form: name =>
      leveled.test(name)
        ? { efforts: levels, fields: openAi('low') }
        : /qwen-?3/i.test(name)
          ? { efforts: either, fields: effort => ({ reasoning_effort: effort === 'off' ? 'none' : 'default' }) }
          : undefined,
  },
  {
    at: /^https:\/\/api\.mistral\.ai\//,
    form: name =>
      /mistral-(small|medium)-(latest|26|27)/.test(name)
        ? { efforts: either, fields: effort => ({ reasoning_effort: effort === 'off' ? 'none' : 'high' }) }
        : undefined,
  },
  {
    at: /^https:\/\/api\.x\.ai\//,
    form: name =>
      /grok-3-mini/.test(name)
        ? { efforts: ['low', 'high'], fields: effort => ({ reasoning_effort: effort === 'high' ? 'high' : 'low' }) }
        : /grok-(4\.[3-9]|[5-9])(?!\d|.*reasoning)/.test(name)
          ? { efforts: all, fields: openAi('none') }
          : undefined,
  },
  {
    at: /^https:\/\/([\w-]+\.)*(dashscope[\w-]*\.aliyuncs\.com|siliconflow\.(cn|com))\//,
    form: name =>
      hybrid.test(name)
        ? {
            efforts: all,
            fields: (effort, maxTokens) =>
              effort === 'off'
                ? { enable_thinking: false }
                : { enable_thinking: true, thinking_budget: Math.max(128, budgetOf(effort, maxTokens)) },
          }
        : undefined,
  },
]

/** The form for a model; undefined where nobody knows one. */
export function effortForm(place: EffortTarget): EffortForm | undefined {
  const { server, kind, name, advertised } = place
  if (dialectOf(server) === 'anthropic') return anthropic(name, advertised)
  const provider = providers.find(({ at }) => at.test(`${server.baseUrl}/`))
  if (provider) return provider.form(name, advertised)
  if (advertised?.length === 0) return undefined // the server says that it does not think
  switch (kind) {
    // It takes these four words only, and refuses them for a model that does not think.
    case 'ollama':
      return (advertised ?? (hybrid.test(name) || always.test(name) || leveled.test(name)))
        ? { efforts: leveled.test(name) ? levels : (advertised ?? all), fields: openAi('none') }
        : undefined
    case 'lmstudio':
      return leveled.test(name)
        ? { efforts: levels, fields: openAi('low') }
        : advertised || hybrid.test(name)
          ? { efforts: advertised ?? all, fields: openAi('none') }
          : undefined
    // A budget counts in every template that thinks, also where its switch has a name of its own.
    case 'llamacpp':
      return leveled.test(name)
        ? { efforts: levels, fields: effort => ({ chat_template_kwargs: { reasoning_effort: effort } }) }
        : advertised || hybrid.test(name) || always.test(name)
          ? {
              efforts: all,
              fields: (effort, maxTokens) => ({
                ...byTemplate(effort, maxTokens),
                thinking_budget_tokens: effort === 'off' ? 0 : budgetOf(effort, maxTokens),
              }),
            }
          : undefined
    default:
      return leveled.test(name)
        ? { efforts: levels, fields: openAi('low') }
        : hybrid.test(name)
          ? { efforts: either, fields: byTemplate }
          : undefined
  }
}

/**
 * Claude 3.7 to 4.5 think within a budget, from 4.6 on as they see fit, by an effort. None thinks unless it is told to;
 * of later families that is not sure, so they are told not to as well.
 */
function anthropic(name: string, told: readonly Effort[] | undefined): EffortForm | undefined {
  const version = versionOf(name)
  if (version === undefined ? told === undefined : version < 3.7) return undefined
  if (version !== undefined && version < 4.6) {
    return {
      efforts: all,
      fields: (effort, maxTokens) => {
        const budget =
          effort === 'off' ? 0 : Math.min(maxTokens - 256, Math.max(leastBudget, budgetOf(effort, maxTokens)))
        return budget < leastBudget ? {} : { thinking: { type: 'enabled', budget_tokens: budget } }
      },
    }
  }
  const off = version !== undefined && version < 5 ? {} : { thinking: { type: 'disabled' } }
  return {
    efforts: all,
    fields: effort => (effort === 'off' ? off : { thinking: { type: 'adaptive' }, output_config: { effort } }),
  }
}

/** `claude-3-7-sonnet-20250219` 3.7, `claude-opus-4-20250514` 4, `claude-sonnet-4-6` 4.6. */
function versionOf(name: string): number | undefined {
  const [, major, minor] = /claude-(?:[a-z]+-)?(\d)(?:[-.](\d)(?!\d))?/.exec(name) ?? []
  return major === undefined ? undefined : Number(`${major}.${minor ?? 0}`)
}
