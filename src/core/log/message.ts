/** What a model reads and writes. Types only. */

/** A model asks for a tool. `arguments` is the JSON text as the model wrote it, never re-serialised. */
export type ToolCall = { readonly id: string; readonly name: string; readonly arguments: string }

export type Usage = {
  input: number // tokens newly read, without cache
  cacheRead?: number // tokens
  cacheWrite?: number // tokens
  output?: number // tokens
  cost?: number // US$, told by the server or by a known price
}

/**
 * Why an answer ended: by itself, at the output limit, because it wants tools, filtered by the provider,
 * stopped by the person, interrupted by a restart, broken off by an error.
 */
export type StopReason = 'stop' | 'length' | 'calls' | 'filtered' | 'stopped' | 'interrupted' | 'failed'

/** An image the request carries. */
export type ImagePart = { mime: string; blob: string /* id in `blobs` */ }

/**
 * What a provider gave with an answer to get it back as it was: details of its reasoning, sealed or signed, and
 * signatures of calls. `value` is its own JSON, kept as it came; `from` marks the provider and model, nobody else may
 * have it.
 */
export type ReasoningDetails = { readonly from: string; readonly value: unknown }

/** One message of a request. The system prompt is not among them; it travels beside them. */
export type Message =
  | { role: 'user'; content: string; images?: ImagePart[] }
  /** `reasoning`, `details`: what is sent back of its reasoning; an empty text where one is due and none is kept. */
  | {
      role: 'assistant'
      content: string
      reasoning?: string
      details?: ReasoningDetails
      toolCalls?: readonly ToolCall[]
    }
  | { role: 'tool'; content: string; toolCallId: string; name: string; isError?: boolean }

/** A tool as the model is told about it. `parameters` is a JSON schema of an object. */
export type ToolSchema = { name: string; description: string; parameters: Record<string, unknown> }

/**
 * What the words of an answer may be: all of it JSON of one schema, or text in which, once `trigger` stands there, one
 * of these must follow. Only for models that `can.schema`.
 */
export type AnswerShape =
  | { whole: Record<string, unknown> }
  | { between: { begin: string; schema: Record<string, unknown>; end: string }[]; trigger: string }

export type ModelRequest = {
  system: string
  messages: readonly Message[]
  tools: readonly ToolSchema[]
  shape?: AnswerShape
  toolChoice?: 'auto' | 'none'
  maxTokens?: number // output limit, tokens
  /** How much it shall think; absent: as it does by itself. */
  effort?: Effort
  /** How freely it chooses its words, 0 to 2; absent: as it does by itself. */
  temperature?: number
}

export type Effort = 'off' | 'low' | 'medium' | 'high'

/**
 * One piece of a streamed answer. A stream ends with exactly one `finish`. A `call` is whole; while it is being
 * written, `calling` may tell its name and how much has come.
 */
export type ModelPart =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'calling'; name: string; chars: number }
  | { type: 'call'; call: ToolCall }
  | {
      type: 'finish'
      stop: StopReason
      usage?: Usage
      /** The provider's own JSON, to be given back to it (`ReasoningDetails`). */
      details?: unknown
      /** It arrived all at once, like the one before: a server or proxy buffers streams. */
      bufferedByProxy?: true
      /** The server refused tools for this request: they were described in the prompt text. */
      toolsAsText?: true
      /** The server says that its window was full: it left something out, or stopped writing there. */
      truncated?: true
    }
