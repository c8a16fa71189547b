/** One setting as a person typed it or a file holds it: its name, its value, what is wrong with it. Pure. */
import { nearest } from '../../text/nearest.ts'
import { configKeys, configNames, type ConfigName, type ConfigValue } from './config.ts'
import type { ConfigFault } from './config-faults.ts'

export type ParsedConfigValue = { key: ConfigName; value: ConfigValue } | { fault: ConfigFault }

/**
 * A value as typed after `/config` or found in a file, checked against its key's type and range. Short spellings of a
 * key (its last part) are understood; an unknown key is an error with the nearest names.
 */
export function parseConfigValue(key: string, raw: unknown): ParsedConfigValue {
  const name = configNameOf(key)
  if (name === undefined) return { fault: { wrong: 'unknown', key, nearest: nearestConfigNames(key) } }
  const wrong = (what: 'boolean' | 'number' | 'whole'): ParsedConfigValue => ({
    fault: { wrong: what, key: name, value: shown(raw) },
  })
  const spec = configKeys[name]
  if (spec.type === 'boolean') {
    const value = typeof raw === 'string' ? booleans[raw.trim().toLowerCase()] : raw
    return typeof value === 'boolean' ? { key: name, value } : wrong('boolean')
  }
  if (spec.type === 'choice') {
    const text = typeof raw === 'string' ? raw.trim().toLowerCase() : ''
    const value = spec.choices.find(choice => choice === (spellings[text] ?? text))
    return value === undefined
      ? { fault: { wrong: 'choice', key: name, choices: spec.choices, value: shown(raw) } }
      : { key: name, value }
  }
  if (spec.type === 'number or default' && typeof raw === 'string' && raw.trim().toLowerCase() === 'default')
    return { key: name, value: 'default' }
  const value =
    typeof raw === 'string' && /^[+-]?(\d[\d_]*)?(\.\d+)?(e[+-]?\d+)?$/i.test(raw.trim()) && /\d/.test(raw)
      ? Number(raw.trim().replaceAll('_', ''))
      : raw
  if (typeof value !== 'number' || !Number.isFinite(value)) return wrong('number')
  if (spec.type === 'whole' && !Number.isInteger(value)) return wrong('whole')
  if (value < spec.min || value > spec.max)
    return { fault: { wrong: 'range', key: name, min: spec.min, max: spec.max, value: shown(raw) } }
  return { key: name, value }
}

/**
 * The known name of a key, however much of its path is given (`agents.running.max_input_length`); undefined if unknown.
 */
export function configNameOf(key: string): ConfigName | undefined {
  const parts = key.trim().toLowerCase().split('.')
  const last = parts.slice(-1).join('.')
  const lastTwo = parts.slice(-2).join('.')
  return configNames.find(name => name === lastTwo) ?? configNames.find(name => name === last)
}

/** Up to three names that were probably meant, best first. */
export function nearestConfigNames(key: string): ConfigName[] {
  return nearest(key.trim(), configNames) as ConfigName[]
}

const booleans: Record<string, boolean> = { true: true, on: true, yes: true, false: false, off: false, no: false }
const spellings: Record<string, string> = {
  'bytes/4': 'bytes',
  'bytes/divisor': 'bytes',
  'by script': 'script',
  o200k_base: 'bpe',
  o200k: 'bpe',
}

function shown(raw: unknown): string {
  return typeof raw === 'string' ? `"${raw.slice(0, 80)}"` : String(JSON.stringify(raw) ?? raw).slice(0, 80)
}
