/**
 * The texts of keys and of what leaves the device. They load with that part of the screen, so both languages may stand
 * here.
 */
import { words } from './texts.ts'
import { privacy as english, type PrivacyWords } from './en/privacy-en.ts'
import { privacy as chinese } from './zh/privacy-zh.ts'

export function privacyWords(): PrivacyWords {
  return words().language === 'zh' ? chinese : english
}
