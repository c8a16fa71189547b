/**
 * The texts about servers that do not answer. They load with that part of the screen, so both languages may stand here.
 */
import { words } from './texts.ts'
import { doctor as english, type DoctorWords } from './en/doctor-en.ts'
import { doctor as chinese } from './zh/doctor-zh.ts'

export function doctorWords(): DoctorWords {
  return words().language === 'zh' ? chinese : english
}
