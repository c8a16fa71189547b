/**
 * Times that a query mentions: "last Tuesday", "in May 2023", 上周. English, Chinese, Japanese, Korean; local time.
 * Pure.
 */
import { foldText } from './fold-text.ts'

/** ms since epoch, `to` exclusive. */
export type Span = { from: number; to: number }
/** `rest`: the question without its relative times, whose words say nothing about what was said then. */
export type QueryTimes = { spans: Span[]; rest: string }

type Rule = { pattern: RegExp; span(parts: string[], now: Date): Span | undefined; isAbsolute?: true }

const months =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'
const weekdays = 'sun|mon|tues|wednes|thurs|fri|satur'
const small = '\\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|[一二两兩三四五六七八九十]'

/** In order: what is longer comes first, because what was read once is not read again. */
const rules: readonly Rule[] = [
  {
    pattern: /(\d{4})\s*[-/.年년]\s*(\d{1,2})\s*[-/.月월]\s*(\d{1,2})(?!\d)\s*[日号號일]?/iu,
    isAbsolute: true,
    span: ([y, m, d]) => day(Number(y), Number(m), Number(d)),
  },
  {
    pattern: /(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]|\b((?:19|20)\d\d)-(\d\d)(?![\d-])/iu,
    isAbsolute: true,
    span: ([y, m, y2, m2]) => monthNamed(Number(y ?? y2), Number(m ?? m2)),
  },
  {
    pattern: new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)? (${months})\\b\\.?,? ?((?:19|20)\\d\\d)?`, 'iu'),
    isAbsolute: true,
    span: ([d, m, y], now) => dated(y, monthOf(m), Number(d), now),
  },
  {
    pattern: new RegExp(`\\b(${months})\\b\\.? (\\d{1,2})(?:st|nd|rd|th)?(?!\\d)(?:,? ?((?:19|20)\\d\\d))?`, 'iu'),
    isAbsolute: true,
    span: ([m, d, y], now) => dated(y, monthOf(m), Number(d), now),
  },
  {
    pattern: new RegExp(`\\b(${months})\\b\\.?,?(?: of)? ((?:19|20)\\d\\d)\\b`, 'iu'),
    isAbsolute: true,
    span: ([m, y]) => month(Number(y), monthOf(m)),
  },
  {
    pattern: /(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日号號일]/u,
    isAbsolute: true,
    span: ([m, d], now) => dated(undefined, Number(m), Number(d), now),
  },
  {
    pattern: /(?:\b(?:in|during|since) |)\b((?:19|20)\d\d)\s*[年년]|\b(?:in|during) ((?:19|20)\d\d)\b/iu,
    isAbsolute: true,
    span: ([a, b]) => year(Number(a ?? b)),
  },
  {
    pattern: new RegExp(`\\b(?:in|during|last) (${months})\\b`, 'iu'),
    isAbsolute: true,
    span: ([m], now) => latestMonth(monthOf(m), now),
  },
  {
    pattern: new RegExp(
      `(?:past|last|previous|最近|过去|過去)(?: the)? ?(${small}) ?(?:个|個)?(days?|weeks?|months?|years?|[天日周週月年])`,
      'iu',
    ),
    span: ([n, unit], now) => ({ from: back(n, unit, now).from, to: endOf(now) }),
  },
  {
    pattern: new RegExp(
      `(${small}) ?(?:个|個|か)?(days?|weeks?|months?|years?|天|日|周|週間?|星期|月|年|일|주|달|개월|년)[之以]? ?(?:ago|前|전)`,
      'iu',
    ),
    span: ([n, unit], now) => back(n, unit, now),
  },
  {
    pattern: new RegExp(`\\b(?:(last|this|on|next|past) )(${weekdays})day(?:s\\b)?`, 'iu'),
    span: ([which, name], now) =>
      weekday(weekdays.split('|').indexOf((name ?? '').toLowerCase()), which === 'next' ? 1 : 0, now),
  },
  {
    pattern: /([上下本这這]?)(?:个|個)?(?:周|週|星期|礼拜|禮拜)([一二三四五六日天])/u,
    span: ([which, name], now) =>
      chineseWeekday(which ?? '', '日一二三四五六'.indexOf((name ?? '').replace('天', '日')), now),
  },
  {
    pattern: /(先週の?)?([日月火水木金土])曜日?/u,
    span: ([which, name], now) =>
      which
        ? inWeek('日月火水木金土'.indexOf(name ?? ''), -1, now)
        : weekday('日月火水木金土'.indexOf(name ?? ''), 0, now),
  },
  {
    pattern: /(지난 ?주 ?)?([일월화수목금토])요일/u,
    span: ([which, name], now) =>
      which
        ? inWeek('일월화수목금토'.indexOf(name ?? ''), -1, now)
        : weekday('일월화수목금토'.indexOf(name ?? ''), 0, now),
  },
  ...(
    [
      [/\bthe day before yesterday\b|大?前天|一昨日|おととい|그저께|그제/iu, -2],
      [/\b(?:yesterday|last night)\b|昨[天日晚]|きのう|어제/iu, -1],
      [/\b(?:today|tonight|this morning|this evening)\b|今[天日晚]|きょう|오늘/iu, 0],
      [/\btomorrow\b|明[天日]|あした|내일/iu, 1],
    ] satisfies [RegExp, number][]
  ).map(([pattern, days]): Rule => ({ pattern, span: (_, now) => dayAway(days, now) })),
  {
    pattern: /\b(last|this|next|past) week(end)?\b/iu,
    span: ([which, end], now) => (end ? weekend(which ?? '', now) : week(away(which), now)),
  },
  {
    pattern: /([上下本这這今先来來])(?:个|個)?(?:周末|週末)/u,
    span: ([which], now) => weekend(/[上先]/.test(which ?? '') ? 'last' : 'this', now),
  },
  {
    pattern: /(上上|[上下本这這今先来來])(?:个|個)?(?:周|週|星期|礼拜)|(지난|저번|이번|다음) ?주/u,
    span: ([which, ko], now) => week(asianAway(which ?? ko), now),
  },
  {
    pattern: /\b(last|this|next|past) month\b|(上|下|本|这|這|今|先|来|來)(?:个|個)?月|(지난|저번|이번|다음) ?달/iu,
    span: ([en, zh, ko], now) => month(now.getFullYear(), now.getMonth() + 1 + (en ? away(en) : asianAway(zh ?? ko))),
  },
  {
    pattern: /\b(last|this|next|past) year\b|(去|今|明|前|昨)年|(작년|지난해|올해|내년)/iu,
    span: ([en, zh, ko], now) => year(now.getFullYear() + (en ? away(en) : yearsAway(zh ?? ko ?? ''))),
  },
]

/** Finds the times of a question as of `now` (ms). Dates that do not exist are no dates. Never throws. */
export function timesIn(query: string, now: number): QueryTimes {
  const spans: Span[] = []
  const today = new Date(now)
  let unread = foldText(query.slice(0, longest)).text
  let rest = unread
  for (const { pattern, span, isAbsolute } of rules) {
    for (let n = 0; n < 3; n++) {
      const match = pattern.exec(unread)
      if (!match || match[0] === '') break
      const found = span(match.slice(1) as string[], today)
      if (found && Number.isFinite(found.from) && found.to > found.from) {
        spans.push(found)
        if (!isAbsolute) rest = rest.replace(match[0], ' ')
      }
      unread = unread.slice(0, match.index) + '\n'.repeat(match[0].length) + unread.slice(match.index + match[0].length)
    }
  }
  return { spans, rest: rest + query.slice(longest) }
}

/** A time is said early and briefly; what is longer is a text. Unit: UTF-16 units. */
const longest = 1000

/**
 * One day, one month or one year as a span: '2026-01-31', '2026-01', '2026'; undefined for a date that does not exist.
 */
export function spanOf(text: string): Span | undefined {
  const parts = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/.exec(text.trim())
  if (!parts) return undefined
  const [y, m, d] = [Number(parts[1]), parts[2] && Number(parts[2]), parts[3] && Number(parts[3])]
  if (m === undefined || m === '') return year(y)
  return d === undefined || d === '' ? monthNamed(y, m) : day(y, m, d)
}

function day(y: number, m: number, d: number): Span | undefined {
  const from = new Date(y, m - 1, d)
  // The calendar rolls the 30th of February over: such a day does not exist.
  if (y < 1000 || from.getMonth() !== m - 1 || from.getDate() !== d) return undefined
  return { from: from.getTime(), to: new Date(y, m - 1, d + 1).getTime() }
}

/** A month that somebody named: there is no thirteenth. */
function monthNamed(y: number, m: number): Span | undefined {
  return m >= 1 && m <= 12 ? month(y, m) : undefined
}

/** A month, also counted beyond the year. */
function month(y: number, m: number): Span | undefined {
  return y < 1000 ? undefined : { from: new Date(y, m - 1, 1).getTime(), to: new Date(y, m, 1).getTime() }
}

function year(y: number): Span | undefined {
  return y < 1000 ? undefined : { from: new Date(y, 0, 1).getTime(), to: new Date(y + 1, 0, 1).getTime() }
}

/** A day of this year, or of the last one where it has not come yet. */
function dated(y: string | undefined, m: number, d: number, now: Date): Span | undefined {
  if (y !== undefined) return day(Number(y), m, d)
  const found = day(now.getFullYear(), m, d)
  return found && found.from > now.getTime() ? day(now.getFullYear() - 1, m, d) : found
}

function latestMonth(m: number, now: Date): Span | undefined {
  return month(m > now.getMonth() + 1 ? now.getFullYear() - 1 : now.getFullYear(), m)
}

function monthOf(name: string | undefined): number {
  return 'janfebmaraprmayjunjulaugsepoctnovdec'.indexOf((name ?? '').slice(0, 3).toLowerCase()) / 3 + 1
}

function dayAway(days: number, now: Date): Span {
  const [y, m, d] = [now.getFullYear(), now.getMonth(), now.getDate() + days]
  return { from: new Date(y, m, d).getTime(), to: new Date(y, m, d + 1).getTime() }
}

function endOf(now: Date): number {
  return dayAway(0, now).to
}

/** The newest such day before today, or the next one. */
function weekday(wanted: number, next: number, now: Date): Span {
  const behind = (now.getDay() - wanted + 7) % 7 || 7
  return dayAway(next ? 7 - (behind % 7) : -behind, now)
}

/** A day of another week; weeks begin on Monday. */
function inWeek(wanted: number, weeks: number, now: Date): Span {
  return dayAway(((wanted + 6) % 7) - ((now.getDay() + 6) % 7) + 7 * weeks, now)
}

function chineseWeekday(which: string, wanted: number, now: Date): Span {
  if (which === '上') return inWeek(wanted, -1, now)
  if (which === '下') return inWeek(wanted, 1, now)
  return which === '' ? weekday(wanted, 0, now) : inWeek(wanted, 0, now)
}

function week(weeks: number, now: Date): Span {
  const monday = inWeek(1, weeks, now).from
  return { from: monday, to: dayAway(7, new Date(monday)).from }
}

function weekend(which: string, now: Date): Span {
  const saturday = inWeek(6, away(which), now).from
  return { from: saturday, to: dayAway(2, new Date(saturday)).from }
}

function away(which: string | undefined): number {
  const word = which?.toLowerCase()
  return word === 'last' || word === 'past' ? -1 : word === 'next' ? 1 : 0
}

function asianAway(which: string | undefined): number {
  if (which === '上上') return -2
  return /^(?:[上先]|지난|저번)$/u.test(which ?? '') ? -1 : /^(?:[下来來]|다음)$/u.test(which ?? '') ? 1 : 0
}

function yearsAway(which: string): number {
  return /^(?:[去昨]|작년|지난해)$/u.test(which) ? -1 : which === '前' ? -2 : /^(?:明|내년)$/u.test(which) ? 1 : 0
}

/** So long ago, as wide as its unit is vague: a day, a week, a month, a year. */
function back(n: string | undefined, unit: string | undefined, now: Date): Span {
  const count = numberOf(n ?? '')
  const [y, m, d] = [now.getFullYear(), now.getMonth(), now.getDate()]
  if (/^(?:w|周|週|星期|주)/iu.test(unit ?? '')) return week(-count, now)
  if (/^(?:m|月|달|개월)/iu.test(unit ?? ''))
    return { from: new Date(y, m - count, 1).getTime(), to: new Date(y, m - count + 1, 1).getTime() }
  if (/^(?:y|年|년)/iu.test(unit ?? ''))
    return { from: new Date(y - count, 0, 1).getTime(), to: new Date(y - count + 1, 0, 1).getTime() }
  return { from: new Date(y, m, d - count).getTime(), to: new Date(y, m, d - count + 1).getTime() }
}

function numberOf(text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  const word = ['a', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'].indexOf(
    text.toLowerCase(),
  )
  if (word >= 0) return Math.max(1, word)
  return text.toLowerCase() === 'an' ? 1 : Math.max(1, '一二三四五六七八九十'.indexOf(text.replace(/[两兩]/, '二')) + 1)
}
