/** Where a cut may fall: calls and results whole, the question kept. Pure. */
import type { Id } from '../../log/entry.ts'

/** A fact that is sent, with its size: all that the rule needs to know. */
export type WeighedFact =
  | { readonly type: 'user'; readonly tokens: number }
  | {
      readonly type: 'assistant'
      readonly tokens: number
      readonly calls: readonly string[]
      readonly goesOn?: true /* a later part of one answer */
    }
  | { readonly type: 'result'; readonly tokens: number; readonly callId: Id }

/** Before which fact to cut, and the question that stays with a cut inside its turn; both are positions. */
export type CutPoint = { before: number; pin: number | null }

/**
 * The cut that leaves at most `reserve` tokens, or null where nothing is to be cut (C4). `facts` are those in view,
 * repaired, oldest first. Reads each fact a fixed number of times: 20 000 facts take well under 10 ms.
 */
export function cutPoint(facts: readonly WeighedFact[], reserve: number): CutPoint | null {
  let kept = 0
  for (const fact of facts) kept += fact.tokens
  if (kept <= reserve) return null

  let suffix = kept
  let step: Border | undefined // the smallest border that fits, where that is a step border
  let newest: Border | undefined
  let chosen: CutPoint | undefined
  eachBorder(facts, (at, pin, passed) => {
    suffix -= passed
    newest = { before: at, pin, suffix }
    if (suffix > reserve) return false
    if (step !== undefined && step.suffix - suffix > Math.floor(reserve / 4)) return true
    if (pin === null) chosen = newest
    else step ??= newest
    return chosen !== undefined
  })
  const best = chosen ?? step ?? newest
  return best === undefined ? null : { before: best.before, pin: best.pin }
}

/** A cut, and the smallest reserve that leads to it: what it keeps, tokens. */
export type CutStop = { before: number; keeps: number }

/**
 * All cuts that some reserve leads to (C4.2), oldest first: with `keeps` as its reserve `cutPoint` answers the very
 * same. Reads each fact a fixed number of times.
 */
export function cutStops(facts: readonly WeighedFact[]): CutStop[] {
  let suffix = 0
  for (const fact of facts) suffix += fact.tokens
  let last = suffix
  const borders: (Border & { fits: boolean })[] = []
  eachBorder(facts, (before, pin, passed) => {
    suffix -= passed
    // one that keeps as much as the one in front of it is not the first that fits
    borders.push({ before, pin, suffix, fits: suffix < last })
    last = suffix
    return false
  })
  const stops = new Map<number, number>() // of two reserves that lead to one stop the smaller one is seen first
  let turn: Border | undefined // the next turn border
  for (const border of borders.toReversed()) {
    const { before, pin, suffix: keeps, fits } = border
    const gives = pin !== null && turn !== undefined && keeps - turn.suffix <= Math.floor(keeps / 4) ? turn : border
    if (fits && !stops.has(gives.before)) stops.set(gives.before, keeps)
    else if (border === borders.at(-1) && keeps > 0) stops.set(before, 0) // nothing fits: C4.3
    if (pin === null) turn = border
  }
  return [...stops].map(([before, keeps]) => ({ before, keeps })).toSorted((a, b) => a.before - b.before)
}

type Border = CutPoint & { suffix: number /* tokens from here on */ }

/** Tells each border, oldest first, with the tokens between the one before and itself, until `isEnough`. */
function eachBorder(
  facts: readonly WeighedFact[],
  isEnough: (at: number, pin: number | null, passed: number) => boolean,
): void {
  let question: number | null = null
  let passed = 0
  const open = new Map<string, number>() // calls of this turn that have no result yet; an id may come more than once
  for (let at = 0; at < facts.length; at++) {
    const fact = facts[at]!
    if (fact.type === 'user') {
      if (at > 0) {
        if (isEnough(at, null, passed)) return
        passed = 0
      }
      question = at
      open.clear()
    } else if (fact.type === 'assistant') {
      if (question !== null && at > question + 1 && open.size === 0 && !fact.goesOn) {
        if (isEnough(at, question, passed)) return
        passed = 0
      }
      for (const call of fact.calls) open.set(call, (open.get(call) ?? 0) + 1)
    } else {
      const left = (open.get(fact.callId) ?? 0) - 1
      if (left > 0) open.set(fact.callId, left)
      else open.delete(fact.callId)
    }
    passed += fact.tokens
  }
}
