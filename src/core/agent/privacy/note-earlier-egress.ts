/**
 * The note at the switch to a local model in a chat that was sent to a remote model before: what is said now will be
 * sent too if a remote model answers again.
 */
import type { AgentRuntime } from '../session/agent-runtime.ts'
import type { Session } from '../session/session.ts'
import { noteTexts } from '../i18n/note-texts.ts'

/**
 * Adds the note once for each time that a remote model has answered; not if the model is remote or the chat never left
 * the device.
 */
export async function noteEarlierEgress(
  runtime: AgentRuntime,
  session: Session,
  model: { local: boolean },
): Promise<void> {
  if (!model.local || session.info.leaves !== 'asks') return
  const newest = session.rows.findLast(
    ({ entry }) =>
      (entry.type === 'assistant' && !entry.local) || (entry.type === 'note' && entry.code === 'sent_before'),
  )?.entry
  if (newest?.type === 'note') return
  const sentTo = newest?.type === 'assistant' ? newest.model : ''
  const known = (await runtime.deps.models.list()).find(({ id }) => id === sentTo)
  const name = known?.serverName ? `${known.name} (${known.serverName})` : (known?.name ?? sentTo)
  await session.append([{ type: 'note', code: 'sent_before', text: noteTexts(runtime).sentBefore(name) }])
}
