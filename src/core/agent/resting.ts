/** What a session's log says its state is while nothing runs: idle, a question waiting for a yes, or cut off. */
import type { Log } from '../log/entry.ts'
import type { SessionInfo } from '../ports.ts'
import type { Status } from './api.ts'
import { newestTurn } from './turn-state.ts'

/** The status at rest. The tools are loaded only where a call is open: most chats open without them. */
export async function restingStatus(log: Log, info: Pick<SessionInfo, 'allowed' | 'away'>): Promise<Status> {
  const { state } = newestTurn(log)
  if (state === 'closed' || state === 'stopped') return { state: 'idle' }
  const question = state === 'calls' ? (await import('./open-question.ts')).openQuestion(log, info) : undefined
  return question ? { state: 'asking', question } : { state: 'interrupted' }
}
