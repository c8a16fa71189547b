import { describe, expect, it } from 'vitest'
import { scripted } from '../../../models/scripted.ts'
import { MemoryStore } from '../../../storage/memory-store.ts'
import type { Entry } from '../../log/entry.ts'
import type { ModelRequest } from '../../log/message.ts'
import { testAgent, logSummary, sendAndSettle, until } from '../agent.fixture.ts'

const goodSummary = '## Goal\nTend the garden\n## Next Steps\nWater the roses'
const isSummary = (request: ModelRequest): boolean => request.tools.length === 0

/** A chat as an import leaves it: questions and answers with about `tokens` tokens, the last one answered. */
async function filled(tokens: number, strategy: string): Promise<MemoryStore> {
  const store = new MemoryStore()
  await store.createSession({ id: 's', title: 'x', createdAt: 0, updatedAt: 0, leaf: null, strategy })
  const entries: Entry[] = []
  for (let n = 0; n < tokens / 200; n++) {
    entries.push({
      type: 'user',
      text: `Question ${n}: ${'roses and tulips '.repeat(23)}`,
      id: `u${n}`,
      parent: n === 0 ? null : `a${n - 1}`,
      at: n * 2,
    })
    entries.push({
      type: 'assistant',
      text: `Answer ${n}: ${'water and earth '.repeat(24)}`,
      calls: [],
      model: 'm',
      local: true,
      stop: 'stop',
      id: `a${n}`,
      parent: `u${n}`,
      at: n * 2 + 1,
    })
  }
  await store.append('s', entries)
  return store
}

/** Long enough for a job that was begun to have asked and stored. */
const aWhile = (): Promise<void> =>
  new Promise(resolve => {
    setTimeout(resolve, 50)
  })

