/** How long a server asks to wait: in headers, in fields, or in its message. Pure. */

const second = 1_000
/** Longer than this is no wait but a refusal, ms: a week. */
const longest = 7 * 24 * 3_600 * second

/**
 * ms; undefined where it does not say. A page of another origin can mostly not read the headers, so the body is read,
 * too.
 */
export function retryAfter(
  headers: Record<string, string> | undefined,
  body: string,
  now: number = Date.now(),
): number | undefined {
  const found = [() => inHeaders(headers ?? {}, now), () => inFields(body, now), () => inWords(body)]
  for (const look of found) {
    const ms = look()
    if (ms !== undefined && ms >= 0 && ms <= longest) return Math.round(ms)
  }
  return undefined
}

function inHeaders(headers: Record<string, string>, now: number): number | undefined {
  const ms = headers['retry-after-ms']
  if (ms !== undefined && ms.trim() !== '' && Number(ms) >= 0) return Number(ms)
  const told = momentOf(headers['retry-after'], now)
  if (told !== undefined) return told
  // Of a bound that is used up: OpenAI and Groq write "7m12s", Anthropic a date, OpenRouter the ms of the epoch.
  for (const what of ['requests', 'tokens', 'input-tokens', 'output-tokens']) {
    for (const [left, reset] of [
      [`x-ratelimit-remaining-${what}`, `x-ratelimit-reset-${what}`],
      [`anthropic-ratelimit-${what}-remaining`, `anthropic-ratelimit-${what}-reset`],
    ] as const) {
      if (headers[left] === '0') return momentOf(headers[reset], now)
    }
  }
  return headers['x-ratelimit-remaining'] === '0' ? momentOf(headers['x-ratelimit-reset'], now) : undefined
}

/** Seconds, a duration, a date, or a moment of the epoch. */
function momentOf(value: string | undefined, now: number): number | undefined {
  if (value === undefined || value.trim() === '') return undefined
  const number = Number(value)
  if (!Number.isNaN(number))
    return number > 1e12
      ? Math.max(0, number - now)
      : number > 1e9
        ? Math.max(0, number * second - now)
        : number * second
  const duration = durationIn(value.trim())
  if (duration !== undefined) return duration
  const until = Date.parse(value)
  return Number.isNaN(until) ? undefined : Math.max(0, until - now)
}

/** Google's RetryInfo, and fields that say it by their name. JSON may stand in a text of JSON, so it is not parsed. */
function inFields(body: string, now: number): number | undefined {
  const text = body.replace(/\\+"/g, '"')
  const delay = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/i.exec(text)?.[1]
  if (delay !== undefined) return Number(delay) * second
  const ms = /"(?:retry_after_ms|retryAfterMs)"\s*:\s*"?(\d+(?:\.\d+)?)/.exec(text)?.[1]
  if (ms !== undefined) return Number(ms)
  const seconds =
    /"(?:retry_after(?:_seconds)?|retry-after|retryAfter|estimated_time|resets_in_seconds|wait_seconds)"\s*:\s*"?(\d+(?:\.\d+)?)/i.exec(
      text,
    )?.[1]
  if (seconds !== undefined) return Number(seconds) * second
  const at =
    /"(?:resets?_at|x-ratelimit-reset|reset_time)"\s*:\s*"?(\d{10,13}|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d))/i.exec(
      text,
    )?.[1]
  return momentOf(at, now)
}

const verbs = String.raw`(?:try again|retry(?:ing)?|wait(?: for)?|resets?|available again|come back|again|nouveau|erneut|nuevo|novamente|riprova|повторите|через)`
const units = String.raw`(?:(?:ms|milliseconds?|d(?:ays?)?|h(?:(?:ou)?rs?)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)(?![a-z])|sekunden?|minuten?|stunden?|secondes?|segundos?|minutos?|horas?|heures?|secondi|minuti|секунд\S*|минут\S*|час\S*)`

/** "try again in 7m12s", "retry after 86400 seconds", "请在 30 秒后重试". */
function inWords(body: string): number | undefined {
  const text = body.replace(/\s+/g, ' ')
  const east =
    /(\d+(?:\.\d+)?) ?(毫秒|秒钟?|分钟?|小时|天) ?(?:后|之后|以后)/.exec(text) ??
    /(?:等待|稍等) ?(\d+(?:\.\d+)?) ?(毫秒|秒钟?|分钟?|小时|天)/.exec(text)
  if (east)
    return (
      Number(east[1]) *
      ({ 毫: 1, 秒: second, 分: 60 * second, 小: 3_600 * second, 天: 86_400 * second }[east[2]![0]!] ?? second)
    )
  const west = new RegExp(
    String.raw`\b${verbs}\b[^\d.;]{0,32}?((?:\d+(?:\.\d+)? ?${units}(?:,? (?:and )?)?)+)`,
    'i',
  ).exec(text)
  return west?.[1] === undefined ? undefined : durationIn(west[1])
}

/** "7m12s", "1h 2m 3.5s", "6ms", "2 hours": their sum; undefined where the text is anything else. */
function durationIn(text: string): number | undefined {
  let ms = 0
  const rest = text.toLowerCase().replace(/(\d+(?:\.\d+)?) ?([a-zа-я]+)/g, (_, value: string, unit: string) => {
    ms += Number(value) * scaleOf(unit)
    return ''
  })
  return /^[\s,]*(?:and[\s,]*)*$/.test(rest) && text.trim() !== '' && !Number.isNaN(ms) ? ms : undefined
}

function scaleOf(unit: string): number {
  if (/^(?:ms|milli)/.test(unit)) return 1
  if (/^(?:d|day)/.test(unit)) return 86_400 * second
  if (/^(?:h|stunde|час)/.test(unit)) return 3_600 * second
  if (/^(?:m|мин)/.test(unit)) return 60 * second
  return /^(?:s|сек)/.test(unit) ? second : NaN
}
