/** Texts about what is wrong with a setting, by language. Loaded when something is. */
import type { ConfigFault } from './config-faults.ts'
import { withIsolatedArguments } from '../../text/display/isolate.ts'

/** One line each, without an end; a key that is unknown is a whole sentence. */
export const configFaultTexts: Readonly<Record<'en' | 'zh', (fault: ConfigFault) => string>> = withIsolatedArguments({
  en: fault => {
    switch (fault.wrong) {
      case 'unknown':
        return `There is no setting "${fault.key}".${fault.nearest.length > 0 ? ` Nearest: ${fault.nearest.join(', ')}.` : ''}`
      case 'boolean':
        return `${fault.key} is true or false, not ${fault.value}`
      case 'number':
        return `${fault.key} is a number, not ${fault.value}`
      case 'whole':
        return `${fault.key} is a whole number, not ${fault.value}`
      case 'choice':
        return `${fault.key} is one of: ${fault.choices.join(', ')}; not ${fault.value}`
      case 'range':
        return `${fault.key} lies between ${fault.min} and ${fault.max}; ${fault.value} does not`
      case 'pair':
        return `${fault.low} (${String(fault.values[fault.low])}) must be ${fault.equal ? 'at most' : 'below'} ${fault.high} (${String(fault.values[fault.high])})`
      case 'no object':
        return 'The file holds no JSON object'
      default:
        return fault satisfies never
    }
  },
  zh: fault => {
    switch (fault.wrong) {
      case 'unknown':
        return `没有名为“${fault.key}”的配置项。${fault.nearest.length > 0 ? `相近的有：${fault.nearest.join('、')}。` : ''}`
      case 'boolean':
        return `${fault.key} 只能是 true 或 false，不能是 ${fault.value}`
      case 'number':
        return `${fault.key} 应为数字，而不是 ${fault.value}`
      case 'whole':
        return `${fault.key} 应为整数，而不是 ${fault.value}`
      case 'choice':
        return `${fault.key} 可选：${fault.choices.join('、')}；不能是 ${fault.value}`
      case 'range':
        return `${fault.key} 应在 ${fault.min} 到 ${fault.max} 之间，${fault.value} 不在此范围`
      case 'pair':
        return `${fault.low}（${String(fault.values[fault.low])}）必须${fault.equal ? '不大于' : '小于'} ${fault.high}（${String(fault.values[fault.high])}）`
      case 'no object':
        return '文件中没有 JSON 对象'
      default:
        return fault satisfies never
    }
  },
})
