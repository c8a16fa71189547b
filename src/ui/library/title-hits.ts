/** Chats that are found by their title, while it is being typed. Pure. */
import type { SearchFilter } from '../../core/agent/api/api.ts'
import type { SessionInfo } from '../../core/ports/ports.ts'

export type TitleHit = { chat: SessionInfo; title: string; marks: [number, number][] }

/**
 * The chats whose title holds every word of the query, whole or begun, in the order of the list: at most `most`.
 * `shown` gives the title as it is read. Accents and case do not count.
 */
export function titleHits(
  chats: readonly SessionInfo[],
  query: string,
  { filter, shown, most }: { filter: SearchFilter; shown: (title: string) => string; most: number },
): TitleHit[] {
  const words = query.split(/[\s"“”]+/).flatMap(word => (word === '' ? [] : [folded(word)]))
  const { kinds, session, from = 0, to = Number.POSITIVE_INFINITY } = filter
  if (words.length === 0 || (kinds !== undefined && !kinds.includes('title'))) return []
  const hits: TitleHit[] = []
  for (const chat of chats) {
    if (hits.length >= most) break
    if ((session !== undefined && chat.id !== session) || chat.updatedAt < from || chat.updatedAt > to) continue
    const title = shown(chat.title)
    const letters = folded(title)
    if (!words.every(word => letters.includes(word))) continue
    // Where folding changed the length, nothing says which letters these are.
    const places =
      letters.length === title.length ? words.map(word => [letters.indexOf(word), word.length] as const) : []
    hits.push({ chat, title, marks: places.map(([at, length]) => [at, at + length]) })
  }
  return hits
}

function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC').toLowerCase()
}
