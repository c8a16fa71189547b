/** /config, /strategy, /model: what a chat runs with. */
import { configKeys, defaultsOf, noEffect, reads, type Config } from '../../context/config/config.ts'
import { changesIn, importConfig, linesUnder } from '../../context/config/config-import.ts'
import { faultWords } from '../../context/config/config-fault-texts.ts'
import { nameOf, nearestNames, readValue } from '../../context/config/config-value.ts'
import { effectiveConfig } from '../../context/config/effective-config.ts'
import { strategies } from '../../context/strategies/index.ts'
import type { StrategyName } from '../../context/strategy.ts'
import { AgentError } from '../../errors.ts'
import type { SessionInfo } from '../../ports/ports.ts'
import { nearest } from '../../text/nearest.ts'
import type { ConfigRow, Defaults } from '../api/api.ts'
import { configFileWords } from '../i18n/config-file-texts.ts'
import { modelOf, readDefaults, strategyOf } from '../session/defaults.ts'
import { effortSent } from '../request/effective-effort.ts'
import type { Command, CommandAnswer, CommandRun } from './command.ts'
import { noteText } from './note-text.ts'
import { isolated } from '../../text/display/isolate.ts'

export const config: Command = async run => {
  const { kit, api, session, text, words, language } = run
  const pasted = pastedFile(text)
  if (pasted !== undefined) return importSettings({ ...run, text: pasted.json }, pasted.all)
  const parts = text.split(/\s+/).filter(part => part !== '')
  const all = parts.includes('--all')
  const [key, ...value] = parts.filter(part => part !== '--all')
  const rows = await api.config(session)
  const defaults = await readDefaults(kit.parts.store)
  const { info } = await kit.session(session)
  const name = all ? defaults.strategy : strategyOf(info, defaults)
  const names = Object.keys(strategies).join(', ')
  const shown = (row: ConfigRow): string => `- ${words.config(row)} (${words.configSource[row.source]})`
  if (key === undefined) {
    const own = rows.filter(row => row.strategies === 'all' || row.strategies.includes(name))
    const { differencesOf } = await import('../../context/strategies/differences.ts')
    const differs = words.differs(
      name,
      differencesOf(name).map(row => row[language].title),
    )
    return { note: noteText([words.strategyNow(name, names), ...own.map(shown), words.configMore, differs]) }
  }
  if (key.toLowerCase() === everyStrategy && value.length === 0) {
    const titleOf = (row: ConfigRow): string =>
      row.strategies === 'all' ? words.configOfAll : words.configOf(row.strategies.join(', '))
    const titles = [...new Set(rows.map(titleOf))]
    // What nobody set is not the same under each strategy, and the line shows that of one.
    const others = (Object.keys(strategies) as StrategyName[])
      .filter(other => other !== name)
      .map(other => ({ other, held: effective(other, defaults, info) }))
    const shownOfAll = (row: ConfigRow): string => {
      const key = nameOf(row.key)
      const differing = others.flatMap(({ other, held }) =>
        key !== undefined && reads(other, key) && held[key] !== row.value
          ? [words.configUnder(other, String(held[key]))]
          : [],
      )
      return differing.length === 0
        ? shown(row)
        : `- ${words.config(row)} (${[words.configSource[row.source], ...differing].join(words.configAnd)})`
    }
    return {
      note: noteText([
        words.strategyNow(name, names),
        ...titles.flatMap(title => [title, ...rows.filter(row => titleOf(row) === title).map(shownOfAll)]),
      ]),
    }
  }
  const known = nameOf(key)
  const row = rows.find(row => row.key === known)
  if (known === undefined || row === undefined) {
    const fault = { wrong: 'unknown', key, nearest: nearestNames(key) } as const
    throw new AgentError(
      'not_found',
      `${faultWords[language](fault)}${language === 'en' ? ' ' : ''}${words.configMore}`,
    )
  }
  const fileWords = configFileWords[language]
  const nothing = (config: Config): string => {
    const why = noEffect(known, name, config)
    return why ? `\n\n${words.configOther(known, name, fileWords.noEffect(why))}` : ''
  }
  const heard = async (config: Config): Promise<{ said: string; works: boolean }> => {
    const idle = nothing(config)
    const effort = known === 'reasoning_effort' && idle === '' ? await unheard(run, config.reasoning_effort) : undefined
    return effort === undefined
      ? { said: idle, works: idle === '' }
      : { said: `\n\n${effort.said}`, works: effort.works }
  }
  const now = effective(name, defaults, all ? undefined : info)
  if (value.length === 0) {
    const range = row.min === undefined ? '' : ` [${row.min}…${row.max}]`
    return {
      note: `${words.config(row)}${range} (${words.configSource[row.source]})\n\n${row.description}${(await heard(now)).said}`,
    }
  }
  if (value.length === 1 && value[0]?.toLowerCase() === backToDefault) {
    await api.setConfig(all ? null : session, { [known]: null })
    const after = (await api.config(session)).find(row => row.key === known) ?? row
    const { [known]: held } = effective(
      name,
      await readDefaults(kit.parts.store),
      all ? undefined : (await kit.session(session)).info,
    )
    return {
      note: words.configReset(known, String(now[known]), String(held), all ? 'default' : after.source),
      data: { key: known, old: now[known], now: held, all },
    }
  }
  const read = readValue(key, value.join(' '))
  if ('fault' in read) throw new AgentError('bad_input', faultWords[language](read.fault))
  const { chooses } = configKeys[known]
  if (chooses !== undefined) {
    await chooseFor(run, chooses, all)
    return {
      note: `${words.strategySet(name, chooses)}${all ? ` ${words.forNewChats}` : ''}`,
      data: { old: name, now: chooses, all },
    }
  }
  await api.setConfig(all ? null : session, { [known]: read.value })
  const { said, works } = await heard({ ...now, [known]: read.value })
  return {
    note: `${words.configSet(known, String(now[known]), String(read.value), all, works)}${said}`,
    data: { key: known, old: now[known], now: read.value, all },
  }
}

