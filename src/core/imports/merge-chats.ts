/** Chats that came more than once, in several files of one export, become one (C16). Pure. */
import type { ForeignChat } from './shape/foreign-chat.ts'
import type { Findings } from './shape/reader.ts'

/**
 * Chats of one id as one, in the order in which they came first. The one that was changed last decides what is in view
 * and what an item says that both have; nothing of the other is lost.
 */
export function mergeChats(chats: readonly ForeignChat[], findings: Pick<Findings, 'merged'>): ForeignChat[] {
  const merged = new Map<string, ForeignChat>()
  for (const chat of chats) {
    const before = merged.get(chat.id)
    if (before === undefined) {
      merged.set(chat.id, chat)
      continue
    }
    const [newer, older] = (chat.updatedAt ?? 0) >= (before.updatedAt ?? 0) ? [chat, before] : [before, chat]
    const here = new Set(newer.items.map(({ id }) => id))
    const added = older.items.filter(({ id }) => !here.has(id))
    merged.set(chat.id, { ...older, ...newer, items: inOrder([...added, ...newer.items]) })
    findings.merged.push({
      id: chat.id,
      why: `came twice: the newer one is in view${added.length > 0 ? `, with ${added.length} messages of the other` : ''}`,
    })
  }
  return [...merged.values()]
}

/** Parents before their children. */
function inOrder(items: ForeignChat['items']): ForeignChat['items'] {
  const children = new Map<string | null, ForeignChat['items']>()
  const known = new Set(items.map(({ id }) => id))
  for (const item of items) {
    const parent = item.parent !== null && known.has(item.parent) ? item.parent : null
    const list = children.get(parent)
    if (list === undefined) children.set(parent, [item])
    else list.push(item)
  }
  const sorted: ForeignChat['items'] = []
  const waiting = [...(children.get(null) ?? [])].toReversed()
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    sorted.push(item)
    waiting.push(...(children.get(item.id) ?? []).toReversed())
  }
  return sorted
}
