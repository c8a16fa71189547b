/** /config, /strategy, /model: what a chat runs with. */
import { defaultsOf } from '../../context/config.ts'
import { importConfig } from '../../context/config-import.ts'
import { nameOf, readValue } from '../../context/config-value.ts'
import { effectiveConfig } from '../../context/effective-config.ts'
import { strategies } from '../../context/strategies/index.ts'
import type { StrategyName } from '../../context/strategy.ts'
import { AgentError } from '../../errors.ts'
import { nearest } from '../../text/nearest.ts'
import type { ConfigRow } from '../api.ts'
import { modelOf, readDefaults, strategyOf } from '../defaults.ts'
import { parseArguments } from '../tool.ts'
import type { Command } from './command.ts'
import { noteText } from './note-text.ts'

export const config: Command = async run => {
  const { kit, api, session, text, words } = run
  const parts = text.split(/\s+/).filter(part => part !== '')
  const all = parts.includes('--all')
  const [key, ...value] = parts.filter(part => part !== '--all')
  if (text.startsWith('{')) return importSettings(run)
  const rows = await api.config(session)
  const name = strategyOf((await kit.session(session)).info, await readDefaults(kit.parts.store))
  const applies = (row: ConfigRow): boolean => row.strategies === 'all' || row.strategies.includes(name)
  if (key === undefined) {
    const lines = rows.filter(applies).map(row => `- ${words.config(row)} (${words.configSource[row.source]})`)
    return { note: noteText([words.strategyNow(name, Object.keys(strategies).join(', ')), ...lines, words.configNote]) }
  }
  const read = readValue(key, value.join(' '))
  const known = nameOf(key)
  const row = rows.find(row => row.key === known)
  if (!row) throw new AgentError('not_found', 'error' in read ? read.error : key)
  const other = applies(row) || row.strategies === 'all' ? '' : `\n\n${words.configOther(row.key, row.strategies.join(', '))}`
  if (value.length === 0) {
    const range = row.min === undefined ? '' : ` [${row.min}…${row.max}]`
    return { note: `${words.config(row)}${range} (${words.configSource[row.source]})\n\n${row.description}${other}` }
  }
  if ('error' in read) throw new AgentError('bad_input', read.error)
  await api.setConfig(all ? null : session, { [row.key]: read.value })
  return {
    note: `${words.configSet(row.key, String(row.value), String(read.value), all)}${other}`,
    data: { key: row.key, old: row.value, now: read.value, all },
  }
}

/** A pasted settings file of ours or of a seed: what it changes is applied and listed, what is not ours is listed. */
const importSettings: Command = async ({ kit, api, session, text, words }) => {
  const parsed = parseArguments(text)
  if ('fault' in parsed) throw new AgentError('bad_json', parsed.fault)
  const { info } = await kit.session(session)
  const defaults = await readDefaults(kit.parts.store)
  const current = effectiveConfig(defaultsOf(strategyOf(info, defaults)), defaults.config, info.config)
  const { changes, strategy, unknown, problems } = importConfig(parsed.args, current)
  if (strategy) await api.choose(session, { strategy })
  await api.setConfig(session, changes)
  const lines = Object.entries(changes).map(([key, value]) => `- ${key}: ${String(current[key as keyof typeof current])} → ${String(value)}`)
  return {
    note: [
      ...(strategy ? [words.strategySet(strategyOf(info, defaults), strategy)] : []), words.configImported(lines.length), ...lines,
      ...(problems.length > 0 ? [words.configProblems, ...problems.map(problem => `- ${problem}`)] : []),
      ...(unknown.length > 0 ? [words.configUnknown(unknown.join(', '))] : []),
    ].join('\n'),
    data: { changes: lines.length, unknown: unknown.length, problems: problems.length },
  }
}

export const strategy: Command = async ({ kit, api, session, text, words }) => {
  const names = Object.keys(strategies) as StrategyName[]
  const now = strategyOf((await kit.session(session)).info, await readDefaults(kit.parts.store))
  if (text === '') return { note: words.strategyNow(now, names.join(', ')) }
  const wanted = names.find(name => name === text.toLowerCase())
  if (!wanted) throw new AgentError('not_found', words.strategyUnknown(text, names.join(', ')))
  await api.choose(session, { strategy: wanted })
  return { note: words.strategySet(now, wanted), data: { old: now, now: wanted } }
}

export const model: Command = async ({ kit, api, session, text, words }) => {
  const list = await api.models()
  if (text === '') {
    const now = await modelOf(kit.parts.models, (await kit.session(session)).info, await readDefaults(kit.parts.store))
    return { note: noteText([words.modelNow(now.name, now.id), words.models, ...list.map(({ id, name }) => `- ${id}${name === id ? '' : ` (${name})`}`)]) }
  }
  const wanted = list.find(({ id }) => id === text) ?? list.find(({ id, name }) => [id, name].some(one => one.toLowerCase() === text.toLowerCase()))
  if (!wanted) throw new AgentError('not_found', words.modelUnknown(text, nearest(text, list.map(({ id }) => id)).join(', ')))
  await api.choose(session, { model: wanted.id })
  return { note: words.modelSet(wanted.name), data: { model: wanted.id } }
}
