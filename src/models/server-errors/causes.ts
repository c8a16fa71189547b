/** Why a server refuses, by its own words: the HTTP status alone is often misleading. Pure. */
import { classify } from '../../core/context/overflow/overflow.ts'

/**
 * `not loaded`: the model is there and could not be loaded, or none is · `region`: not from this country ·
 * `organisation`: what an organisation of the account has or has not allowed · `policy`: the account's own privacy
 * settings leave no provider.
 */
export type RefusalCause =
  | 'key'
  | 'credit'
  | 'wait'
  | 'loading'
  | 'not loaded'
  | 'region'
  | 'organisation'
  | 'policy'
  | 'model'

/** Families of words, finer ones first. Lower-case text goes in, names of errors with it. */
const table: readonly { cause: RefusalCause; words: RegExp }[] = [
  {
    cause: 'organisation',
    words:
      /\bcors requests are not allowed\b|\borgani[sz]ation (?:must be verified|has been disabled|is (?:disabled|suspended|restricted))|\bmust be a member of an organi[sz]ation\b|\b(?:project|organi[sz]ation|account|team)\b[^.]{0,40}\b(?:does not|doesn't) have access to (?:the )?model\b|\bnot (?:enabled|allowed) for (?:this|your) (?:organi[sz]ation|project|team|workspace)\b|\bblocked (?:by|at) (?:the |your )?(?:organi[sz]ation|project|team)\b/,
  },
  {
    cause: 'region',
    words:
      /\b(?:user )?location is not supported\b|\bcountry, region, or territory not supported\b|\bunsupported_country_region_territory\b|\bnot (?:available|supported|accessible|offered|permitted) (?:in|from) (?:your|this|the) (?:country|region|territory|location|area)\b|\b(?:your|this) (?:country|region|location) (?:is|has been) (?:not supported|blocked|restricted)\b|\bunsupported (?:country|region|location)\b|(?:地区|区域|国家)[^。]{0,10}(?:不支持|不可用|受限)|不支持[^。]{0,8}(?:地区|区域|国家)/,
  },
  { cause: 'policy', words: /\bdata policy\b|\bguardrail restrictions\b|\bprivacy settings\b|\bsettings\/privacy\b/ },
  {
    cause: 'key',
    words:
      /\bapi[ _-]?key\b[^.]{0,24}\b(?:not valid|invalid|incorrect|expired|revoked|disabled|wrong|not found|missing|required|is not set|does not exist)\b|\b(?:invalid|incorrect|wrong|expired|malformed|missing|no|unknown|bad|illegal)\b[^.:]{0,16}\bapi[ _-]?(?:key|secret)\b|\b(?:api_key_invalid|invalid_api_key|invalidapikey|authentication_error|invalid_authentication_error|authenticationerror)\b|\bcarry the api secret key\b|\bmissing bearer\b|\bbearer token[^.]{0,20}(?:missing|invalid)|(?:令牌|密钥|鉴权|身份验证|apikey)[^。]{0,10}(?:过期|不正确|无效|错误|失败|不存在)|无效的[^。]{0,6}(?:令牌|密钥|api ?key)/,
  },
  {
    cause: 'not loaded',
    words:
      /\bno models? (?:is |are )?(?:currently )?loaded\b|\bmodel (?:is )?(?:not|un)[ -]?loaded\b|\bfailed to load (?:the )?model\b|\berror loading model\b|\bmodel loading aborted\b|\binsufficient system resources\b|\brequires more (?:system|gpu|available|video) ?memory\b|\bunable to load (?:the )?model\b|\bcould not load (?:the )?model\b/,
  },
  {
    cause: 'loading',
    words:
      /\bloading (?:the )?model\b|\bmodel\b(?:[^.]|\.(?! )){0,80}\b(?:is|being) (?:still |currently )?(?:loading|loaded|starting|warming)\b|\bmodel (?:is )?(?:still )?(?:loading|starting|warming up)\b|\b(?:server|engine) is (?:still )?(?:starting|loading|warming)|模型[^。]{0,6}(?:加载中|正在加载|启动中)/,
  },
  {
    cause: 'model',
    words:
      /\bmodel_not_found\b|\bmodel_decommissioned\b|\bmodel not exist\b|\bmodel\b(?:[^.]|\.(?! )){0,80}\b(?:does not exist|not found|is not a valid|has been (?:decommissioned|deprecated|removed|retired)|is no longer (?:available|supported))|\bis not a valid model(?: id)?\b|\b(?:invalid|unknown) model(?: id| name)?\b|模型[^。]{0,10}(?:不存在|未找到|已下线)/,
  },
]

/** What is meant where only a status came: nothing of what a gateway's page says counts. */
const statuses: Readonly<Record<number, RefusalCause>> = { 401: 'key', 402: 'credit', 403: 'key', 429: 'wait' }

/** The cause that a refusal names, in its body before its status; undefined where neither names one of these. */
export function causeOf(status: number | undefined, body: string): RefusalCause | undefined {
  return causeInWords(status, body) ?? (status === undefined ? undefined : statuses[status])
}

function causeInWords(status: number | undefined, body: string): RefusalCause | undefined {
  if (/^\s*<(!doctype|html)/i.test(body)) return undefined
  const text = body.slice(0, 4_000).replace(/\\"/g, '"').replace(/[’`]/g, "'").toLowerCase()
  const named = table.find(({ words }) => words.test(text))?.cause
  // A remote model is loaded by its provider: a 5xx about memory is the provider's fault, and a 404 "not found" may be
  // about the path.
  if (named !== undefined) return named
  const { kind } = classify({ body, ...(status === undefined ? {} : { status }) })
  if (kind === 'billing') return 'credit'
  return kind === 'rate_limit' ? 'wait' : undefined
}
