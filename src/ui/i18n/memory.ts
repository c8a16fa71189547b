/** The texts of the page of memory. They load with it, so both languages may stand here. */
import { texts } from './texts.ts'
import { memoryEn as english, type MemoryTexts } from './en/memory-en.ts'
import { memoryZh as chinese } from './zh/memory-zh.ts'

export function memoryTexts(): MemoryTexts {
  return texts().language === 'zh' ? chinese : english
}
