import { expect, it } from 'vitest'
import fc from 'fast-check'
import type { Log } from '../../log/entry.ts'
import { modelView } from '../../log/model-view/model-view.ts'
import { anyLog } from '../../log/random-log.fixture.ts'
import { runs } from '../../text/laws.fixture.ts'
import { assistant, envOf, logOf, result, user } from '../context.fixture.ts'
import { measure, requestSize } from './measure.ts'

const strategy = { threshold: () => 800, reserve: () => 30 }

it('says what the request is made of, and the zones add up to it', () => {
  const facts = logOf([
    user('a'.repeat(80)),
    assistant('b'.repeat(80)),
    user('c'.repeat(40)),
    assistant('', [['x', 'web', '{}']]),
    result('x', 'd'.repeat(40)),
  ])
  const env = envOf({
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
  const env = envOf()
  const start = logOf([user('hello'), assistant('hello to you')])
  requestSize(start, env)
  const grown = logOf(
    [user('more'), { type: 'cut', group: 'g', before: null, reason: 'clear' }, user('and more')],
    start,
  )
  expect(requestSize(grown, env)).toEqual(requestSize(structuredClone(grown), env))
})

it('counts any log at any moment of its growth as the view that is sent, message by message, also where a preview went another way', () => {
  const env = envOf({ system: 'be kind' })
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
        if (length % 3 === 0) check(logOf([user('another way'), assistant('yes'), user('and on')], grown))
        if (length % 4 === 0 && last)
          check(
            logOf(
              [
                { type: 'cut', group: 'preview', before: last.id, reason: 'compact' },
                user('behind a cut'),
                user('again'),
              ],
              grown,
            ),
          )
      }
    }),
    runs(40),
  )
})
