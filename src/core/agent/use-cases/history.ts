/** What was done to the window of a chat, by its acts: what each is called, why, by whom, whether it stands. Pure. */
import { utf8Bytes } from '../../text/bytes.ts'
import type { ArchivePlace, EditEntry, Entry, Id, Log } from '../../log/entry.ts'
import { logIndex } from '../../log/log-index.ts'
import { removedCountsByEdit, type RemovedCounts } from '../../log/model-view/removed-counts.ts'
import { effectiveEdits, isAct, isEdit, isFact, redoTarget, undoTarget } from '../../log/query.ts'
import { shownBytes } from '../../text/excerpt.ts'
import { excerptOfFact, limitsOf } from '../../log/model-view/view-message.ts'
import type { HappenedAct, HistoryAct } from '../api/context-api.ts'
import { entryLabel } from './entry-label.ts'
import { removedItems } from './removed-items.ts'

type Took = ReadonlyMap<Id, RemovedCounts>

/** What Undo and Redo would lift now; `took` as `removedCountsByEdit` gives it. */
export function nextActs(log: Log, took: Took): { undo: HistoryAct | null; redo: HistoryAct | null } {
  const undo = undoTarget(log)
  const redo = redoTarget(log)
  const undone = redo === null ? undefined : log.find(entry => entry.type === 'undo' && entry.group === redo)
  return {
    undo: undo === null ? null : actOf(log, undo, took),
    redo: undone?.type === 'undo' ? actOf(log, undone.target, took) : null,
  }
}

/** What the edits of a group did, in one word and a number; null where there is no such group. */
export function actOf(log: Log, group: Id, took: Took): HistoryAct | null {
  const edits = editsOf(log, group)
  const [first] = edits
  if (first === undefined) return null
  const label = (target: Id): string => {
    const entry = log[logIndex(log).positions.get(target) ?? -1]
    return entry === undefined ? '' : entryLabel(entry)
  }
  const back = edits.find(edit => edit.type === 'undo')
  if (back?.type === 'undo') {
    const of = actOf(log, back.target, took)
    const left = edits.reduce((sum, edit) => sum + (took.get(edit.id)?.messages ?? 0), 0) // what did not fit
    return of && { group, what: 'put back', of: of.what, count: Math.max(0, of.count - left), label: of.label }
  }
  const cut = edits.find(edit => edit.type === 'cut')
  if (cut?.type === 'cut') {
    const what =
      cut.reason === 'clear'
        ? 'clear'
        : cut.reason === 'open'
          ? 'rest'
          : summaryOfCut(log, cut.id) === undefined
            ? 'cut'
            : 'summary'
    return { group, what, count: took.get(cut.id)?.messages ?? 0, label: '' }
  }
  const strip = edits.find(edit => edit.type === 'strip')
  if (strip !== undefined) return { group, what: 'strip', count: took.get(strip.id)?.turns ?? 0, label: '' }
  switch (first.type) {
    case 'shorten': {
      const targets = new Set(edits.flatMap(edit => (edit.type === 'shorten' ? [edit.target] : [])))
      return { group, what: 'shorten', count: targets.size, label: label(first.target) }
    }
    case 'pin':
      return { group, what: first.on ? 'pin' : 'unpin', count: 1, label: label(first.target) }
    case 'summary':
      return { group, what: 'reword', count: 1, label: '' }
    default:
      return null
  }
}

/**
 * Everything that took something out of the window or brought it back, newest first; pins and wordings are left out,
 * and so are the undo and redo of an act: it tells itself whether it stands.
 */
export function happenedActs(log: Log, place: (fact: Id) => ArchivePlace | undefined): HappenedAct[] {
  const took = removedCountsByEdit(log)
  const standing = effectiveEdits(log)
  const stands = new Set<Id>(standing.map(edit => edit.group))
  const lies = new Map(removedItems(log, place).map(item => [item.group, item]))
  const found: HappenedAct[] = []
  const seen = new Set<Id>()
  for (const { entry, at } of logIndex(log).nonFacts) {
    if (!isEdit(entry) || !isAct(entry) || seen.has(entry.group)) continue
    seen.add(entry.group)
    if (isLateSummary(log, entry)) continue
    const act = actOf(log, entry.group, took)
    if (act === null || act.what === 'pin' || act.what === 'unpin' || act.what === 'reword') continue
    const edits = editsOf(log, entry.group)
    const item = lies.get(entry.group)
    const why = whyOf(log, entry, at, edits)
    found.push({
      ...act,
      at: entry.at,
      stands: stands.has(entry.group),
      ...(why === undefined ? {} : { why }),
      ...(act.what === 'put back' ? {} : summaryFacts(log, edits)),
      ...(act.what === 'shorten' ? { bytes: shortenedBytes(log, edits) } : {}),
      ...(item?.path === undefined ? {} : { path: item.path }),
      ...(item?.line === undefined ? {} : { line: item.line }),
    })
  }
  return found.toReversed()
}

