/** The fetch function that models are given; implemented in `net`. Types only. */

/**
 * Like `fetch`, for model servers only: the address must be of a named server (`blocked_address` otherwise) unless the
 * person has just asked for this one call (`grant`). Answers with any HTTP status; throws AgentError (`network`,
 * `model_protocol`, `blocked_address`, `stopped`). An answer to POST comes as a mended stream, with `whole` as it was
 * sent.
 */
export type ModelFetch = (
  url: string,
  init: ModelRequestInit,
  options?: { grant?: boolean; whole?: boolean },
) => Promise<Response>

export type ModelRequestInit = {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  signal: AbortSignal
  mode?: 'cors' | 'no-cors'
}
