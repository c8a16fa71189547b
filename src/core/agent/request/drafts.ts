/**
 * The message that is being typed, as a forecast takes it into account, and how long one may be before it changes
 * anything.
 */
import { initialFallback } from '../../context/overflow/overflow-fallback.ts'
import { requestSize } from '../../context/size/measure.ts'
import type { Log, SessionId } from '../../log/entry.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import { viewInTurn, type RequestSetup } from './request-setup.ts'

/** No counter of ours gives more than a token a byte; a unit of UTF-16 has three at most. */
const mostPerUnit = 3 // tokens
/** What stands around a message. */
const around = 8 // tokens

/** What is typed in a chat, as it is kept. */
export async function readDraft({ deps }: AgentRuntime, id: SessionId): Promise<string> {
  return (await deps.store.session(id))?.draft ?? ''
}

/**
 * So long may the next message be that nothing looks at its size, UTF-16 units; negative where even an empty one is
 * looked at.
 */
export function negligibleDraftLength(log: Log, setup: RequestSetup): number {
  const { strategy, window, requestWindow, model, guardCounter, calibration } = setup
  const actsFrom = (strategy.actsFrom ?? strategy.threshold)(window, model.local) ?? Infinity
  const plain = requestSize(log, setup.env('onCall')).total
  const guarded = requestSize(log, setup.env('onOverflow', { view: viewInTurn(model), counter: guardCounter })).total
  const room = Math.min(actsFrom - plain, requestWindow - initialFallback(setup).maxTokens - guarded)
  return Math.floor((room / Math.max(1, ...Object.values(calibration.factors ?? {})) - around) / mostPerUnit)
}
