/** A question for a server beyond the own network waits for one; all others are asked at once (C12). */
import { describe, expect, it } from 'vitest'
import { logSummary, sendAndSettle, testAgent, until, type TestAgent } from '../agent.fixture.ts'
import { openedChat } from '../turn/run-turn.fixture.ts'

const away = { model: { needsNetwork: true, local: false } } as const
const isWaiting = ({ events }: TestAgent) =>
  events.findLast(event => event.type === 'status')?.status.state === 'offline'

describe('without a network', () => {
  it('a question for a server elsewhere is stored and waits, and goes out once there is one', async () => {
    const b = await openedChat(['Here I am.'], away)
    await b.agent.setOnline(false)
    await b.agent.send(b.id, 'Hi')
    await until(() => isWaiting(b))
    expect(logSummary(await b.log(b.id))).toEqual(['user: Hi'])
    expect(b.model.requests).toHaveLength(0)
    expect(await b.store.session(b.id)).toMatchObject({ awaitsNetwork: true })
    await b.agent.setOnline(true)
    expect(await b.settled(b.id)).toEqual({ state: 'idle' })
    expect(logSummary(await b.log(b.id))).toEqual(['user: Hi', 'assistant: Here I am.'])
    expect((await b.store.session(b.id))?.awaitsNetwork).toBeUndefined()
  })

  it('a question for this device, this machine or the own network is asked at once', async () => {
    const b = await openedChat(['Here I am.'], { model: { needsNetwork: false, local: false } })
    await b.agent.setOnline(false)
    expect(await sendAndSettle(b, b.id, 'Hi')).toEqual({ state: 'idle' })
    expect(logSummary(await b.log(b.id))).toEqual(['user: Hi', 'assistant: Here I am.'])
  })

  it('Stop ends the waiting for good', async () => {
    const b = await openedChat(['Never.'], away)
    await b.agent.setOnline(false)
    await b.agent.send(b.id, 'Hi')
    await until(() => isWaiting(b))
    await b.agent.stop(b.id)
    expect((await b.store.session(b.id))?.awaitsNetwork).toBeUndefined()
    await b.agent.setOnline(true)
    await b.agent.sendAwaiting(b.id)
    expect(logSummary(await b.log(b.id))).toEqual(['user: Hi', 'note stopped'])
    expect(b.model.requests).toHaveLength(0)
  })

  it('a request that fails because the network went away is asked again with the next one, as no attempt', async () => {
    const fails = { text: ['part'], fail: { code: 'network', message: 'No route.' } } as const
    const b = await openedChat([fails, fails, fails, fails, 'Here I am.'], away)
    for (let failed = 1; failed <= 4; failed++) {
      await b.agent.setOnline(false)
      if (failed === 1) {
        await b.agent.send(b.id, 'Hi')
        await until(() => isWaiting(b))
      }
      // Tried although there is none: the network is said to be there for one moment.
      b.events.length = 0
      await b.agent.setOnline(true)
      await b.agent.setOnline(false)
      await until(() => b.model.requests.length === failed && isWaiting(b))
    }
    expect(b.world.slept.filter(ms => ms >= 1000)).toEqual([])
    await b.agent.setOnline(true)
    expect(await b.settled(b.id)).toEqual({ state: 'idle' })
    expect(logSummary(await b.log(b.id))).toEqual(['user: Hi', 'assistant: Here I am.'])
  })

  it('is remembered until the answer begins: a page that is left while it is asked leaves it waiting', async () => {
    const b = await openedChat([{ text: ['Here', ' I am.'], delayMs: 100 }], away)
    await b.agent.setOnline(false)
    await b.agent.send(b.id, 'Hi')
    await until(() => isWaiting(b))
    await b.agent.setOnline(true)
    await until(() => b.model.requests.length === 1)
    expect(await b.store.session(b.id)).toMatchObject({ awaitsNetwork: true })
    await until(() => b.events.some(event => event.type === 'delta'))
    expect((await b.store.session(b.id))?.awaitsNetwork).toBeUndefined()
    expect(await b.settled(b.id)).toEqual({ state: 'idle' })
  })

  it('what waited when the page was left goes out from the next page, once', async () => {
    const left = await openedChat(['Never.'], away)
    await left.agent.setOnline(false)
    await left.agent.send(left.id, 'Hi')
    await until(() => isWaiting(left))
    const next = testAgent(['Here I am.'], { ...away, store: left.store, prefix: 'next' })
    await next.agent.setOnline(false)
    await next.agent.sendAwaiting(left.id)
    await until(() => isWaiting(next))
    await next.agent.setOnline(true)
    expect(await next.settled(left.id)).toEqual({ state: 'idle' })
    expect(logSummary(await next.log(left.id))).toEqual(['user: Hi', 'assistant: Here I am.'])
    next.events.length = 0
    await next.agent.sendAwaiting(left.id)
    expect(await next.settled(left.id)).toEqual({ state: 'idle' })
    expect(next.model.requests).toHaveLength(1)
  })
})
