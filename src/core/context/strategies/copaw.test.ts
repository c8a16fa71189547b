import { expect, it } from 'vitest'
import type { Entry } from '../../log/entry.ts'
import {
  scriptedSummariser,
  assistantFact,
  testEnv,
  goodSummary,
  testLog,
  resultFact,
  userFactOf,
} from '../context.fixture.ts'
import { defaultsOf, type Config } from '../config/config.ts'
import { requestSize } from '../size/measure.ts'
import { runPipeline } from '../run-pipeline.ts'
import { copaw } from './copaw.ts'

const window = 10_000
const run = (log: readonly Entry[], config: Partial<Config> = {}) =>
  runPipeline(
    log,
    copaw({ ...defaultsOf('copaw'), ...config }).onCall ?? [],
    testEnv({ contextWindow: window, ask: scriptedSummariser(goodSummary).ask }),
  )
/** Calls with their results, answered, the last one is asked about. */
const used = (...bytes: number[]) =>
  testLog([
    userFactOf('q'),
    ...bytes.flatMap((size, n) => [
      assistantFact('', [[`c${n}`, 'web', '{}']]),
      resultFact(`c${n}`, 'r'.repeat(size)),
      assistantFact('I see.'),
    ]),
    userFactOf('And now?'),
  ])

it('shortens older results to the characters that are set, 1 000 unless set, and only where it is switched on', async () => {
  const log = testLog([
    userFactOf('Look'),
    ...Array.from({ length: 7 }, (_, n) => [
      assistantFact('', [[`c${n}`, 'web', '{}']]),
      resultFact(`c${n}`, 'x'.repeat(1_500)),
    ]).flat(),
    assistantFact('Done'),
  ])
  const limits = async (changes: object): Promise<unknown[]> => {
    const added = await runPipeline(
      log,
      copaw({ ...defaultsOf('copaw'), ...changes }).onCall ?? [],
      testEnv({ contextWindow: 100_000 }),
    )
    return added.map(entry =>
      entry.type === 'shorten' ? `${entry.keep} ${entry.unit}, ${entry.headShare} %` : entry.type,
    )
  }
  expect(await limits({})).toEqual([])
  expect(await limits({ enable_tool_result_compact: true })).toEqual(['1000 chars, 50 %', '1000 chars, 50 %'])
  expect(await limits({ enable_tool_result_compact: true, tool_result_compact_max_chars: 400 })).toEqual([
    '400 chars, 50 %',
    '400 chars, 50 %',
  ])
  expect(await limits({ enable_tool_result_compact: true, tool_result_compact_max_chars: 1_500 })).toEqual([])
})

it('takes products for limits: the window times the ratio', () => {
  const strategy = copaw(defaultsOf('copaw'))
  const own = copaw({ ...defaultsOf('copaw'), memory_compact_ratio: 0.7, memory_reserve_ratio: 0.2 })
  expect([strategy.threshold(128_000, false), strategy.reserve(128_000)]).toEqual([96_000, 12_800])
  expect([own.threshold(10_000, false), own.reserve(10_000)]).toEqual([7_000, 2_000])
})

it('leaves results alone until that is switched on, then all but the newest five', async () => {
  const log = used(...Array.from({ length: 7 }, () => 3_000))
  expect(requestSize(log, testEnv()).total).toBeLessThan(0.75 * window)
  expect(await run(log)).toEqual([])
  const edits = await run(log, { enable_tool_result_compact: true })
  expect(edits.map(edit => edit.type === 'shorten' && [edit.target, edit.keep, edit.unit, edit.path])).toEqual(
    [2, 5].map(at => [log[at]?.id, 1_000, 'chars', `tool_result/${log[at]?.id}.txt`]),
  )
})

it('shortens results first: where that makes room, nothing is summarised', async () => {
  const log = used(14_000, 14_000, 200, 200, 200, 200, 200)
  const small = { memory_compact_ratio: 0.7 }
  expect(requestSize(log, testEnv()).total).toBeGreaterThan(0.7 * window)
  expect((await run(log, small)).map(entry => entry.type)).toEqual(['cut', 'summary'])
  expect((await run(log, { ...small, enable_tool_result_compact: true })).map(entry => entry.type)).toEqual([
    'shorten',
    'shorten',
  ])
})

it('offers to remove old results after seven days, or as set, or never', () => {
  expect(copaw(defaultsOf('copaw')).retention).toEqual({ of: 'results', days: 7 })
  expect(copaw({ ...defaultsOf('copaw'), offload_retention_days: 9 }).retention).toEqual({ of: 'results', days: 9 })
  expect(copaw({ ...defaultsOf('copaw'), offload_retention_days: 0 }).retention).toBeUndefined()
})
