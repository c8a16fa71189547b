/** The texts of the look into an export. They load with its dialog, so both languages may stand here. */
import { texts } from './texts.ts'
import { importsEn as english, type ImportsTexts } from './en/imports-en.ts'
import { importsZh as chinese } from './zh/imports-zh.ts'

export function importsTexts(): ImportsTexts {
  return texts().language === 'zh' ? chinese : english
}
