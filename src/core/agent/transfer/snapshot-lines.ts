/** Chats as far as memory has them, as lines that an import can read: for when the store is gone. Pure. */
import type { Id } from '../../log/entry.ts'
import { entryLine, sessionLine } from '../../log/file-format/jsonl.ts'
import { pathTo } from '../../log/query.ts'
import { repairsAfterCrash } from '../../log/model-view/repair.ts'
import type { SessionSnapshot } from '../api/api.ts'

/**
 * The lines of these chats, with their drafts. A part of an answer becomes an answer that is marked as interrupted, as
 * it does after a restart. Of a huge text there are both ends, of an attached picture its name. `newId` and `now` (ms)
 * are for that part.
 */
export function snapshotLines(
  held: readonly SessionSnapshot[],
  { newId, now }: { newId(): Id; now: number },
): string[] {
  return held.flatMap(({ info, entries, reply }) => {
    const all = [...entries]
    const repairs = reply ? repairsAfterCrash(pathTo(entries, reply.parent), reply) : []
    let leaf = reply && repairs.length > 0 ? reply.parent : info.leaf
    for (const fact of repairs) {
      all.push({ ...fact, id: newId(), parent: leaf, at: now })
      leaf = all.at(-1)!.id
    }
    const { id, title, createdAt, leaves, pinned, draft } = info
    const header = sessionLine({
      id,
      name: title,
      createdAt,
      ...(leaf === null ? {} : { leaf }),
      ...(leaves ? { leaves } : {}),
      ...(pinned ? { pinned } : {}),
      ...(draft ? { draft } : {}),
    })
    return [header, ...all.flatMap((entry, seq) => entryLine(entry, seq) ?? [])]
  })
}
