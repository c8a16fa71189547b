/** Texts about a settings file and about settings without effect, by language; used by /config and by Settings. */
import type { ConfigImport, ConfigLine } from '../../context/config/config-import.ts'
import type { NoEffect } from '../../context/config/config.ts'
import type { StrategyName } from '../../context/strategy.ts'
import type { Language } from '../api/api.ts'
import { withIsolatedArguments } from '../../text/display/isolate.ts'

type NameOf = (strategy: StrategyName) => string
const typed: NameOf = name => name

/** `nameOf`: how strategies are called there; as they are typed, unless given. */
export type ConfigFileTexts = {
  change: (line: Omit<ConfigLine, 'noEffect'>) => string
  /** How many settings of ours a file has, and how many of them it changes; of the strategy something else tells. */
  count: (settings: number, changes: number) => string
  /** A line that does nothing, with the reason. */
  idle: (change: string, why: string) => string
  /** Why a setting does nothing. */
  noEffect: (nothing: NoEffect, nameOf?: NameOf) => string
  /** Why the file belongs to its strategy. */
  because: (belongs: NonNullable<ConfigImport['strategy']>, nameOf?: NameOf) => string
  mixed: (own: NonNullable<ConfigImport['mixed']>, stays: StrategyName, nameOf?: NameOf) => string
}

export const configFileTexts: Readonly<Record<Language, ConfigFileTexts>> = withIsolatedArguments({
  en: {
    change: ({ key, before, value, fixed }) =>
      before === undefined
        ? `${key}: ${String(value)}`
        : fixed
          ? `${key}: ${String(value)}, as in every chat`
          : before === value
            ? `${key}: ${String(value)}, as before`
            : `${key}: ${String(before)} → ${String(value)}`,
    count: (settings, changes) =>
      `${settings} ${settings === 1 ? 'setting' : 'settings'}, ${changes} ${changes === 1 ? 'change' : 'changes'}`,
    idle: (change, why) => `${change} (${why})`,
    noEffect: (nothing, nameOf = typed) => {
      switch (nothing.why) {
        case 'other strategy':
          return `only ${nothing.strategies.map(nameOf).join(', ')} ${nothing.strategies.length === 1 ? 'reads' : 'read'} it`
        case 'switched off':
          return `it counts only while ${nothing.by} is true`
        case 'fixed':
          return 'it has no other value, in any chat'
        default:
          return nothing satisfies never
      }
    },
    because: ({ name, because, value }, nameOf = typed) =>
      value !== undefined
        ? `the file says ${because}: ${String(value)}`
        : `the file has ${because}, which only ${nameOf(name)} reads`,
    mixed: (own, stays, nameOf = typed) =>
      `The file has settings of ${own.map(({ name, key }) => `${nameOf(name)} (${key})`).join(' and ')}, so it does not say which strategy it is for. It stays ${nameOf(stays)}.`,
  },
  zh: {
    change: ({ key, before, value, fixed }) =>
      before === undefined
        ? `${key}：${String(value)}`
        : fixed
          ? `${key}：${String(value)}，所有对话都如此`
          : before === value
            ? `${key}：${String(value)}，与之前相同`
            : `${key}：${String(before)} → ${String(value)}`,
    count: (settings, changes) => `${settings} 项配置，${changes} 处改动`,
    idle: (change, why) => `${change}（${why}）`,
    noEffect: (nothing, nameOf = typed) => {
      switch (nothing.why) {
        case 'other strategy':
          return `只有 ${nothing.strategies.map(nameOf).join('、')} 会读取它`
        case 'switched off':
          return `只有 ${nothing.by} 为 true 时才起作用`
        case 'fixed':
          return '在任何对话中都只有这一个值'
        default:
          return nothing satisfies never
      }
    },
    because: ({ name, because, value }, nameOf = typed) =>
      value !== undefined
        ? `文件中写了 ${because}：${String(value)}`
        : `文件中有 ${because}，只有 ${nameOf(name)} 会读取它`,
    mixed: (own, stays, nameOf = typed) =>
      `文件中同时有 ${own.map(({ name, key }) => `${nameOf(name)}（${key}）`).join('和 ')} 的配置，无法判断它属于哪个策略，因此保持 ${nameOf(stays)}。`,
  },
})
