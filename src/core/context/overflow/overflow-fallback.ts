/**
 * Overflow fallback: what to do when a request does not fit, before it is sent (C5.7) or after the provider refused it
 * (C5.6).
 */
import { AgentError } from '../../errors.ts'
import type { Entry, Log } from '../../log/entry.ts'
import { isEdit } from '../../log/query.ts'
import { requestSize } from '../size/measure.ts'
import { completeDrafts, runPipeline } from '../run-pipeline.ts'
import type { EntryDraft, Step, StepEnv } from '../strategy.ts'

/**
 * The state of one model call. `maxTokens`: its output limit. `leastOutput`: the least that it is sent with, tokens.
 * `tried`: steps that were tried.
 */
export type FallbackState = {
  readonly maxTokens: number
  readonly leastOutput: number
  readonly tried: number
  readonly lowered: boolean
}

/** What the provider meant, as `classify` says it. */
export type OverflowReport = {
  readonly kind: string
  readonly limit?: number
  readonly actual?: number
  readonly maxOutput?: number
  readonly ofPrompt?: true
}

export type EscalationResult = {
  /** To be appended before the request is made again. */
  entries: Entry[]
  state: FallbackState
}

/** An answer needs at least this much room, tokens; with less, asking is useless. */
const leastOutput = 64
/** Safety margin for the computed output limit, tokens: providers count their own frame too. */
const margin = 16
/** The request is sent again only if it became smaller by at least this share, by the corrected count. Source: C5.6. */
const leastGain = 0.02

/** The state at the start of each model call. `least`: output that a request must leave room for, tokens. */
export function initialFallback({ outputReserve }: Pick<StepEnv, 'outputReserve'>, least = leastOutput): FallbackState {
  return { maxTokens: outputReserve, leastOutput: least, tried: 0, lowered: false }
}

/** The guard (C5.7): whether the request with its output limit fits the window, by our own count. */
export function fits(log: Log, env: StepEnv, ladder: FallbackState): boolean {
  return requestSize(log, env).total + ladder.maxTokens <= env.contextWindow
}

/**
 * Tries one step after the other until the request is smaller and fits; returns what to append and the output limit to
 * ask with. `steps` are the strategy's `onOverflow`. Without `overflow` it is the guard that calls. A window learnt
 * from the error is already in `env`. Throws `model_overflow` with the parts and their sizes where no rung helps; then
 * nothing is to be appended.
 */
export async function escalate(
  log: Log,
  env: StepEnv,
  ladder: FallbackState,
  steps: readonly Step[],
  overflow?: OverflowReport,
): Promise<EscalationResult> {
  const isCap = overflow?.kind === 'output_cap'
  const lower =
    overflow === undefined || (ladder.lowered && !isCap) ? undefined : loweredOutput(overflow, log, env, ladder)
  if (lower !== undefined) {
    const note: EntryDraft = {
      type: 'note',
      code: 'overflow_rung',
      tokens: lower,
      data: { rung: 1, from: ladder.maxTokens, to: lower, ...(isCap && { cap: true }) },
      text: `The answer may have ${lower} tokens instead of ${ladder.maxTokens}: ${isCap ? 'the model takes no higher limit' : 'with more the request does not fit'}.`,
    }
    return { entries: completeDrafts([note], log, env), state: { ...ladder, maxTokens: lower, lowered: true } }
  }
  // A limit of the answer says nothing of the prompt: nothing is cut for it.
  if (isCap || !(await couldFit(log, env, steps, ladder))) throw tooLarge(log, env, overflow)

  const entries: Entry[] = []
  let grown = log
  const refused = requestSize(log, env).total
  for (let tried = ladder.tried; tried < steps.length; tried++) {
    const before = requestSize(grown, env).total
    const added = await runPipeline(grown, steps.slice(tried, tried + 1), env)
    if (added.length === 0) continue
    entries.push(...added)
    grown = [...grown, ...added]
    const after = requestSize(grown, env).total
    if (
      after <= refused * (1 - leastGain) &&
      after + Math.min(ladder.maxTokens, env.outputReserve) <= env.contextWindow
    ) {
      const says = added.some(entry => entry.type === 'note' && entry.code === 'overflow_rung')
      const note = says ? [] : completeDrafts([stepNote(tried, before, after)], grown, env)
      return { entries: [...entries, ...note], state: { ...ladder, tried: tried + 1 } }
    }
  }
  // All that can leave has left. What still fits is sent with what room is left for the answer, once.
  const room = env.contextWindow - requestSize(grown, env).total - margin
  const isNew =
    room < ladder.maxTokens || (overflow !== undefined && requestSize(grown, env).total <= refused * (1 - leastGain))
  if (room >= ladder.leastOutput && isNew)
    return { entries, state: { ...ladder, tried: steps.length, maxTokens: Math.min(ladder.maxTokens, room) } }
  throw tooLarge(grown, env, overflow)
}

