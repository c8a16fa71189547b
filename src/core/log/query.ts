/** Queries on a log: paths, turns, effective edits, pending summaries, what undo and redo would do. Pure. */
import { logIndex } from './log-index.ts'
import type { CutReason, Entry, EditEntry, FactEntry, Id, Log } from './entry.ts'

export type CutEntry = Extract<EditEntry, { type: 'cut' }>
export type SummaryEntry = Extract<EditEntry, { type: 'summary' }>
type UserEntry = Extract<FactEntry, { type: 'user' }>

/** Facts that belong together: a question and what followed; a log may start with facts that follow no question. */
export type Turn = { question: UserEntry | null; facts: readonly FactEntry[] }

/**
 * The entries from the first one to `leaf`, oldest first; null gives none, and an unknown leaf gives none. Terminates
 * on parents that are missing, wrong or form a circle: the path then starts where it breaks. Of one id twice the first
 * counts.
 */
export function pathTo(entries: readonly Entry[], leaf: Id | null): Log {
  if (leaf === null) return []
  // Nearly always the log has no branches and is its own path; that is seen without an index of 20 000 ids.
  if (entries.at(-1)?.id === leaf && isOnePath(entries)) return entries
  const byId = new Map<Id, Entry>()
  for (const entry of entries) if (!byId.has(entry.id)) byId.set(entry.id, entry)
  const path: Entry[] = []
  const seen = new Set<Id>()
  for (let at: Id | null = leaf; at !== null && !seen.has(at);) {
    const entry = byId.get(at)
    if (!entry) break
    seen.add(at)
    path.push(entry)
    at = entry.parent
  }
  return path.toReversed()
}

function isOnePath(entries: readonly Entry[]): boolean {
  let last: Id | null = null
  const seen = new Set<Id>()
  for (const entry of entries) {
    if (entry.parent !== last || seen.has(entry.id)) return false
    seen.add(entry.id)
    last = entry.id
  }
  return true
}

export function isFact(entry: Entry): entry is FactEntry {
  return entry.type === 'user' || entry.type === 'assistant' || entry.type === 'result'
}

export function isEdit(entry: Entry): entry is EditEntry {
  switch (entry.type) {
    case 'shorten':
    case 'strip':
    case 'cut':
    case 'summary':
    case 'pin':
    case 'undo':
      return true
    default:
      return false
  }
}

/**
 * The facts among the entries from `from` up to `to`, in order, whatever edits say. What is no fact is known by its
 * place: 20 000 entries are copied without being looked at.
 */
export function factsBetween(log: Log, from: number, to: number = log.length): FactEntry[] {
  const others = logIndex(log).nonFacts.filter(({ at }) => at >= from && at < to)
  if (others.length === 0) return log.slice(from, to) as FactEntry[]
  const facts: Entry[] = []
  let next = from
  for (const { at } of [...others, { at: to }]) {
    for (; next < at; next++) facts.push(log[next]!)
    next++
  }
  return facts as FactEntry[]
}

/** The turns of a log or of any list of facts. */
export function turnsOf(log: Log): Turn[] {
  const turns: { question: UserEntry | null; facts: FactEntry[] }[] = []
  for (const entry of log) {
    if (!isFact(entry)) continue
    const turn = turns.at(-1)
    if (entry.type === 'user') turns.push({ question: entry, facts: [entry] })
    else if (turn) turn.facts.push(entry)
    else turns.push({ question: null, facts: [entry] })
  }
  return turns
}

/** The effective edits in order, undo edits included: what an effective undo lifts is left out, also an undo. */
export function effectiveEdits(log: Log): EditEntry[] {
  const lifted = new Set<Id>()
  const standing: EditEntry[] = []
  const { nonFacts } = logIndex(log)
  // From the newest back: whether an undo holds depends only on what came after it.
  for (let i = nonFacts.length - 1; i >= 0; i--) {
    const entry = nonFacts[i]?.entry
    if (!entry || !isEdit(entry) || lifted.has(entry.group)) continue
    standing.push(entry)
    if (entry.type === 'undo') lifted.add(entry.target)
  }
  return standing.toReversed()
}

/** An edit that a person sees as an act of its own: each but an undo or redo of one. */
export function isAct(edit: EditEntry): boolean {
  return edit.type !== 'undo' || edit.act === true
}

