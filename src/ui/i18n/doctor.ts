/**
 * The texts about servers that do not answer. They load with that part of the screen, so both languages may stand here.
 */
import { texts } from './texts.ts'
import { doctorEn as english, type DoctorTexts } from './en/doctor-en.ts'
import { doctorZh as chinese } from './zh/doctor-zh.ts'

export function doctorTexts(): DoctorTexts {
  return texts().language === 'zh' ? chinese : english
}