/** The output limit with which a prompt that fits by itself is asked again; undefined where lowering it is no help. */
function loweredOutput(
  { kind, limit, actual, maxOutput, ofPrompt }: OverflowReport,
  log: Log,
  env: StepEnv,
  { maxTokens, leastOutput: least }: FallbackState,
): number | undefined {
  if (kind !== 'output_cap' && kind !== 'overflow_total') return undefined
  // Without shares, what is above the limit is prompt and answer together.
  const isPrompt =
    ofPrompt || maxOutput !== undefined || (limit !== undefined && actual !== undefined && actual <= limit)
  const prompt = actual === undefined ? requestSize(log, env).total : isPrompt ? actual : actual - maxTokens
  const half = Math.floor(maxTokens / 2)
  const wanted =
    kind === 'output_cap'
      ? limit !== undefined && limit < maxTokens
        ? limit
        : half
      : limit === undefined || prompt <= 0
        ? half
        : limit - prompt - margin
  return wanted >= least && wanted < maxTokens ? wanted : undefined
}

/**
 * Whether removing things without asking a model could make the request fit: if not, a summary would be paid for in
 * vain.
 */
async function couldFit(
  log: Log,
  env: StepEnv,
  steps: readonly Step[],
  { leastOutput: least }: FallbackState,
): Promise<boolean> {
  const added = await runPipeline(log, steps.slice(1), env)
  if (requestSize(log, env).total + least <= env.contextWindow) return steps.length < 3 || added.some(isEdit)
  return requestSize([...log, ...added], env).total + least <= env.contextWindow
}

function stepNote(tried: number, before: number, after: number): EntryDraft {
  const what =
    [
      'long texts were shortened and older turns left the view',
      'what the tools just answered was shortened',
      'only your question is sent',
    ][tried] ?? 'it was made smaller'
  return {
    type: 'note',
    code: 'overflow_rung',
    tokens: after,
    data: { rung: tried + 3, before, after },
    text: `The request did not fit: ${what} (${before} → ${after} tokens). Nothing was deleted.`,
  }
}

function tooLarge(log: Log, env: StepEnv, overflow: OverflowReport | undefined): AgentError {
  const { system, tools, summary, messages, total, parts } = requestSize(log, env)
  const largest = parts
    .toSorted((a, b) => b.tokens - a.tokens)
    .slice(0, 3)
    .map(({ view, tokens }) => ({ entry: view.entry, role: view.message.role, tokens }))
  const sizes = `system prompt ${system}, tools ${tools}, summary ${summary}, messages ${messages}`
  return new AgentError(
    'model_overflow',
    `The request has ${total} tokens (${sizes}) and the window ${env.contextWindow}; nothing more can be left out.`,
    {
      data: {
        window: env.contextWindow,
        outputReserve: env.outputReserve,
        total,
        system,
        tools,
        summary,
        messages,
        largest,
        ...(overflow !== undefined && { overflow }),
      },
    },
  )
}
