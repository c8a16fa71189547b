/** What can be wrong with a setting, and how that is said, by language. Pure. */
import type { Config, ConfigName } from './config.ts'

/** `value`: as it was given, shortened. */
export type ConfigFault =
  | { wrong: 'unknown'; key: string; nearest: readonly ConfigName[] }
  | { wrong: 'boolean' | 'number' | 'whole'; key: ConfigName; value: string }
  | { wrong: 'choice'; key: ConfigName; choices: readonly string[]; value: string }
  | { wrong: 'range'; key: ConfigName; min: number; max: number; value: string }
  | { wrong: 'pair'; low: ConfigName; high: ConfigName; values: Pick<Config, ConfigName>; equal: boolean }
  | { wrong: 'no object' }

/** One line each, without an end; a key that is unknown is a whole sentence. */
export const faultWords: Readonly<Record<'en' | 'zh', (fault: ConfigFault) => string>> = {
  en: fault => {
    switch (fault.wrong) {
      case 'unknown': return `There is no setting "${fault.key}".${fault.nearest.length > 0 ? ` Nearest: ${fault.nearest.join(', ')}.` : ''}`
      case 'boolean': return `${fault.key} is true or false, not ${fault.value}`
      case 'number': return `${fault.key} is a number, not ${fault.value}`
      case 'whole': return `${fault.key} is a whole number, not ${fault.value}`
      case 'choice': return `${fault.key} is one of: ${fault.choices.join(', ')}; not ${fault.value}`
      case 'range': return `${fault.key} lies between ${fault.min} and ${fault.max}; ${fault.value} does not`
      case 'pair': return `${fault.low} (${String(fault.values[fault.low])}) must be ${fault.equal ? 'at most' : 'below'} ${fault.high} (${String(fault.values[fault.high])})`
      case 'no object': return 'The file holds no JSON object'
      default: return fault satisfies never
    }
  },
  zh: fault => {
    switch (fault.wrong) {
      case 'unknown': return `没有名为“${fault.key}”的配置项。${fault.nearest.length > 0 ? `相近的有：${fault.nearest.join('、')}。` : ''}`
      case 'boolean': return `${fault.key} 只能是 true 或 false，不能是 ${fault.value}`
      case 'number': return `${fault.key} 应为数字，而不是 ${fault.value}`
      case 'whole': return `${fault.key} 应为整数，而不是 ${fault.value}`
      case 'choice': return `${fault.key} 可选：${fault.choices.join('、')}；不能是 ${fault.value}`
      case 'range': return `${fault.key} 应在 ${fault.min} 到 ${fault.max} 之间，${fault.value} 不在此范围`
      case 'pair': return `${fault.low}（${String(fault.values[fault.low])}）必须${fault.equal ? '不大于' : '小于'} ${fault.high}（${String(fault.values[fault.high])}）`
      case 'no object': return '文件中没有 JSON 对象'
      default: return fault satisfies never
    }
  },
}

/** Settings that cannot hold together. */
export function contradictions(config: Config): (ConfigFault & { wrong: 'pair' })[] {
  const pairs = [
    { low: 'reserve_threshold_ratio', high: 'compact_threshold_ratio', equal: false },
    { low: 'memory_reserve_ratio', high: 'memory_compact_ratio', equal: false },
    { low: 'pruning_old_msg_max_bytes', high: 'pruning_recent_msg_max_bytes', equal: true },
  ] as const
  return pairs.filter(({ low, high, equal }) => equal ? config[low] > config[high] : config[low] >= config[high])
    .map(({ low, high, equal }) => ({ wrong: 'pair', low, high, equal, values: config }))
}
