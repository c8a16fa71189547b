/** Every setting of the context engine: its type, range, default, and which strategies read it (C7.1). Pure. */
import type { StrategyName } from '../strategy.ts'

export type ConfigValue = string | number | boolean

type Kind =
  | { type: 'whole' | 'number'; min: number; max: number }
  | { type: 'number or default'; min: number; max: number }
  | { type: 'boolean' }
  | { type: 'choice'; choices: readonly string[] }

export type ConfigKey = Kind & {
  default: ConfigValue
  /** Where a strategy starts from another value. */
  defaultOf?: Partial<Record<StrategyName, ConfigValue>>
  strategies: readonly StrategyName[] | 'all'
  /** The switch that has to be on for it to do anything. */
  needs?: ConfigName
  /** It does nothing but name this strategy. */
  chooses?: StrategyName
  description: string
}

/** The settings in effect for a chat, each key with a value. */
export type Config = {
  max_input_length: number // tokens
  max_output_tokens: number // 0: by the window
  reasoning_effort: string
  temperature: number | 'default'
  token_counter: string
  agent_max_steps: number
  agent_max_context_tokens: number
  agent_max_context_turns: number
  restore_after: number // hours; 0: each time the app is loaded
  memory_compact_ratio: number
  memory_reserve_ratio: number
  enable_tool_result_compact: boolean
  tool_result_compact_keep_n: number
  tool_result_compact_max_chars: number // code points
  memory_notes: boolean
  compact_tool: boolean
  compact_threshold_ratio: number
  reserve_threshold_ratio: number
  'context_compact_config.enabled': boolean
  'tool_result_pruning_config.enabled': boolean
  pruning_recent_n: number
  pruning_recent_msg_max_bytes: number
  pruning_old_msg_max_bytes: number
  token_count_estimate_divisor: number // bytes per token
  session_retention_days: number // 0: keep
  offload_retention_days: number // 0: keep
  context_manager_backend: string
  memory_manager_backend: string
  dialog_path: string
}
export type ConfigName = keyof Config
/** A setting that is on or off. */
export type SwitchName = { [Key in ConfigName]: Config[Key] extends boolean ? Key : never }[ConfigName]

const whole = (value: number, min: number, max: number) => ({ type: 'whole' as const, default: value, min, max })
const share = (value: number, min: number, max: number) => ({ type: 'number' as const, default: value, min, max })
const either = (value: boolean) => ({ type: 'boolean' as const, default: value })
const one = (...choices: [string, ...string[]]) => ({ type: 'choice' as const, default: choices[0], choices })
const numberOrDefault = (min: number, max: number) => ({
  type: 'number or default' as const,
  default: 'default',
  min,
  max,
})
const only = (...strategies: StrategyName[]) => strategies

/**
 * Defaults and ranges are those of the published systems, if they have any; window sizes end above every known model.
 */
