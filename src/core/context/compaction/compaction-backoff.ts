/**
 * Compaction backoff, read from the log: when not to compact again yet, and when not to ask the summarizing model any
 * more (C5.4). Pure.
 */
import type { Entry, Id, Log } from '../../log/entry.ts'
import { logIndex } from '../../log/log-index.ts'
import { isFact } from '../../log/query.ts'
import { requestSize, type RequestEnv } from '../size/measure.ts'
import { editState } from '../view/edit-state.ts'

/** After this many failures in a row the model is not asked any more. Source: C5.4. */
const failuresInARow = 3

/**
 * Whether the summariser has failed three times in a row. A success of it ends that (a manual run asks in any case),
 * and so does another model. Answers by rule while it is open say nothing about the model.
 */
export function breakerIsOpen(log: Log, model: string): boolean {
  let failures = 0
  for (const { entry } of logIndex(log).nonFacts.toReversed()) {
    if (entry.type === 'summary' && entry.by === 'model') return false
    if (entry.type !== 'note' || entry.code !== 'summary_failed') continue
    if (entry.data?.['model'] !== model) return false
    failures += 1
    if (failures === failuresInARow) return true
  }
  return false
}

/** Tokens of what was said since a compaction gained nothing or was undone; undefined where neither happened. */
export function tokensSinceRefusal(log: Log, env: RequestEnv): number | undefined {
  const at = logIndex(log).nonFacts.findLast(({ entry }) => isRefusal(log, entry))?.at
  if (at === undefined) return undefined
  const since = new Set<Id>()
  for (let i = at + 1; i < log.length; i++) {
    const entry = log[i]
    if (entry !== undefined) since.add(entry.id)
  }
  if (since.size === 0) return 0
  let tokens = 0
  for (const { view, tokens: own } of requestSize(log, env).parts)
    if (view.kind === 'fact' && view.entry !== null && since.has(view.entry)) tokens += own
  return tokens
}

function isRefusal(log: Log, entry: Entry): boolean {
  if (entry.type === 'note') return entry.code === 'compact_no_gain'
  if (entry.type !== 'undo' || entry.by === 'ladder' || !editState(log).edits.includes(entry)) return false
  return logIndex(log).nonFacts.some(({ entry: edit }) => edit.type === 'cut' && edit.group === entry.target)
}

/**
 * Whether what is sent was cut already since the newest fact, by a compaction or by the ladder: one for one state is
 * enough.
 */
export function isCutAlready(log: Log): boolean {
  const edits = editState(log).edits
  for (let at = edits.length - 1; at >= 0; at--) {
    const edit = edits[at]
    if (
      edit?.type === 'cut' &&
      (edit.reason === 'compact' || edit.reason === 'overflow' || edit.reason === 'last resort')
    ) {
      return !log.slice(log.lastIndexOf(edit) + 1).some(isFact)
    }
  }
  return false
}

/** Whether the log ends with this note already, about so many `tokens` where they are given: nothing was said since. */
export function alreadyNoted(log: Log, code: string, tokens?: number): boolean {
  for (let at = log.length - 1; at >= 0; at--) {
    const entry = log[at]
    if (entry?.type === 'note' && entry.code === code) return tokens === undefined || entry.tokens === tokens
    if (entry?.type === 'user' || entry?.type === 'assistant' || entry?.type === 'result' || entry?.type === 'undo')
      return false
  }
  return false
}
