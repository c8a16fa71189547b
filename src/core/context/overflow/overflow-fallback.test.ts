import { describe, expect, it } from 'vitest'
import type { Entry, Fact } from '../../log/entry.ts'
import { modelView } from '../../log/model-view/model-view.ts'
import {
  scriptedSummariser,
  assistantFact,
  testEnv,
  goodSummary,
  testLog,
  resultFact,
  userFactOf,
  type TestEnvChanges,
} from '../context.fixture.ts'
import { initialFallback, escalate, fits, type FallbackState, type OverflowReport } from './overflow-fallback.ts'
import { requestSize } from '../size/measure.ts'
import { cutsOwingSummary } from '../../log/query.ts'
import { defaultsOf } from '../config/config.ts'
import { overflowSteps } from '../steps/overflow-steps.ts'
import { wasUndone } from '../view/edit-state.ts'
import { tokensSinceRefusal } from '../compaction/compaction-backoff.ts'
import { strategies } from '../strategies/index.ts'

const env = (changes: TestEnvChanges = {}) =>
  testEnv({ contextWindow: 20_000, ask: scriptedSummariser(goodSummary).ask, ...changes })
const steps = overflowSteps
const up = (
  log: readonly Entry[],
  changes: TestEnvChanges = {},
  overflow?: OverflowReport,
  ladder: FallbackState = initialFallback(env(changes)),
) => escalate(log, env(changes), ladder, steps, overflow)
const long = (tokens: number) => 'x'.repeat(tokens * 4)
const turn = (tokens: number): Fact[] => [userFactOf('q'), assistantFact(long(tokens))]
const turns = (count: number, tokens: number) =>
  testLog([...Array.from({ length: count }, () => turn(tokens)).flat(), userFactOf('And now?')])

