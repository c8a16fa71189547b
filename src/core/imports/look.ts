/** The look before an import: what an export holds, chat by chat, in memory that does not grow with it (C16). */
import type { ForeignApp } from '../log/file-format/foreign-export.ts'
import { titleOf } from '../text/display/title.ts'
import { countChats, type ChatCounts } from './count-chats.ts'
import { noFindings } from './file-of-chats.ts'
import { chatsOf, fileFinder, type ExportGroup } from './read-export.ts'
import type { ForeignChat } from './shape/foreign-chat.ts'
import type { Findings } from './shape/reader.ts'

/** `at`: when something was last said in it, ms since epoch; absent where the export does not tell. */
export type ChatLook = { id: string; title: string; messages: number; branches: number; files: number; at?: number }

/** `unavailable`: files that the export names and does not hold. */
export type ExportLook = {
  app: ForeignApp
  chats: ChatLook[]
  unavailable: number
  findings: Findings
}

/** Looks through an export. `told` hears of each chat, with how many there are by now. */
export async function lookAt(
  app: ForeignApp,
  group: ExportGroup,
  told: (chats: number) => void = () => undefined,
): Promise<ExportLook> {
  const findings = noFindings()
  const chats = new Map<string, ChatLook>()
  const find = fileFinder(group.beside)
  const withoutTalk = new Set<string>()
  let unavailable = 0
  for await (const chat of chatsOf(app, group, findings)) {
    const counts = countChats([chat], ref => find(ref) !== undefined)
    unavailable += counts.unavailable.length
    // Rows that are no talk alone: a part of a chat that is not here, such as a sub-agent's.
    if (chat.items.every(({ kind }) => kind === 'foreign')) {
      withoutTalk.add(chat.id)
      continue
    }
    const look = chatLook(chat, counts)
    const before = chats.get(chat.id)
    if (before !== undefined) findings.merged.push({ id: chat.id, why: 'came twice: both become one' })
    chats.set(chat.id, before !== undefined && (before.at ?? 0) > (look.at ?? 0) ? before : look)
    told(chats.size)
  }
  for (const id of withoutTalk) if (!chats.has(id)) findings.skipped.push({ id, why: 'no messages' })
  return { app, chats: [...chats.values()], unavailable, findings }
}

function chatLook(chat: ForeignChat, { messages, branches, attachments }: ChatCounts): ChatLook {
  const first = chat.items.find(item => item.kind === 'user')
  const times = chat.items.flatMap(({ at }) => (at === undefined ? [] : [at]))
  const at =
    chat.updatedAt ?? times.reduce<number | undefined>((newest, one) => Math.max(newest ?? one, one), undefined)
  return {
    id: chat.id,
    title: chat.title ?? (first?.kind === 'user' ? (titleOf(first.text) ?? '') : ''),
    messages,
    branches,
    files: attachments,
    ...(at === undefined ? {} : { at }),
  }
}
