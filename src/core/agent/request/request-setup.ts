/**
 * What the next request runs with: model, window, strategy, prompt, tools. Made for each request, so a change takes
 * effect at once.
 */
import { defaultsOf, type Config } from '../../context/config/config.ts'
import { parseConfigValue } from '../../context/config/config-value.ts'
import { effectiveConfig } from '../../context/config/effective-config.ts'
import { runPipeline } from '../../context/run-pipeline.ts'
import { strategies } from '../../context/strategies/index.ts'
import type { AskSummariser, Moment, Step, StepEnv, Strategy, StrategyName } from '../../context/strategy.ts'
import { bpe, byScript, bytesOver, calibrated, type Counter } from '../../log/counter.ts'
import type { SessionId } from '../../log/entry.ts'
import { strictestMark } from '../../log/egress-mark.ts'
import type { ToolSchema } from '../../log/message.ts'
import type { ViewOptions } from '../../log/model-view/model-view.ts'
import type { Model, SessionInfo, Tokenizer } from '../../ports/ports.ts'
import type { Language } from '../api/api.ts'
import { askInOrder } from './ask-summariser.ts'
import { modelOf, readDefaults, strategyOf } from '../session/defaults.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import { memoryShownTo, memoryPromptPart } from '../archive/long-term-memory.ts'
import { currentCeiling, readCalibration, type ModelCalibration } from './model-calibration.ts'
import { needsEgressConsent } from '../privacy/egress.ts'
import type { Session } from '../session/session.ts'
import { instructionsPart } from './instructions.ts'
import { localizeNotes } from '../i18n/localize-notes.ts'
import { offeredTools, rereadableTools, toolsWithReadOnLine } from '../tools/index.ts'
import type { Tool } from '../tools/tool.ts'
import { selectTools, outputReserveOf, promptRoom, toolLimits, type ToolSet } from './window-limits.ts'

export type RequestSetup = {
  model: Model
  strategy: Strategy
  config: Config
  calibration: ModelCalibration
  window: number // W, tokens (C7.2)
  // tokens that one request may have: less than the window where the provider bounds tokens a minute
  requestWindow: number
  configuredWindow: number // tokens: what it would be if nothing smaller had been learnt
  windowTyped: boolean // by the person, for the server: it wins over what is learnt (C8)
  outputReserve: number // tokens
  maxSteps: number // model calls per turn
  counter: Counter // the one that decides
  plainCounter: Counter // the same without calibration
  guardCounter: Counter // calibrated whatever the strategy says: for the guard before sending (C5.7)
  factor: number // calibration in use by the counter that decides, 1 without
  system: string
  tools: readonly Tool[]
  schemas: readonly ToolSchema[]
  toolsReduced: ToolSet['reduced']
  instructionsCut: number // characters of the person's instructions that have no room
  maxBytes: number // of one tool result
  maxSearchTokens: number // of one search
  summariserLocal: boolean // it runs on this device, which can do one thing at a time
  summariserRemote: boolean
  /** What a step of this moment may use. */
  env(moment: Moment, more?: StepEnvOverrides): StepEnv
}

export type StepEnvOverrides = Partial<
  Pick<StepEnv, 'signal' | 'instruction' | 'forced' | 'asked' | 'progress' | 'ask' | 'counter' | 'view' | 'group'>
>

/**
 * View options while a turn runs. The same object as long as the model takes back the same reasoning, so that sizes are
 * counted once.
 */
export function viewInTurn(model: Pick<Model, 'reasoning'>): ViewOptions {
  return viewsFor(model).inTurn
}

function viewsFor({ reasoning }: Pick<Model, 'reasoning'>): { atRest: ViewOptions; inTurn: ViewOptions } {
  let known = views.get(reasoning ?? noReasoning)
  if (known === undefined) {
    const atRest: ViewOptions = { toolsWithReadOnLine, ...(reasoning === undefined ? {} : { reasoning }) }
    views.set(reasoning ?? noReasoning, (known = { atRest, inTurn: { ...atRest, running: true } }))
  }
  return known
}
const noReasoning = {}
const views = new WeakMap<object, { atRest: ViewOptions; inTurn: ViewOptions }>()

/**
 * `strategy`: as if this one were chosen. `reportedWindow`: a window that the server named in this turn, tokens; it
 * limits even a window that the person typed.
 */
export type SetupOptions = { strategy?: StrategyName | undefined; reportedWindow?: number | undefined }

