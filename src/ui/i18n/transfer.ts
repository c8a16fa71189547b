/** The texts about an export or an import. They load with what tells of one, so both languages may stand here. */
import { texts } from './texts.ts'
import { transferEn as english, type TransferTexts } from './en/transfer-en.ts'
import { transferZh as chinese } from './zh/transfer-zh.ts'

export function transferTexts(): TransferTexts {
  return texts().language === 'zh' ? chinese : english
}
