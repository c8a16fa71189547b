/** Use cases of what a chat runs with: strategy, model, summariser, settings. */
import { configKeys, configNames, defaultsOf, type Config, type ConfigName } from '../../context/config/config.ts'
import { contradictions, type ConfigFault } from '../../context/config/config-faults.ts'
import { parseConfigValue } from '../../context/config/config-value.ts'
import { effectiveConfig } from '../../context/config/effective-config.ts'
import { AgentError } from '../../errors.ts'
import type { StoredConfigValue, SessionInfo } from '../../ports/ports.ts'
import type { AgentApi, Defaults, Language } from '../api/api.ts'
import type { ConfigRow } from '../api/context-api.ts'
import { checkedInstructions } from '../request/instructions.ts'
import { readDefaults, saveDefaults, strategyOf } from '../session/defaults.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import { noteEarlierEgress } from '../privacy/note-earlier-egress.ts'
import type { SessionTasks } from '../lifecycle/session-tasks.ts'

type Values = Record<string, StoredConfigValue>

export function createSessionSettings(
  runtime: AgentRuntime,
  tasks: SessionTasks,
): Pick<AgentApi, 'choose' | 'config' | 'setConfig'> {
  const { store } = runtime.deps
  return {
    choose: (id, { strategy, model, summariser, instructions }) =>
      tasks.withSession(id, async session => {
        await session.update({
          ...(strategy === undefined ? {} : { strategy }),
          ...(model === undefined ? {} : { model }),
          ...(summariser === undefined ? {} : { summariser: summariser ?? undefined }),
          ...(instructions === undefined ? {} : { instructions: checkedInstructions(instructions) }),
        })
        const chosen =
          model === undefined || tasks.isRunning(id)
            ? undefined
            : (await runtime.deps.models.list()).find(one => one.id === model)
        // while an answer is written it is said with the next question
        if (chosen) await noteEarlierEgress(runtime, session, chosen)
      }),

    config: async id => {
      const session = await runtime.session(id)
      const rows = configRows(session.info, await readDefaults(store))
      if (runtime.language === 'en') return rows
      const { chineseDescriptions } = await import('../i18n/config-descriptions-zh.ts')
      return rows.map(row => ({ ...row, description: chineseDescriptions[row.key] }))
    },

    setConfig: async (id, changes) => {
      if (id === null) {
        const defaults = await readDefaults(store)
        const config = await changed(runtime.language, defaults.config, changes)
        await check(runtime.language, { ...defaultsOf(defaults.strategy), ...config } as Config)
        await saveDefaults(store, { config })
        runtime.emit({ type: 'sessions' })
        return
      }
      await tasks.withSession(id, async session => {
        const defaults = await readDefaults(store)
        const config = await changed(runtime.language, session.info.config ?? {}, changes)
        await check(runtime.language, {
          ...defaultsOf(strategyOf(session.info, defaults)),
          ...defaults.config,
          ...config,
        } as Config)
        await session.update({ config })
      })
    },
  }
}

/** Every setting with the value in effect and where it comes from. */
function configRows(info: SessionInfo, defaults: Defaults): (ConfigRow & { key: ConfigName })[] {
  const strategy = strategyOf(info, defaults)
  const values = effectiveConfig(defaultsOf(strategy), defaults.config, info.config)
  return configNames.map(key => {
    const spec = configKeys[key]
    return {
      key,
      value: values[key],
      source: sourceOf(key, info, defaults),
      description: spec.description,
      strategies: spec.strategies === 'all' ? 'all' : [...spec.strategies],
      ...('min' in spec ? { min: spec.min, max: spec.max } : {}),
    }
  })
}

function sourceOf(key: ConfigName, info: SessionInfo, defaults: Defaults): ConfigRow['source'] {
  if (info.config?.[key] !== undefined) return 'chat'
  return defaults.config[key] === undefined ? 'default' : 'all'
}

async function changed(
  language: Language,
  values: Values,
  changes: Record<string, StoredConfigValue | null>,
): Promise<Values> {
  const next = { ...values }
  for (const [key, raw] of Object.entries(changes)) {
    if (raw === null) {
      delete next[key]
      continue
    }
    const read = parseConfigValue(key, raw)
    if ('fault' in read) throw await refusal(language, [read.fault])
    next[read.key] = read.value
  }
  return next
}

async function check(language: Language, config: Config): Promise<void> {
  const wrong = contradictions(config)
  if (wrong.length > 0) throw await refusal(language, wrong)
}

async function refusal(language: Language, faults: readonly ConfigFault[]): Promise<AgentError> {
  const { configFaultTexts } = await import('../../context/config/config-fault-texts.ts')
  return new AgentError('bad_input', faults.map(configFaultTexts[language]).join(language === 'zh' ? '；' : '; '))
}
