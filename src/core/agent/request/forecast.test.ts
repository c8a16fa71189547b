import { describe, expect, it } from 'vitest'
import { strategyNames, type StrategyName } from '../../context/strategy.ts'
import type { Entry } from '../../log/entry.ts'
import { factsRemovedBy } from '../../log/model-view/removed-counts.ts'
import { testAgent, sendAndSettle, until, type TestAgent } from '../agent.fixture.ts'

const note = async (b: TestAgent, command: string): Promise<string> => {
  await b.agent.command('s', command)
  const found = (await b.log('s')).findLast(entry => entry.type === 'note')
  return found?.type === 'note' ? found.text : ''
}
const base = { createdAt: 0, updatedAt: 0, leaf: null, model: 'scripted' }

/** A chat of CowAgent's strategy with so many turns. */
async function turns(count: number, answer = 'An answer.'): Promise<TestAgent> {
  const b = testAgent(() => answer)
  await b.store.createSession({ id: 's', title: 'x', ...base, strategy: 'cowagent' })
  for (let n = 0; n < count; n++) await sendAndSettle(b, 's', `Question ${n}`)
  return b
}

describe('what the next message takes', () => {
  it('is told before a limit of turns, in /context, the pane and Preview, and comes true', async () => {
    const b = await turns(19)
    expect(await note(b, '/context')).toMatch(
      /or with more than 20 turns \(now 19\)[^]*Your next message takes nothing out of the window\./,
    )
    expect(await b.agent.preview('s', { strategy: 'cowagent' })).toMatchObject({
      entries: 0,
      nothing: expect.stringContaining('with more than 20 turns (now 19)') as string,
    })
    await sendAndSettle(b, 's', 'Question 19')
    expect(await b.agent.context('s')).toMatchObject({
      turns: 20,
      turnLimit: 20,
      next: { messages: 20, turns: 10, why: 'turns' },
    })
    expect(await note(b, '/context')).toMatch(
      /The oldest turns leave above 50,000 tokens, or with more than 20 turns \(now 20\)[^]*With your next message 20 messages leave the window \(10 turns\)/,
    )
    // the zones say the same: what leaves next is what can be compacted
    expect(
      (await b.agent.context('s')).tiles.reduce(
        (sum, { zone, count }) => sum + (zone === 'compactable' ? count : 0),
        0,
      ),
    ).toBe(20)
    expect(await b.agent.preview('s', { strategy: 'cowagent' })).toMatchObject({ entries: 20 })
    await sendAndSettle(b, 's', 'Question 20')
    await until(async () => (await b.log('s')).some(({ type }) => type === 'summary'))
    const { removedByEdit, pendingSummary } = await b.agent.context('s')
    expect(Object.values(removedByEdit)).toEqual([{ messages: 20, turns: 10 }])
    // its summary waits for the next message, and /context says so
    expect(pendingSummary).toBe((await b.log('s')).find(({ type }) => type === 'summary')!.id)
    expect(await note(b, '/context')).toContain('A summary waits')
    expect(await note(b, '/undo')).toBe(
      'Undone: 20 messages are in the window again. The note of the day that came with it stays; it can be removed on the Memory page.',
    )
    await note(b, '/redo')
    await sendAndSettle(b, 's', 'Question 21')
    expect((await b.agent.context('s')).pendingSummary).toBeUndefined()
  })

  it('is measured before the cut, also where its summary comes late', async () => {
    const b = await turns(20, 'A long answer of many words. '.repeat(40))
    const before = (await b.agent.context('s')).total
    await sendAndSettle(b, 's', 'Question 20')
    await until(async () => (await b.log('s')).some(({ type }) => type === 'summary'))
    const summary = (await b.log('s')).find(entry => entry.type === 'summary')
    expect(summary).toMatchObject({ stats: { entries: 20 } })
    expect(summary?.type === 'summary' && summary.stats.before).toBeGreaterThan(before)
    expect(summary?.type === 'summary' && summary.stats.after).toBeLessThan(before)
  })
})

