/** The name of a day of the archive, as a person says it. Pure. */
import type { Language } from '../../core/agent/api/api.ts'

/** 'Monday, March 2, 2026' for '2026-03-02'. */
export function dayTitle(day: string, language: Language): string {
  // noon in UTC is that day everywhere it is formatted as UTC
  return new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(`${day}T12:00:00Z`))
}
