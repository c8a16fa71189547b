import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { excerpt } from '../../text/excerpt.ts'
import type { Edit, Entry, Fact } from '../../log/entry.ts'
import { modelView } from '../../log/model-view/model-view.ts'
import { assistantFact, cowCounter, testEnv, testLog, resultFact, userFactOf } from '../context.fixture.ts'
import { requestSize } from '../size/measure.ts'
import { runPipeline } from '../run-pipeline.ts'
import type { Step } from '../strategy.ts'
import { allButNewestResults } from './all-but-newest-results.ts'
import { earlierResults } from './earlier-results.ts'
import { fitBudget } from './fit-budget.ts'
import { keepLastTurns } from './keep-last-turns.ts'
import { offloadResults, type OffloadResults } from './offload-results.ts'
import { trimTurns } from './trim-turns.ts'

type Recipe = string | (string | { repeat: string; times: number })[]
type Short = ['user', Recipe, number?] | ['assistant', Recipe, [string, string, string][]?] | ['result', string, Recipe]
type Already =
  | { cutBefore: number }
  | { stripBefore: number }
  | { shorten: number; keep: number; unit: 'bytes' | 'chars'; headShare: number }
type Shown =
  | number
  | { seq: number; textOnly: true }
  | { seq: number; head: number; tail: number; unit: 'bytes' | 'chars' }
  | { missing: string }
type Case = {
  name: string
  why: string
  step: string
  params: Record<string, number>
  window?: number
  counter?: string
  system?: string
  facts: Short[]
  already?: Already[]
  expect: {
    shortened: { seq: number; keep: number; unit: string }[]
    stripped: boolean
    cutBefore: number | null
    view: Shown[]
    tokens?: number
  }
}

const cases = JSON.parse(readFileSync(new URL('./steps.vectors.json', import.meta.url), 'utf8')) as Case[]

describe('steps', () => {
  for (const given of cases) {
    it(`${given.name}: ${given.why}`, async () => {
      const facts = testLog(given.facts.map(short => factOf(short, given.facts)))
      const log = testLog(
        (given.already ?? []).map(edit => already(edit, facts)),
        facts,
      )
      const env = testEnv({
        moment: given.step === 'keep-last-turns' ? 'onOpen' : 'onTurn',
        ...(given.window !== undefined && { contextWindow: given.window }),
        ...(given.counter === 'by script' && { counter: cowCounter }),
        system: given.system ?? '',
      })
      const added = await runPipeline(log, [stepOf(given)], env)
      const after = [...log, ...added]
      const seq = new Map(facts.map((fact, at) => [fact.id, at]))
      const shortened = added.flatMap(edit =>
        edit.type === 'shorten' ? [{ seq: seq.get(edit.target), keep: edit.keep, unit: edit.unit }] : [],
      )
      const cut = added.findLast(edit => edit.type === 'cut')
      expect(shortened).toEqual(given.expect.shortened)
      expect(added.some(edit => edit.type === 'strip')).toBe(given.expect.stripped)
      expect(cut?.type === 'cut' && cut.before !== null ? seq.get(cut.before) : null).toBe(given.expect.cutBefore)
      const view = modelView(after).map(({ entry, message }) => ({
        seq: entry === null ? null : seq.get(entry),
        message,
      }))
      expect(view.map(({ seq: at }) => at)).toEqual(
        given.expect.view.map(shown => (typeof shown === 'number' ? shown : 'seq' in shown ? shown.seq : null)),
      )
      for (const [at, shown] of given.expect.view.entries()) sameMessage(view[at]?.message, shown, facts)
      if (given.expect.tokens !== undefined) expect(requestSize(after, env).total).toBe(given.expect.tokens)
      expect(await runPipeline(after, [stepOf(given)], env)).toEqual([])
    })
  }
})

function stepOf({ step, params }: Case): Step {
  const number = (name: string) => params[name] ?? Number.NaN
  switch (step) {
    case 'trim-turns':
      return trimTurns({ max: number('max') })
    case 'fit-budget':
      return fitBudget({ max: () => number('max') })
    case 'offload-results':
      return offloadResults(params as unknown as OffloadResults)
    case 'keep-last-turns':
      return keepLastTurns({ turns: number('turns') })
    case 'results of earlier turns':
      return earlierResults({ max: () => number('max') })
    case 'all but the newest results':
      return allButNewestResults({ keep: number('keepN'), max: number('max') })
    default:
      throw new Error(`no step ${step}`)
  }
}

function factOf(short: Short, all: readonly Short[]): Fact {
  if (short[0] === 'user') return userFactOf(textOf(short[1]), short[2])
  if (short[0] === 'assistant') return assistantFact(textOf(short[1]), short[2])
  const call = all.flatMap(other => (other[0] === 'assistant' ? (other[2] ?? []) : [])).find(([id]) => id === short[1])
  return resultFact(short[1], textOf(short[2]), call?.[1])
}

function textOf(recipe: Recipe): string {
  return typeof recipe === 'string'
    ? recipe
    : recipe.map(part => (typeof part === 'string' ? part : part.repeat.repeat(part.times))).join('')
}

function already(edit: Already, facts: readonly Entry[]): Edit {
  const id = (at: number) => facts[at]?.id ?? 'none'
  if ('cutBefore' in edit) return { type: 'cut', group: 'old', before: id(edit.cutBefore), reason: 'turns' }
  if ('stripBefore' in edit) return { type: 'strip', group: 'old', before: id(edit.stripBefore) }
  return {
    type: 'shorten',
    group: 'old',
    target: id(edit.shorten),
    keep: edit.keep,
    unit: edit.unit,
    headShare: edit.headShare,
    path: `tool_result/${id(edit.shorten)}.txt`,
  }
}

function sameMessage(
  message: ReturnType<typeof modelView>[number]['message'] | undefined,
  shown: Shown,
  facts: readonly Entry[],
): void {
  if (typeof shown === 'object' && 'missing' in shown) {
    expect(message).toMatchObject({ role: 'tool', toolCallId: shown.missing, isError: true })
    return
  }
  const fact = facts[typeof shown === 'number' ? shown : shown.seq] as Entry & Fact
  if (typeof shown === 'number') {
    expect(message?.content).toBe(fact.text)
    if (fact.type === 'assistant')
      expect(message?.role === 'assistant' ? (message.toolCalls ?? []) : null).toEqual(fact.calls)
  } else if ('textOnly' in shown) {
    expect(message).toEqual({ role: 'assistant', content: fact.text })
  } else {
    const cut = excerpt(fact.text, { limit: shown.head + shown.tail, unit: shown.unit, headShare: 70 })
    expect(cut.whole).toBe(false)
    const size = (text: string) => (shown.unit === 'bytes' ? Buffer.byteLength(text) : [...text].length)
    const content = message?.content ?? ''
    const head = content.slice(0, commonPrefix(content, fact.text))
    expect(size(head)).toBeGreaterThanOrEqual(shown.head)
    expect(content.length).toBeGreaterThan(0)
    expect(content.endsWith(lastOf(fact.text, shown.tail, shown.unit))).toBe(true)
  }
}

function commonPrefix(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  return at
}

function lastOf(text: string, size: number, unit: 'bytes' | 'chars'): string {
  return unit === 'bytes' ? Buffer.from(text).subarray(-size).toString() : [...text].slice(-size).join('')
}
