/** What a refusal can mean, and what is known of it. Types only. */
import type { RefusalParts } from './overflow-parts.ts'

export type OverflowKind =
  | 'overflow_prompt'
  | 'overflow_total'
  | 'payload_too_large'
  | 'soft_stop'
  | 'summariser_overflow'
export type OtherKind =
  | 'rate_limit'
  | 'tpm_single_request'
  | 'billing'
  | 'output_cap'
  | 'single_string_cap'
  | 'bad_request'
  | 'tool_pair'
  | 'thinking_signature'
  | 'media'
  | 'server_error'
  | 'gateway'
  | 'auth'
  | 'network'
  | 'cancelled'
  | 'config'
  | 'storage'
  | 'prose'
  | 'tool_text'
  | 'upload'
  | 'overloaded'
  | 'empty'
export type RefusalKind = OverflowKind | OtherKind

export type ProviderRefusal = {
  provider?: string | null
  status?: number | null // HTTP
  body?: unknown // text, or JSON already parsed
  thrown?: unknown // what a library threw
  estimate?: number // our own count of the request, tokens
  window?: number // the window that was assumed, tokens
}

export type Verdict = {
  kind: RefusalKind
  limit?: number // tokens: of the window, of the answer (output_cap), per minute (tpm_single_request)
  actual?: number // tokens of the prompt
  maxOutput?: number // tokens asked for as answer
  /** The numbers are fields of the error (`n_ctx`, `quota`), not words. */
  structured?: true
  /** `actual` is a lower bound only. */
  atLeast?: true
  /** `actual` is the prompt's own size and exact: it may be used as a report of it (C1.6). */
  ofPrompt?: true
  /** Bytes that a body may have (payload_too_large). */
  bytes?: number
  /** Characters that each text may have (single_string_cap). */
  characters?: number
  /** Pictures that one request may hold. */
  images?: number
}

/** A refusal as it is looked at. `text`: its sentences in small letters; `words`: these and its codes. */
export type ParsedRefusal = {
  refusal: ProviderRefusal
  parts: RefusalParts
  status: number | undefined
  text: string
  words: string
}
