/** The texts of what a tool would do. They load with the first question, so both languages may stand here. */
import { texts } from './texts.ts'
import { permissionEn as english, type PermissionTexts } from './en/permission-en.ts'
import { permissionZh as chinese } from './zh/permission-zh.ts'

export function permissionTexts(): PermissionTexts {
  return texts().language === 'zh' ? chinese : english
}
