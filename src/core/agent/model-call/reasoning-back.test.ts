/** What a model wants back of its reasoning, seen from the loop. */
import { describe, expect, it } from 'vitest'
import type { Message } from '../../log/message.ts'
import type { ReasoningBack, ReasoningGrade } from '../../log/model-view/reasoning-back.ts'
import { requestSize } from '../../context/size/measure.ts'
import { bytesOver } from '../../log/counter.ts'
import { testAgent, sendAndSettle, type TestAgent } from '../agent.fixture.ts'

const thoughts = (messages: readonly Message[]): (string | undefined)[] =>
  messages.flatMap(message => (message.role === 'assistant' ? [message.reasoning] : []))

/**
 * A model that refuses once a request in which reasoning is missing where `wants` says, and whose answers think
 * `length` letters.
 */
function wanting(
  wants: ReasoningGrade,
  length: number,
  contextWindow = 131_072,
): { b: TestAgent; id: Promise<string> } {
  let reasoning: ReasoningBack = { text: 'nothing', from: 'here' }
  const b = testAgent(
    ({ messages }) => {
      if (reasoning.text !== wants && messages.some(({ role }) => role === 'assistant')) {
        reasoning = { text: wants, from: 'here' }
        return { fail: { code: 'model_server', message: 'passed back', data: { askAgain: true } } }
      }
      return { reasoning: 't'.repeat(length), text: `Answer ${messages.filter(({ role }) => role === 'user').length}` }
    },
    { model: { contextWindow } },
  )
  Object.defineProperty(b.model, 'reasoning', { get: () => reasoning })
  return {
    b,
    id: b.agent.create().then(async ({ id }) => {
      await b.agent.choose(id, { model: 'scripted' })
      return id
    }),
  }
}

describe('a model that wants its reasoning back', () => {
  it('is asked anew at once with what is kept of it, and nobody is told of a fault', async () => {
    const { b, id } = wanting('every answer', 8)
    await sendAndSettle(b, await id, 'One')
    await sendAndSettle(b, await id, 'Two')
    expect(b.model.requests.map(({ messages }) => thoughts(messages))).toEqual([[], [undefined], ['tttttttt']])
    expect((await b.log(await id)).filter(({ type }) => type === 'note')).toEqual([])
    expect(
      b.events.filter(
        event => event.type === 'failed' || (event.type === 'status' && event.status.state === 'retrying'),
      ),
    ).toEqual([])
  })

  it('gets no request that does not fit, when what goes back makes it larger', async () => {
    const { b, id } = wanting('every answer', 12_000, 16_384)
    for (let n = 1; n <= 8; n++)
      expect(await sendAndSettle(b, await id, `Question ${n}`)).toMatchObject({ state: 'idle' })
    const counter = bytesOver(4)
    const sizes = b.model.requests.map(
      ({ system, messages, tools }) =>
        counter.text(system) +
        counter.text(JSON.stringify(tools)) +
        messages.reduce((sum, message) => sum + counter.message(message), 0),
    )
    expect(Math.max(...sizes)).toBeLessThan(16_384)
    expect(sizes.some(size => size > 6_000)).toBe(true) // it does count
  })

  it('costs in the meter what is sent, and shows it where the request can be read', async () => {
    const { b, id } = wanting('every answer', 4_000)
    await sendAndSettle(b, await id, 'One')
    const before = (await b.agent.context(await id)).total
    expect((await b.agent.view(await id)).some(({ reasoning }) => reasoning !== undefined)).toBe(false)
    await sendAndSettle(b, await id, 'Two')
    expect((await b.agent.context(await id)).total - before).toBeGreaterThan(900)
    expect((await b.agent.view(await id)).filter(({ reasoning }) => reasoning === 't'.repeat(4_000))).toHaveLength(2)
    expect(requestSize(await b.log(await id), { counter: bytesOver(4), system: '', tools: [] }).total).toBeLessThan(100)
  })
})
