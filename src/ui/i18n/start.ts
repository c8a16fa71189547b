/** The texts of the first screen. They load with it, so both languages may stand here. */
import { texts } from './texts.ts'
import { startEn as english, type StartTexts } from './en/start-en.ts'
import { startZh as chinese } from './zh/start-zh.ts'

export function startTexts(): StartTexts {
  return texts().language === 'zh' ? chinese : english
}
