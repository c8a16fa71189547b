/** Reads settings from a JSON file: ours, or one of the published systems. Pure. */
import {
  configKeys,
  isFixed,
  noEffect,
  type Config,
  type ConfigName,
  type ConfigValue,
  type NoEffect,
} from './config.ts'
import { contradictions, type ConfigFault } from './config-faults.ts'
import { configNameOf, parseConfigValue } from './config-value.ts'
import type { StrategyName } from '../strategy.ts'

export type ConfigImport = {
  /** What would be set, in the order of the file, to be shown before it is applied. */
  changes: Partial<Record<ConfigName, ConfigValue>>
  /**
   * The strategy that the file belongs to, and the line that says so; `value` is that of a line that does nothing but
   * name it.
   */
  strategy?: { name: StrategyName; because: ConfigName; value?: ConfigValue }
  /** Of a file that belongs to no one strategy, though it has lines that only one reads: such a line of each. */
  mixed?: { name: StrategyName; key: ConfigName }[]
  /** Paths of keys that are not ours; they are no fault. */
  unknown: string[]
  /** Values that are not taken, each with the reason. */
  problems: ConfigFault[]
}

/**
 * One line of a file, and what it does under the strategy that will hold. `before`: absent of a line that names a
 * strategy.
 */
export type ConfigLine = {
  key: ConfigName
  before?: ConfigValue
  value: ConfigValue
  fixed?: true /* in every chat: the one value that there is */
  noEffect?: Exclude<NoEffect, { why: 'fixed' }>
}

const maxDepth = 16 // a settings file nests about five deep; a hostile one may nest without end

/**
 * Reads the settings out of parsed JSON, however deep they lie: `agents.running.…` of QwenPaw and CoPaw, flat keys of
 * CowAgent. `current` are the settings in effect, for the rules between two of them. Never throws.
 */
export function importConfig(json: unknown, current: Config): ConfigImport {
  const report: ConfigImport = { changes: {}, unknown: [], problems: [] }
  if (!isObject(json)) {
    report.problems.push({ wrong: 'no object' })
    return report
  }
  let named: ConfigImport['strategy']
  for (const { path, value } of leaves(json, '', 0)) {
    if (configNameOf(path) === undefined) {
      report.unknown.push(path)
      continue
    }
    const read = parseConfigValue(path, value)
    if ('fault' in read) {
      report.problems.push(read.fault)
      continue
    }
    const { chooses } = configKeys[read.key]
    if (chooses === undefined) report.changes[read.key] = read.value
    else named = { name: chooses, because: read.key, value: read.value }
  }
  for (const fault of contradictions({ ...current, ...report.changes } as Config)) {
    report.problems.push(fault)
    delete report.changes[fault.low]
    delete report.changes[fault.high]
  }
  return { ...report, ...(named ? { strategy: named } : ownerOf(Object.keys(report.changes) as ConfigName[])) }
}

/**
 * Which strategy these settings are written for where none is named: the one that alone reads some of them. Keys that
 * all read, or that have one value only, decide nothing; where two strategies have keys of their own, none is chosen.
 */
function ownerOf(keys: readonly ConfigName[]): Pick<ConfigImport, 'strategy' | 'mixed'> {
  const own: { name: StrategyName; key: ConfigName }[] = []
  for (const key of keys) {
    const { strategies } = configKeys[key]
    const [name, ...others] = strategies === 'all' || isFixed(key) ? [] : strategies
    if (name !== undefined && others.length === 0 && !own.some(known => known.name === name)) own.push({ name, key })
  }
  const [first, ...more] = own
  if (first === undefined) return {}
  return more.length === 0 ? { strategy: { name: first.name, because: first.key } } : { mixed: own }
}

/** What each line does where `then` will be the strategy; `current` are the settings in effect before. */
export function linesUnder(
  then: StrategyName,
  { changes, strategy }: Pick<ConfigImport, 'changes' | 'strategy'>,
  current: Config,
): ConfigLine[] {
  const config = { ...current, ...changes } as Config
  const lines = (Object.entries(changes) as [ConfigName, ConfigValue][]).map(([key, value]) => {
    const nothing = noEffect(key, then, config)
    return {
      key,
      before: current[key],
      value,
      ...(nothing?.why === 'fixed' ? { fixed: true as const } : nothing && { noEffect: nothing }),
    }
  })
  if (strategy?.value === undefined) return lines
  const { because, value, name } = strategy
  return [
    { key: because, value, ...(name !== then && { noEffect: { why: 'other strategy', strategies: [name] } as const }) },
    ...lines,
  ]
}

/** How many of these lines change a setting. */
export function changesIn(lines: readonly ConfigLine[]): number {
  return lines.filter(({ before, value }) => before !== undefined && before !== value).length
}

function* leaves(
  value: Record<string, unknown>,
  prefix: string,
  depth: number,
): Generator<{ path: string; value: unknown }> {
  for (const [key, inner] of Object.entries(value)) {
    const path = prefix === '' ? key : `${prefix}.${key}`
    if (isObject(inner) && depth < maxDepth) yield* leaves(inner, path, depth + 1)
    else yield { path, value: inner }
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
