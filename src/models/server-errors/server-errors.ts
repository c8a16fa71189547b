/** Turns a server's refusal, or an error in its stream, into an error that says what to do. */
import { classify, isOverflow } from '../../core/context/overflow/overflow.ts'
import { AgentError, type Code } from '../../core/errors.ts'
import { causeOf, type RefusalCause } from './causes.ts'
import { retryAfter } from './retry-after.ts'
import { isolated } from '../../core/text/display/isolate.ts'

export type ServerRefusal = {
  server: { name: string; baseUrl: string; key?: string; headers?: Record<string, string> }
  model?: string
  status?: number
  body?: string
  headers?: Record<string, string>
  /** tokens */
  window?: number
}

/** Longest piece of a server's own words in a message, UTF-16 units. */
const quotedChars = 400
/** Longest body kept with an error for classification, UTF-16 units. */
const bodyChars = 4_000

/** The error for an HTTP refusal or an error inside a stream. Its message and data never hold the key. */
export function refusalError(refusal: ServerRefusal): AgentError {
  const { server, status, model } = refusal
  const body = redacted(refusal.body ?? '', server).slice(0, bodyChars)
  const said = serverMessage(body).slice(0, quotedChars)
  const found = overflowIn(refusal, body)
  const cause = found === undefined ? causeOf(status, body) : undefined
  const code = found?.code ?? (cause === undefined ? codeOfStatus(status, body) : codes[cause])
  const retryAfterMs = retryAfter(refusal.headers, body)
  const data: Record<string, unknown> = {
    server: providerOf(server),
    body,
    ...found?.data,
    ...(code === 'model_not_allowed' ? { why: cause } : {}),
    ...(status !== undefined ? { status } : {}),
    ...(model ? { model } : {}),
    ...(retryAfterMs !== undefined ? { retryAfterMs } : {}),
  }
  const words = said === '' ? '' : ` It says: ${isolated(said)}`
  return new AgentError(code, `${sentence(code, { ...refusal, cause }, retryAfterMs)}${words}`, { data })
}

