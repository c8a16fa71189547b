import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../text/laws.fixture.ts'
import { cutPoint, cutStops, type WeighedFact } from './cut-point.ts'

type Short = ['user', number] | ['assistant', number, string[]?] | ['result', number, string]
type Pattern = { times: number; pattern: Short[] }
type Case = {
  name: string
  why: string
  facts: (Short | Pattern)[]
  reserve: number
  expect: { before: number; pin: number | null } | null
}

const cases = JSON.parse(readFileSync(new URL('./cut-point.vectors.json', import.meta.url), 'utf8')) as Case[]

describe('cutPoint', () => {
  for (const given of cases) {
    it(`${given.name}: ${given.why}`, () => {
      const facts = given.facts.flatMap(item => ('pattern' in item ? repeated(item) : [weighed(item, '')]))
      expect(cutPoint(facts, given.reserve)).toEqual(given.expect)
    })
  }

  it('names as stops exactly the cuts that some reserve leads to, each with a reserve that does', () => {
    const nearlyNothing = conversations.map(facts => facts.map(fact => ({ ...fact, tokens: fact.tokens % 3 })))
    const any: fc.Arbitrary<WeighedFact[]> = fc.oneof(conversations, nearlyNothing)
    fc.assert(
      fc.property(any, facts => {
        const kept = facts.reduce((sum, fact) => sum + fact.tokens, 0)
        const led = new Map<number, number>()
        for (let reserve = 0; reserve < kept; reserve++) {
          const cut = cutPoint(facts, reserve)
          if (cut !== null && !led.has(cut.before)) led.set(cut.before, reserve)
        }
        const stops = cutStops(facts)
        expect(stops.map(({ before }) => before)).toEqual([...led.keys()].toSorted((a, b) => a - b))
        for (const { before, keeps } of stops) expect(cutPoint(facts, keeps)?.before).toBe(before)
      }),
      runs(100),
    )
  })

  it('keeps what is not answered yet in view, and a question with the steps that are kept (C4.5)', () => {
    fc.assert(
      fc.property(conversations, fc.nat(400), (facts, reserve) => {
        const cut = cutPoint(facts, reserve)
        if (cut === null) return
        const kept = facts.slice(cut.before)
        for (const at of unanswered(facts)) expect(at).toBeGreaterThanOrEqual(cut.before)
        const first = kept[0]
        expect(first?.type).not.toBe('result')
        if (first?.type === 'user') expect(cut.pin).toBeNull()
        else expect(cut.pin).toBe(facts.slice(0, cut.before).findLastIndex(fact => fact.type === 'user'))
        expect(pairsAreWhole(kept)).toBe(true)
      }),
      runs(500),
    )
  })

  it('finds the same border as the rule read word by word', () => {
    fc.assert(
      fc.property(conversations, fc.nat(400), (facts, reserve) => {
        expect(cutPoint(facts, reserve)).toEqual(wordByWord(facts, reserve))
      }),
      runs(500),
    )
  })
})

function weighed(short: Short, mark: string): WeighedFact {
  if (short[0] === 'assistant')
    return { type: 'assistant', tokens: short[1], calls: (short[2] ?? []).map(id => id + mark) }
  if (short[0] === 'result') return { type: 'result', tokens: short[1], callId: short[2] + mark }
  return { type: 'user', tokens: short[1] }
}

function repeated({ times, pattern }: Pattern): WeighedFact[] {
  return Array.from({ length: times }, (_, n) => pattern.map(short => weighed(short, `#${n}`))).flat()
}

/** Turns of steps; the last step may lack results, and ids come again in each step. */
const conversations = fc
  .array(
    fc.record({
      question: fc.nat(80),
      steps: fc.array(fc.record({ text: fc.nat(40), results: fc.array(fc.nat(80), { maxLength: 3 }) }), {
        maxLength: 5,
      }),
    }),
    { maxLength: 6 },
  )
  .chain(turns =>
    fc.nat(3).map(missing => {
      const facts: WeighedFact[] = []
      for (const [t, turn] of turns.entries()) {
        facts.push({ type: 'user', tokens: turn.question })
        for (const [s, step] of turn.steps.entries()) {
          const last = t === turns.length - 1 && s === turn.steps.length - 1
          facts.push({ type: 'assistant', tokens: step.text, calls: step.results.map((_, n) => `call_${n}`) })
          const given = last ? step.results.slice(0, Math.max(0, step.results.length - missing)) : step.results
          for (const [n, tokens] of given.entries()) facts.push({ type: 'result', tokens, callId: `call_${n}` })
        }
      }
      return facts
    }),
  )

/** The call whose results the model has not answered yet, and those results. */
function unanswered(facts: readonly WeighedFact[]): number[] {
  const last = facts.findLastIndex(fact => fact.type !== 'result')
  const fact = facts[last]
  return fact?.type === 'assistant' && fact.calls.length > 0
    ? Array.from({ length: facts.length - last }, (_, n) => last + n)
    : []
}

function pairsAreWhole(facts: readonly WeighedFact[]): boolean {
  const open: string[] = []
  for (const fact of facts) {
    if (fact.type === 'assistant') open.push(...fact.calls)
    if (fact.type !== 'result') continue
    const at = open.indexOf(fact.callId)
    if (at < 0) return false
    open.splice(at, 1)
  }
  return true
}

function wordByWord(facts: readonly WeighedFact[], reserve: number) {
  const suffix = (i: number) => facts.slice(i).reduce((sum, fact) => sum + fact.tokens, 0)
  if (suffix(0) <= reserve) return null
  const question = (i: number) => facts.slice(0, i).findLastIndex(fact => fact.type === 'user')
  const isTurn = (i: number) => i >= 1 && facts[i]?.type === 'user'
  const isStep = (i: number) => {
    const q = question(i)
    if (facts[i]?.type !== 'assistant' || q < 0 || i === q + 1) return false
    const turn = facts.slice(q, i)
    const calls = turn.flatMap(fact => (fact.type === 'assistant' ? fact.calls : []))
    return pairsAreWhole(turn) && calls.length === turn.filter(fact => fact.type === 'result').length
  }
  const all = facts.map((_, i) => i).filter(i => isTurn(i) || isStep(i))
  let before = all.find(i => suffix(i) <= reserve) ?? all.at(-1)
  if (before === undefined) return null
  const step = before
  if (isStep(step) && suffix(step) <= reserve) {
    before = all.find(j => j > step && isTurn(j) && suffix(step) - suffix(j) <= Math.floor(reserve / 4)) ?? step
  }
  return { before, pin: isTurn(before) ? null : question(before) }
}
