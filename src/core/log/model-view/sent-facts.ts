/** Which facts of a log are sent, and what its edits say about each of them: cut, strip, pin, shorten (C2). Pure. */
import type { ExcerptLimits } from '../../text/excerpt.ts'
import { wholeAnswer } from '../answer-parts.ts'
import type { EditEntry, FactEntry, Id, Log } from '../entry.ts'
import { boundaryOf, isFact, openTurnQuestion, pinnedFacts, positions } from '../query.ts'
import type { ReasoningBack } from './reasoning-back.ts'
import { limitsOf, type EditEffect } from './view-message.ts'

export type ViewOptions = {
  /**
   * Tools that read pages: their results, failures apart, say how to read them again, also when whole (C5.1). Give the
   * same set each time.
   */
  toolsWithReadOnLine?: ReadonlySet<string>
  /** Whether a turn runs (C2.3); absent: as the log looks. */
  running?: boolean
  /** Which of its reasoning the model accepts back; absent: none. Pass the same object each time. */
  reasoning?: ReasoningBack
}

/** `calls`: only these of its calls. */
export type SentFact = { fact: FactEntry; behindCut?: true; calls?: ReadonlySet<string> }

/**
 * The facts that are sent: behind no cut, or pinned; of stripped turns the question and the last answer. `extendable`:
 * whether later facts only add to them.
 */
export function sentFacts(
  log: Log,
  standing: readonly EditEntry[],
  options: ViewOptions,
): { kept: SentFact[]; extendable: boolean } {
  const { from, cut } = boundaryOf(log, standing)
  const stripTo = stripBoundary(log, standing)
  const pins = pinnedFacts(standing)
  const forced = pins.size > 0 ? withPartners(log, pins) : nothing
  const asked = new Set<Id>() // questions that stay although they lie behind the cut
  let askedBehind = false // the newest question lies there: whether it stays may change with every entry
  if (cut?.pin !== undefined) asked.add(cut.pin)
  if (from > 0 && options.running !== false) {
    const question = options.running ? log.findLast(entry => entry.type === 'user') : openTurnQuestion(log)
    if (question) asked.add(question.id)
    const newest = log.findLastIndex(entry => entry.type === 'user')
    askedBehind = newest >= 0 && newest < from && log[newest]?.id !== cut?.pin
  }

  const kept: SentFact[] = []
  if (forced.size > 0 || asked.size > 0) {
    for (let i = 0; i < from; i++) {
      const fact = log[i]
      if (!fact || !isFact(fact)) continue
      const calls = forced.get(fact)
      if (calls !== undefined || asked.has(fact.id))
        kept.push({ fact, behindCut: true, ...(calls instanceof Set ? { calls } : {}) })
    }
  }
  let turn: FactEntry[] = []
  for (let i = from; i < log.length; i++) {
    const fact = log[i]
    if (!fact || !isFact(fact)) continue
    if (i >= stripTo) {
      if (turn.length > 0) {
        keepStripped(kept, turn, forced)
        turn = []
      }
      kept.push({ fact })
      continue
    }
    if (fact.type === 'user' && turn.length > 0) {
      keepStripped(kept, turn, forced)
      turn = []
    }
    turn.push(fact)
  }
  keepStripped(kept, turn, forced)
  return { kept, extendable: !askedBehind && namesOnlyKnown(log, standing) }
}

/** Whether every border that an edit names is there: one that is not might come with later entries. */
function namesOnlyKnown(log: Log, standing: readonly EditEntry[]): boolean {
  const borders = new Set(
    standing.flatMap(edit =>
      (edit.type === 'cut' || edit.type === 'strip') && edit.before !== null ? [edit.before] : [],
    ),
  )
  return positions(log, borders).size === borders.size
}

/** Which calls of an answer have to be sent for a pin: all, or these; of other facts: all of it. */
type Forced = ReadonlyMap<FactEntry, 'all' | ReadonlySet<string>>
const nothing: Forced = new Map()
const noCalls: ReadonlySet<string> = new Set()

