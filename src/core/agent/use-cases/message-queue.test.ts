/** Text that is typed while an answer runs waits with its chat, in order, and is never dropped nor sent unasked. */
import { describe, expect, it } from 'vitest'
import { AgentError } from '../../errors.ts'
import type { Attachment } from '../../log/entry.ts'
import type { ScriptLine } from '../../../models/scripted.ts'
import { testAgent, logSummary, processLocks, until, type TestAgent } from '../agent.fixture.ts'

type Opened = TestAgent & { id: string }
const slow = (line: ScriptLine = { text: 'First.' }): ScriptLine => ({ ...line, delayMs: 80 })

/** A chat whose first answer is being written. */
async function answering(first: ScriptLine, ...more: (ScriptLine | string)[]): Promise<Opened> {
  const b = testAgent([first, ...more])
  const { id } = await b.agent.create('A chat')
  await b.agent.send(id, 'One?')
  await until(() => b.model.requests.length > 0)
  return { ...b, id }
}
const waiting = async (b: Opened): Promise<string[]> =>
  ((await b.agent.open(b.id)).info.queued ?? []).map(({ text }) => text)
const said = async (b: Opened): Promise<string[]> =>
  logSummary(await b.log(b.id)).filter(line => !line.startsWith('note'))

describe('a message that waits', () => {
  it('is sent when the answer is done, one after the other, with what is attached; what is typed meanwhile stays', async () => {
    const b = await answering(slow(), 'Second.', 'Third.')
    const attachments: Attachment[] = [{ name: 'a.txt', mime: 'text/plain', bytes: 1, span: [4, 15] }]
    await b.agent.enqueue(b.id, 'Two?\n\n[a.txt]\na', attachments)
    await b.agent.enqueue(b.id, 'Three?')
    await b.agent.saveDraft(b.id, 'a draft')
    expect(await waiting(b)).toEqual(['Two?\n\n[a.txt]\na', 'Three?'])
    await until(async () => (await said(b)).length === 6)
    expect(await said(b)).toEqual([
      'user: One?',
      'assistant: First.',
      'user: Two?\n\n[a.txt]\na',
      'assistant: Second.',
      'user: Three?',
      'assistant: Third.',
    ])
    expect((await b.log(b.id)).find(entry => entry.type === 'user' && entry.attachments !== undefined)).toMatchObject({
      attachments,
    })
    expect(await waiting(b)).toEqual([])
    expect((await b.agent.open(b.id)).info.draft).toBe('a draft')
  })

  it('can be taken back whole, whichever it is, once', async () => {
    const b = await answering(slow(), 'Third.')
    const long = 'Two? '.repeat(1_000)
    await b.agent.enqueue(b.id, long)
    await b.agent.enqueue(b.id, 'Three?')
    const [first] = (await b.agent.open(b.id)).info.queued!
    expect(first!.text.length).toBeLessThan(1_000) // the list of chats stays light
    expect(await b.agent.withdrawQueued(b.id, first!.id)).toMatchObject({ text: long })
    await expect(b.agent.withdrawQueued(b.id, first!.id)).rejects.toMatchObject({ code: 'not_found' })
    await until(async () => (await said(b)).length === 4)
    expect(await said(b)).toEqual(['user: One?', 'assistant: First.', 'user: Three?', 'assistant: Third.'])
  })

  it.each<[string, ScriptLine, (b: Opened) => Promise<void>]>([
    ['Stop', slow({ text: ['Fir', 'st.'] }), b => b.agent.stop(b.id)],
    [
      'an answer that broke',
      slow({ text: ['Fir'], fail: { code: 'network', after: 1 } }),
      async b => {
        await b.settled(b.id)
      },
    ],
    [
      'an answer that failed',
      slow({ fail: { code: 'model_auth' } }),
      async b => {
        await b.settled(b.id)
      },
    ],
    [
      'the output limit',
      slow({ text: 'Fir', stop: 'length' }),
      async b => {
        await b.settled(b.id)
      },
    ],
  ])('stays where it is after %s, until the person goes on or sends it', async (_, first, ended) => {
    const b = await answering(first, { text: 'st.' }, 'Second.')
    await b.agent.enqueue(b.id, 'Two?')
    await ended(b)
    await new Promise(resolve => {
      setTimeout(resolve, 50)
    })
    expect(b.model.requests).toHaveLength(1)
    expect(await waiting(b)).toEqual(['Two?'])
    await b.agent.resume(b.id)
    await until(async () => (await said(b)).at(-1) === 'assistant: Second.')
    expect(await waiting(b)).toEqual([])
  })

  it('is there after a reload, sends nothing by itself then, and is sent when the person says so', async () => {
    const b = await answering(slow({ text: ['Fir', 'st.'] }))
    await b.agent.enqueue(b.id, 'Two?')
    await b.agent.stop(b.id)
    const again = { ...testAgent(['Second.'], { store: b.store, prefix: 'n' }), id: b.id }
    expect(await waiting(again)).toEqual(['Two?'])
    await again.settled(b.id)
    expect(again.model.requests).toHaveLength(0)
    await again.agent.sendQueued(b.id)
    await until(async () => (await said(again)).at(-1) === 'assistant: Second.')
    expect(await waiting(again)).toEqual([])
  })

  it('goes before the others where the person says so, and they follow in their order', async () => {
    const b = await answering(slow({ text: ['Fir', 'st.'] }), 'Third.', 'Second.')
    await b.agent.enqueue(b.id, 'Two?')
    await b.agent.enqueue(b.id, 'Three?')
    const three = (await b.agent.open(b.id)).info.queued![1]!.id
    await b.agent.stop(b.id)
    await b.agent.sendQueued(b.id, three)
    await until(async () => (await said(b)).at(-1) === 'assistant: Second.')
    expect((await said(b)).slice(-4)).toEqual(['user: Three?', 'assistant: Third.', 'user: Two?', 'assistant: Second.'])
    expect(await waiting(b)).toEqual([])
    await expect(b.agent.sendQueued(b.id, three)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('goes with the chat that is deleted meanwhile', async () => {
    const b = await answering(slow({ text: ['Fir', 'st.'] }), 'Second.')
    await b.agent.enqueue(b.id, 'Two?')
    await b.agent.remove(b.id)
    await new Promise(resolve => {
      setTimeout(resolve, 50)
    })
    expect(b.model.requests).toHaveLength(1)
    expect(JSON.stringify([await b.store.sessions(), await b.store.read(b.id)])).not.toContain('Two?')
    await expect(b.agent.enqueue(b.id, 'Three?')).rejects.toBeInstanceOf(AgentError)
  })

  it('is taken back by one of two tabs, or sent, and never both', async () => {
    const locks = processLocks()
    const b = testAgent([slow(), 'Second.'], { locks })
    const { id } = await b.agent.create('A chat')
    const other = testAgent([], { store: b.store, locks, prefix: 'o' })
    await b.agent.send(id, 'One?')
    await b.agent.enqueue(id, 'Two?')
    const [queued] = (await other.agent.open(id)).info.queued!
    const taken = await Promise.allSettled([
      other.agent.withdrawQueued(id, queued!.id),
      b.agent.withdrawQueued(id, queued!.id),
    ])
    expect(taken.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await b.settled(id)
    expect(await said({ ...b, id })).toEqual(['user: One?', 'assistant: First.'])
  })

  it('waits also in a chat that has only just begun', async () => {
    const b = testAgent([slow(), 'Second.'])
    await b.agent.open('new', { begin: true })
    const sending = b.agent.send('new', 'One?')
    await b.agent.enqueue('new', 'Two?')
    await sending
    await until(async () => (await said({ ...b, id: 'new' })).at(-1) === 'assistant: Second.')
    expect(await said({ ...b, id: 'new' })).toEqual([
      'user: One?',
      'assistant: First.',
      'user: Two?',
      'assistant: Second.',
    ])
    expect((await b.agent.sessions()).map(({ queued }) => queued)).toEqual([undefined])
  })

  it('that came when the answer had just ended is sent at once; an empty one is refused', async () => {
    const b = await answering({ text: 'First.' }, 'Second.')
    await b.settled(b.id)
    await b.agent.enqueue(b.id, 'Two?')
    await until(async () => (await said(b)).at(-1) === 'assistant: Second.')
    await expect(b.agent.enqueue(b.id, '  ')).rejects.toMatchObject({ code: 'bad_input' })
  })
})
