/** The texts about an export or an import. They load with what tells of one, so both languages may stand here. */
import { words } from './texts.ts'
import { transfer as english, type TransferWords } from './en/transfer-en.ts'
import { transfer as chinese } from './zh/transfer-zh.ts'

export function transferWords(): TransferWords {
  return words().language === 'zh' ? chinese : english
}
