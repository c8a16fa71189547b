/** What is not sent any more, and where it can be read now. Pure. */
import { dialogGuide } from '../../context/compaction/guide.ts'
import type { ArchivePlace, EditEntry, FactEntry, Id, Log } from '../../log/entry.ts'
import { excerptOfFact, limitsOf, textPath } from '../../log/model-view/view-message.ts'
import { removedCountsByEdit } from '../../log/model-view/removed-counts.ts'
import { pathOf } from '../../log/paths.ts'
import { boundaryOf, effectiveEdits, isFact } from '../../log/query.ts'
import { utf8Bytes } from '../../text/bytes.ts'
import { shownBytes } from '../../text/excerpt.ts'
import type { RemovedItem } from '../api/context-api.ts'
import { entryLabel } from './entry-label.ts'

/**
 * What edits have removed from the window, newest first, and where it can be read: messages of cuts, turns of strips.
 */
export function removedItems(log: Log, place: (fact: Id) => ArchivePlace | undefined): RemovedItem[] {
  const at = new Map(log.map((entry, index) => [entry.id, index]))
  const out: RemovedItem[] = []
  const took = removedCountsByEdit(log)
  const standing = effectiveEdits(log)
  const newest = new Map<Id, Id>() // of several shortenings of one text the newest is the one that shows
  for (const edit of standing) if (edit.type === 'shorten') newest.set(edit.target, edit.id)
  const liesAt = (facts: readonly FactEntry[]): Pick<RemovedItem, 'path' | 'line'> => {
    const [first] = dialogGuide(facts, place)
    return first === undefined ? {} : { path: first.path, line: first.from }
  }
  let cutBefore = 0 // entries before this are out by the cuts so far
  for (const edit of standing) {
    const since = at.get(edit.id) ?? log.length
    if (edit.type === 'shorten' && newest.get(edit.target) === edit.id) {
      const target = log[at.get(edit.target) ?? -1]
      if (target && isFact(target)) out.push(shortenedOf(edit, target))
    } else if (edit.type === 'cut') {
      const border = edit.before === null ? since : Math.min(since, at.get(edit.before) ?? 0)
      const messages = took.get(edit.id)?.messages ?? 0
      if (messages > 0)
        out.push({
          group: edit.group,
          kind: 'cut',
          entry: edit.id,
          label: edit.reason,
          count: messages,
          at: edit.at,
          ...liesAt(log.slice(cutBefore, border).filter(isFact)),
        })
      cutBefore = Math.max(cutBefore, border)
    } else if (edit.type === 'strip') {
      const border = edit.before === null ? since : Math.min(since, at.get(edit.before) ?? 0)
      const { from } = boundaryOf(log, standing)
      const { messages, turns } = took.get(edit.id) ?? { messages: 0, turns: 0 }
      if (messages > 0)
        out.push({
          group: edit.group,
          kind: 'stripped',
          entry: edit.id,
          label: '',
          count: turns,
          at: edit.at,
          ...liesAt(log.slice(from, border).filter(isFact)),
        })
    }
  }
  return out.toReversed()
}

function shortenedOf(edit: EditEntry & { type: 'shorten' }, target: FactEntry): RemovedItem {
  const inCall = edit.part === 'arguments'
  const cut = excerptOfFact(target, limitsOf(edit))
  const whole = target.rest?.bytes ?? utf8Bytes(target.text)
  return {
    group: edit.group,
    kind: 'shortened',
    entry: target.id,
    label: entryLabel(target),
    count: 1,
    at: edit.at,
    ...(edit.reason !== undefined && { reason: edit.reason }),
    path: inCall ? pathOf({ kind: 'call', id: target.id }) : textPath(target),
    ...(inCall ? {} : { bytes: whole, shown: cut.whole ? whole : shownBytes(cut, whole) }),
  }
}
