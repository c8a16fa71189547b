/** Facts and environments for tests of summaries. */
import type { FactEntry, Id } from '../../log/entry.ts'
import type { ToolCall } from '../../log/message.ts'
import type { Counter } from '../../log/counter.ts'
import { bytesTokens } from '../../text/tokens.ts'
import type { AskSummariser, StepEnv } from '../strategy.ts'

/** Bytes over four, with nothing for the role: enough for tests of lengths. */
export const bytesCounter: Counter = {
  name: 'bytes/4',
  text: text => bytesTokens(text, 4),
  message: message => bytesTokens(message.content, 4),
}

const start = Date.UTC(2026, 2, 2, 9, 0)

export const summaryUser = (id: Id, text: string, minute = 0): FactEntry => ({
  id,
  parent: null,
  at: start + minute * 60_000,
  type: 'user',
  text,
})
export const summaryAssistant = (id: Id, text: string, calls: readonly ToolCall[] = [], minute = 0): FactEntry => ({
  id,
  parent: null,
  at: start + minute * 60_000,
  type: 'assistant',
  text,
  calls,
  model: 'test',
  local: false,
  stop: calls.length > 0 ? 'calls' : 'stop',
})
export const summaryResult = (
  id: Id,
  callId: Id,
  tool: string,
  text: string,
  isError = false,
  minute = 0,
): FactEntry => ({
  id,
  parent: null,
  at: start + minute * 60_000,
  type: 'result',
  callId,
  tool,
  text,
  isError,
})

export type EnvOptions = Partial<
  Pick<StepEnv, 'contextWindow' | 'askWindow' | 'language' | 'instruction' | 'signal' | 'now' | 'pause' | 'progress'>
>

/** An environment with this summariser. */
export function stepEnv(ask: AskSummariser | undefined, options: EnvOptions = {}): StepEnv {
  const contextWindow = options.contextWindow ?? 32_768
  let ids = 0
  return {
    moment: 'onCall',
    contextWindow,
    outputReserve: 1_024,
    local: false,
    system: '',
    tools: [],
    counter: bytesCounter,
    ...(ask && { ask }),
    askWindow: options.askWindow ?? contextWindow,
    askModel: 'test',
    language: options.language ?? 'en',
    signal: options.signal ?? new AbortController().signal,
    place: () => undefined,
    newId: () => `new-${ids++}`,
    now: options.now ?? (() => 0),
    group: 'group',
    ...(options.instruction !== undefined && { instruction: options.instruction }),
    ...(options.pause && { pause: options.pause }),
    ...(options.progress && { progress: options.progress }),
  }
}
