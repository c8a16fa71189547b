/** The texts of pages and dialogs that come later. They load with those, so both languages may stand here. */
import { words } from './words.ts'
import { more as english } from './en/more-en.ts'
import { more as chinese } from './zh/more-zh.ts'

export type MoreWords = typeof english

export function moreWords(): MoreWords {
  return words().language === 'zh' ? chinese : english
}