/** `/config` and this word: the settings of all strategies. Not "all", which stands behind two dashes for all chats. */
export const everyStrategy = 'strategies'
/** In place of a value: the setting is taken back. */
const backToDefault = 'default'

/** What holds for a chat, or without one for those that chose nothing. */
function effective(name: StrategyName, defaults: Defaults, info?: SessionInfo): Config {
  return effectiveConfig(defaultsOf(name), defaults.config, info?.config)
}

function chooseFor({ api, session }: CommandRun, strategy: StrategyName, all: boolean): Promise<void> {
  return all ? api.setDefaults({ strategy }) : api.choose(session, { strategy })
}

/**
 * Where the model in use cannot be told this effort, or another one is asked for instead; undefined where it is told. A
 * model that cannot be had now says nothing.
 */
async function unheard(
  { kit, session, words }: CommandRun,
  wanted: string,
): Promise<{ said: string; works: boolean } | undefined> {
  if (wanted === configKeys.reasoning_effort.default) return undefined
  try {
    const { name, efforts } = await modelOf(
      kit.parts.models,
      (await kit.session(session)).info,
      await readDefaults(kit.parts.store),
    )
    const sent = effortSent(efforts, wanted)
    return sent === wanted ? undefined : { said: words.effortIgnored(name, wanted, sent), works: sent !== undefined }
  } catch {
    return undefined
  }
}

/**
 * The JSON of a pasted file, with or without a fence around it and `--all` on either side; undefined where it is none.
 */
function pastedFile(text: string): { json: string; all: boolean } | undefined {
  const inner = text.replace(/^--all\s+/, '').replace(/\s+--all$/, '')
  const json = /^```\w*\n([\s\S]*?)\n?```$/.exec(inner)?.[1]?.trim() ?? inner
  return json.startsWith('{') ? { json, all: inner !== text } : undefined
}

/**
 * A pasted settings file of ours or of a seed: what it changes is applied and listed, with the strategy that it belongs
 * to; what is not ours is listed.
 */
