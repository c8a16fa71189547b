/** The defaults of chats, and which model they resolve to. */
import { AgentError } from '../../errors.ts'
import type { LogStore, Model, ModelInfo, Models, SessionInfo } from '../../ports/ports.ts'
import type { StrategyName } from '../../context/strategy.ts'
import type { Defaults } from '../api/api.ts'

const key = 'defaults'
const initial: Defaults = { strategy: 'balanced', config: {} }

/** The defaults as stored; what is missing is filled in. */
export async function readDefaults(store: LogStore): Promise<Defaults> {
  const kept = await store.setting(key)
  return typeof kept === 'object' && kept !== null ? { ...initial, ...(kept as Partial<Defaults>) } : initial
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

const strategyNames: readonly string[] = ['cowagent', 'copaw', 'qwenpaw', 'balanced'] satisfies StrategyName[]

/**
 * The strategy of a chat: its own choice, else the default. A name that is not known, from an import, is the default
 * too.
 */
export function strategyOf(info: SessionInfo, defaults: Defaults): StrategyName {
  return strategyNames.includes(info.strategy ?? '') ? (info.strategy as StrategyName) : defaults.strategy
}
