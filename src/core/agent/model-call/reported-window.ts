/**
 * Stores the window that a server reported and says so in a note. A window that the person typed still wins, and then
 * the note says that (C8).
 */
import type { AgentRuntime } from '../session/agent-runtime.ts'
import { saveCalibration } from '../request/model-calibration.ts'
import type { Session } from '../session/session.ts'
import type { RequestSetup } from '../request/request-setup.ts'
import { noteTexts } from '../i18n/note-texts.ts'

/**
 * Keeps the window (tokens) and says so in a note; where a typed one counts instead, once in a chat for the two
 * numbers. `refused`: a request was, for it.
 */
export async function saveReportedWindow(
  runtime: AgentRuntime,
  session: Session,
  setup: Pick<RequestSetup, 'model' | 'window' | 'configuredWindow' | 'windowTyped'>,
  window: number,
  refused = false,
): Promise<void> {
  await saveCalibration(runtime.deps.store, setup.model, { window })
  const data = {
    window,
    before: setup.windowTyped ? setup.configuredWindow : setup.window,
    ...(setup.windowTyped && { typed: true }),
  }
  if (setup.windowTyped && wasSaid(session, data)) return
  const text = setup.windowTyped
    ? noteTexts(runtime).windowTold(window, data.before, refused)
    : noteTexts(runtime).windowLearnt(window, data.before)
  await session.append([{ type: 'note', code: 'window_learnt', text, tokens: window, data }])
}

function wasSaid(session: Session, { window, before }: { window: number; before: number }): boolean {
  return session.log.some(
    entry =>
      entry.type === 'note' &&
      entry.code === 'window_learnt' &&
      entry.data?.['typed'] === true &&
      entry.data['window'] === window &&
      entry.data['before'] === before,
  )
}
