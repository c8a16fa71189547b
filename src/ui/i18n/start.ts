/** The texts of the model to begin with. They load with that part of the screen, so both languages may stand here. */
import { words } from './texts.ts'
import { start as english, type StartWords } from './en/start-en.ts'
import { start as chinese } from './zh/start-zh.ts'

export function startWords(): StartWords {
  return words().language === 'zh' ? chinese : english
}
