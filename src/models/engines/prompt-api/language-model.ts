/** The browser's interface to its own model, in the spellings that browsers have. */
import type { PlainMessage } from '../shared/plain-messages.ts'

type PromptOptions = { signal: AbortSignal; responseConstraint?: object; omitResponseConstraintInput?: boolean }
type Monitor = {
  addEventListener(type: 'downloadprogress', listener: (event: { loaded: number; total?: number }) => void): void
}
export type PromptSessionOptions = {
  initialPrompts?: PlainMessage[]
  systemPrompt?: string
  signal?: AbortSignal
  monitor?: (monitor: Monitor) => void
}
/** Both spellings: the names of usage and window changed, and browsers have either. */
export type PromptSession = {
  promptStreaming(text: string, options: PromptOptions): ReadableStream<string>
  destroy(): void
  addEventListener?(type: string, listener: () => void): void
  contextUsage?: number
  contextWindow?: number
  measureContextUsage?(text: string): Promise<number>
  inputUsage?: number
  inputQuota?: number
  measureInputUsage?(text: string): Promise<number>
  tokensSoFar?: number
  maxTokens?: number
  countPromptTokens?(text: string): Promise<number>
}
export type PromptAvailability = 'unavailable' | 'downloadable' | 'downloading' | 'available'
export type LanguageModelApi = {
  availability?(options?: object): Promise<PromptAvailability>
  capabilities?(): Promise<{ available: 'no' | 'after-download' | 'readily' }>
  create(options: PromptSessionOptions): Promise<PromptSession>
}

/** The browser's interface, under its present or its former name; undefined where there is none. */
export function languageModelOf(scope: object): { api: LanguageModelApi; old: boolean } | undefined {
  const { LanguageModel, ai } = scope as { LanguageModel?: LanguageModelApi; ai?: { languageModel?: LanguageModelApi } }
  if (LanguageModel) return { api: LanguageModel, old: false }
  return ai?.languageModel && { api: ai.languageModel, old: true }
}

/** tokens; undefined where the session does not tell, or tells something else. */
export function promptWindow(session: PromptSession): number | undefined {
  const window = session.contextWindow ?? session.inputQuota ?? session.maxTokens
  return typeof window === 'number' && Number.isFinite(window) && window >= 256 ? Math.floor(window) : undefined
}
