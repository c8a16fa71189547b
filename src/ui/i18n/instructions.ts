/** The texts of the page of instructions. They load with it, so both languages may stand here. */
import { texts } from './texts.ts'
import { instructionsEn as english, type InstructionsTexts } from './en/instructions-en.ts'
import { instructionsZh as chinese } from './zh/instructions-zh.ts'

export function instructionsTexts(): InstructionsTexts {
  return texts().language === 'zh' ? chinese : english
}
