/** What edits remove from the request, counted once for every place that shows it (C9.6). Pure. */
import type { EditEntry, Entry, FactEntry, Id, Log } from '../entry.ts'
import { isEdit, positions, effectiveEdits } from '../query.ts'
import { sentFacts } from './sent-facts.ts'

/**
 * Messages: facts that were sent and no longer are. Turns: of a cut, those whose question left; of a strip, those that
 * are left with question and answer.
 */
export type RemovedCounts = { messages: number; turns: number }

/** The facts that were sent and no longer are once these entries stand behind the log. */
export function factsRemovedBy(log: Log, added: readonly Entry[]): FactEntry[] {
  const kept = new Set(sent([...log, ...added]).map(fact => fact.id))
  return sent(log).filter(fact => !kept.has(fact.id))
}

/** The facts that were not sent and are once these entries stand behind the log. */
export function factsRestoredBy(log: Log, added: readonly Entry[]): FactEntry[] {
  const before = new Set(sent(log).map(fact => fact.id))
  return sent([...log, ...added]).filter(fact => !before.has(fact.id))
}

/** What an edit removes if it is appended to the log. */
export function removedCounts(log: Log, edit: EditEntry): RemovedCounts {
  const left = factsRemovedBy(log, [edit])
  return {
    messages: left.length,
    turns: edit.type === 'strip' ? strippedTurns([...log, edit], edit) : questionsIn(left),
  }
}

export function questionsIn(facts: readonly FactEntry[]): number {
  return facts.filter(fact => fact.type === 'user').length
}

/**
 * What each cut and each strip of this log took: of those that stand, what they took of what earlier ones that stand
 * had left; of those that were undone, what they took when they were made.
 */
export function removedCountsByEdit(log: Log): Map<Id, RemovedCounts> {
  const stands = new Set<Entry>(effectiveEdits(log))
  const took = new Map<Id, RemovedCounts>()
  let isAsMade = true // no edit in front of this place was lifted
  for (const [at, entry] of log.entries()) {
    if (!isEdit(entry)) continue
    if (entry.type === 'cut' || entry.type === 'strip') {
      const own = isAsMade || !stands.has(entry) ? countsAsMade.get(entry) : undefined
      const before =
        isAsMade || !stands.has(entry)
          ? log.slice(0, at)
          : log.slice(0, at).filter(other => !isEdit(other) || stands.has(other))
      const found = own ?? removedCounts(before, entry)
      took.set(entry.id, found)
      if (isAsMade) countsAsMade.set(entry, found)
    }
    if (!stands.has(entry)) isAsMade = false
  }
  return took
}

/** Counts as they were when the edits were made: an entry follows the same entries on each path through a chat. */
const countsAsMade = new WeakMap<EditEntry, RemovedCounts>()

function sent(log: Log): FactEntry[] {
  return sentFacts(log, effectiveEdits(log), {}).kept.map(({ fact }) => fact)
}

/** Turns in view in front of where a strip ends. */
function strippedTurns(log: Log, { id, before }: { id: Id; before: Id | null }): number {
  const border = positions(log, new Set([before ?? id])).get(before ?? id) ?? 0
  const at = new Map(log.map((entry, index) => [entry.id, index]))
  return questionsIn(sent(log).filter(fact => (at.get(fact.id) ?? border) < border))
}
