/** The message that is being typed, as the forecast counts it, and up to which length it changes no forecast. */
import { initialFallback } from '../../context/overflow/overflow-fallback.ts'
import { requestSize } from '../../context/size/measure.ts'
import type { Log, SessionId } from '../../log/entry.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import { viewInTurn, type RequestSetup } from './request-setup.ts'

/** None of our counters gives more than one token per byte; a UTF-16 unit has at most three bytes. */
const mostPerUnit = 3 // tokens
/** The frame of a message. */
const around = 8 // tokens

/** The stored draft of a chat. */
export async function readDraft({ deps }: AgentRuntime, id: SessionId): Promise<string> {
  return (await deps.store.session(id))?.draft ?? ''
}

/** Up to this length the next message triggers no step, UTF-16 units; negative if even an empty one does. */
export function negligibleDraftLength(log: Log, setup: RequestSetup): number {
  const { strategy, window, requestWindow, model, guardCounter, calibration } = setup
  const actsFrom = (strategy.actsFrom ?? strategy.threshold)(window, model.local) ?? Infinity
  const plain = requestSize(log, setup.env('onCall')).total
  const guarded = requestSize(log, setup.env('onOverflow', { view: viewInTurn(model), counter: guardCounter })).total
  const room = Math.min(actsFrom - plain, requestWindow - initialFallback(setup).maxTokens - guarded)
  return Math.floor((room / Math.max(1, ...Object.values(calibration.factors ?? {})) - around) / mostPerUnit)
}