describe('the ladder', () => {
  it('lowers the output limit first, and cuts nothing for that', async () => {
    const log = turns(3, 100)
    const cap = await up(log, {}, { kind: 'output_cap', limit: 1_000, maxOutput: 4_000 })
    expect(cap).toMatchObject({
      state: { maxTokens: 1_000, tried: 0 },
      entries: [{ type: 'note', code: 'overflow_rung' }],
    })
    const total = await up(log, {}, { kind: 'overflow_total', limit: 8_000, actual: 9_000 })
    expect(total.state.maxTokens).toBeLessThanOrEqual(8_000 - (9_000 - 4_000))
    expect(total.entries.every(entry => entry.type === 'note')).toBe(true)
    const shares = await up(log, {}, { kind: 'overflow_total', limit: 8_000, actual: 7_000, maxOutput: 4_000 })
    expect(shares.state.maxTokens).toBeLessThanOrEqual(1_000)
    expect(shares.state.maxTokens).toBeGreaterThan(900)
  })

  it('lowers a refused output limit again and again, and never cuts the history for it', async () => {
    const log = turns(9, 2_000)
    let ladder = initialFallback(env())
    const limits = [ladder.maxTokens]
    const refused = async (): Promise<void> => {
      const step = await up(log, {}, { kind: 'output_cap' }, ladder)
      expect(step.entries.map(entry => entry.type)).toEqual(['note'])
      ladder = step.state
      limits.push(ladder.maxTokens)
    }
    await expect(
      (async () => {
        for (;;) await refused()
      })(),
    ).rejects.toMatchObject({ name: 'model_overflow' })
    expect(limits).toEqual([4_000, 2_000, 1_000, 500, 250, 125])
  })

  it('takes the next rung without asking where a rung hardly helped, and makes no edit that saves nothing', async () => {
    const log = testLog([
      userFactOf('q'),
      assistantFact('', [['a', 'web', '{}']]),
      resultFact('a', 'a'.repeat(10_040)),
      assistantFact(long(3_000)),
      userFactOf('b'.repeat(10_100)),
    ])
    const { entries, state } = await up(log, {}, { kind: 'overflow_prompt' })
    expect(entries.filter(entry => entry.type === 'shorten')).toEqual([])
    expect(state.tried).toBeGreaterThan(2)
  })

  it('keeps the newest five turns and summarises the rest, before the provider is asked', async () => {
    const log = turns(9, 2_000)
    expect(fits(log, env(), initialFallback(env()))).toBe(false)
    const { entries, state } = await up(log)
    const after = [...log, ...entries]
    expect(fits(after, env(), state)).toBe(true)
    expect(entries.map(entry => entry.type)).toEqual(['cut', 'summary', 'memory', 'note'])
    expect(entries[0]).toMatchObject({ reason: 'overflow' })
    expect(modelView(after).filter(({ message, kind }) => kind === 'fact' && message.role === 'user')).toHaveLength(5)
    expect(after.slice(0, log.length)).toEqual(log)
  })

  it('shortens answered results, older questions and long arguments, whose JSON stays valid', async () => {
    const args = JSON.stringify({ path: 'a.txt', text: 'y'.repeat(30_000), list: [1, 2] })
    const log = testLog([
      userFactOf('z'.repeat(20_000)),
      assistantFact('', [['c', 'write', args]]),
      resultFact('c', 'r'.repeat(40_000)),
      assistantFact('done'),
      userFactOf('And now?'),
    ])
    const { entries } = await up(log)
    expect(entries.filter(entry => entry.type === 'shorten')).toHaveLength(3)
    const view = modelView([...log, ...entries])
    const call = view.flatMap(({ message }) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []))[0]
    expect(JSON.parse(call?.arguments ?? '')).toMatchObject({ path: 'a.txt', list: [1, 2] })
    expect(call?.arguments.length).toBeLessThan(11_000)
    expect(entries.some(entry => entry.type === 'memory')).toBe(true)
  })

  it('shows 10 000 characters of an answered result and of an older question', async () => {
    const log = testLog([
      userFactOf('z'.repeat(20_000)),
      assistantFact('', [['c', 'web', '{}']]),
      resultFact('c', 'r'.repeat(40_000)),
      assistantFact('done'),
      userFactOf('And now?'),
    ])
    const { entries } = await up(log)
    expect(entries.filter(entry => entry.type === 'shorten')).toMatchObject([
      { target: log[0]?.id, keep: 10_000, unit: 'chars' },
      { target: log[2]?.id, keep: 10_000, unit: 'chars' },
    ])
  })

  it('shortens what the tools just answered, largest first and no more than needed', async () => {
    const log = testLog([
      userFactOf('q'),
      assistantFact('', [
        ['a', 'web', '{}'],
        ['b', 'web', '{}'],
      ]),
      resultFact('a', 'a'.repeat(12_000)),
      resultFact('b', 'b'.repeat(80_000)),
    ])
    const { entries } = await up(log)
    expect(entries.filter(entry => entry.type === 'shorten')).toEqual([
      expect.objectContaining({ target: log[3]?.id, keep: 10_000, unit: 'chars' }),
    ])
  })

  it('sends only the question when nothing else helps, and says so', async () => {
    const step = (id: string): Fact[] => [assistantFact(long(9_000), [[id, 'web', '{}']]), resultFact(id, 'x')]
    const log = testLog([userFactOf('And now?'), ...step('a'), ...step('b')])
    const { entries } = await up(log)
    expect(entries).toContainEqual(expect.objectContaining({ type: 'cut', reason: 'last resort', before: null }))
    expect(entries).toContainEqual(
      expect.objectContaining({
        type: 'note',
        code: 'overflow_rung',
        text: expect.stringContaining('Nothing was deleted'),
      }),
    )
    const view = modelView([...log, ...entries]).map(({ message }) => message.content)
    expect(view).toEqual(['And now?'])
  })

  it('keeps as many of the newest turns as fit, with the summary just made, before it sends the question alone', async () => {
    const summariser = scriptedSummariser(goodSummary)
    const log = turns(4, 9_000)
    const { entries } = await up(log, { ask: summariser.ask })
    expect(entries.map(entry => (entry.type === 'cut' ? entry.reason : entry.type))).toEqual([
      'memory',
      'overflow',
      'summary',
      'note',
    ])
    const after = [...log, ...entries]
    expect(modelView(after).map(({ message, kind }) => (kind === 'fact' ? message.content.slice(0, 8) : kind))).toEqual(
      ['summary', 'q', 'xxxxxxxx', 'And now?'],
    )
    expect(modelView(after)[0]?.message.content).toContain('garden')
    expect(summariser.calls()).toBe(1)
    expect(entries.at(-1)).toMatchObject({ code: 'overflow_rung', data: { rung: 5, turns: 2 } })
    expect(cutsOwingSummary(after)).toEqual([])
  })

  it('halves the turns where the server refuses without a number, and the summary stays in view, in every strategy', async () => {
    for (const strategy of Object.values(strategies)) {
      const { onOverflow = [] } = strategy(defaultsOf('balanced'))
      let log: readonly Entry[] = turns(9, 1_000)
      let ladder = initialFallback(env())
      const kept: number[] = []
      for (let n = 0; n < 3; n++) {
        const step = await escalate(log, env(), ladder, onOverflow, { kind: 'overflow_prompt' })
        log = [...log, ...step.entries]
        ladder = step.state
        const view = modelView(log)
        expect(view[0]).toMatchObject({ kind: 'summary' })
        kept.push(view.filter(({ message, kind }) => kind === 'fact' && message.role === 'user').length)
      }
      expect(kept).toEqual([5, 2, 1])
    }
  })

  it('tries each rung once when the provider refuses again and again, then fails with the parts and their sizes', async () => {
    let log: readonly Entry[] = turns(8, 1_000)
    let ladder = initialFallback(env())
    const sizes = [requestSize(log, env()).total]
    const refused = async () => {
      const step = await escalate(log, env(), ladder, steps, { kind: 'overflow_prompt' })
      log = [...log, ...step.entries]
      ladder = step.state
      sizes.push(requestSize(log, env()).total)
    }
    for (let n = 0; n < 3; n++) await refused() // five turns, two, the newest
    await expect(refused()).rejects.toMatchObject({ name: 'model_overflow', data: { window: 20_000, system: 0 } })
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
    expect(new Set(sizes).size).toBe(sizes.length)
  })

  it('what it lifted by itself is no refusal of the person: a strategy may do the same later, and need not wait', async () => {
    const log = turns(9, 2_000)
    const { entries } = await up(log)
    const cut = entries.find(entry => entry.type === 'cut')!
    const lifted = (by?: 'ladder') =>
      testLog([{ type: 'undo', group: 'u', target: 'g', ...(by && { by }) }], [...log, ...entries])
    expect([wasUndone(lifted(), cut), wasUndone(lifted('ladder'), cut)]).toEqual([true, false])
    expect([tokensSinceRefusal(lifted(), env()), tokensSinceRefusal(lifted('ladder'), env())]).toEqual([0, undefined])
    expect(modelView(lifted('ladder'))).toHaveLength(log.length)
  })

  it('fails at once, without a summary, where the system prompt alone is above the window', async () => {
    const summariser = scriptedSummariser(goodSummary)
    const failed = up(turns(8, 1_000), { system: long(21_000), ask: summariser.ask })
    await expect(failed).rejects.toMatchObject({
      name: 'model_overflow',
      message: expect.stringContaining('system prompt 21000'),
    })
    expect(summariser.calls()).toBe(0)
  })

  it('shortens a huge question rather than failing', async () => {
    const log = testLog([userFactOf('w'.repeat(100_000))])
    const { entries, state } = await up(log)
    expect(fits([...log, ...entries], env(), state)).toBe(true)
    expect(entries).toContainEqual(expect.objectContaining({ type: 'shorten', target: log[0]?.id }))
  })
})
