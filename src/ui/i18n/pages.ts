/** The texts of pages and dialogs that come later. They load with those, so both languages may stand here. */
import { words } from './texts.ts'
import { more as english } from './en/pages-en.ts'
import { more as chinese } from './zh/pages-zh.ts'

export type MoreWords = typeof english

export function moreWords(): MoreWords {
  return words().language === 'zh' ? chinese : english
}
