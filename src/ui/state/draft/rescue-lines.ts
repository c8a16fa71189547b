/** The rescue copy: what page and worker still have of chats, as lines of a file that can be imported. Pure. */
import type { SessionSnapshot } from '../../../core/agent/api/api.ts'
import { snapshotLines } from '../../../core/agent/transfer/snapshot-lines.ts'
import type { Entry, Id, SessionId } from '../../../core/log/entry.ts'
import type { ToolCall } from '../../../core/log/message.ts'
import type { SessionInfo } from '../../../core/ports/ports.ts'
import type { AttachedText } from './message-draft.svelte.ts'
import { composeMessage } from './compose.ts'

/** The chat on the screen. */
export type OpenChatSnapshot = {
  info: SessionInfo
  entries: readonly Entry[]
  leaf: Id | null
  partial: { text: string; reasoning: string; calls: readonly ToolCall[] } | null
  draft: { typed: string; attached: readonly AttachedText[] }
}

/**
 * `worker`: what it holds; `chats`: the list, with the drafts that it knows; `drafts`: newer ones; `screen`: the open
 * chat.
 */
export function rescueLines({
  worker,
  chats,
  drafts,
  screen,
  newId,
  now,
}: {
  worker: readonly SessionSnapshot[]
  chats: readonly SessionInfo[]
  drafts: ReadonlyMap<SessionId, string>
  screen?: OpenChatSnapshot | undefined
  newId(): Id
  now: number
}): string[] {
  const held = new Map(worker.map(chat => [chat.info.id, chat]))
  for (const info of chats) {
    const chat = held.get(info.id)
    // The list knows drafts and titles first.
    if (chat)
      held.set(info.id, {
        ...chat,
        info: { ...chat.info, title: info.title, ...(info.draft ? { draft: info.draft } : {}) },
      })
    else if (info.draft) held.set(info.id, { info: { ...info, leaf: null }, entries: [] })
  }
  for (const [id, draft] of drafts) {
    const chat = held.get(id) ?? {
      info: chats.find(info => info.id === id) ?? { id, title: '', createdAt: now, updatedAt: now, leaf: null },
      entries: [],
    }
    held.set(id, { ...chat, info: { ...chat.info, draft, ...(chat.entries.length === 0 ? { leaf: null } : {}) } })
  }
  if (screen) held.set(screen.info.id, onScreen(screen, held.get(screen.info.id)))
  const found = [...held.values()].filter(({ info, entries, reply }) => entries.length > 0 || info.draft || reply)
  return snapshotLines(
    found.toSorted((a, b) => a.info.createdAt - b.info.createdAt || (a.info.id < b.info.id ? -1 : 1)),
    { newId, now },
  )
}

/**
 * The worker has the chat from its beginning, the screen from where it was loaded; a restarted worker may have less.
 */
function onScreen(
  { info, entries, leaf, partial, draft }: OpenChatSnapshot,
  worker: SessionSnapshot | undefined,
): SessionSnapshot {
  const fuller: SessionSnapshot =
    worker && worker.entries.length >= entries.length
      ? worker
      : { info: { ...info, leaf }, entries, ...(worker?.reply ? { reply: worker.reply } : {}) }
  const written = partial !== null && (partial.text !== '' || partial.reasoning !== '' || partial.calls.length > 0)
  const text = composeMessage(draft.typed, draft.attached).text
  const { draft: _old, ...known } = fuller.info
  return {
    ...fuller,
    info: { ...known, title: info.title, ...(text === '' ? {} : { draft: text }) },
    ...(!fuller.reply && written
      ? {
          reply: {
            parent: leaf,
            text: partial.text,
            reasoning: partial.reasoning,
            calls: [...partial.calls],
            model: info.model ?? '',
            local: info.leaves !== 'asks',
          },
        }
      : {}),
  }
}
