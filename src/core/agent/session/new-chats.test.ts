import { describe, expect, it } from 'vitest'
import { testAgent, logSummary, sendAndSettle } from '../agent.fixture.ts'

describe('a chat that begins', () => {
  const rows = async (b: ReturnType<typeof testAgent>) => (await b.store.sessions()).map(({ id }) => id)

  it('is there at once and stores nothing, until the first message', async () => {
    const b = testAgent(['Hello.'])
    const opening = b.agent.open('n1', { begin: true })
    const sending = b.agent.send('n1', 'Hi') // typed before the worker has answered
    expect(await opening).toMatchObject({
      info: { id: 'n1', leaf: null },
      entries: [],
      total: 0,
      status: { state: 'idle' },
    })
    await sending
    await b.settled('n1')
    expect(logSummary(await b.log('n1'))).toEqual(['user: Hi', 'assistant: Hello.'])
    expect(await b.agent.sessions()).toMatchObject([{ id: 'n1', title: 'Hi' }])
  })

  it('can be looked at without being stored', async () => {
    const b = testAgent([])
    await b.agent.open('n1', { begin: true })
    expect((await b.agent.context('n1')).messages).toBe(0)
    expect(await b.agent.view('n1')).toHaveLength(2)
    expect((await b.agent.config('n1')).length).toBeGreaterThan(0)
    await b.agent.saveDraft('n1', '')
    await b.agent.leave('n1')
    await b.agent.open('n1', { begin: true })
    expect([await rows(b), await b.agent.sessions()]).toEqual([[], []])
  })

  it.each<[string, (agent: ReturnType<typeof testAgent>['agent']) => Promise<unknown>, object]>([
    ['a draft', agent => agent.saveDraft('n1', 'half a thou'), { draft: 'half a thou' }],
    ['a title', agent => agent.rename('n1', 'Boats'), { title: 'Boats', titled: true }],
    ['a pin', agent => agent.pinChat('n1', true), { pinned: true }],
    ['a model', agent => agent.choose('n1', { model: 'recall' }), { model: 'recall' }],
    ['a setting', agent => agent.setConfig('n1', { pruning_recent_n: 3 }), { config: { pruning_recent_n: 3 } }],
    ['a command', agent => agent.command('n1', '/help'), { size: 1 }],
  ])('is stored with %s, and stays when it is left', async (_, act, kept) => {
    const b = testAgent([])
    await b.agent.open('n1', { begin: true })
    await act(b.agent)
    await b.agent.leave('n1')
    expect(await b.agent.sessions()).toMatchObject([{ id: 'n1', ...kept }])
  })

  it('leaves nothing when its draft was emptied before it is left, and can be come back to', async () => {
    const b = testAgent(['Hello.'])
    await b.agent.open('n1', { begin: true })
    await b.agent.saveDraft('n1', 'hm')
    await b.agent.saveDraft('n1', '')
    // another tab's page does not show it either
    expect([await rows(b), await b.agent.sessions()]).toEqual([['n1'], []])
    await b.agent.leave('n1')
    expect(await rows(b)).toEqual([])
    await b.agent.saveDraft('n1', 'after all')
    expect(await b.agent.sessions()).toMatchObject([{ id: 'n1', draft: 'after all' }])
  })

  it('begun again after the worker was lost keeps what was stored', async () => {
    const b = testAgent(['Hello.'])
    await b.agent.open('n1', { begin: true })
    await sendAndSettle(b, 'n1', 'Hi')
    expect((await b.agent.open('n1', { begin: true })).entries).toHaveLength(2)
    await b.agent.remove('n1')
    await expect(b.agent.send('n1', 'Anybody?')).rejects.toMatchObject({ code: 'not_found' })
  })
})
