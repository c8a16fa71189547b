/** /config, /strategy, /model: what a chat runs with. */
import { configKeys, defaultsOf, noEffect, readsSetting, type Config } from '../../context/config/config.ts'
import { changesIn, importConfig, linesUnder } from '../../context/config/config-import.ts'
import { configFaultTexts } from '../../context/config/config-fault-texts.ts'
import { configNameOf, nearestConfigNames, parseConfigValue } from '../../context/config/config-value.ts'
import { effectiveConfig } from '../../context/config/effective-config.ts'
import { isPublished } from '../../context/strategies/index.ts'
import { strategyNamed, strategyNames, type StrategyName } from '../../context/strategy.ts'
import { AgentError } from '../../errors.ts'
import type { SessionInfo } from '../../ports/ports.ts'
import { nearest } from '../../text/nearest.ts'
import type { Defaults } from '../api/api.ts'
import type { ConfigRow } from '../api/context-api.ts'
import { configFileTexts } from '../i18n/config-file-texts.ts'
import { modelOf, readDefaults, strategyOf } from '../session/defaults.ts'
import { effectiveEffort } from '../request/effective-effort.ts'
import type { Command, CommandAnswer, CommandRun } from './command.ts'
import { settingTexts } from './setting-texts.ts'
import { noteText } from './note-text.ts'
import { isolated } from '../../text/display/isolate.ts'

