/** Numbers, sizes and times as a person reads them, in the language of the screen. */
import type { Language } from '../../../core/agent/api/api.ts'
import type { Usage } from '../../../core/log/message.ts'

let language: Language = 'en'
let wholes = new Intl.NumberFormat(language, { maximumFractionDigits: 0 })
let tenths = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
let percents = new Intl.NumberFormat(language, { style: 'percent' })

/** From now on numbers are written as this language does. */
export function writeNumbersIn(chosen: Language): void {
  language = chosen
  wholes = new Intl.NumberFormat(language, { maximumFractionDigits: 0 })
  tenths = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
  percents = new Intl.NumberFormat(language, { style: 'percent' })
}

/** When something was said, as one reads it out: the time of today, with the day before that of another. */
export function whenSaid(at: number, now = Date.now()): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString()
  return new Intl.DateTimeFormat(language, {
    ...(isToday ? {} : { day: 'numeric', month: 'long', year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
  }).format(at)
}

/** A whole number with its thousands grouped: 131,072. */
export function groupedNumber(value: number): string {
  return wholes.format(value)
}

/** A measured number: whole from ten on, below with one digit behind the point: 38, 7.3. */
export function shortNumber(value: number): string {
  return (value < 9.95 ? tenths : wholes).format(value)
}

/** A size in bytes as B, KB, MB or GB (1 KB = 1 024 B, as file managers say it). */
export function size(bytes: number): string {
  if (bytes < 1024) return `${groupedNumber(bytes)} B`
  const units = ['KB', 'MB', 'GB', 'TB']
  let value = bytes / 1024
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  return `${value < 9.95 ? value.toFixed(1).replace(/\.0$/, '') : Math.round(value)} ${units[unit]}`
}

/** A share (0…1) in per cent; more than nothing but less than one is "<1%". */
export function percent(share: number): string {
  return share > 0 && share < 0.01 ? `<${percents.format(0.01)}` : percents.format(share)
}

/** An amount in US$, small ones with two digits that tell: $0.0034. */
export function dollars(amount: number): string {
  if (amount === 0) return '$0'
  return amount < 0.0001
    ? '<$0.0001'
    : `$${amount < 0.995 ? amount.toFixed(Math.max(2, 1 - Math.floor(Math.log10(amount)))) : amount.toFixed(2)}`
}

/** What an answer used, in the words given; `before`: a word stands before its number. */
export function usageText(
  usage: Usage,
  words: { read: string; cached: string; written: string; before?: boolean },
): string {
  const { input, cacheRead = 0, cacheWrite = 0, output, cost } = usage
  const say = (tokens: number, word: string): string =>
    words.before ? `${word} ${groupedNumber(tokens)}` : `${groupedNumber(tokens)} ${word}`
  return [
    `${say(input + cacheRead + cacheWrite, words.read)}${cacheRead > 0 ? ` (${say(cacheRead, words.cached)})` : ''}`,
    ...(output === undefined ? [] : [say(output, words.written)]),
    ...(cost === undefined ? [] : [dollars(cost)]),
  ].join(' · ')
}

/** A span in ms as seconds or minutes: 0.4 s, 21 s, 3 min 5 s. */
export function duration(ms: number): string {
  const seconds = ms / 1000
  if (seconds < 9.95) return `${seconds.toFixed(1).replace(/\.0$/, '')} s`
  if (seconds < 59.5) return `${Math.round(seconds)} s`
  const whole = Math.round(seconds)
  return whole % 60 === 0 ? `${whole / 60} min` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}

/** The days from one time to another, in ms since epoch: 2 – 9 March; of another year than this one with it. */
export function days(from: number, to: number): string {
  const year = new Date().getFullYear()
  const withYear = [from, to].some(at => new Date(at).getFullYear() !== year)
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    day: 'numeric',
    month: 'long',
    ...(withYear ? { year: 'numeric' } : {}),
  }).formatRange(from, to)
}

/** When something was, as short as a list needs it: the time, of older days the day. `at` and `now`: ms. */
export function shortTime(at: number, now: number): string {
  if (at >= new Date(new Date(now).setHours(0, 0, 0, 0) - 1).setHours(0, 0, 0, 0)) return timeOfDay(at)
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    month: 'short',
    ...(isThisYear ? { day: 'numeric' } : { year: 'numeric' }),
  }).format(at)
}

/** Time of day, hours and minutes, in the person's zone. `at` in ms since epoch. */
export function timeOfDay(at: number): string {
  const time = new Date(at)
  return `${String(time.getHours()).padStart(2, '0')}:${String(time.getMinutes()).padStart(2, '0')}`
}
