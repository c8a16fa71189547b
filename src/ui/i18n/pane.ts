/** The texts of the context pane and its dialogs. They load with it, so both languages may stand here. */
import { texts } from './texts.ts'
import { paneEn as english } from './en/pane-en.ts'
import { paneZh as chinese } from './zh/pane-zh.ts'

export type PaneTexts = typeof english

export function paneTexts(): PaneTexts {
  return texts().language === 'zh' ? chinese : english
}
