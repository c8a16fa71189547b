/** The texts about files that come. They load with those, so both languages may stand here. */
import { texts } from './texts.ts'
import { filesEn as english, type FilesTexts } from './en/files-en.ts'
import { filesZh as chinese } from './zh/files-zh.ts'

export function filesTexts(): FilesTexts {
  return texts().language === 'zh' ? chinese : english
}
