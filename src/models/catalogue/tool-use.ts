/** How well a model can be expected to use tools, by its kind and name. Pure. */
import type { ModelInfo, ToolUse } from '../../core/ports/ports.ts'

/** Families whose makers trained them on tool calls, by the makers' model cards. */
const trained =
  /qwen-?(?:[2-9]|coder)|qwq|hermes|llama-?(?:3[._-]?[1-9]|[4-9])|mi[ns]i?stral|devstral|magistral|phi-?4|granite|gpt|claude|gemini|gemma-?4|command|deepseek|glm|kimi|functionary|nemotron|smollm3/i

/**
 * Good from about 3 · 10⁹ weights on in a family that was trained for it; so-so where one of both is missing; none
 * below: there most calls are broken or made up. A rule of thumb from reports about small models, not a measurement on
 * this device.
 */
export function toolUse({ kind, name }: Pick<ModelInfo, 'kind' | 'name'>): ToolUse {
  if (kind === 'recall' || kind === 'scripted') return 'good'
  if (kind === 'prompt-api') return 'so-so'
  const size = billionsOf(name)
  const large = size === undefined ? kind === 'remote' || /mini/i.test(name) : size >= 3
  if (trained.test(name)) return large ? 'good' : 'so-so'
  // What a server runs under a name that nobody knows has calls of its own, as far as one can tell.
  return large ? (kind === 'remote' && size === undefined ? 'good' : 'so-so') : 'no'
}

/** 10⁹ weights, as a name tells them: "1.5B", "360M". */
function billionsOf(name: string): number | undefined {
  const [, count, unit] = /(?:^|[^\d.])(\d+(?:[._]\d+)?)([bm])(?![a-z])/i.exec(name) ?? []
  if (count === undefined || unit === undefined) return undefined
  return Number(count.replace('_', '.')) / (unit.toLowerCase() === 'm' ? 1_000 : 1)
}
