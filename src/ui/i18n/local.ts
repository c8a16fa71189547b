/** The texts of the models of this device. They load with that part of the screen, so both languages may stand here. */
import { words } from './texts.ts'
import { local as english, type LocalWords } from './en/local-en.ts'
import { local as chinese } from './zh/local-zh.ts'

export function localWords(): LocalWords {
  return words().language === 'zh' ? chinese : english
}
