/** The texts about sharing a chat. They load with its dialog, so both languages may stand here. */
import { texts } from './texts.ts'
import { shareEn as english, type ShareTexts } from './en/share-en.ts'
import { shareZh as chinese } from './zh/share-zh.ts'

export function shareTexts(): ShareTexts {
  return texts().language === 'zh' ? chinese : english
}
