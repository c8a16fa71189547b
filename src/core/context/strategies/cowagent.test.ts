import { expect, it } from 'vitest'
import { modelView } from '../../log/model-view/model-view.ts'
import { defaultsOf } from '../config/config.ts'
import { assistantFact, cowCounter, testEnv, testLog, resultFact, userFactOf } from '../context.fixture.ts'
import { requestSize } from '../size/measure.ts'
import { runPipeline } from '../run-pipeline.ts'
import { cowagent } from './cowagent.ts'

const strategy = cowagent(defaultsOf('cowagent'))
const chat = (turns: number) =>
  testLog(
    Array.from({ length: turns }, (_, n) => [
      userFactOf(`question ${n} ${'of roses '.repeat(60)}`),
      assistantFact(`answer ${n} ${'on roses '.repeat(60)}`),
    ]).flat(),
  )

it('keeps its published budget where the window holds it, and what fits where it does not', () => {
  expect([4_096, 16_384, 58_192, 131_072].map(window => strategy.threshold(window, false))).toEqual([
    3_277, 13_108, 50_000, 50_000,
  ])
})

it('in a window below its budget drops older turns before the window is full, so that the ladder is not needed', async () => {
  const log = [...chat(18), ...testLog([userFactOf('and now?')], chat(18)).slice(36)]
  const env = testEnv({ counter: cowCounter, contextWindow: 4_096, moment: 'onTurn' })
  expect(requestSize(log, env).total).toBeGreaterThan(4_096)
  const added = await runPipeline(log, strategy.onTurn ?? [], env)
  expect(added.filter(entry => entry.type === 'cut')).toMatchObject([{ reason: 'budget' }])
  expect(requestSize([...log, ...added], env).total).toBeLessThanOrEqual(3_277)
})

it('works in stages: results of earlier turns, then turns, then the budget', async () => {
  const used = (n: number) => [
    userFactOf(`question ${n}`),
    assistantFact('', [[`c${n}`, 'web', '{}']]),
    resultFact(`c${n}`, 'r'.repeat(30_000)),
    assistantFact('I see. '.repeat(2_000)),
  ]
  const before = testLog(Array.from({ length: 20 }, (_, n) => used(n)).flat())
  const log = testLog([userFactOf('and now?')], before)
  const env = testEnv({ counter: cowCounter, moment: 'onTurn' })
  const added = await runPipeline(log, strategy.onTurn ?? [], env)
  // All results are shortened before anything leaves: also those of the turns that leave then.
  expect(added.map(entry => (entry.type === 'cut' ? `cut ${entry.reason}` : entry.type))).toEqual([
    ...Array.from({ length: 20 }, () => 'shorten'),
    'cut turns',
    'cut budget',
  ])
  const turnsBehind = (at: number) => {
    const cut = added[at]
    return log
      .slice(
        0,
        log.findIndex(entry => cut?.type === 'cut' && entry.id === cut.before),
      )
      .filter(entry => entry.type === 'user').length
  }
  expect([turnsBehind(20), turnsBehind(21)]).toEqual([10, 15])
  expect(requestSize([...log, ...added], env).total).toBeLessThanOrEqual(50_000)
})

it.each([
  [20, 3],
  [6, 3],
  [30, 5],
  [41, 6],
])('of a limit of %i turns brings back the newest %i, without their calls', async (limit, restored) => {
  const log = testLog(
    Array.from({ length: 10 }, (_, n) => [
      userFactOf(`question ${n}`),
      assistantFact('', [[`c${n}`, 'web', '{}']]),
      resultFact(`c${n}`, 'r'),
      assistantFact(`answer ${n}`),
    ]).flat(),
  )
  const { onOpen } = cowagent({ ...defaultsOf('cowagent'), agent_max_context_turns: limit })
  const added = await runPipeline(log, onOpen ?? [], testEnv({ counter: cowCounter, moment: 'onOpen' }))
  expect(modelView([...log, ...added]).map(({ message }) => message.content)).toEqual(
    Array.from({ length: restored }, (_, n) => [`question ${10 - restored + n}`, `answer ${10 - restored + n}`]).flat(),
  )
})

it('looks at the results of earlier turns before each call of a turn, not only before the first', async () => {
  const log = testLog([
    userFactOf('first'),
    assistantFact('', [['a', 'web', '{}']]),
    resultFact('a', 'r'.repeat(30_000)),
    assistantFact('I see.'),
    userFactOf('second'),
    assistantFact('', [['b', 'web', '{}']]),
    resultFact('b', 'r'.repeat(30_000)),
  ])
  const added = await runPipeline(log, strategy.onCall ?? [], testEnv({ counter: cowCounter }))
  expect(added).toMatchObject([{ type: 'shorten', target: log[2]?.id, keep: 20_000, unit: 'chars' }])
})
