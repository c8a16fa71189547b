/** The texts of the models of this device. They load with that part of the screen, so both languages may stand here. */
import { texts } from './texts.ts'
import { localEn as english, type LocalTexts } from './en/local-en.ts'
import { localZh as chinese } from './zh/local-zh.ts'

export function localTexts(): LocalTexts {
  return texts().language === 'zh' ? chinese : english
}
