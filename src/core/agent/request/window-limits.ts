/**
 * Limits by the size of the window: for the answer, a tool result, a search, the system prompt and the tools (C7.5,
 * C7.6). Pure.
 */
import type { ToolSchema } from '../../log/message.ts'
import { systemPrompt } from './system-prompt.ts'
import type { Tool } from '../tools/tool.ts'

/**
 * The output limit, which is kept free for the answer, tokens: what is set, at most half of the window; else 20 % of
 * it, at most 8 192. Never more than the model may write. Source: C7.5.
 */
export function outputReserveOf(window: number, maxOutput: number, set = 0): number {
  return Math.max(
    1,
    Math.min(maxOutput, set > 0 ? Math.min(set, Math.floor(window / 2)) : Math.min(8192, Math.floor(window * 0.2))),
  )
}

/** Most bytes of one tool result, and most tokens of one search. Source: C7.6. */
export function toolLimits(window: number): { maxBytes: number; maxSearchTokens: number } {
  return {
    maxBytes: Math.min(50_000, Math.floor(0.3 * window * 4)),
    maxSearchTokens: Math.min(2000, Math.floor(0.1 * window)),
  }
}

export type ToolSet = {
  system: string
  tools: readonly Tool[]
  schemas: readonly ToolSchema[]
  reduced?: 'short prompt' | 'two tools' | 'no tools'
}

/**
 * System prompt and tools that stay below a quarter of the window: all; else the short prompt; else without tools that
 * were switched on, so that these take no other away; else only reading and searching; else these in few words; else
 * none. `count` gives tokens of a text. A model that cannot call tools gets none.
 */
export function selectTools(
  all: readonly Tool[],
  window: number,
  canCallTools: boolean,
  count: (text: string) => number,
): ToolSet {
  if (!canCallTools) return { system: systemPrompt('without tools'), tools: [], schemas: [] }
  const fits = (equipment: ToolSet): boolean => promptRoom(equipment, window, count) >= 0
  const whole: ToolSet = { system: systemPrompt('whole'), tools: all, schemas: all.map(schemaOf) }
  if (fits(whole)) return whole
  const short: ToolSet = { ...whole, system: systemPrompt('short'), reduced: 'short prompt' }
  if (fits(short)) return short
  const usual = all.filter(tool => tool.needs === undefined)
  const without: ToolSet = { ...short, tools: usual, schemas: usual.map(schemaOf) }
  if (fits(without)) return without
  const few = all.filter(tool => tool.inSmallWindows !== undefined)
  const two: ToolSet = { system: systemPrompt('short'), tools: few, schemas: few.map(schemaOf), reduced: 'two tools' }
  if (fits(two)) return two
  const brief: ToolSet = { ...two, schemas: few.map(briefly) }
  if (fits(brief)) return brief
  return { system: systemPrompt('without tools'), tools: [], schemas: [], reduced: 'no tools' }
}

/** Tokens that the system prompt may still grow by: it and the tools stay below a quarter of the window. */
export function promptRoom({ system, schemas }: ToolSet, window: number, count: (text: string) => number): number {
  return Math.ceil(window / 4) - 1 - count(system) - schemasTokens(schemas, count)
}

/** Tokens of the tools as they are sent (C1.5). */
export function schemasTokens(schemas: readonly ToolSchema[], count: (text: string) => number): number {
  return schemas.length === 0 ? 0 : count(JSON.stringify(schemas))
}

/** The same tool with a short description; it still takes the same arguments. */
function briefly({ name, parameters, inSmallWindows }: Tool): ToolSchema {
  const { description, keys } = inSmallWindows!
  const { properties, required } = parameters as { properties: Record<string, { type: string }>; required: string[] }
  return {
    name,
    description,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(keys.map(key => [key, { type: properties[key]!.type }])),
      required,
    },
  }
}

function schemaOf({ name, description, parameters }: Tool): ToolSchema {
  return { name, description, parameters }
}
