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
import { requestSize, weighedFacts } from '../size/measure.ts'
import { runPipeline } from '../run-pipeline.ts'
import { compact, compactNow } from './compact.ts'

const numbers = {
  threshold: (env: { contextWindow: number }) => Math.floor(env.contextWindow * 0.8),
  reserve: (env: { contextWindow: number }) => Math.floor(env.contextWindow * 0.1),
  place: 'own message' as const,
  notes: false,
}
const step = compact(numbers)
const window = 10_000
const letters = (tokens: number) => 'word '.repeat(Math.ceil((tokens * 4) / 5)).slice(0, tokens * 4)

/** Turns of 1 000 tokens and a last question of 10. */
function turns(count: number): Entry[] {
  return testLog([
    ...Array.from({ length: count }, (): Fact[] => [userFactOf(letters(500)), assistantFact(letters(500))]).flat(),
    userFactOf(letters(10)),
  ])
}
const run = (log: readonly Entry[], changes: TestEnvChanges = {}, which = step) =>
  runPipeline(log, [which], testEnv({ contextWindow: window, ...changes }))
const types = (entries: readonly Entry[]) => entries.map(entry => (entry.type === 'note' ? entry.code : entry.type))

describe('compact', () => {
  it('does nothing below the threshold and compacts at equality', async () => {
    const { ask } = scriptedSummariser(goodSummary)
    const size = requestSize(turns(7), testEnv()).total
    expect(await run(turns(7), { ask, contextWindow: Math.floor(size / 0.8) + 2 })).toEqual([])
    const at = compact({ ...numbers, threshold: () => size })
    expect(types(await run(turns(7), { ask }, at))).toEqual(['cut', 'summary'])
  })

  it('appends cut and summary together, and says what it did', async () => {
    const { ask } = scriptedSummariser(goodSummary)
    const log = turns(8)
    const [cut, summary] = await run(log, { ask })
    expect(cut).toMatchObject({ type: 'cut', reason: 'compact', group: 'g', before: log[16]?.id })
    expect(summary).toMatchObject({
      type: 'summary',
      of: cut?.id,
      group: 'g',
      by: 'model',
      place: 'own message',
      covers: { first: log[0]?.id, last: log[15]?.id },
      guide: [{ path: 'dialog/2026-03-02.jsonl' }],
      stats: { entries: 16, before: 8_010, model: 'summariser' },
    })
    const after = [...log, ...[cut, summary].filter(entry => entry !== undefined)]
    expect(summary?.type === 'summary' && summary.stats.after).toBe(requestSize(after, testEnv()).total)
    expect(modelView(after).map(({ message }) => message.role)).toEqual(['user', 'user'])
  })

  it('pins the question when it cuts inside its turn', async () => {
    const steps = Array.from({ length: 9 }, (_, n): Fact[] => [
      assistantFact('', [[`c${n}`, 'web', '{}']]),
      resultFact(`c${n}`, letters(950)),
    ]).flat()
    const log = testLog([userFactOf('What is missing?'), ...steps])
    const [cut] = await run(log, { ask: scriptedSummariser(goodSummary).ask })
    expect(cut).toMatchObject({ type: 'cut', pin: log[0]?.id })
  })

  it('names the largest part where system prompt, tools and summary alone reach the threshold, once', async () => {
    const log = turns(2)
    const changes = { system: letters(8_500), ask: scriptedSummariser(goodSummary).ask }
    const added = await run(log, changes)
    expect(types(added)).toEqual(['compact_floor'])
    expect(added[0]).toMatchObject({ text: expect.stringContaining('system prompt with 8500 tokens') })
    expect(await run([...log, ...added], changes)).toEqual([])
  })

  it('changes nothing where it would gain too little, and waits until 5 % of the window are new', async () => {
    const log = testLog([userFactOf(letters(100)), assistantFact(letters(100)), userFactOf(letters(8_000))])
    const added = await run(log)
    expect(types(added)).toEqual(['compact_no_gain'])
    expect(added[0]).toMatchObject({ tokens: 8_200 })
    let grown = testLog([assistantFact(letters(400)), userFactOf('next')], [...log, ...added])
    const roomy = { outputReserve: 0 }
    expect(await run(grown, roomy)).toEqual([])
    grown = testLog([assistantFact(letters(100)), userFactOf('again')], grown)
    expect(types(await run(grown, roomy))).toEqual(['cut', 'summary'])
  })

  it('tries again at once what does not fit, but not the very same request', async () => {
    const log = testLog([userFactOf(letters(100)), assistantFact(letters(100)), userFactOf(letters(8_000))])
    const tight = { outputReserve: 2_000 }
    const refused = [...log, ...(await run(log, tight))]
    expect(types(refused.slice(3))).toEqual(['compact_no_gain'])
    expect(await run(refused, tight)).toEqual([])
    expect(types(await run(testLog([assistantFact(letters(400)), userFactOf('next')], refused), tight))).toEqual([
      'cut',
      'summary',
    ])
  })

  it('waits after an undo, and then does not make the same cut again', async () => {
    const { ask, calls } = scriptedSummariser(goodSummary)
    const log = turns(8)
    const roomy = { outputReserve: 0, ask }
    const grown = testLog([{ type: 'undo', group: 'u', target: 'g' }], [...log, ...(await run(log, roomy))])
    const asked = calls()
    expect(await run(grown, roomy)).toEqual([])
    expect(calls()).toBe(asked)
    const later = await run(testLog([assistantFact(letters(600)), userFactOf(letters(600))], grown), roomy)
    expect(later[0]).toMatchObject({ type: 'cut' })
    expect(later[0]?.type === 'cut' && later[0].before).not.toBe(log[16]?.id)
  })

  it('asks the model no more after three failures, until a manual run succeeds or the model changes', async () => {
    let log: Entry[] = turns(8)
    const broken = scriptedSummariser(new Error('503'))
    for (let n = 0; n < 5; n++) {
      const before = broken.calls()
      const added = await run(log, { ask: broken.ask })
      expect(types(added)).toEqual(n < 3 ? ['cut', 'summary', 'summary_failed'] : ['cut', 'summary'])
      expect(broken.calls() - before > 0).toBe(n < 3)
      log = testLog(
        Array.from({ length: 9 }, (): Fact[] => [assistantFact(letters(500)), userFactOf(letters(500))]).flat(),
        [...log, ...added],
      )
    }
    expect(types(await run(log, { ask: scriptedSummariser(goodSummary).ask, askModel: 'another' }))).toEqual([
      'cut',
      'summary',
    ])
    const manual = await run(
      log,
      { ask: scriptedSummariser(goodSummary).ask, forced: true },
      compactNow({ summaryPlace: 'own message', memoryNotes: false }),
    )
    expect(manual[1]).toMatchObject({ type: 'summary', by: 'model' })
    log = testLog(
      Array.from({ length: 9 }, (): Fact[] => [assistantFact(letters(500)), userFactOf(letters(500))]).flat(),
      [...log, ...manual],
    )
    const good = scriptedSummariser(goodSummary)
    await run(log, { ask: good.ask })
    expect(good.calls()).toBeGreaterThan(0)
  })

  it('keeps only the last step when a person asks, and has nothing to compact in a short chat', async () => {
    const now = compactNow({ summaryPlace: 'own message', memoryNotes: false })
    const { ask } = scriptedSummariser(goodSummary)
    const log = turns(2)
    const said = async (log: readonly Entry[]) =>
      (await run(log, { ask, forced: true }, now)).map(
        entry => entry.type === 'note' && [entry.code, entry.data?.['why'], entry.tokens],
      )
    expect(await said(testLog([userFactOf('Hello.'), assistantFact('Hello!'), userFactOf('And?')]))).toEqual([
      ['compact_nothing', 'little', 4],
    ])
    expect(await said(testLog([userFactOf('Hello.')]))).toEqual([['compact_nothing', 'one step', 0]])
    expect(await said(testLog([]))).toEqual([['compact_nothing', 'empty', 0]])
    expect((await run(log, { ask, forced: true, instruction: 'keep names' }, now))[0]).toMatchObject({
      type: 'cut',
      before: log[4]?.id,
    })
  })

  it('keeps as many of the newest tokens as a person says, and says so where that is all of them', async () => {
    const { ask } = scriptedSummariser(goodSummary)
    const log = turns(4)
    const keeping = (keep: number) =>
      run(log, { ask, forced: true }, compactNow({ summaryPlace: 'own message', memoryNotes: false }, keep))
    const { facts } = weighedFacts(requestSize(log, testEnv()))
    const lastTwoTurns = facts.slice(4).reduce((sum, { tokens }) => sum + tokens, 0)
    expect((await keeping(lastTwoTurns))[0]).toMatchObject({ type: 'cut', before: log[4]?.id })
    expect((await keeping(lastTwoTurns - 1))[0]).toMatchObject({ type: 'cut', before: log[6]?.id })
    expect(await keeping(1_000_000)).toMatchObject([
      { code: 'compact_nothing', tokens: 0, data: { why: 'kept', keep: 1_000_000 } },
    ])
  })

  it('cuts deeper once where the request is still above its target', async () => {
    const { ask } = scriptedSummariser(goodSummary)
    const log = turns(8)
    const added = await run(log, { ask }, compact({ ...numbers, reserve: () => 4_500, target: () => 4_000 }))
    expect(types(added)).toEqual(['cut', 'summary'])
    expect(added[0]).toMatchObject({ before: log[12]?.id })
    expect(added[1]).toMatchObject({
      covers: { first: log[0]?.id, last: log[11]?.id },
      stats: { entries: 12, before: 8_010 },
    })
  })

  it('leaves a log alone whose calls and results do not match, where the strategy says so (C7.4)', async () => {
    const log = testLog([resultFact('elsewhere', 'x')], turns(8).slice(0, 2))
    const grown = testLog(
      Array.from({ length: 8 }, (): Fact[] => [userFactOf(letters(500)), assistantFact(letters(500))]).flat(),
      log,
    )
    const careful = compact({ ...numbers, onlyMatched: true })
    const said = await run(grown, {}, careful)
    expect(said).toMatchObject([
      { code: 'compact_unmatched', text: expect.stringContaining('/compact works') as string },
    ])
    const told = [...grown, ...said]
    expect(await run(testLog([userFactOf('More?'), assistantFact(letters(500))], told), {}, careful)).toEqual([]) // said once
    expect(types(await run(grown, { forced: true }, careful))).toEqual(['cut', 'summary'])
    expect(types(await run(grown))).toEqual(['cut', 'summary'])
  })

  it('appends nothing when it is stopped', async () => {
    const stop = new AbortController()
    const ask = () => {
      stop.abort()
      return Promise.reject(new Error('aborted'))
    }
    await expect(run(turns(8), { ask, signal: stop.signal })).rejects.toMatchObject({ name: 'stopped' })
  })
})
