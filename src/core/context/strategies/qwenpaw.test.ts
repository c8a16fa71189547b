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
import { defaultsOf } from '../config/config.ts'
import { requestSize } from '../size/measure.ts'
import { runPipeline } from '../run-pipeline.ts'
import { qwenpaw } from './qwenpaw.ts'

const strategy = qwenpaw(defaultsOf('qwenpaw'))
const run = (log: readonly Entry[], contextWindow: number) =>
  runPipeline(log, strategy.onCall ?? [], testEnv({ contextWindow, ask: scriptedSummariser(goodSummary).ask }))
/** A call with its result, answered. */
const used = (id: string, bytes: number, tool = 'web') => [
  assistantFact('', [[id, tool, '{}']]),
  resultFact(id, 'r'.repeat(bytes), tool),
  assistantFact('I see.'),
]

it('takes products for limits: the window times the ratio', () => {
  const own = qwenpaw({ ...defaultsOf('qwenpaw'), compact_threshold_ratio: 0.7, reserve_threshold_ratio: 0.2 })
  expect([strategy.threshold(128_000, false), strategy.reserve(128_000)]).toEqual([102_400, 12_800])
  expect([own.threshold(10_000, false), own.reserve(10_000)]).toEqual([7_000, 2_000])
})

it('shortens results first: where that makes room, nothing is summarised', async () => {
  const log = testLog([
    userFactOf('q'),
    ...used('a', 30_000),
    ...used('b', 30_000),
    ...used('c', 1_000),
    ...used('d', 1_000),
    userFactOf('And now?'),
  ])
  const env = testEnv({ contextWindow: 18_000 })
  expect(requestSize(log, env).total).toBeGreaterThan(0.8 * 18_000)
  expect((await run(log, 18_000)).map(entry => entry.type)).toEqual(['shorten', 'shorten'])
})

it('and what is left above the threshold is summarised in the same moment', async () => {
  const log = testLog([
    userFactOf('q'),
    ...used('a', 30_000),
    userFactOf('w'.repeat(64_000)),
    assistantFact('Long.'),
    ...used('b', 10),
    ...used('c', 10),
    userFactOf('And now?'),
  ])
  const types = (await run(log, 18_000)).map(entry => entry.type)
  expect(types).toEqual(['shorten', 'cut', 'summary'])
})

it('shortens results and summarises apart from each other: each can be switched off alone', async () => {
  const log = testLog([
    userFactOf('q'),
    ...used('a', 30_000),
    userFactOf('w'.repeat(64_000)),
    assistantFact('Long.'),
    ...used('b', 10),
    ...used('c', 10),
    userFactOf('And now?'),
  ])
  const types = async (off: 'context_compact_config.enabled' | 'tool_result_pruning_config.enabled') =>
    (
      await runPipeline(
        log,
        qwenpaw({ ...defaultsOf('qwenpaw'), [off]: false }).onCall ?? [],
        testEnv({ contextWindow: 18_000, ask: scriptedSummariser(goodSummary).ask }),
      )
    ).map(entry => entry.type)
  expect(await types('context_compact_config.enabled')).toEqual(['shorten'])
  expect(await types('tool_result_pruning_config.enabled')).toEqual(['cut', 'summary'])
})

it('shows what the model has not read yet as what is recent, however many results there are', async () => {
  const ids = ['a', 'b', 'c', 'd']
  const log = testLog([
    userFactOf('q'),
    assistantFact(
      '',
      ids.map(id => [id, 'web', '{}']),
    ),
    ...ids.map(id => resultFact(id, 'r'.repeat(10_000))),
  ])
  expect(await run(log, 131_072)).toEqual([])
  const answered = testLog([assistantFact('I see.'), userFactOf('And now?')], log)
  expect((await run(answered, 131_072)).map(entry => entry.type === 'shorten' && [entry.target, entry.keep])).toEqual([
    [log[2]?.id, 3_000],
    [log[3]?.id, 3_000],
  ])
})

it('shortens a page that was read like any other result once it is no longer recent, under one and the same path', async () => {
  const log = testLog([userFactOf('q'), ...used('a', 60_000, 'fetch_url')])
  const first = await run(log, 131_072)
  const later = testLog([userFactOf('And?'), ...used('b', 10), ...used('c', 10)], [...log, ...first])
  const second = await run(later, 131_072)
  const path = `tool_result/${log[2]?.id}.txt`
  expect(
    [first, second].map(edits => edits.map(edit => edit.type === 'shorten' && [edit.target, edit.keep, edit.path])),
  ).toEqual([[[log[2]?.id, 50_000, path]], [[log[2]?.id, 3_000, path]]])
})
