/** The defaults of chats, and which model they resolve to. */
import { AgentError } from '../../errors.ts'
import type { LogStore, Model, ModelInfo, Models, SessionInfo } from '../../ports/ports.ts'
import { defaultStrategy, strategyNamed, type StrategyName } from '../../context/strategy.ts'
import type { Defaults } from '../api/api.ts'

const key = 'defaults'
const initial: Defaults = { strategy: defaultStrategy, config: {} }

/** The defaults as stored; what is missing is filled in. */
export async function readDefaults(store: LogStore): Promise<Defaults> {
  const kept = await store.setting(key)
  if (typeof kept !== 'object' || kept === null) return initial
  const { strategy, ...others } = kept as Partial<Defaults>
  return { ...initial, ...others, strategy: strategyNamed(strategy) ?? initial.strategy }
}

/** Stores the changes over the defaults; undefined takes a value away. */
export async function saveDefaults(store: LogStore, changes: Partial<Defaults>): Promise<Defaults> {
  const next = { ...(await readDefaults(store)), ...changes }
  await store.saveSetting(key, next)
  return next
}

/**
 * The model that answers in this chat: the chat's own choice, else the default, else the built-in one. Throws
 * `model_unavailable` where there is none at all.
 */
export async function modelOf(models: Models, info: Pick<SessionInfo, 'model'>, defaults: Defaults): Promise<Model> {
  const chosen = info.model ?? defaults.model
  if (chosen !== undefined) return models.get(chosen)
  const first = chosenModel(await models.list(), info, defaults)
  if (!first) throw new AgentError('model_unavailable', 'No model is chosen yet')
  return models.get(first.id)
}

/** The same by the list of models alone; undefined if the model is no longer in it. */
export function chosenModel(
  list: readonly ModelInfo[],
  info: Pick<SessionInfo, 'model'>,
  defaults: Defaults,
): ModelInfo | undefined {
  const chosen = info.model ?? defaults.model
  return chosen === undefined
    ? (list.find(model => model.kind === 'recall') ?? list[0])
    : list.find(({ id }) => id === chosen)
}

/**
 * The strategy of a chat: its own choice, else the default. A name that is not known, from an import, is the default
 * too.
 */
export function strategyOf(info: SessionInfo, defaults: Defaults): StrategyName {
  return strategyNamed(info.strategy) ?? defaults.strategy
}