export const configCommand: Command = async run => {
  const { runtime, api, session, text, language } = run
  const texts = settingTexts[language]
  const pasted = pastedFile(text)
  if (pasted !== undefined) return importSettings({ ...run, text: pasted.json }, pasted.all)
  const parts = text.split(/\s+/).filter(part => part !== '')
  const all = parts.includes('--all')
  const [key, ...value] = parts.filter(part => part !== '--all')
  const rows = await api.config(session)
  const defaults = await readDefaults(runtime.deps.store)
  const { info } = await runtime.session(session)
  const name = all ? defaults.strategy : strategyOf(info, defaults)
  const names = strategyNames.join(', ')
  const shown = (row: ConfigRow): string => `- ${texts.config(row)} (${texts.configSource[row.source]})`
  if (key === undefined) {
    const own = rows.filter(row => row.strategies === 'all' || row.strategies.includes(name))
    const { differencesOf } = await import('../../context/strategies/differences.ts')
    const differs = texts.differs(
      name,
      isPublished(name),
      differencesOf(name).map(row => row[language].title),
    )
    return {
      note: noteText([texts.strategyNow(name, names), ...own.map(shown), texts.configMore, differs]),
    }
  }
  if (key.toLowerCase() === everyStrategy && value.length === 0) {
    const titleOf = (row: ConfigRow): string =>
      row.strategies === 'all' ? texts.configOfAll : texts.configOf(row.strategies.join(', '))
    const titles = [...new Set(rows.map(titleOf))]
    // What nobody set is not the same under each strategy, and the line shows that of one.
    const others = strategyNames
      .filter(other => other !== name)
      .map(other => ({ other, held: effective(other, defaults, info) }))
    const shownOfAll = (row: ConfigRow): string => {
      const key = configNameOf(row.key)
      const differing = others.flatMap(({ other, held }) =>
        key !== undefined && readsSetting(other, key) && held[key] !== row.value
          ? [texts.configUnder(other, String(held[key]))]
          : [],
      )
      return differing.length === 0
        ? shown(row)
        : `- ${texts.config(row)} (${[texts.configSource[row.source], ...differing].join(texts.configAnd)})`
    }
    return {
      note: noteText([
        texts.strategyNow(name, names),
        ...titles.flatMap(title => [title, ...rows.filter(row => titleOf(row) === title).map(shownOfAll)]),
      ]),
    }
  }
  const known = configNameOf(key)
  const row = rows.find(row => row.key === known)
  if (known === undefined || row === undefined) {
    const fault = { wrong: 'unknown', key, nearest: nearestConfigNames(key) } as const
    throw new AgentError(
      'not_found',
      `${configFaultTexts[language](fault)}${language === 'en' ? ' ' : ''}${texts.configMore}`,
    )
  }
  const fileWords = configFileTexts[language]
  const nothing = (config: Config): string => {
    const why = noEffect(known, name, config)
    return why ? `\n\n${texts.configOther(known, name, fileWords.noEffect(why))}` : ''
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
      note: `${texts.config(row)}${range} (${texts.configSource[row.source]})\n\n${row.description}${(await heard(now)).said}`,
    }
  }
  if (value.length === 1 && value[0]?.toLowerCase() === backToDefault) {
    await api.setConfig(all ? null : session, { [known]: null })
    const after = (await api.config(session)).find(row => row.key === known) ?? row
    const { [known]: held } = effective(
      name,
      await readDefaults(runtime.deps.store),
      all ? undefined : (await runtime.session(session)).info,
    )
    return {
      note: texts.configReset(known, String(now[known]), String(held), all ? 'default' : after.source),
      data: { key: known, old: now[known], now: held, all },
    }
  }
  const read = parseConfigValue(key, value.join(' '))
  if ('fault' in read) throw new AgentError('bad_input', configFaultTexts[language](read.fault))
  const { chooses } = configKeys[known]
  if (chooses !== undefined) {
    await chooseFor(run, chooses, all)
    return {
      note: `${texts.strategySet(name, chooses)}${all ? ` ${texts.forNewChats}` : ''}`,
      data: { old: name, now: chooses, all },
    }
  }
  await api.setConfig(all ? null : session, { [known]: read.value })
  const { said, works } = await heard({ ...now, [known]: read.value })
  return {
    note: `${texts.configSet(known, String(now[known]), String(read.value), all, works)}${said}`,
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
 * If the current model does not support this effort: what it gets instead; undefined if it does. Nothing is said about
 * a model that is not available now.
 */
async function unheard(
  { runtime, session, language }: CommandRun,
  wanted: string,
): Promise<{ said: string; works: boolean } | undefined> {
  if (wanted === configKeys.reasoning_effort.default) return undefined
  try {
    const { name, efforts } = await modelOf(
      runtime.deps.models,
      (await runtime.session(session)).info,
      await readDefaults(runtime.deps.store),
    )
    const sent = effectiveEffort(efforts, wanted)
    return sent === wanted
      ? undefined
      : { said: settingTexts[language].effortIgnored(name, wanted, sent), works: sent !== undefined }
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
  const { runtime, api, session, text, language } = run
  const texts = settingTexts[language]
  const { info } = await runtime.session(session)
  const defaults = await readDefaults(runtime.deps.store)
  const old = all ? defaults.strategy : strategyOf(info, defaults)
  const current = effective(old, defaults, all ? undefined : info)
  const file = importConfig(parsedFile(text, texts.configNoJson), current)
  const now = file.strategy?.name ?? old
  const lines = linesUnder(now, file, current)
  // first: what is refused switches nothing
  if (Object.keys(file.changes).length > 0) await api.setConfig(all ? null : session, file.changes)
  if (now !== old) await chooseFor(run, now, all)
  const fileWords = configFileTexts[language]
  const working = lines.filter(line => line.noEffect === undefined)
  const asked = file.changes.reasoning_effort
  const effort = asked === undefined ? undefined : await unheard(run, String(asked))
  const idle = lines.flatMap(({ noEffect, ...line }) =>
    noEffect ? [`- ${fileWords.idle(fileWords.change(line), fileWords.noEffect(noEffect))}`] : [],
  )
  return {
    note: noteText([
      ...(file.strategy && now !== old ? [texts.strategyOfFile(old, now, fileWords.because(file.strategy), all)] : []),
      ...(file.mixed
        ? [
            fileWords.mixed(file.mixed, old),
            texts.strategyMixed(file.mixed.map(({ name }) => name).filter(name => name !== old)),
          ]
        : []),
      texts.configImported(fileWords.count(lines.length, changesIn(lines)), working.length === 0, all),
      ...working.map(line => `- ${fileWords.change(line)}`),
      ...(effort ? [effort.said] : []),
      ...(idle.length > 0 ? [texts.configIdle(now), ...idle] : []),
      ...(file.problems.length > 0
        ? [texts.configProblems, ...file.problems.map(problem => `- ${configFaultTexts[language](problem)}`)]
        : []),
      ...(file.unknown.length > 0 ? [texts.configUnknown(file.unknown.join(', '))] : []),
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

export const strategyCommand: Command = async ({ runtime, api, session, text, language }) => {
  const texts = settingTexts[language]
  const { info } = await runtime.session(session)
  const defaults = await readDefaults(runtime.deps.store)
  const now = strategyOf(info, defaults)
  if (text === '') {
    const [{ strategyLimits }, { differencesOf }] = await Promise.all([
      import('../i18n/strategy-texts.ts'),
      import('../../context/strategies/differences.ts'),
    ])
    const limits = strategyNames.flatMap(name => [
      texts.strategyLimits(name),
      ...strategyLimits[language][name](effective(name, defaults, info)).map(line => `- ${line}`),
    ])
    const differs = differencesOf(now).map(row => `- ${texts.difference(row[language])}`)
    return {
      note: noteText([
        texts.strategyNow(now, strategyNames.join(', ')),
        ...limits,
        texts.differences(now, isPublished(now)),
        ...differs,
      ]),
    }
  }
  const wanted = strategyNamed(text.toLowerCase())
  if (!wanted) throw new AgentError('not_found', texts.strategyUnknown(text, strategyNames.join(', ')))
  await api.choose(session, { strategy: wanted })
  return { note: texts.strategySet(now, wanted), data: { old: now, now: wanted } }
}

export const modelCommand: Command = async ({ runtime, api, session, text, language }) => {
  const texts = settingTexts[language]
  const list = await api.models()
  if (text === '') {
    const now = await modelOf(
      runtime.deps.models,
      (await runtime.session(session)).info,
      await readDefaults(runtime.deps.store),
    )
    return {
      note: noteText([
        texts.modelNow(now.name, now.id),
        texts.models,
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
      texts.modelUnknown(
        text,
        nearest(
          text,
          list.map(({ id }) => id),
        ).join(', '),
      ),
    )
  await api.choose(session, { model: wanted.id })
  return { note: texts.modelSet(wanted.name), data: { model: wanted.id } }
}
