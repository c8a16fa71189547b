/** What the page of shortcuts says. It loads with that, so both languages may stand here. */
import { texts } from './texts.ts'
import { shortcutsEn as english } from './en/shortcuts-en.ts'
import { shortcutsZh as chinese } from './zh/shortcuts-zh.ts'

export type ShortcutsTexts = typeof english

export function shortcutsTexts(): ShortcutsTexts {
  return texts().language === 'zh' ? chinese : english
}
