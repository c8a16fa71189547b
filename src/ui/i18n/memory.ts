/** The texts of the page of memory. They load with it, so both languages may stand here. */
import { words } from './texts.ts'
import { memory as english, type MemoryWords } from './en/memory-en.ts'
import { memory as chinese } from './zh/memory-zh.ts'

export function memoryWords(): MemoryWords {
  return words().language === 'zh' ? chinese : english
}