describe('the message that is typed', () => {
  const long = 'A long line of words that says little. '
  async function near(
    strategy: StrategyName,
    model: Parameters<typeof testAgent>[1] = { model: { contextWindow: 16_384 } },
  ): Promise<TestAgent> {
    const b = testAgent(() => 'An answer.', model)
    await b.store.createSession({ id: 's', title: 'x', ...base, strategy })
    for (let n = 0; n < 6; n++) await sendAndSettle(b, 's', `${n}: ${long.repeat(90)}`)
    return b
  }

  it.each(strategyNames)(
    'is part of what is foretold under %s, in pane and Preview, and comes true; a command is none',
    async strategy => {
      const b = await near(strategy)
      const typed = long.repeat(750)
      expect(await b.agent.context('s')).toMatchObject({ next: { messages: 0 } })
      await b.agent.saveDraft('s', typed)
      const { next } = await b.agent.context('s')
      expect(next.messages).toBeGreaterThan(0)
      expect(await b.agent.preview('s', { strategy })).toMatchObject({
        entries: next.messages,
        before: next.before,
        after: next.after,
      })
      await b.agent.saveDraft('s', `/compact ${typed}`)
      expect((await b.agent.context('s')).next.messages).toBe(0)
      await sendAndSettle(b, 's', typed)
      const log = await b.log('s')
      const question = log.findLastIndex(entry => entry.type === 'user')
      const answered = log.findIndex((entry, at) => at > question && entry.type === 'assistant')
      expect(factsRemovedBy(log.slice(0, question + 1), log.slice(question + 1, answered)).length).toBe(next.messages)
    },
  )

  it('is measured against what one request may have, where the provider bounds that', async () => {
    const b = await near('qwenpaw', { model: { contextWindow: 131_072, local: false } })
    const typed = long.repeat(300)
    await b.agent.saveDraft('s', typed)
    expect((await b.agent.context('s')).next).toMatchObject({ messages: 0, shortened: 0 })
    await b.store.saveSetting('learnt:scripted', { ceiling: { tokens: 9_000, at: b.world.now() } })
    const { next, window } = await b.agent.context('s')
    expect(window).toBe(131_072)
    expect(next.messages + next.shortened).toBeGreaterThan(0)
    await sendAndSettle(b, 's', typed)
    const log = await b.log('s')
    const question = log.findLastIndex(entry => entry.type === 'user')
    const edits = log.slice(
      question + 1,
      log.findIndex((entry, at) => at > question && entry.type === 'assistant'),
    )
    expect({
      messages: factsRemovedBy(log.slice(0, question + 1), edits).length,
      shortened: edits.filter(({ type }) => type === 'shorten').length,
    }).toEqual({ messages: next.messages, shortened: next.shortened })
  })

  it('that no window holds is said to be one', async () => {
    const b = await near('balanced', { model: { contextWindow: 16_384, local: false } })
    await b.agent.saveDraft('s', 'word '.repeat(200_000))
    // C3.7: of so much 100 000 bytes are sent, and rung 4 makes them fit
    expect((await b.agent.context('s')).next.tooLong).toBeUndefined()
    const small = testAgent(() => 'An answer.', { model: { contextWindow: 100, maxOutput: 90 } })
    await small.store.createSession({ id: 's', title: 'x', ...base, strategy: 'qwenpaw' })
    await small.agent.saveDraft('s', long.repeat(80))
    expect((await small.agent.context('s')).next).toMatchObject({ tooLong: true })
  })

  it('makes the page look anew where it could change something, and only there', async () => {
    const b = await near('qwenpaw')
    const told = () => b.events.filter(({ type }) => type === 'context').length
    await b.agent.saveDraft('s', 'A first word, before anybody looked.')
    await b.agent.context('s')
    b.events.length = 0
    await b.agent.saveDraft('s', 'A few words.')
    expect(told()).toBe(0)
    await b.agent.saveDraft('s', long.repeat(500))
    expect(told()).toBe(1)
    await b.agent.context('s')
    await b.agent.saveDraft('s', long.repeat(500))
    expect(told()).toBe(1)
    await b.agent.saveDraft('s', 'A few words.') // what was foretold is not true any more
    expect(told()).toBe(2)
  })
})

