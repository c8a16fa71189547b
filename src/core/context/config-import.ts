/** Settings out of a JSON file: ours, or in the shape of one of the three seeds. Pure. */
import { contradictions, type Config, type ConfigName, type ConfigValue } from './config.ts'
import { nameOf, readValue } from './config-value.ts'
import type { StrategyName } from './strategy.ts'

export type ConfigImport = {
  /** What would change, to be shown before it is applied. */
  changes: Partial<Record<ConfigName, ConfigValue>>
  /** The strategy that the file names (`context_manager_backend`). */
  strategy?: StrategyName
  /** Paths of keys that are not ours; they are no fault. */
  unknown: string[]
  /** Values that are not taken, each with the reason. */
  problems: string[]
}

const maxDepth = 16 // a settings file nests about five deep; a hostile one may nest without end

/**
 * Reads the settings out of parsed JSON, however deep they lie: `agents.running.…` of QwenPaw and CoPaw, flat keys of
 * CowAgent. `current` are the settings in effect, for the rules between two of them. Never throws.
 */
export function importConfig(json: unknown, current: Config): ConfigImport {
  const report: ConfigImport = { changes: {}, unknown: [], problems: [] }
  if (!isObject(json)) {
    report.problems.push('The file holds no JSON object')
    return report
  }
  for (const { path, value } of leaves(json, '', 0)) {
    if (nameOf(path) === undefined) {
      report.unknown.push(path)
      continue
    }
    const read = readValue(path, value)
    if ('error' in read) report.problems.push(read.error)
    else if (read.key === 'context_manager_backend') report.strategy = 'qwenpaw'
    else report.changes[read.key] = read.value
  }
  for (const { low, high, message } of contradictions({ ...current, ...report.changes } as Config)) {
    report.problems.push(message)
    delete report.changes[low]
    delete report.changes[high]
  }
  return report
}

function* leaves(value: Record<string, unknown>, prefix: string, depth: number): Generator<{ path: string; value: unknown }> {
  for (const [key, inner] of Object.entries(value)) {
    const path = prefix === '' ? key : `${prefix}.${key}`
    if (isObject(inner) && depth < maxDepth) yield* leaves(inner, path, depth + 1)
    else yield { path, value: inner }
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