/** Takes the key, the values of typed headers, and anything that looks like a key out of a text. */
export function redacted(text: string, server: { key?: string; headers?: Record<string, string> }): string {
  let out = text
  for (const secret of [server.key, ...Object.values(server.headers ?? {})]) {
    if (secret && secret.length >= 4) out = out.replaceAll(secret, '•••')
  }
  return out
    .replace(/\b(sk|gsk|pk|xai|r8|hf|key|AIza)[-_]?[A-Za-z0-9_*.-]{12,}/g, '•••')
    .replace(/(bearer\s+)[^\s"',]{8,}/gi, '$1•••')
}

/** The server's own words in any of the known shapes of a body; an HTML page is named as such. */
export function serverMessage(body: string): string {
  const text = body.trim()
  if (text === '') return ''
  if (/^<(!doctype|html|\?xml|head|body|center|h1)/i.test(text)) {
    const title = /<title[^>]*>([^<]{1,120})/i.exec(text)?.[1]?.trim()
    return title ? `a web page titled “${title}”` : 'a web page'
  }
  let value: unknown = text
  for (let depth = 0; depth < 8; depth++) {
    if (typeof value === 'string') {
      if (!/^\s*[[{]/.test(value)) return value.replace(/\s+/g, ' ').trim()
      const plain: string = value.replace(/\s+/g, ' ').trim()
      try {
        value = JSON.parse(value)
      } catch {
        return plain
      }
    }
    if (Array.isArray(value)) value = value[0]
    if (typeof value !== 'object' || value === null) return typeof value === 'string' ? value : ''
    const { error, message, detail, msg, metadata } = value as Record<string, unknown>
    const raw =
      typeof metadata === 'object' && metadata !== null ? (metadata as Record<string, unknown>)['raw'] : undefined
    value = raw ?? error ?? message ?? detail ?? msg
    if (value === undefined || value === null) return text.replace(/\s+/g, ' ')
  }
  return typeof value === 'string' ? value : ''
}

/** Causes that have a code of their own. */
const codes: Readonly<Record<RefusalCause, Code>> = {
  key: 'model_auth',
  credit: 'model_credit',
  wait: 'model_rate_limited',
  loading: 'model_loading',
  'not loaded': 'model_not_loaded',
  region: 'model_not_allowed',
  organisation: 'model_not_allowed',
  policy: 'model_not_allowed',
  model: 'model_not_found',
}

function codeOfStatus(status: number | undefined, body: string): Code {
  if (/^\s*<(!doctype|html)/i.test(body) && (status === undefined || status < 400)) return 'model_protocol'
  if (status === 404) return 'model_not_found'
  if (status === undefined || status >= 500 || status === 408) return 'model_server'
  if (status < 400) return 'model_protocol'
  return 'model_refused'
}

function sentence(
  code: Code,
  { server, model, status, cause }: ServerRefusal & { cause: RefusalCause | undefined },
  retryAfterMs: number | undefined,
): string {
  const number = status === undefined ? '' : ` (HTTP ${status})`
  const name = isolated(server.name)
  const asked = model && isolated(model)
  switch (code) {
    case 'model_overflow':
      return `The request does not fit the window of ${asked ?? 'the model'}${number}.`
    case 'model_too_large':
      return `${name}, or a proxy in front of it, takes no request of this size${number}.`
    case 'model_output_cap':
      return `${name} refused the output limit${number}.`
    case 'model_auth':
      return server.key
        ? `${name} did not accept the key${number}. Check it in Settings.`
        : `${name} wants a key${number}. Enter one in Settings.`
    case 'model_credit':
      return `${name} says that there is no credit left${number}. Top up there, or choose another model.`
    case 'model_not_found':
      return /\/v\d+[a-z]*(\/|$)|\/openai$/i.test(server.baseUrl)
        ? `${name} does not know ${asked ? `the model ${asked}` : 'this address'}${number}. Choose one that it lists, in Settings.`
        : `${name} found nothing at ${server.baseUrl}${number}. Most servers want /v1 at the end of the address: try ${server.baseUrl}/v1 in Settings.`
    case 'model_rate_limited':
      return `${name} wants us to wait${retryAfterMs === undefined ? '' : ` ${Math.ceil(retryAfterMs / 1000)} s`}${number}: too many requests.`
    case 'model_loading':
      return `${name} is still loading ${asked ?? 'the model'}${number}.`
    case 'model_not_loaded':
      return `${name} has not loaded ${asked ?? 'the model'}${number}: load it there, or choose a smaller one.`
    case 'model_not_allowed':
      return `${name} ${cause === 'region' ? 'does not serve the country or region that this device is in' : cause === 'policy' ? 'finds no provider that the privacy settings of your account there allow' : 'does not allow this for your organisation or project there'}${number}. The key is not the cause.`
    case 'model_server':
      return `${name} failed${number}. That is on its side; trying again may help.`
    case 'model_protocol':
      return `${name} did not answer as an OpenAI-compatible server does${number}. Check the address in Settings.`
    default:
      return `${name} refused the request${number}.`
  }
}

/**
 * What the classifier of C8 makes of it. Only what is about length is taken from there: other causes have their own
 * words (`causes.ts`).
 */
function overflowIn(
  { server, status, window }: ServerRefusal,
  body: string,
): { code: Code; data: Record<string, unknown> } | undefined {
  const verdict = classify({
    provider: providerOf(server),
    body,
    ...(status === undefined ? {} : { status }),
    ...(window === undefined ? {} : { window }),
  })
  if (verdict.kind === 'payload_too_large') return { code: 'model_too_large', data: { ...verdict } }
  if (isOverflow(verdict.kind) || verdict.kind === 'tpm_single_request')
    return { code: 'model_overflow', data: { ...verdict } }
  if (verdict.kind === 'output_cap') return { code: 'model_output_cap', data: { ...verdict } }
  return undefined
}

/** Name and host: the classifier knows some providers by their name. */
function providerOf({ name, baseUrl }: ServerRefusal['server']): string {
  return `${name} ${URL.canParse(baseUrl) ? new URL(baseUrl).host : ''}`.trim()
}
