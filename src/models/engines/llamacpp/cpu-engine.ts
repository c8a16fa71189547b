/** The part of the CPU engine that we use, so that tests can provide a double. */
import type { PlainMessage } from '../shared/plain-messages.ts'

export type CpuChunk = {
  choices: { delta: { content?: string | null }; finish_reason: string | null }[]
  usage?: {
    prompt_tokens: number
    completion_tokens: number
    prompt_tokens_details?: { cached_tokens?: number }
  } | null
}

export type CpuEngine = {
  /** Loads the one file. Rejects when it cannot be read or does not fit, also where the engine itself keeps silent. */
  load(file: Blob, window: number /* tokens */): Promise<void>
  chat(
    request: {
      messages: PlainMessage[]
      maxTokens?: number
      temperature?: number
      schema?: Record<string, unknown> /* what the whole answer must be */
    },
    signal: AbortSignal,
  ): Promise<AsyncIterable<CpuChunk>>
  /** Ends it and frees its memory. */
  exit(): Promise<void>
  /** What the program complained of since the last question or loading: often the only place where a reason stands. */
  log(): readonly string[]
}