describe('work that waits for an answer', () => {
  it('an opened chat is not compacted by itself, however full it is; after its next answer it is', async () => {
    const store = await filled(8_400, 'balanced')
    const b = testAgent(request => (isSummary(request) ? goodSummary : 'Yes.'), {
      store,
      model: { local: true, contextWindow: 16_000 },
    })
    await b.agent.open('s')
    await b.settled('s')
    await aWhile()
    expect(b.model.requests).toHaveLength(0)
    expect((await b.log('s')).filter(entry => entry.type === 'cut' || entry.type === 'note')).toEqual([])
    await sendAndSettle(b, 's', 'And now?')
    await until(async () => (await b.log('s')).some(entry => entry.type === 'summary'))
    expect(logSummary(await b.log('s')).slice(-5)).toEqual([
      'user: And now?',
      'assistant: Yes.',
      'cut compact',
      'summary by model',
      expect.stringContaining('memory') as string,
    ])
  })

  it.each([
    ['cowagent', {}, true],
    ['balanced', {}, true],
    ['balanced', { memory_notes: false }, false],
    ['qwenpaw', {}, false],
    ['copaw', {}, false],
    ['copaw', { memory_notes: true }, true],
  ] as const)('%s with %j: a compaction writes a note of the day: %s', async (strategy, config, writes) => {
    const store = await filled(2_000, strategy)
    await store.updateSession('s', { config })
    const b = testAgent(() => 'No.', { store, model: { local: true } })
    for (const again of [false, true]) {
      if (again)
        for (let n = 0; n < 4; n++) await sendAndSettle(b, 's', 'A longer question of several words. '.repeat(30))
      await b.agent.command('s', '/compact')
    }
    const log = await b.log('s')
    const cuts = log.flatMap(entry => (entry.type === 'cut' ? [entry.id] : []))
    expect(cuts).toHaveLength(2)
    expect(log.flatMap(entry => (entry.type === 'memory' ? [entry.cut] : []))).toEqual(writes ? cuts : [])
    const notes = (await b.agent.memoryNotes()).flatMap(({ notes }) => notes)
    // the later one of the day stands for the earlier
    expect(notes).toMatchObject(writes ? [{ session: 's', cut: 'compact' }] : [])
  })

  it('a command is no answer: nothing is compacted after it', async () => {
    const store = await filled(8_400, 'balanced')
    const b = testAgent(() => goodSummary, { store, model: { local: true, contextWindow: 16_000 } })
    await b.agent.open('s')
    await b.settled('s')
    await b.agent.command('s', '/context')
    await b.agent.undo('s').catch(() => undefined)
    await aWhile()
    expect(b.model.requests).toHaveLength(0)
  })

  it.each(['compact', '/compact'])('%s while it runs ends it first: one cut, one summary', async how => {
    const store = await filled(8_400, 'balanced')
    let asked = 0
    const b = testAgent(
      request =>
        isSummary(request)
          ? { text: ['## Goal\nTend the garden\n', '## Next Steps\nWater'], delayMs: asked++ === 0 ? 20 : 0 }
          : 'Yes.',
      {
        store,
        model: { local: true, contextWindow: 16_000 },
      },
    )
    await sendAndSettle(b, 's', 'And now?')
    await until(() => asked === 1)
    if (how === 'compact') await b.agent.compact('s')
    else await b.agent.command('s', '/compact')
    await aWhile()
    const log = await b.log('s')
    expect(log.filter(entry => entry.type === 'cut')).toHaveLength(1)
    expect(log.filter(entry => entry.type === 'summary')).toHaveLength(1)
    expect(asked).toBe(2)
  })

  it('a message while it runs ends it: what it would have cut was not weighed with the message', async () => {
    const store = await filled(8_400, 'balanced')
    let asked = 0
    const b = testAgent(
      request => (isSummary(request) ? { text: goodSummary, delayMs: asked++ === 0 ? 20 : 0 } : 'Yes.'),
      {
        store,
        model: { local: true, contextWindow: 16_000 },
      },
    )
    await sendAndSettle(b, 's', 'And now?')
    await until(() => asked === 1)
    await sendAndSettle(b, 's', 'And then?')
    await until(async () => (await b.log('s')).some(entry => entry.type === 'summary'))
    await aWhile()
    expect(logSummary((await b.log('s')).slice(84))).toEqual([
      'user: And now?',
      'assistant: Yes.',
      'user: And then?',
      'assistant: Yes.',
      'cut compact',
      'summary by model',
      expect.stringContaining('memory') as string,
    ])
  })

  it('a compaction by hand tells along what a late summary had not told yet, and that one is not made any more', async () => {
    const store = await filled(2_000, 'cowagent')
    await store.updateSession('s', { allowed: ['this chat'] }) // to a model elsewhere it may go
    await store.append('s', [{ type: 'cut', before: 'u5', reason: 'turns', group: 'g', id: 'c', parent: 'a9', at: 90 }])
    const prompts: string[] = []
    const b = testAgent(
      request => {
        if (!isSummary(request)) return 'Yes.'
        prompts.push(request.messages[0]!.content)
        return { text: goodSummary, delayMs: prompts.length === 1 ? 5_000 : 0 }
      },
      { store, model: { local: false } },
    )
    await b.agent.open('s')
    await until(() => prompts.length === 1)
    await b.agent.compact('s')
    await aWhile()
    expect(prompts).toHaveLength(2)
    expect(prompts[1]).toContain('Question 0:')
    expect(prompts[1]).toContain('Question 7:')
    const summaries = (await b.log('s')).filter(entry => entry.type === 'summary')
    expect(summaries).toHaveLength(1)
    expect(summaries[0]).toMatchObject({ covers: { first: 'u0' } })
  })

  it.each([
    ['answers', 'cheap'],
    ['fails', 'scripted'],
  ])('a summariser of its own choice that %s: the summary is of %s', async (how, by) => {
    const asked: string[] = []
    const cheap = scripted(
      () => {
        asked.push('cheap')
        return how === 'answers' ? goodSummary : { fail: { code: 'model_server', message: 'overloaded' } }
      },
      { id: 'cheap', name: 'Cheap' },
    )
    const store = await filled(2_000, 'qwenpaw')
    const b = testAgent(
      () => {
        asked.push('scripted')
        return goodSummary
      },
      { store, others: [cheap] },
    )
    await b.agent.choose('s', { summariser: 'cheap' })
    await b.agent.compact('s')
    expect(asked).toEqual(how === 'answers' ? ['cheap'] : ['cheap', 'scripted'])
    expect(asked.at(-1)).toBe(by)
    expect((await b.log('s')).find(entry => entry.type === 'summary')).toMatchObject({
      by: 'model',
      stats: { model: how === 'answers' ? 'Cheap' : 'Scripted' },
    })
  })

  it('where both fail, the summary by rule names no model, and a small model is not asked for what was cut for a large one', async () => {
    const fail = { fail: { code: 'model_server' as const, message: 'overloaded' } }
    const cheap = scripted(() => fail, { id: 'cheap', name: 'Cheap' })
    const store = await filled(2_000, 'qwenpaw')
    const b = testAgent(() => fail, { store, others: [cheap], model: { contextWindow: 4_096 } })
    await b.agent.choose('s', { summariser: 'cheap' })
    await b.agent.compact('s')
    const summary = (await b.log('s')).find(entry => entry.type === 'summary')
    expect(summary?.type === 'summary' && summary.by).toBe('extractive')
    expect(summary?.type === 'summary' && 'model' in summary.stats).toBe(false)
    expect(cheap.requests.length).toBeGreaterThan(0)
    for (const { system, messages } of b.model.requests)
      expect((system.length + JSON.stringify(messages).length) / 4).toBeLessThan(4_096 * 0.65)
  })
})
