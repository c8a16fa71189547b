/** The local day of a moment. */

/** Years outside 0001…9999 would not fit the four digits of a path. */
const FIRST = -62_135_510_400_000 // ms, 0001-01-02 UTC
const LAST = 253_402_128_000_000 // ms, 9999-12-30 UTC

/** 'YYYY-MM-DD' in the local time zone; `at` in ms since epoch. What is no time is taken as 0. Never throws. */
export function dayOf(at: number): string {
  const date = new Date(Number.isFinite(at) ? Math.min(LAST, Math.max(FIRST, at)) : 0)
  return `${digits(date.getFullYear(), 4)}-${digits(date.getMonth() + 1, 2)}-${digits(date.getDate(), 2)}`
}

/** Whether a text is a day that exists, as 'YYYY-MM-DD'. */
export function isDay(text: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!parts) return false
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  const lengths = [
    31,
    year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28,
    31,
    30,
    31,
    30,
    31,
    31,
    30,
    31,
    30,
    31,
  ]
  return year >= 1 && day >= 1 && day <= (lengths[month - 1] ?? 0)
}

/** The day that comes so many days after this one; negative: before. */
export function dayBeside(day: string, by: number): string {
  return new Date(Date.parse(`${day}T12:00:00Z`) + by * 86_400_000).toISOString().slice(0, 10)
}

function digits(value: number, width: number): string {
  return String(value).padStart(width, '0')
}
