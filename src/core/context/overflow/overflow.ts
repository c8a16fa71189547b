/** Classifies a provider's error, above all: did the request not fit the window (C8). Pure. */
import { plainNumbers, numberAfter } from './overflow-numbers.ts'
import { bytesAllowed, charactersAllowed, imagesAllowed } from './overflow-other-sizes.ts'
import { refusalParts } from './overflow-parts.ts'
import * as texts from './overflow-texts.ts'
import type { OverflowKind, OtherKind, RefusalKind, ProviderRefusal, Verdict, ParsedRefusal } from './verdict.ts'
import { overflowVerdict, hasCode } from './overflow-verdict.ts'

const overflowKinds: ReadonlySet<string> = new Set<OverflowKind>([
  'overflow_prompt',
  'overflow_total',
  'payload_too_large',
  'soft_stop',
  'summariser_overflow',
])

/** Whether a kind means that less must be sent. An output cap does not: only the limit for the answer must go down. */
export function isOverflow(kind: RefusalKind): kind is OverflowKind {
  return overflowKinds.has(kind)
}

/**
 * The kind of a refusal and its numbers in tokens. The order of rules: an abort, HTTP classes, throughput and money,
 * faults of the history, the output limit, structured fields, anchored texts, numbers. Never throws.
 */
