/**
 * The texts of keys and of what leaves the device. They load with that part of the screen, so both languages may stand
 * here.
 */
import { texts } from './texts.ts'
import { privacyEn as english, type PrivacyTexts } from './en/privacy-en.ts'
import { privacyZh as chinese } from './zh/privacy-zh.ts'

export function privacyTexts(): PrivacyTexts {
  return texts().language === 'zh' ? chinese : english
}
