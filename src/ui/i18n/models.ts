/** The texts of the list of models. They load with it, so both languages may stand here. */
import { texts } from './texts.ts'
import { modelsEn as english, type ModelsTexts } from './en/models-en.ts'
import { modelsZh as chinese } from './zh/models-zh.ts'

export function modelsTexts(): ModelsTexts {
  return texts().language === 'zh' ? chinese : english
}
