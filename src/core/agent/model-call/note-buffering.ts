/** Adds one note to a chat that a model's answers arrive all at once. */
import type { Model } from '../../ports/ports.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import type { Session } from '../session/session.ts'
import { noteTexts } from '../i18n/note-texts.ts'

/** A note, unless this chat has one of this model already. */
export async function noteBuffering(
  runtime: AgentRuntime,
  session: Session,
  model: Pick<Model, 'id' | 'name'>,
): Promise<void> {
  if (
    session.log.some(entry => entry.type === 'note' && entry.code === 'held_back' && entry.data?.['model'] === model.id)
  )
    return
  await session.append([
    { type: 'note', code: 'held_back', text: noteTexts(runtime).heldBack(model.name), data: { model: model.id } },
  ])
}
