/** The texts of pages and dialogs that come later. They load with those, so both languages may stand here. */
import { texts } from './texts.ts'
import { pagesEn as english } from './en/pages-en.ts'
import { pagesZh as chinese } from './zh/pages-zh.ts'

export type PagesTexts = typeof english

export function pagesTexts(): PagesTexts {
  return texts().language === 'zh' ? chinese : english
}
