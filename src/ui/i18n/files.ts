/** The texts about files that come. They load with those, so both languages may stand here. */
import { words } from './texts.ts'
import { files as english, type FilesWords } from './en/files-en.ts'
import { files as chinese } from './zh/files-zh.ts'

export function filesWords(): FilesWords {
  return words().language === 'zh' ? chinese : english
}
