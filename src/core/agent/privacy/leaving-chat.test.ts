/** A chat goes from this device to a model elsewhere, or back: what is asked and said at the switch. */
import { describe, expect, it } from 'vitest'
import { scripted } from '../../../models/scripted.ts'
import { testAgent, sendAndSettle, type TestAgent } from '../agent.fixture.ts'
import type { Status } from '../api/api.ts'
import { secret, elsewhere, callOfTool, chats, reloaded, answer, found } from './egress.fixture.ts'

describe('a chat that stayed on this device until now', () => {
  it('is not summarised by a model elsewhere that was only chosen', async () => {
    const here = scripted(() => 'Noted.', { id: 'here', local: true })
    const b = testAgent(() => 'Summary.', { model: elsewhere, others: [here] })
    await b.agent.setDefaults({ model: 'here' })
    const { id } = await b.agent.create()
    for (let n = 0; n < 6; n++) await sendAndSettle(b, id, `${secret} `.repeat(60))
    await b.agent.setDefaults({ model: 'scripted' })
    await b.agent.preview(id)
    await b.agent.compact(id)
    expect((await b.log(id)).findLast(entry => entry.type === 'summary')).toMatchObject({ by: 'extractive' })
    expect(b.model.requests).toHaveLength(0)
    expect((await sendAndSettle(b, id, 'Go on.')).state).toBe('asking')
    b.events.length = 0
    await b.agent.resolvePermission(id, 'this chat', 'allow')
    expect((await b.settled(id)).state).toBe('idle')
    await b.agent.compact(id)
    expect(b.model.requests.length).toBeGreaterThan(1)
  })

  it('asks as well where the model elsewhere was chosen while the request was made smaller', async () => {
    const away = scripted(() => 'Hello.', { id: 'away', local: false })
    const chosen: Promise<void>[] = []
    const b = testAgent(
      (request): string => {
        if (request.tools.length === 0 && chosen.length === 0) chosen.push(b.agent.choose(id, { model: 'away' }))
        return 'Fine. '.repeat(40)
      },
      { model: { local: true, contextWindow: 8_192 }, others: [away] },
    )
    const { id } = await b.agent.create()
    await b.agent.choose(id, { strategy: 'copaw' })
    let last: Status = { state: 'idle' }
    for (let n = 0; n < 40 && last.state === 'idle' && chosen.length === 0; n++)
      last = await sendAndSettle(b, id, `${secret} `.repeat(80))
    expect(chosen).toHaveLength(1)
    expect(last).toMatchObject({ state: 'asking', question: { egress: 'this chat' } })
    expect(away.requests).toHaveLength(0)
  })
})

describe('the question whether a chat may leave', () => {
  it('stays a question after a reload, and can be answered then', async () => {
    const b = await chats(['Hello.'])
    await b.agent.choose('private', { model: 'scripted' })
    const asked = await sendAndSettle(b, 'private', 'Go on.')
    const c = reloaded(b)
    expect((await c.agent.open('private')).status).toEqual(asked)
    expect(await c.settled('private')).toEqual(asked)
    c.events.length = 0
    await c.agent.resolvePermission('private', 'this chat', 'allow')
    expect((await c.settled('private')).state).toBe('idle')
    expect(c.model.requests).toHaveLength(1)
  })

  it('is not asked after a reload where a model of this device was to answer: that was cut off', async () => {
    const b = await chats(['x'])
    await b.store.append('private', [
      { id: 'q', parent: (await b.store.session('private'))!.leaf, at: b.world.now(), type: 'user', text: 'And?' },
    ])
    expect((await reloaded(b, scripted(['x'], { id: 'here', local: true })).agent.open('private')).status).toEqual({
      state: 'interrupted',
    })
  })

  it('can be answered where an answer that was cut off is to be gone on with', async () => {
    const broken = scripted([{ text: 'Half of ', fail: { code: 'network', after: 1 } }], { id: 'broken', local: true })
    const b = testAgent(['it.'], { model: elsewhere, others: [broken] })
    await b.store.createSession({ id: 's', title: 'x', createdAt: 0, updatedAt: 0, leaf: null, model: 'broken' })
    expect((await sendAndSettle(b, 's', 'Hello.')).state).toBe('interrupted')
    await b.agent.choose('s', { model: 'scripted' })
    b.events.length = 0
    await b.agent.resume('s')
    expect(await b.settled('s')).toMatchObject({ state: 'asking', question: { egress: 'this chat' } })
    b.events.length = 0
    await b.agent.resolvePermission('s', 'this chat', 'allow')
    expect((await b.settled('s')).state).toBe('idle')
    expect((await b.log('s')).at(-1)).toMatchObject({ type: 'assistant', text: 'it.' })
    await expect(b.agent.resolvePermission('s', 'this chat', 'allow')).rejects.toThrow('answered already')
  })
})