function keepStripped(kept: SentFact[], turn: readonly FactEntry[], forced: Forced): void {
  const last = turn.findLastIndex(fact => fact.type === 'assistant' && fact.text !== '')
  const answer = last < 0 ? [] : wholeAnswer(turn, last)
  for (const fact of turn) {
    const calls = forced.get(fact)
    if (calls === 'all' || fact.type === 'user') kept.push({ fact })
    else if (calls !== undefined) kept.push({ fact, calls })
    else if (answer.includes(fact)) kept.push({ fact, calls: noCalls })
  }
}

/** Index up to which turns are stripped: those that end in front of it. */
function stripBoundary(log: Log, standing: readonly EditEntry[]): number {
  const strips = standing.filter(edit => edit.type === 'strip')
  if (strips.length === 0) return 0
  const at = positions(log, new Set(strips.flatMap(({ id, before }) => (before === null ? [id] : [id, before]))))
  let to = 0
  for (const { id, before } of strips) {
    const own = at.get(id) ?? 0
    const wanted = before === null ? own : at.get(before)
    if (wanted === undefined) continue // it names nothing on this path
    let boundary = Math.min(own, wanted)
    // Only whole turns lie before an entry: one that it stands in the middle of is left alone.
    if (before !== null && log[boundary]?.type !== 'user')
      while (boundary > 0 && log[boundary]?.type !== 'user') boundary--
    to = Math.max(to, boundary)
  }
  return to
}

/** Pinned facts, with what has to come along so that calls and results stay together. */
function withPartners(log: Log, pins: ReadonlySet<Id>): Forced {
  const forced = new Map<FactEntry, 'all' | Set<string>>()
  const open = new Map<string, FactEntry[]>()
  for (const fact of log) {
    if (!isFact(fact)) continue
    if (pins.has(fact.id)) forced.set(fact, 'all')
    if (fact.type === 'assistant') {
      for (const id of new Set(fact.calls.map(call => call.id))) {
        const waiting = open.get(id)
        if (waiting) waiting.push(fact)
        else open.set(id, [fact])
      }
    } else if (fact.type === 'result') {
      const answer = open.get(fact.callId)?.pop()
      if (!answer) continue
      if (forced.get(answer) === 'all') forced.set(fact, 'all')
      else if (pins.has(fact.id)) {
        const calls = forced.get(answer)
        if (calls instanceof Set) calls.add(fact.callId)
        else forced.set(answer, new Set([fact.callId]))
      }
    }
  }
  return forced
}

/** What the edits say about single facts, by id. */
export type EditEffects = { text: Map<Id, ExcerptLimits>; arguments: Map<Id, ExcerptLimits>; pins: ReadonlySet<Id> }

export function editEffects(standing: readonly EditEntry[]): EditEffects {
  const effects: EditEffects = { text: new Map(), arguments: new Map(), pins: pinnedFacts(standing) }
  for (const edit of standing) {
    if (edit.type !== 'shorten') continue
    effects[edit.part === 'arguments' ? 'arguments' : 'text'].set(edit.target, limitsOf(edit))
  }
  return effects
}

export function effectOn(
  fact: FactEntry,
  effects: EditEffects,
  options: ViewOptions,
  behindCut?: true,
  calls?: ReadonlySet<string>,
): EditEffect | undefined {
  const pinned = effects.pins.size > 0 && effects.pins.has(fact.id)
  const text = pinned ? undefined : effects.text.get(fact.id)
  const args = pinned ? undefined : effects.arguments.get(fact.id)
  const page = fact.type === 'result' && !fact.isError && options.toolsWithReadOnLine?.has(fact.tool)
  if (!pinned && !text && !args && !page && !behindCut && !calls) return undefined
  return {
    ...(text ? { text } : {}),
    ...(args ? { arguments: args } : {}),
    ...(calls ? { calls } : {}),
    ...(pinned ? { pinned } : {}),
    ...(behindCut ? { behindCut } : {}),
    ...(page ? { readOnLine: page } : {}),
  }
}