/** Throws `model_unavailable` when the chosen model cannot be had. */
export async function setUpRequest(
  runtime: AgentRuntime,
  session: Session,
  { strategy: other, reportedWindow }: SetupOptions = {},
): Promise<RequestSetup> {
  const { store, models, world } = runtime.deps
  const defaults = await readDefaults(store)
  const model = await modelOf(models, session.info, defaults)
  const name = other ?? strategyOf(session.info, defaults)
  const config = effectiveConfig(defaultsOf(name), defaults.config, session.info.config)
  const strategy = strategies[name](config)
  const calibration = await readCalibration(store, model)
  const configuredWindow = Math.min(config.max_input_length, model.contextWindow)
  // A window that the person typed for the server wins over what was learnt (C8), but no request is sent twice that the
  // server has just refused.
  const windowTyped = await isTyped(runtime, model)
  const window = Math.min(configuredWindow, (windowTyped ? reportedWindow : calibration.window) ?? Infinity)
  const requestWindow = Math.min(window, currentCeiling(calibration, world.now()) ?? Infinity)
  if (strategy.counter === 'bpe' && !runtime.deps.tokenizer.count) runtime.requestTokenizer(session.id)
  const plainCounter = counterOf(strategy, runtime.deps.tokenizer)
  const factor = calibration.factors?.[plainCounter.name] ?? 1
  // What was learnt while the tokenizer was still loading says more than nothing, until an answer is counted with it.
  const guardFactor = calibration.factors?.[plainCounter.name] ?? calibration.factors?.[bytesOver(4).name] ?? 1
  const guardCounter = cachedCalibrated(plainCounter, guardFactor)
  const counter = strategy.calibrated ? cachedCalibrated(plainCounter, factor) : plainCounter
  // Where our count is far below the provider's, prompt and tools would take more of the window than they may (C7.6).
  const size = cachedCalibrated(plainCounter, coarse(guardFactor))
  const equipment = cachedToolSet(offeredTools(config), {
    window,
    canCallTools: model.can.tools,
    counter: size,
    factor: coarse(guardFactor),
  })
  const memory = memoryPromptPart(await memoryShownTo(store, session.log), {
    window,
    room: promptRoom(equipment, window, size.text),
  })
  const instructions = instructionsPart(
    { all: defaults.instructions ?? '', chat: session.info.instructions ?? '' },
    window,
  )
  const system = [equipment.system, instructions.text, memory].filter(part => part !== '').join('\n\n')
  const unasked = needsEgressConsent(session, model)
  const mayTalk = !unasked && (await canSummarise(runtime, model))
  const summariser = await summariserOf(
    runtime,
    {
      wanted: session.info.summariser ?? defaults.summariser,
      stays: (model.local || unasked) && session.info.summariser === undefined,
    },
    mayTalk ? model : undefined,
  )
  const own = summariser === model
  const askWindow =
    own || !summariser
      ? requestWindow
      : Math.min(summariser.contextWindow, (await readCalibration(store, summariser)).window ?? Infinity)
  const ask = summariser && askInOrder(own || !mayTalk ? [summariser] : [summariser, model], world)
  const never = new AbortController().signal
  const outputReserve = outputReserveOf(
    requestWindow,
    model.maxOutput,
    ownLimit(session.info.config) || model.outputLimit || config.max_output_tokens,
  )
  return {
    model,
    strategy,
    config,
    calibration,
    window,
    requestWindow,
    configuredWindow,
    windowTyped,
    outputReserve,
    counter,
    plainCounter,
    guardCounter,
    factor: strategy.calibrated ? factor : 1,
    maxSteps: strategy.maxSteps,
    system,
    tools: equipment.tools,
    schemas: equipment.schemas,
    toolsReduced: equipment.reduced,
    instructionsCut: instructions.cut,
    ...toolLimits(window),
    summariserLocal: summariser?.local ?? false,
    summariserRemote: summariser?.local === false,
    env: (moment, more = {}) => ({
      moment,
      contextWindow: moment === 'onOverflow' ? requestWindow : window,
      outputReserve,
      local: model.local,
      system,
      tools: equipment.schemas,
      view: viewsFor(model).atRest,
      rereadableTools,
      counter,
      ...(ask ? { ask } : {}),
      askWindow,
      askModel: summariser?.name ?? '',
      language: runtime.language satisfies Language,
      signal: never,
      place: session.place,
      newId: () => world.newId(),
      now: () => world.now(),
      group: world.newId(),
      pause: () => world.sleep(0, never),
      ...more,
    }),
  }
}

/** The chat's own output limit: it wins over the model's, which wins over the one for all chats. */
function ownLimit(config: SessionInfo['config'] = {}): number {
  const read = parseConfigValue('max_output_tokens', config['max_output_tokens'])
  return 'value' in read ? Number(read.value) : 0
}

/**
 * Runs steps on the log as it stands and appends what they add, in one transaction. Answers whether anything was added.
 */
