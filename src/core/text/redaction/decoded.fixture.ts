/** What can be read out of a file, as it is and with each way of writing undone; apart from the code that redacts. */
import type { Planted } from './planted.fixture.ts'

/** The planted secrets that can be read out of a text, each with what was read of it. */
export function readable(text: string, planted: readonly Planted[]): string[] {
  const readings = [...decodings(text)].map(flat)
  return planted.flatMap(({ kind, form, value }) =>
    partsOf(kind, value)
      .filter(part => readings.some(reading => reading.includes(flat(part))))
      .map(part => `${kind}, ${form}: ${part}`),
  )
}

/** Of a key half of it is a leak too. */
function partsOf(kind: string, value: string): string[] {
  const whole = [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]
  const isKey = !/mail|user|phone|host|card|IBAN/.test(kind) && value.length >= 20
  return [...new Set(isKey ? [...whole, value.slice(0, value.length / 2), value.slice(value.length / 2)] : whole)]
}

const flat = (text: string): string => text.replace(/\s/g, '')

function* decodings(text: string, depth = 0): Generator<string> {
  yield text
  if (depth === 3) return
  const next = new Set([percents(text), entities(text), escapes(text), percents(entities(escapes(text)))])
  next.delete(text)
  for (const one of next) yield* decodings(one, depth + 1)
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{12,}={0,2}/g))
    for (let shift = 0; shift < 4; shift++) {
      const bytes = base64(run.slice(shift))
      if (bytes !== undefined) yield bytes
    }
}

const percents = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, run => {
    try {
      return decodeURIComponent(run)
    } catch {
      return run
    }
  })
const entities = (text: string): string =>
  text
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCodePoint(parseInt(code, 16)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
const escapes = (text: string): string =>
  text
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replace(/\\([nrt"\\/])/g, (_, sign: string) => ({ n: '\n', r: '\r', t: '\t' })[sign] ?? sign)

function base64(run: string): string | undefined {
  try {
    return atob(run.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, ''))
  } catch {
    return undefined
  }
}
