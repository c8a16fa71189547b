/** The texts of what a tool would do. They load with the first question, so both languages may stand here. */
import { words } from './texts.ts'
import { permission as english, type PermissionWords } from './en/permission-en.ts'
import { permission as chinese } from './zh/permission-zh.ts'

export function permissionWords(): PermissionWords {
  return words().language === 'zh' ? chinese : english
}
