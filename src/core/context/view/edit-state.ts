/** The combined state of all edits at the end of a log, in the form that steps need. Pure; cached per log. */
import type { Edit, EditEntry, Id, Log } from '../../log/entry.ts'
import { logIndex } from '../../log/log-index.ts'
import { isEdit, isFact, pinnedFacts, effectiveEdits } from '../../log/query.ts'

export type ShortenEdit = Extract<EditEntry, { type: 'shorten' }>

type EditState = {
  edits: readonly EditEntry[]
  pinned: ReadonlySet<Id>
  /** The newest shortening of each text and of each call's arguments, by `shortenKey`. */
  shortened: ReadonlyMap<string, ShortenEdit>
  undone: ReadonlySet<string>
}

const editStateCache = new WeakMap<Log, EditState>()

/** The edits that hold, what is pinned, how each text is shortened. */
export function editState(log: Log): EditState {
  const known = editStateCache.get(log)
  if (known !== undefined) return known
  const edits = effectiveEdits(log)
  const holds = new Set(edits)
  const shortened = new Map<string, ShortenEdit>()
  for (const edit of edits) if (edit.type === 'shorten') shortened.set(shortenKey(edit.target, edit.part), edit)
  const undone = new Set<string>()
  if (edits.some(edit => edit.type === 'undo')) {
    const inVain = new Set(edits.flatMap(edit => (edit.type === 'undo' && edit.by === 'ladder' ? [edit.target] : [])))
    for (const { entry, at } of logIndex(log).nonFacts) {
      if (isEdit(entry) && entry.type !== 'undo' && !holds.has(entry) && !inVain.has(entry.group))
        undone.add(targetKey(entry, factBefore(log, at)))
    }
  }
  const answer = { edits, pinned: pinnedFacts(edits), shortened, undone }
  editStateCache.set(log, answer)
  return answer
}

export function shortenKey(target: Id, part: 'text' | 'arguments' = 'text'): string {
  return `${part}:${target}`
}

/**
 * Whether a person has undone an edit of this kind for the same target. The overflow fallback and commands need not
 * ask.
 */
export function wasUndone(log: Log, edit: Edit): boolean {
  return editState(log).undone.has(targetKey(edit, factBefore(log, log.length)))
}

function factBefore(log: Log, at: number): Id | null {
  for (let i = at - 1; i >= 0; i--) {
    const entry = log[i]
    if (entry !== undefined && isFact(entry)) return entry.id
  }
  return null
}

/** `fact`: the newest one before the edit; where the edit names no border, that is what it is about. */
function targetKey(edit: Edit, fact: Id | null): string {
  switch (edit.type) {
    case 'shorten':
      return `shorten ${shortenKey(edit.target, edit.part)}`
    case 'strip':
      return `strip ${edit.before ?? fact}`
    case 'cut':
      return `cut ${edit.before ?? fact}`
    case 'summary':
      return `summary ${edit.of}`
    case 'pin':
      return `pin ${edit.on} ${edit.target}`
    case 'undo':
      return `undo ${edit.target}`
    default:
      return edit satisfies never
  }
}