/** The group that `/undo` lifts next; null where there is nothing to undo. */
export function undoTarget(log: Log): Id | null {
  const standing = effectiveEdits(log)
  const cuts = new Map(standing.flatMap(edit => (edit.type === 'cut' ? [[edit.id, edit] as const] : [])))
  const newest = standing.findLast(edit => isAct(edit) && !(edit.type === 'summary' && !cuts.has(edit.of)))
  if (!newest) return null
  // A summary that came late belongs to its cut: lifting it alone would leave a hole without words. A person's wording
  // is an edit of its own.
  if (newest.type === 'summary' && newest.by !== 'person') return cuts.get(newest.of)?.group ?? newest.group
  return newest.group
}

/**
 * The group (of an undo) that `/redo` lifts next; null where nothing was undone, or where a newer edit stands since.
 */
export function redoTarget(log: Log): Id | null {
  const undos = new Set<Id>() // without those that are acts
  for (const { entry } of logIndex(log).nonFacts) if (entry.type === 'undo' && !isAct(entry)) undos.add(entry.group)
  const standing = effectiveEdits(log)
  for (let i = standing.length - 1; i >= 0; i--) {
    const edit = standing[i]
    if (!edit || edit.type !== 'undo' || isAct(edit)) return null
    if (!undos.has(edit.target)) return edit.group // else it is a redo: what it brought back stands further down
  }
  return null
}

/** Whether the entry's text was removed by Delete or retention. */
export function isRemoved(entry: Entry): boolean {
  return entry.gone !== undefined
}

/**
 * Index of the first entry that is still sent, by the cuts that stand: 0 without one. `cut` is the one that decides.
 */
export function boundaryOf(
  log: Log,
  standing: readonly EditEntry[] = effectiveEdits(log),
): { from: number; cut: CutEntry | null } {
  let from = 0
  let deciding: CutEntry | null = null
  const cuts = standing.filter(edit => edit.type === 'cut')
  if (cuts.length === 0) return { from, cut: null }
  const at = positions(log, new Set(cuts.flatMap(cut => (cut.before === null ? [cut.id] : [cut.id, cut.before]))))
  for (const cut of cuts) {
    const own = at.get(cut.id) ?? 0
    const before = cut.before === null ? own : at.get(cut.before)
    if (before === undefined) continue // it names nothing on this path: it hides nothing
    const boundary = Math.min(before, own)
    if (boundary < from) continue
    from = boundary
    deciding = cut
  }
  return { from, cut: deciding }
}

/** The newest cut that stands and names something on this path; it need not be the one that decides. */
export function newestCut(log: Log): CutEntry | null {
  const cuts = effectiveEdits(log).filter(edit => edit.type === 'cut')
  const at = positions(log, new Set(cuts.flatMap(cut => (cut.before === null ? [] : [cut.before]))))
  return cuts.findLast(cut => cut.before === null || at.has(cut.before)) ?? null
}

/**
 * The facts behind no cut, in order; neither strip nor pin changes them. The pinned question of a cut is not among
 * them.
 */
export function activeFacts(log: Log, standing: readonly EditEntry[] = effectiveEdits(log)): FactEntry[] {
  return factsBetween(log, boundaryOf(log, standing).from)
}

/**
 * The summary that the view shows (C2.7, C2.5): of the newest cut that stands and that no later `clear` hides, the
 * newest one; one with place 'first question' only once a user fact came after it. null where there is none.
 */
export function effectiveSummary(log: Log, standing: readonly EditEntry[] = effectiveEdits(log)): SummaryEntry | null {
  return newestSummary(log, standing, true)
}

/** The newest summary that is stored and stands, also one that the view does not show before the next question. */
export function storedSummary(log: Log): SummaryEntry | null {
  return newestSummary(log, effectiveEdits(log), false)
}

function newestSummary(log: Log, standing: readonly EditEntry[], shown: boolean): SummaryEntry | null {
  if (!standing.some(edit => edit.type === 'summary')) return null
  const at = positions(
    log,
    new Set(standing.flatMap(edit => (edit.type === 'cut' || edit.type === 'summary' ? [edit.id] : []))),
  )
  let clear = -1
  let lastUser = -1
  const cuts = new Map<Id, number>()
  for (const edit of standing) {
    if (edit.type !== 'cut') continue
    const position = at.get(edit.id) ?? 0
    cuts.set(edit.id, position)
    if (edit.reason === 'clear') clear = position
  }
  for (let i = log.length - 1; i >= 0 && lastUser < 0; i--) if (log[i]?.type === 'user') lastUser = i
  let best: SummaryEntry | null = null
  let bestCut = -1
  for (const edit of standing) {
    if (edit.type !== 'summary') continue
    const cut = cuts.get(edit.of)
    if (cut === undefined || cut < clear || cut < bestCut) continue
    if (shown && edit.place === 'first question' && lastUser < (at.get(edit.id) ?? 0)) continue
    best = edit
    bestCut = cut
  }
  return best
}

