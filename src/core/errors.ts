/** The one error class of Haversack and the closed list of its codes. */

/**
 * Every code an error or a note may carry. An error's code is also its `name`, because only name, message and
 * stack survive the transfer between threads.
 */
export const codes = [
  // models
  'model_overflow', // the prompt does not fit the window
  'model_too_large', // the request has more bytes than the server or a proxy takes
  'model_output_cap', // the output limit asked for is above what the model may write
  'model_auth', // key missing, wrong or not allowed
  'model_credit', // no credit left
  'model_not_found', // no such model, or the path lacks /v1
  'model_rate_limited', // 429
  'model_server', // 5xx
  'model_loading', // the server is still loading the model
  'model_not_loaded', // the server could not load the model, or has none loaded
  'model_not_allowed', // region, organisation or data policy: the key is not the cause
  'model_refused', // any other 4xx
  'model_protocol', // the answer is no stream we know (HTML of a proxy, broken JSON)
  'model_empty', // the answer was empty, twice
  'model_unavailable', // chosen model is not configured, not loaded, or cannot run here
  'network', // the request failed before an answer: off, CORS, blocked, offline
  'blocked_address', // the allow-list refused the address
  // storage
  'storage_full',
  'storage_lost',
  'storage_blocked',
  'storage_newer',
  'storage_gone',
  'storage_unavailable',
  // the rest
  'not_found',
  'bad_input',
  'bad_json',
  'denied',
  'stopped',
  'tool_failed',
  'busy',
  'worker_lost',
  'new_version',
  'unknown',
  // notes only
  'command', // the answer to a command
  'compacted', // what a compaction did
  'compact_no_gain', // C5.4 gain
  'compact_nothing', // C5.4: why /compact had nothing to do
  'compact_unmatched', // C7.4
  'compact_floor', // C5.4 floor: system, tools and summary alone reach the threshold
  'summary_failed', // C5.4 breaker counts these
  'over_budget', // C5.3: the newest turn alone is over the budget
  'window_learnt', // C8
  'overflow_rung', // what a rung of the ladder did
  'suspect_truncation', // C1.6
  'tools_in_words', // a server refused tools: they are described in the prompt text
  'held_back', // answers come all at once: a server or proxy holds streams back
  'restored', // repaired after a restart
  'retry', // waiting before another attempt
  'loop_broken', // the third identical call
  'step_limit', // C12
  'thought_limit', // C12: an answer of reasoning only, or none before the output limit
  'loop_ended', // C12: the same fault or the same calls again and again
  'small_window', // C7.6: tools were reduced
  'sent_before', // a chat that was sent to a remote model is now answered locally
  'pins_capped', // pins above 20 % of the window
  'imported',
] as const

export type Code = (typeof codes)[number]

/** The only error thrown inside Haversack. Adapters translate foreign errors into it at their edge. */
export class AgentError extends Error {
  readonly code: Code
  /** Small values for the screen (numbers, addresses); they are not sent between threads. */
  readonly data: Readonly<Record<string, unknown>>
  constructor(code: Code, message: string, options: { cause?: unknown; data?: Record<string, unknown> } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = code
    this.code = code
    this.data = options.data ?? {}
  }
}

/**
 * How Chromium, Firefox and WebKit report that a lazily loaded part of the code is missing, mostly because an update
 * removed it.
 */
const partMissing = /dynamically imported module|importing a module script failed/i

/** The code of anything that was thrown; `unknown` where it has none. Never throws. */
export function codeOf(thrown: unknown): Code {
  if (!(thrown instanceof Error)) return 'unknown'
  return codes.find(code => code === thrown.name) ?? (partMissing.test(thrown.message) ? 'new_version' : 'unknown')
}