export const configKeys: Readonly<Record<ConfigName, ConfigKey>> = {
  max_input_length: {
    ...whole(131_072, 1_000, 10_000_000),
    strategies: 'all',
    description: 'Most tokens that a request may have; what the model is known to have counts where it is smaller.',
  },
  max_output_tokens: {
    ...whole(0, 0, 10_000_000),
    strategies: 'all',
    description:
      'Most tokens of one answer, thoughts included; they are kept free in the window, and at most half of it. 0: 20 % of the window, at most 8192, or what is set for the model in Settings.',
  },
  reasoning_effort: {
    ...one('default', 'off', 'low', 'medium', 'high'),
    strategies: 'all',
    description:
      'How much the model thinks before it answers, where it can be told: off, low, medium, high, or as it does by itself (default).',
  },
  // 2 is the most that OpenAI and most others take; Anthropic takes 1.
  temperature: {
    ...numberOrDefault(0, 2),
    strategies: 'all',
    description:
      'How freely the model chooses its words, where it can be told: 0 is the most even, higher is more varied; default leaves it to the model.',
  },
  token_counter: {
    ...one('bpe', 'bytes', 'script'),
    strategies: only('balanced'),
    description: 'How tokens are counted: bpe (o200k), bytes (UTF-8 bytes / 4) or script (by kind of letter).',
  },
  agent_max_steps: {
    ...whole(15, 1, 1_000),
    defaultOf: { qwenpaw: 100, balanced: 50 },
    strategies: 'all',
    description: 'Most model calls for one message of yours.',
  },
  agent_max_context_tokens: {
    ...whole(50_000, 100, 10_000_000),
    strategies: only('cowagent'),
    description: 'Budget of a request in tokens; above it turns are stripped or dropped.',
  },
  agent_max_context_turns: {
    ...whole(20, 1, 10_000),
    strategies: only('cowagent'),
    description: 'Most turns in view; above it the older half leaves and is summarised.',
  },
  restore_after: {
    ...share(6, 0, 8_760),
    strategies: only('cowagent'),
    description:
      'Hours of rest after which a chat, opened anew, goes on with its newest turns (a sixth of the most, at least 3) as question and answer; 0: each time the app is loaded.',
  },
  memory_compact_ratio: {
    ...share(0.75, 0.01, 0.99),
    strategies: only('copaw'),
    description: 'Share of the window at which older messages are summarised.',
  },
  memory_reserve_ratio: {
    ...share(0.1, 0.01, 0.9),
    strategies: only('copaw'),
    description: 'Share of the window that a compaction keeps as it is.',
  },
  enable_tool_result_compact: {
    ...either(false),
    strategies: only('copaw'),
    description: 'Shorten older tool results.',
  },
  tool_result_compact_keep_n: {
    ...whole(5, 1, 1_000),
    strategies: only('copaw'),
    needs: 'enable_tool_result_compact',
    description: 'How many of the newest tool results stay whole.',
  },
  // Its default is what CoPaw has in its code; the published text says only "a threshold".
  tool_result_compact_max_chars: {
    ...whole(1_000, 100, 100_000),
    strategies: only('copaw'),
    needs: 'enable_tool_result_compact',
    description: 'Most characters of an older tool result, half from its beginning and half from its end.',
  },
  memory_notes: {
    ...either(false),
    defaultOf: { balanced: true },
    strategies: only('copaw', 'qwenpaw', 'balanced'),
    description:
      'Write each summary of a compaction into the notes of the day too. CowAgent always does, and so does an emergency in every strategy.',
  },
  compact_tool: {
    ...either(false),
    strategies: 'all',
    description:
      'Let the model ask for a compaction itself, where one task is done and the next begins. It is given the tool “compact” for that; each compaction shows in the chat and can be undone.',
  },
  compact_threshold_ratio: {
    ...share(0.8, 0.1, 0.9),
    strategies: only('qwenpaw'),
    needs: 'context_compact_config.enabled',
    description: 'Share of the window at which older messages are summarised.',
  },
  reserve_threshold_ratio: {
    ...share(0.1, 0, 0.3),
    strategies: only('qwenpaw'),
    needs: 'context_compact_config.enabled',
    description: 'Share of the window that a compaction keeps as it is.',
  },
  'context_compact_config.enabled': {
    ...either(true),
    strategies: only('qwenpaw'),
    description: 'Summarise older messages by itself.',
  },
  'tool_result_pruning_config.enabled': {
    ...either(true),
    strategies: only('qwenpaw'),
    description: 'Shorten tool results.',
  },
  pruning_recent_n: {
    ...whole(2, 1, 10),
    strategies: only('qwenpaw'),
    needs: 'tool_result_pruning_config.enabled',
    description: 'How many tool results count as recent.',
  },
  pruning_recent_msg_max_bytes: {
    ...whole(50_000, 1_000, 100_000),
    strategies: only('qwenpaw'),
    needs: 'tool_result_pruning_config.enabled',
    description: 'Most bytes of a recent tool result.',
  },
  pruning_old_msg_max_bytes: {
    ...whole(3_000, 100, 100_000),
    strategies: only('qwenpaw'),
    needs: 'tool_result_pruning_config.enabled',
    description: 'Most bytes of an older tool result.',
  },
  token_count_estimate_divisor: {
    ...share(4, 2, 5),
    strategies: only('qwenpaw'),
    description: 'Bytes of text that count as one token.',
  },
  session_retention_days: {
    ...whole(0, 0, 3_650),
    defaultOf: { cowagent: 30 },
    strategies: 'all',
    description: 'Days after which an idle chat leaves the list, once you agreed; 0 keeps all.',
  },
  offload_retention_days: {
    ...whole(0, 0, 3_650),
    defaultOf: { qwenpaw: 5, copaw: 7 },
    strategies: 'all',
    description:
      'Days after which texts of tool results that are no longer in view are removed, once you agreed; 0 keeps all.',
  },
  context_manager_backend: {
    ...one('light'),
    strategies: only('qwenpaw'),
    chooses: 'qwenpaw',
    description: '"light" chooses the strategy qwenpaw, typed or in a file.',
  },
  memory_manager_backend: {
    ...one('remelight'),
    strategies: only('qwenpaw'),
    description: 'There is one memory, which every strategy uses.',
  },
  dialog_path: {
    ...one('dialog'),
    strategies: only('qwenpaw'),
    description: 'First part of the paths of the archive; it is the same in every chat.',
  },
}

/** All keys, in the order of the table. */
export const configNames = Object.keys(configKeys) as ConfigName[]

/** The default settings of a strategy. */
export function defaultsOf(strategy: StrategyName): Config {
  const values = configNames.map(name => [name, configKeys[name].defaultOf?.[strategy] ?? configKeys[name].default])
  return Object.fromEntries(values) as Config
}

/** Whether a strategy reads a key. */
export function readsSetting(strategy: StrategyName, key: ConfigName): boolean {
  const { strategies } = configKeys[key]
  return strategies === 'all' || strategies.includes(strategy)
}

/** Why a setting does nothing. `fixed`: it has one value only, which holds in every chat. */
export type NoEffect =
  | { why: 'other strategy'; strategies: readonly StrategyName[] }
  | { why: 'switched off'; by: ConfigName }
  | { why: 'fixed' }

/** Why a setting does nothing under this strategy, with these settings; undefined where it does something. */
export function noEffect(key: ConfigName, strategy: StrategyName, config: Config): NoEffect | undefined {
  const spec = configKeys[key]
  if (isFixed(key)) return { why: 'fixed' }
  if (spec.chooses !== undefined) return undefined
  if (spec.strategies !== 'all' && !spec.strategies.includes(strategy))
    return { why: 'other strategy', strategies: spec.strategies }
  return spec.needs !== undefined && config[spec.needs] === false ? { why: 'switched off', by: spec.needs } : undefined
}

/** Whether there is nothing to choose: one value, and no strategy that it names. */
export function isFixed(key: ConfigName): boolean {
  const spec = configKeys[key]
  return spec.type === 'choice' && spec.choices.length === 1 && spec.chooses === undefined
}