describe('a chat that was sent elsewhere before', () => {
  const told = async (b: TestAgent, id: string): Promise<string[]> =>
    (await b.log(id)).flatMap(entry => (entry.type === 'note' && entry.code === 'sent_before' ? [entry.text] : []))

  it('says so at the switch to a model of this device, once for each time, and with the next question where the default was changed', async () => {
    const here = scripted(() => 'Here.', { id: 'here', local: true })
    const b = testAgent(() => 'Elsewhere.', { model: { local: false, name: 'Far away' }, others: [here] })
    await b.agent.setDefaults({ model: 'scripted' })
    const { id } = await b.agent.create()
    await b.agent.choose(id, { model: 'here' })
    expect(await told(b, id)).toEqual([])
    await b.agent.choose(id, { model: 'scripted' })
    await sendAndSettle(b, id, 'Hello.')
    expect(await told(b, id)).toEqual([])
    await b.agent.choose(id, { model: 'here' })
    expect(await told(b, id)).toEqual([expect.stringContaining('sent to Far away before')])
    await b.agent.choose(id, { model: 'scripted' })
    await b.agent.choose(id, { model: 'here' })
    await sendAndSettle(b, id, 'Only here.')
    expect(await told(b, id)).toHaveLength(1)
    await b.agent.choose(id, { model: 'scripted' })
    await sendAndSettle(b, id, 'There again.')
    await b.agent.setLanguage('zh')
    await b.agent.choose(id, { model: 'here' })
    expect((await told(b, id)).at(-1)).toContain('已经发给 Far away')
    expect(JSON.stringify(here.requests)).not.toContain('sent to Far away') // a note is for the person

    const other = await b.agent.create()
    await sendAndSettle(b, other.id, 'Hello.')
    await b.agent.setDefaults({ model: 'here' })
    expect(await told(b, other.id)).toEqual([])
    expect((await sendAndSettle(b, other.id, 'Hello again.')).state).toBe('idle')
    expect((await b.log(other.id)).map(entry => entry.type)).toEqual(['user', 'assistant', 'user', 'note', 'assistant'])
  })
})

describe('a model of this device', () => {
  it('is never asked about', async () => {
    const b = testAgent((_, index) => (index === 0 ? callOfTool('memory_search', { query: 'anything' }) : 'Done'))
    const { id } = await b.agent.create()
    expect((await sendAndSettle(b, id, 'Look.')).state).toBe('idle')
    expect((await b.store.session(id))!.leaves).toBe('stays')
  })

  it('asks as one elsewhere does where one has answered: it would be sent what was read when it answers again', async () => {
    const reader = scripted([callOfTool('memory_search', { query: 'safe pin boat pier' }), 'Found.'], {
      id: 'reader',
      local: true,
    })
    const b = await chats(['Hello.', 'Hello again.'], reader)
    await sendAndSettle(b, 's', 'Hello.')
    await b.agent.choose('s', { model: 'reader' })
    const asked = await sendAndSettle(b, 's', 'What is the pin?')
    expect(asked).toMatchObject({ state: 'asking', question: { tool: 'memory_search', egress: 'other chats' } })
    expect((await reloaded(b, reader).agent.open('s')).status).toEqual(asked)
    expect((await answer(b, asked, 'allow')).state).toBe('idle')
    expect(await found(b)).toContain('pier 9')
    await b.agent.choose('s', { model: 'scripted' })
    await sendAndSettle(b, 's', 'And now you.')
    expect(b.model.requests).toHaveLength(2)
    expect(JSON.stringify(b.model.requests)).not.toContain('pin of the safe')
  })

  it('reads as for a model elsewhere where the chat may be sent to one already, or to a summariser elsewhere that was chosen for it', async () => {
    for (const how of ['yes', 'summariser'] as const) {
      const reader = scripted(() => callOfTool('memory_search', { query: 'safe pin' }), { id: 'reader', local: true })
      const b = await chats(['x'], reader)
      await b.agent.choose('s', { model: 'reader', ...(how === 'summariser' ? { summariser: 'away' } : {}) })
      if (how === 'yes') await b.store.updateSession('s', { leaves: 'stays', allowed: ['this chat'] })
      const asked = await sendAndSettle(b, 's', 'What is the pin?')
      expect(asked, how).toMatchObject({ state: 'asking', question: { egress: 'other chats' } })
      expect(
        (await reloaded(b, reader, scripted([], { id: 'away', local: false })).agent.open('s')).status,
        how,
      ).toEqual(asked)
    }
  })
})