function editsOf(log: Log, group: Id): readonly EditEntry[] {
  let groups = groupsOf.get(log)
  if (groups === undefined) {
    groupsOf.set(log, (groups = new Map()))
    for (const { entry } of logIndex(log).nonFacts) {
      if (!isEdit(entry)) continue
      const edits = groups.get(entry.group)
      if (edits === undefined) groups.set(entry.group, [entry])
      else edits.push(entry)
    }
  }
  return groups.get(group) ?? []
}
const groupsOf = new WeakMap<Log, Map<Id, EditEntry[]>>()

/** The newest summary of a cut, and not a person's wording of it. */
function summaryOfCut(log: Log, cut: Id): (EditEntry & { type: 'summary' }) | undefined {
  const found = logIndex(log).nonFacts.findLast(
    ({ entry }) => entry.type === 'summary' && entry.of === cut && entry.by !== 'person',
  )
  return found?.entry.type === 'summary' ? found.entry : undefined
}

/** A summary that came after its cut is told with it. */
function isLateSummary(log: Log, edit: EditEntry): boolean {
  return (
    edit.type === 'summary' && edit.by !== 'person' && editsOf(log, edit.group).every(({ type }) => type === 'summary')
  )
}

function summaryFacts(log: Log, edits: readonly EditEntry[]): Partial<HappenedAct> {
  const cut = edits.find(edit => edit.type === 'cut')
  const summary = cut && summaryOfCut(log, cut.id)
  if (summary === undefined) return {}
  const { before, after, ms, model } = summary.stats
  return {
    summary: summary.id,
    tokens: { before, after },
    by: summary.by === 'model' ? 'model' : 'rule',
    ms,
    ...(model === undefined ? {} : { model }),
  }
}

function shortenedBytes(log: Log, edits: readonly EditEntry[]): { before: number; after: number } {
  const { positions } = logIndex(log)
  const bytes = { before: 0, after: 0 }
  for (const edit of edits) {
    if (edit.type !== 'shorten' || edit.part === 'arguments') continue
    const target = log[positions.get(edit.target) ?? -1]
    if (target === undefined || !isFact(target)) continue
    const cut = excerptOfFact(target, limitsOf(edit))
    const whole = target.rest?.bytes ?? utf8Bytes(target.text)
    bytes.before += whole
    bytes.after += cut.whole ? whole : shownBytes(cut, whole)
  }
  return bytes
}

/** Undefined where the log of an earlier version does not tell whether a person or a threshold asked. */
function whyOf(log: Log, edit: EditEntry, at: number, edits: readonly EditEntry[]): HappenedAct['why'] {
  if (edit.type === 'undo') return 'you'
  const cut = edits.find(({ type }) => type === 'cut')
  if (cut?.type === 'cut') {
    const { reason } = cut
    switch (reason) {
      case 'clear':
        return 'you'
      case 'open':
        return 'rested'
      case 'overflow':
      case 'last resort':
        return 'too large'
      case 'turns':
      case 'budget':
        return 'automatic'
      case 'compact': {
        const asked = summaryOfCut(log, cut.id)?.stats.asked
        if (asked !== undefined) return asked === 'agent' ? 'agent' : 'you'
        return isInTurn(log, at) ? 'automatic' : undefined
      }
      default:
        return reason satisfies never
    }
  }
  const after = log[at + edits.length]
  return after?.type === 'note' && after.code === 'overflow_rung' ? 'too large' : 'automatic'
}

/** Whether an answer was still to come: then no person had asked for a compaction, which waits for the end. */
function isInTurn(log: Log, at: number): boolean {
  const before: Entry | undefined = log.slice(0, at).findLast(isFact)
  return before !== undefined && before.type !== 'assistant'
}