async function importSettings(run: CommandRun, all: boolean): Promise<CommandAnswer> {
  const { kit, api, session, text, words, language } = run
  const { info } = await kit.session(session)
  const defaults = await readDefaults(kit.parts.store)
  const old = all ? defaults.strategy : strategyOf(info, defaults)
  const current = effective(old, defaults, all ? undefined : info)
  const file = importConfig(parsedFile(text, words.configNoJson), current)
  const now = file.strategy?.name ?? old
  const lines = linesUnder(now, file, current)
  // first: what is refused switches nothing
  if (Object.keys(file.changes).length > 0) await api.setConfig(all ? null : session, file.changes)
  if (now !== old) await chooseFor(run, now, all)
  const fileWords = configFileWords[language]
  const working = lines.filter(line => line.noEffect === undefined)
  const asked = file.changes.reasoning_effort
  const effort = asked === undefined ? undefined : await unheard(run, String(asked))
  const idle = lines.flatMap(({ noEffect, ...line }) =>
    noEffect ? [`- ${fileWords.idle(fileWords.change(line), fileWords.noEffect(noEffect))}`] : [],
  )
  return {
    note: noteText([
      ...(file.strategy && now !== old ? [words.strategyOfFile(old, now, fileWords.because(file.strategy), all)] : []),
      ...(file.mixed
        ? [
            fileWords.mixed(file.mixed, old),
            words.strategyMixed(file.mixed.map(({ name }) => name).filter(name => name !== old)),
          ]
        : []),
      words.configImported(fileWords.count(lines.length, changesIn(lines)), working.length === 0, all),
      ...working.map(line => `- ${fileWords.change(line)}`),
      ...(effort ? [effort.said] : []),
      ...(idle.length > 0 ? [words.configIdle(now), ...idle] : []),
      ...(file.problems.length > 0
        ? [words.configProblems, ...file.problems.map(problem => `- ${faultWords[language](problem)}`)]
        : []),
      ...(file.unknown.length > 0 ? [words.configUnknown(file.unknown.join(', '))] : []),
    ]),
    data: {
      changes: Object.keys(file.changes).length,
      withoutEffect: idle.length,
      unknown: file.unknown.length,
      problems: file.problems.length,
      ...(now !== old && { old, now }),
    },
  }
}

/** `words`: how it is said that the text is no JSON, around what the parser says, which speaks English only. */
function parsedFile(text: string, words: (why: string) => string): unknown {
  try {
    return JSON.parse(text)
  } catch (thrown) {
    throw new AgentError('bad_json', words(thrown instanceof Error ? thrown.message : String(thrown)), {
      cause: thrown,
    })
  }
}

export const strategy: Command = async ({ kit, api, session, text, words, language }) => {
  const names = Object.keys(strategies) as StrategyName[]
  const { info } = await kit.session(session)
  const defaults = await readDefaults(kit.parts.store)
  const now = strategyOf(info, defaults)
  if (text === '') {
    const [{ strategyLimits }, { differencesOf }] = await Promise.all([
      import('../i18n/strategy-texts.ts'),
      import('../../context/strategies/differences.ts'),
    ])
    const limits = names.flatMap(name => [
      words.strategyLimits(name),
      ...strategyLimits[language][name](effective(name, defaults, info)).map(line => `- ${line}`),
    ])
    const differs = differencesOf(now).map(row => `- ${words.difference(row[language])}`)
    return { note: noteText([words.strategyNow(now, names.join(', ')), ...limits, words.differences(now), ...differs]) }
  }
  const wanted = names.find(name => name === text.toLowerCase())
  if (!wanted) throw new AgentError('not_found', words.strategyUnknown(text, names.join(', ')))
  await api.choose(session, { strategy: wanted })
  return { note: words.strategySet(now, wanted), data: { old: now, now: wanted } }
}

export const model: Command = async ({ kit, api, session, text, words }) => {
  const list = await api.models()
  if (text === '') {
    const now = await modelOf(kit.parts.models, (await kit.session(session)).info, await readDefaults(kit.parts.store))
    return {
      note: noteText([
        words.modelNow(now.name, now.id),
        words.models,
        ...list.map(({ id, name }) => `- ${isolated(id)}${name === id ? '' : ` (${isolated(name)})`}`),
      ]),
    }
  }
  const wanted =
    list.find(({ id }) => id === text) ??
    list.find(({ id, name }) => [id, name].some(one => one.toLowerCase() === text.toLowerCase()))
  if (!wanted)
    throw new AgentError(
      'not_found',
      words.modelUnknown(
        text,
        nearest(
          text,
          list.map(({ id }) => id),
        ).join(', '),
      ),
    )
  await api.choose(session, { model: wanted.id })
  return { note: words.modelSet(wanted.name), data: { model: wanted.id } }
}