const owing: ReadonlySet<CutReason> = new Set<CutReason>(['turns', 'budget', 'compact', 'overflow'])

/**
 * Effective cuts that need a summary (C6.6) and never had one, oldest first. A cut whose summary was undone needs none.
 */
export function cutsOwingSummary(log: Log): CutEntry[] {
  const had = new Set<Id>()
  for (const { entry } of logIndex(log).nonFacts) if (entry.type === 'summary') had.add(entry.of)
  return effectiveEdits(log).filter(
    (edit): edit is CutEntry => edit.type === 'cut' && owing.has(edit.reason) && !had.has(edit.id),
  )
}

/** Ids of facts that a person has pinned; one that is unpinned later is not among them. */
export function pinnedFacts(standing: readonly EditEntry[]): Set<Id> {
  const pinned = new Set<Id>()
  for (const edit of standing) {
    if (edit.type !== 'pin') continue
    if (edit.on) pinned.add(edit.target)
    else pinned.delete(edit.target)
  }
  return pinned
}

/** A call that has no result yet, with the answer that made it. */
export type OpenCall = {
  assistant: FactEntry & { type: 'assistant' }
  call: { id: string; name: string; arguments: string }
}

/** Calls without a result, in order. A result answers the nearest unanswered call with its id before it (C2.2). */
export function unansweredCalls(log: Log): OpenCall[] {
  const open: OpenCall[] = []
  for (const entry of log) {
    if (entry.type === 'assistant') {
      const ids = new Set<string>()
      for (const call of entry.calls) {
        if (ids.has(call.id)) continue // of one id twice in an answer the first call stays
        ids.add(call.id)
        open.push({ assistant: entry, call })
      }
    } else if (entry.type === 'result') {
      const index = open.findLastIndex(({ call }) => call.id === entry.callId)
      if (index >= 0) open.splice(index, 1)
    }
  }
  return open
}

/** Results that the model has not answered yet: no assistant fact came after them. */
export function unansweredResults(log: Log): Set<Id> {
  const ids = new Set<Id>()
  for (let i = log.length - 1; i >= 0; i--) {
    const entry = log[i]
    if (entry?.type === 'assistant') break
    if (entry?.type === 'result') ids.add(entry.id)
  }
  return ids
}

/** Positions of the wanted entries by id; of one id twice the first counts. */
export function positions(log: Log, wanted: ReadonlySet<Id>): Map<Id, number> {
  const found = new Map<Id, number>()
  if (wanted.size === 0) return found
  const { positions: at } = logIndex(log)
  for (const id of wanted) {
    const position = at.get(id)
    if (position !== undefined) found.set(id, position)
  }
  return found
}

/** Notes that say that a turn ended without an answer. */
export function endsTurn(entry: { type: string; code?: string }): boolean {
  return (
    entry.type === 'note' &&
    entry.code !== undefined &&
    (/^(model|storage)_/.test(entry.code) ||
      ['stopped', 'network', 'blocked_address', 'worker_lost', 'restored', 'unknown'].includes(entry.code))
  )
}

/**
 * The question of the turn that is still open by what the log says: it waits for an answer or for results, was not
 * stopped, and no note says that it failed. null between turns.
 */
export function openTurnQuestion(log: Log): UserEntry | null {
  let shape: 'unknown' | 'results' | 'open' = 'unknown'
  for (let i = log.length - 1; i >= 0; i--) {
    const entry = log[i]
    if (!entry) continue
    if (shape === 'unknown' && endsTurn(entry)) return null
    if (!isFact(entry)) continue
    if (entry.type === 'user') return entry
    if (shape === 'open') continue
    if (entry.type === 'result') {
      shape = 'results'
      continue
    }
    const broken = entry.stop === 'stopped' || entry.stop === 'interrupted' || entry.stop === 'failed'
    if (broken || (shape === 'unknown' && entry.calls.length === 0)) return null
    shape = 'open'
  }
  return null
}
