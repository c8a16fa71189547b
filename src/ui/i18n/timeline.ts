/** The texts of the timeline. They load with it, so both languages may stand here. */
import { texts } from './texts.ts'
import { timelineEn as english } from './en/timeline-en.ts'
import { timelineZh as chinese } from './zh/timeline-zh.ts'

export type TimelineTexts = typeof english

export function timelineTexts(): TimelineTexts {
  return texts().language === 'zh' ? chinese : english
}
