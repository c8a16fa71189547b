/** What the edits of a log say at its end, in the form that steps ask for. Pure; kept per log. */
import type { Edit, EditEntry, Entry, Id, Log } from '../log/entry.ts'
import { isEdit, isFact, pinnedFacts, standingEdits } from '../log/query.ts'

export type Shorten = Extract<EditEntry, { type: 'shorten' }>

type Standing = {
  edits: readonly EditEntry[]
  pinned: ReadonlySet<Id>
  /** The newest shortening of each text and of each call's arguments, by `shortenKey`. */
  shortened: ReadonlyMap<string, Shorten>
  undone: ReadonlySet<string>
}

const kept = new WeakMap<Log, Standing>()

/** The edits that hold, what is pinned, how each text is shortened. */
export function standing(log: Log): Standing {
  const known = kept.get(log)
  if (known !== undefined) return known
  const edits = standingEdits(editsOf(log))
  const holds = new Set(edits)
  const shortened = new Map<string, Shorten>()
  for (const edit of edits) if (edit.type === 'shorten') shortened.set(shortenKey(edit.target, edit.part), edit)
  const undone = new Set<string>()
  if (edits.some(edit => edit.type === 'undo')) {
    let fact: Id | null = null
    for (const entry of log) {
      if (isFact(entry)) fact = entry.id
      else if (isEdit(entry) && entry.type !== 'undo' && !holds.has(entry)) undone.add(targetKey(entry, fact))
    }
  }
  const answer = { edits, pinned: pinnedFacts(edits), shortened, undone }
  kept.set(log, answer)
  return answer
}

/** All edits of a log. A log is a path: where the same entry stands at the same place, all before it is the same. */
function editsOf(log: Log): readonly EditEntry[] {
  const [first] = log
  if (first === undefined) return []
  const known = made.get(first)
  const goesOn = known !== undefined && log[known.upTo - 1] === known.last
  const edits = goesOn ? [...known.edits] : []
  for (let at = goesOn ? known.upTo : 0; at < log.length; at++) {
    const entry = log[at]
    if (entry !== undefined && isEdit(entry)) edits.push(entry)
  }
  made.set(first, { upTo: log.length, last: log.at(-1) ?? first, edits })
  return edits
}
const made = new WeakMap<Entry, { upTo: number; last: Entry; edits: readonly EditEntry[] }>()

export function shortenKey(target: Id, part: 'text' | 'arguments' = 'text'): string {
  return `${part}:${target}`
}

/** Whether a person has undone an edit of this kind for the same target. Ladder and commands need not ask. */
export function wasUndone(log: Log, edit: Edit): boolean {
  return standing(log).undone.has(targetKey(edit, log.findLast(isFact)?.id ?? null))
}

/** `fact`: the newest one before the edit; where the edit names no border, that is what it is about. */
function targetKey(edit: Edit, fact: Id | null): string {
  switch (edit.type) {
    case 'shorten': return `shorten ${shortenKey(edit.target, edit.part)}`
    case 'strip': return `strip ${edit.before ?? fact}`
    case 'cut': return `cut ${edit.before ?? fact}`
    case 'summary': return `summary ${edit.of}`
    case 'pin': return `pin ${edit.on} ${edit.target}`
    case 'undo': return `undo ${edit.target}`
    default: return edit satisfies never
  }
}
