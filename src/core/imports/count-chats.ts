/** What chats of another app hold, in numbers: for the look before an import, and for its report (C16). Pure. */
import type { ForeignChat } from './shape/foreign-chat.ts'

/**
 * `messages`: of the person, and answers that have text, on all branches. `branches`: ends of branches of talk.
 * `activePath`: messages on the path that the source shows, of all chats.
 */
export type ChatCounts = {
  chats: number
  messages: number
  branches: number
  activePath: number
  toolCalls: number
  results: number
  reasoning: number
  attachments: number
  system: number
  summaries: number
  hidden: number
  injected: number
  sidechains: number
  /** Attachments whose content is not in the export, by what it calls them. */
  unavailable: string[]
  titles: string[]
}

/** Counts chats. `isBeside`: whether a file of this name lies beside the export. */
export function countChats(
  chats: readonly ForeignChat[],
  isBeside: (ref: string) => boolean = () => false,
): ChatCounts {
  const counts: ChatCounts = {
    chats: chats.length,
    messages: 0,
    branches: 0,
    activePath: 0,
    toolCalls: 0,
    results: 0,
    reasoning: 0,
    attachments: 0,
    system: 0,
    summaries: 0,
    hidden: 0,
    injected: 0,
    sidechains: 0,
    unavailable: [],
    titles: chats.flatMap(({ title }) => (title === undefined ? [] : [title])),
  }
  for (const chat of chats) countChat(chat, counts, isBeside)
  return counts
}

function countChat(chat: ForeignChat, counts: ChatCounts, isBeside: (ref: string) => boolean): void {
  if (chat.system !== undefined) counts.system++
  const byId = new Map(chat.items.map(item => [item.id, item]))
  for (const item of chat.items) {
    if (isMessage(item)) counts.messages++
    if (item.kind === 'assistant') {
      counts.toolCalls += item.calls.length
      if (item.reasoning !== undefined && item.reasoning !== '') counts.reasoning++
    } else if (item.kind === 'result') counts.results++
    else if (item.kind === 'summary') counts.summaries++
    else if (item.kind === 'foreign' && item.why === 'hidden') counts.hidden++
    else if (item.kind === 'foreign' && item.why === 'injected') counts.injected++
    else if (item.kind === 'foreign' && item.why === 'sidechain') counts.sidechains++
    for (const { name, text, base64, ref } of 'attachments' in item ? (item.attachments ?? []) : []) {
      counts.attachments++
      if (text === undefined && base64 === undefined && (ref === undefined || !isBeside(ref)))
        counts.unavailable.push(ref !== undefined && /^[a-z-]+:\/\//.test(ref) ? ref : name) // a path has its name
    }
  }
  // Ends of branches: what no talk follows. Rows that are no talk hang on the talk before them.
  const followed = new Set<string>()
  for (const item of chat.items) {
    if (item.kind === 'foreign') continue
    for (let at = item.parent; at !== null && !followed.has(at); at = byId.get(at)?.parent ?? null) followed.add(at)
  }
  counts.branches += chat.items.filter(({ id, kind }) => kind !== 'foreign' && !followed.has(id)).length
  const seen = new Set<string>()
  const leaf = chat.leaf !== undefined && byId.has(chat.leaf) ? chat.leaf : newest(chat)
  for (let at = leaf ?? null; at !== null && !seen.has(at); at = byId.get(at)?.parent ?? null) {
    seen.add(at)
    const item = byId.get(at)
    if (item !== undefined && isMessage(item)) counts.activePath++
  }
}

const newest = (chat: ForeignChat): string | undefined => chat.items.findLast(({ kind }) => kind !== 'foreign')?.id

const isMessage = (item: ForeignChat['items'][number]): boolean =>
  item.kind === 'user' || (item.kind === 'assistant' && item.text.trim() !== '')