describe('nothing to do', () => {
  it.each([
    ['/compact', 'no message is in the window'],
    ['/clear', 'There is nothing to clear'],
    ['/undo', 'nothing to undo'],
    ['/redo', 'nothing is undone now'],
  ])('%s in an empty chat says why', async (command, why) => {
    expect(await note(await turns(0), command)).toContain(why)
  })

  it('/clear of a summary alone is something: it says so, and a second time there is nothing', async () => {
    const b = await turns(1)
    await b.store.append('s', [
      {
        id: 'c',
        parent: (await b.log('s')).at(-1)!.id,
        at: 9,
        type: 'cut',
        group: 'g',
        before: null,
        reason: 'compact',
      },
      {
        id: 'z',
        parent: 'c',
        at: 9,
        type: 'summary',
        group: 'g',
        of: 'c',
        text: '## Goal\nA goal',
        by: 'model',
        place: 'own message',
        guide: [],
        covers: { first: 'c', last: 'c' },
        stats: { entries: 2, before: 9, after: 5, ms: 1 },
      },
    ])
    const again = testAgent([], { store: b.store, prefix: 'n' })
    expect(await note(again, '/clear')).toContain('only a summary stood in the window')
    expect(await note(again, '/summary')).toContain('There is no summary')
    expect(await note(again, '/clear')).toContain('There is nothing to clear')
  })

  it('/redo after a newer change says that', async () => {
    const b = await turns(2)
    for (const command of ['/clear', '/undo', '/clear']) await note(b, command)
    expect(await note(b, '/redo')).toContain('newer change')
  })

  it('/compact of one step, and of too little, says so', async () => {
    const b = await turns(1)
    expect(await note(b, '/compact')).toContain('only the last step and its question')
    await sendAndSettle(b, 's', 'And?')
    expect(await note(b, '/compact')).toMatch(/has \d+ tokens, less than the 300/)
  })

  it('a log of CoPaw whose calls and results do not match says why it is not compacted, and /compact works', async () => {
    const b = testAgent(() => 'An answer.', { model: { contextWindow: 10_000 } })
    await b.store.createSession({ id: 's', title: 'x', ...base, strategy: 'copaw' })
    const long = 'A long line of words that says little. '.repeat(40)
    const entries: Entry[] = [
      { id: 'q', parent: null, at: 1, type: 'user', text: 'Look.' },
      {
        id: 'a',
        parent: 'q',
        at: 2,
        type: 'assistant',
        text: '',
        calls: [{ id: 'c', name: 'web', arguments: '{}' }],
        model: 'm',
        local: false,
        stop: 'calls',
      },
    ]
    for (let n = 0; n < 22; n++)
      entries.push(
        { id: `u${n}`, parent: entries.at(-1)!.id, at: 10 + n, type: 'user', text: long },
        {
          id: `r${n}`,
          parent: `u${n}`,
          at: 10 + n,
          type: 'assistant',
          text: 'Yes.',
          calls: [],
          model: 'm',
          local: false,
          stop: 'stop',
        },
      )
    await b.store.append('s', entries)
    expect(await b.agent.context('s')).toMatchObject({ unmatched: true, next: { why: 'overflow' } })
    expect(await note(b, '/context')).toMatch(
      /With your next message \d+ messages leave the window .* because it would not fit otherwise: [^]*its calls and results do not match/,
    )
    await sendAndSettle(b, 's', 'Go on.')
    await sendAndSettle(b, 's', 'Go on.')
    const notes = (await b.log('s')).filter(entry => entry.type === 'note' && entry.code === 'compact_unmatched')
    expect(notes).toHaveLength(1)
    expect(await note(b, '/compact')).toMatch(/Compact complete/)
  })
})
