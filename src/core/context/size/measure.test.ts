import { expect, it } from 'vitest'
import fc from 'fast-check'
import type { Log } from '../../log/entry.ts'
import { modelView } from '../../log/model-view/model-view.ts'
import { anyLog } from '../../log/random-log.fixture.ts'
import { runs } from '../../text/laws.fixture.ts'
import { assistantFact, testEnv, testLog, resultFact, userFactOf } from '../context.fixture.ts'
import { measure, requestSize } from './measure.ts'

const strategy = { threshold: () => 800, reserve: () => 30 }

it('says what the request is made of, and the zones add up to it', () => {
  const facts = testLog([
    userFactOf('a'.repeat(80)),
    assistantFact('b'.repeat(80)),
    userFactOf('c'.repeat(40)),
    assistantFact('', [['x', 'web', '{}']]),
    resultFact('x', 'd'.repeat(40)),
  ])
  const env = testEnv({
    contextWindow: 1_000,
    system: 's'.repeat(40),
    tools: [{ name: 'web', description: '', parameters: {} }],
  })
  const measured = measure(facts, env, strategy)
  const { zones, size } = measured
  expect(zones.system).toBe(10)
  expect(zones.tools).toBe(Math.floor(JSON.stringify(env.tools).length / 4 + 0.5))
  expect(zones.compactable).toBe(40)
  expect(zones.reserved).toBe(10 + 1 + 10)
  expect(zones.system + zones.tools + zones.summary + zones.compactable + zones.reserved).toBe(size.total)
  expect(zones.free).toBe(1_000 - size.total)
  expect(measured).toMatchObject({ turns: 2, roles: { user: 2, assistant: 2, tool: 1 }, threshold: 800 })
  expect(measured.largest.map(({ tokens }) => tokens)).toEqual([20, 20, zones.tools])
})

it('counts the same for a log that has grown as for one that is new', () => {
  const env = testEnv()
  const start = testLog([userFactOf('hello'), assistantFact('hello to you')])
  requestSize(start, env)
  const grown = testLog(
    [userFactOf('more'), { type: 'cut', group: 'g', before: null, reason: 'clear' }, userFactOf('and more')],
    start,
  )
  expect(requestSize(grown, env)).toEqual(requestSize(structuredClone(grown), env))
})

it('counts any log at any moment of its growth as the view that is sent, message by message, also where a preview went another way', () => {
  const env = testEnv({ system: 'be kind' })
  const check = (log: Log): void => {
    const size = requestSize(log, env)
    const view = modelView(structuredClone(log)).map(({ message }) => message)
    expect(size.parts.map(part => part.view.message)).toEqual(view)
    expect(size.parts.reduce((sum, part) => sum + part.tokens, 0)).toBe(size.messages + size.summary)
    expect(size.total - size.system - size.tools).toBe(
      view.reduce((sum, message) => sum + env.counter.message(message), 0),
    )
    expect(size.results).toEqual(size.parts.filter(part => part.isResult))
  }
  fc.assert(
    fc.property(anyLog, log => {
      for (let length = 1; length <= log.length; length++) {
        const grown = log.slice(0, length)
        check(grown)
        const [last] = grown.slice(-1)
        if (length % 3 === 0)
          check(testLog([userFactOf('another way'), assistantFact('yes'), userFactOf('and on')], grown))
        if (length % 4 === 0 && last)
          check(
            testLog(
              [
                { type: 'cut', group: 'preview', before: last.id, reason: 'compact' },
                userFactOf('behind a cut'),
                userFactOf('again'),
              ],
              grown,
            ),
          )
      }
    }),
    runs(40),
  )
})