export async function runAndAppend(
  session: Session,
  steps: readonly Step[] | undefined,
  env: StepEnv,
): Promise<boolean> {
  if (!steps || steps.length === 0) return false
  const added = await session.append(localizeNotes(await runPipeline(session.log, steps, env), env.language))
  return added.length > 0
}

/** The strategy's counter; exact counting only once the tokenizer is there, and until then bytes (C1.3). */
function counterOf(strategy: Strategy, tokenizer: Tokenizer): Counter {
  switch (strategy.counter) {
    case 'script':
      return byScript()
    case 'bytes':
      return bytesOver(strategy.divisor ?? 4)
    case 'bpe':
      return tokenizer.count ? bpe(tokenizer.count) : bytesOver(4)
    default:
      return strategy.counter satisfies never
  }
}

async function isTyped(runtime: AgentRuntime, model: Model): Promise<boolean> {
  const info = (await runtime.deps.models.list()).find(({ id }) => id === model.id)
  if (info?.server === undefined) return false
  return (await runtime.deps.models.servers()).some(
    server => server.id === info.server && server.contextWindow !== undefined,
  )
}

/**
 * Who writes what comes from several chats (`of`): the summariser or the model of this chat, or of new chats; only ones
 * of this device where one of those chats never left it. undefined: nobody can, so rules do it.
 */
export async function memoryWriterFor(
  runtime: AgentRuntime,
  info: Pick<SessionInfo, 'model' | 'summariser'>,
  of: readonly SessionId[],
): Promise<{ ask: AskSummariser; name: string; window: number } | undefined> {
  const { store, models, world } = runtime.deps
  const defaults = await readDefaults(store)
  try {
    const model = await modelOf(models, info, defaults)
    const main = (await canSummarise(runtime, model)) ? model : undefined
    const chosen = await summariserOf(runtime, { wanted: info.summariser ?? defaults.summariser, stays: false }, main)
    const marks = await Promise.all([...new Set(of)].map(async id => (await store.session(id))?.leaves))
    const stays = strictestMark(...marks) === 'stays'
    const writers = [...new Set([chosen, main])].filter(one => one !== undefined).filter(({ local }) => local || !stays)
    const [writer] = writers
    return (
      writer && {
        ask: askInOrder(writers, world),
        name: writer.name,
        window: Math.min(writer.contextWindow, (await readCalibration(store, writer)).window ?? Infinity),
      }
    )
  } catch {
    return undefined // the model was removed or cannot be had now: no reason to do nothing
  }
}

/** The built-in model finds and quotes; it cannot summarise. */
async function canSummarise(runtime: AgentRuntime, model: Model): Promise<boolean> {
  return (await runtime.deps.models.list()).find(({ id }) => id === model.id)?.kind !== 'recall'
}

/**
 * The chosen summariser, else the chat's own model; without either, summaries are made by rule. With `stays` only one
 * of this device: what is answered here leaves it only where the person chose that for this very chat.
 */
async function summariserOf(
  runtime: AgentRuntime,
  { wanted, stays }: { wanted: string | undefined; stays: boolean },
  main: Model | undefined,
): Promise<Model | undefined> {
  if (wanted === undefined || wanted === main?.id) return main
  try {
    const chosen = await runtime.deps.models.get(wanted)
    if (stays && !chosen.local) return main
    return (await canSummarise(runtime, chosen)) ? chosen : main
  } catch {
    return main // it was removed or is not loaded: the chat's own model does it
  }
}

// Counters and equipment keep counts by object: the same ones are given again.
const calibratedCache = new WeakMap<Counter, Map<number, Counter>>()
function cachedCalibrated(plain: Counter, factor: number): Counter {
  const known = calibratedCache.get(plain) ?? new Map<number, Counter>()
  calibratedCache.set(plain, known)
  const counter = known.get(factor) ?? calibrated(plain, factor)
  if (known.size > 20) known.clear()
  known.set(factor, counter)
  return counter
}

/** The factor in coarse steps: the beginning of a request must not change with each report (C2.6). */
function coarse(factor: number): number {
  return factor > 1.5 ? Math.ceil(factor * 2) / 2 : 1
}

const toolSetCache = new Map<string, ToolSet>()
function cachedToolSet(
  offered: readonly Tool[],
  {
    window,
    canCallTools,
    counter,
    factor,
  }: { window: number; canCallTools: boolean; counter: Counter; factor: number },
): ToolSet {
  const key = `${window} ${canCallTools} ${counter.name} ${factor} ${offered.map(({ name }) => name).join()}`
  const known = toolSetCache.get(key)
  if (known) return known
  const made = selectTools(offered, window, canCallTools, counter.text)
  if (toolSetCache.size > 20) toolSetCache.clear()
  toolSetCache.set(key, made)
  return made
}
