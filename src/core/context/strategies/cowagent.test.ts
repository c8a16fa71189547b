import { expect, it } from 'vitest'
import { defaultsOf } from '../config.ts'
import { assistant, cowCounter, envOf, logOf, user } from '../context.fixture.ts'
import { requestSize } from '../measure.ts'
import { prepare } from '../prepare.ts'
import { cowagent } from './cowagent.ts'

const strategy = cowagent(defaultsOf('cowagent'))
const chat = (turns: number) => logOf(Array.from({ length: turns }, (_, n) => [user(`question ${n} ${'of roses '.repeat(60)}`), assistant(`answer ${n} ${'on roses '.repeat(60)}`)]).flat())

it('keeps its published budget where the window holds it, and what fits where it does not', () => {
  expect([4_096, 16_384, 58_192, 131_072].map(window => strategy.threshold(window, false))).toEqual([3_277, 13_108, 50_000, 50_000])
})

it('in a window below its budget drops older turns before the window is full, so that the ladder is not needed', async () => {
  const log = [...chat(18), ...logOf([user('and now?')], chat(18)).slice(36)]
  const env = envOf({ counter: cowCounter, contextWindow: 4_096, moment: 'onTurn' })
  expect(requestSize(log, env).total).toBeGreaterThan(4_096)
  const added = await prepare(log, strategy.onTurn ?? [], env)
  expect(added.filter(entry => entry.type === 'cut')).toMatchObject([{ reason: 'budget' }])
  expect(requestSize([...log, ...added], env).total).toBeLessThanOrEqual(3_277)
})