export function classify(refusal: ProviderRefusal): Verdict {
  const parts = refusalParts(refusal.body, refusal.thrown)
  const status = refusal.status ?? parts.statuses[0]
  parts.texts = parts.texts.map(text =>
    plainNumbers(text.replace(/[’`]/g, mark => (mark === '’' ? "'" : ''))).toLowerCase(),
  )
  const text = parts.texts.join('\n')
  const known = { refusal, parts, status, text, words: `${text}\n${parts.codes.join('\n')}` }
  const verdict = kindAndNumbers(known)
  if (verdict.kind === 'payload_too_large') return withBytes(verdict, text)
  const characters = verdict.kind === 'single_string_cap' ? charactersAllowed(text) : undefined
  if (characters !== undefined) return { ...verdict, characters }
  const images = verdict.kind === 'media' || verdict.kind === 'bad_request' ? imagesAllowed(text) : undefined
  return images === undefined ? verdict : { ...verdict, images }
}

function withBytes(verdict: Verdict, text: string): Verdict {
  const bytes = bytesAllowed(text)
  return bytes === undefined ? verdict : { ...verdict, bytes }
}

/**
 * The window that an overflow teaches, tokens; undefined where it teaches none (C8): a structured number always; a
 * number in words only when it is below the window assumed and the reported prompt is above it; a lower bound never.
 */
export function windowFromRefusal(verdict: Verdict, window: number): number | undefined {
  if (verdict.kind !== 'overflow_prompt' && verdict.kind !== 'overflow_total') return undefined
  if (verdict.limit === undefined || verdict.limit <= 0) return undefined
  if (verdict.structured) return verdict.limit
  if (verdict.atLeast || verdict.actual === undefined) return undefined
  return verdict.limit < window && verdict.actual > verdict.limit ? verdict.limit : undefined
}

function kindAndNumbers(known: ParsedRefusal): Verdict {
  const { refusal, parts, status, text, words } = known
  const provider = refusal.provider?.toLowerCase() ?? ''
  if (
    (text.trim() === '' && parts.codes.length === 0) ||
    /^\W*(?:http )?(?:\d{3})?(?: status code)? ?\(?no body\)?\W*$/.test(text)
  ) {
    // Cerebras refuses what is too long with nothing at all.
    return {
      kind:
        provider.includes('cerebras') && (status === undefined || status === 400 || status === 413)
          ? 'overflow_prompt'
          : status === undefined || status === 400 || status === 413
            ? 'empty'
            : (statusKind(status) ?? 'empty'),
    }
  }
  if (texts.cancelledTexts.test(words)) return { kind: 'cancelled' }
  if (/\bmodel_context_window_exceeded\b/.test(words)) return { kind: 'soft_stop' }
  const quota = quotaError(known)
  if (quota !== undefined) return quota
  const veto = vetoed(known)
  if (veto !== undefined) return veto
  const fault = requestFault(known)
  if (fault !== undefined) return { kind: fault }
  if (texts.outputCapTexts.test(text) && !texts.windowNamed.test(text.replaceAll('context_window', '')))
    return { kind: 'output_cap', ...capNumbers(text) }
  return overflowVerdict(known) ?? { kind: restKind(known) }
}

/** QuotaExceededError is the browser's model when it names input or tokens, the browser's disk when not. */
function quotaError({ refusal, parts, text, words }: ParsedRefusal): Verdict | undefined {
  if (!/\bquotaexceedederror\b/.test(words)) return undefined
  const { limit, actual } = parts.numbers
  if (texts.storageTexts.test(text)) return { kind: 'storage' }
  const ofModel =
    limit !== undefined ||
    actual !== undefined ||
    /prompt[- ]?api|languagemodel|gemini-nano|chrome/.test(refusal.provider?.toLowerCase() ?? '') ||
    /\b(?:input|prompt|context|tokens?)\b/.test(text)
  if (!ofModel) return { kind: 'storage' }
  return {
    kind: 'overflow_prompt',
    ...(limit !== undefined && { limit, structured: true as const }),
    ...(actual !== undefined && { actual }),
  }
}

/** What the HTTP class, throughput and money decide alone. */
function vetoed(known: ParsedRefusal): Verdict | undefined {
  const { status, text, words } = known
  const money = texts.billingTexts.test(words)
  if (texts.tokensPerMinute.test(words)) {
    const limit = numberAfter(
      text,
      /\b(?:limit|maximum|max)(?: is| of)?:? ?(\d+)|\b(?:up to|at most|only) (\d+)|(?:限制|上限|最多)[^\d。]{0,6}(\d+)/,
    )
    const actual = numberAfter(
      text,
      /\b(?:requested|(?:this|your) request (?:has|is|needs|requires|contains|of))[: ]+~?(\d+)|(?:本次请求|请求了)[^\d。]{0,6}(\d+)/,
    )
    if (limit !== undefined && actual !== undefined && actual > limit)
      return { kind: 'tpm_single_request', limit, actual }
    return { kind: 'rate_limit' }
  }
  if (status === 402) return { kind: 'billing' }
  if (status === 401 || status === 403)
    return { kind: money ? 'billing' : texts.rateTexts.test(words) && status === 403 ? 'rate_limit' : 'auth' }
  // though it names the bill
  if (status === 429 && /\bquota exceeded for metric\b|\bretry in \d/.test(text)) return { kind: 'rate_limit' }
  if (status === 429)
    return {
      kind: (money && !/quota/.test(words)) || /insufficient_quota|billing/.test(words) ? 'billing' : 'rate_limit',
    }
  if (texts.storageTexts.test(text) && status === undefined) return { kind: 'storage' }
  if (money) return { kind: 'billing' }
  if (texts.rateTexts.test(words)) return { kind: 'rate_limit' }
  if (status !== undefined && status >= 500) return serverVerdict(known, status)
  if (status === 408) return { kind: 'network' }
  if (status === undefined && texts.networkTexts.test(words)) return { kind: 'network' }
  return undefined
}

/** What is longer than this is more than a server's own sentence: a trace, a page, a quotation. UTF-16 units. */
const shortRefusal = 600

/**
 * Inside 5xx only a very specific text counts, or our own estimate that the request is nearly as large as the window.
 */
function serverVerdict(known: ParsedRefusal, status: number): Verdict {
  const { refusal, text, words } = known
  if (!texts.serverTexts.test(text)) {
    const found = overflowVerdict(known)
    const near =
      refusal.estimate !== undefined && refusal.window !== undefined && refusal.estimate >= 0.8 * refusal.window
    const specific =
      found?.limit !== undefined &&
      found.actual !== undefined &&
      (found.actual > found.limit || found.maxOutput !== undefined)
    // A gateway's time that ran out says nothing of the context, whatever it guesses.
    const named = status !== 502 && status !== 504 && text.length < shortRefusal && texts.contextRunOver.test(text)
    if (found !== undefined && (specific || near || hasCode(known) || named || texts.contextExceeded.test(text)))
      return found
  }
  if (status === 529 || texts.overloadedTexts.test(words)) return { kind: 'overloaded' }
  if (/\btoo many tokens\b/.test(text)) return { kind: 'rate_limit' }
  return { kind: texts.gatewayTexts.test(text) || status === 502 || status === 504 ? 'gateway' : 'server_error' }
}

/** Faults of the request that have nothing to do with its length in tokens. */
function requestFault({ text, words, status }: ParsedRefusal): OtherKind | undefined {
  if (texts.toolPairTexts.test(text)) return 'tool_pair'
  if (texts.thinkingTexts.test(text)) return 'thinking_signature'
  if (texts.mediaTexts.test(text)) return 'media'
  if (texts.stringCapTexts.test(words))
    return /\binvalid '(?!messages|input|tools|prompt|system|instructions)\w/.test(text)
      ? 'bad_request'
      : 'single_string_cap'
  if (texts.badRequestTexts.test(words)) return 'bad_request'
  if (texts.uploadTexts.test(text)) return 'upload'
  if (texts.configTexts.test(text)) return 'config'
  return texts.authTexts.test(text) && status === undefined ? 'auth' : undefined
}

function restKind(known: ParsedRefusal): OtherKind {
  const { status, text, words, parts } = known
  if (texts.authTexts.test(words)) return 'auth'
  const byStatus = statusKind(status)
  if (texts.gatewayTexts.test(text)) return 'gateway'
  if (byStatus !== undefined) return byStatus
  if (texts.overloadedTexts.test(words)) return 'overloaded'
  if (texts.serverTexts.test(words)) return 'server_error'
  if (parts.structured) return 'bad_request'
  return parts.texts.some(words => texts.toolTexts.test(words.trim())) ? 'tool_text' : 'prose'
}

function statusKind(status: number | undefined): OtherKind | undefined {
  if (status === undefined || status < 400) return undefined
  if (status === 401 || status === 403) return 'auth'
  if (status === 402) return 'billing'
  if (status === 429) return 'rate_limit'
  if (status === 529) return 'overloaded'
  if (status === 502 || status === 504) return 'gateway'
  return status >= 500 ? 'server_error' : 'bad_request'
}

/** Of an output cap: the most allowed, and what was asked for. */
function capNumbers(text: string): Pick<Verdict, 'limit' | 'maxOutput'> {
  const pair = /(\d+) ?> ?(\d+)/.exec(text)
  const exclusive = numberAfter(text, /\bto (\d+) \(exclusive\)/)
  const limit = pair
    ? Number(pair[2])
    : exclusive !== undefined
      ? exclusive - 1
      : numberAfter(
          text,
          /\[ ?\d+ ?, ?(\d+) ?\]|\bto (\d+) \(inclusive\)|\b(?:at most|up to|no more than|less than or equal to|less than|maximum (?:of|is|value is|allowed is)|limit (?:of|is)|between \d+ and|cannot exceed|exceeds? (?:the )?(?:model'?s? )?max(?:imum)?(?: \w+){0,4}?(?: of| is|:)?) '?(\d+)|(?:<=|≤) '?(\d+)|tokens ?> ?(\d+)|\b(?:greater|larger|more) than (?:\w+ ?= ?)?(\d+)/,
        )
  const maxOutput = pair
    ? Number(pair[1])
    : numberAfter(
        text,
        /\btoo (?:large|high|big): ?(\d+)|\b(?:provided|requested|got|value of|received|but was) '?(\d+)|\bmax[_ -]?(?:completion[_ -]|output[_ -]|new[_ -])?tokens ?(?:[:=(]|of|is) ?(\d+)|\bmaxoutputtokens(?: value)? of (\d+)/,
      )
  return { ...(limit !== undefined && { limit }), ...(maxOutput !== undefined && { maxOutput }) }
}
