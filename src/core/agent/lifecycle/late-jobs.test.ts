/** What a cut owes is written after the answer, so that nobody waits for it. */
import { describe, expect, it } from 'vitest'
import { MemoryStore } from '../../../storage/memory-store.ts'
import type { Entry } from '../../log/entry.ts'
import { testAgent, logSummary, sendAndSettle, until } from '../agent.fixture.ts'

describe('late jobs', () => {
  it('a cut that owes a summary gets it after the answer, with a memory, and the next message does not wait', async () => {
    const b = testAgent(
      request =>
        request.tools.length === 0
          ? { text: '## Goal\nTalk about numbers\n## Next Steps\nMore numbers', delayMs: 2 }
          : 'ok',
      { model: { local: false } },
    )
    const { id } = await b.agent.create()
    await b.agent.choose(id, { strategy: 'cowagent' })
    await b.agent.setConfig(id, { agent_max_context_turns: 3 })
    for (let n = 0; n < 5; n++)
      await sendAndSettle(b, id, `Number ${n} is important. ${'More words about it. '.repeat(20)}`)
    await until(async () => (await b.log(id)).some(entry => entry.type === 'memory'))
    const log = await b.log(id)
    const cut = log.find((entry): entry is Entry & { type: 'cut' } => entry.type === 'cut')!
    expect(log.some(entry => entry.type === 'summary' && entry.of === cut.id && entry.by === 'model')).toBe(true)
  })

  it("the answer does not wait for it; its text is then in front of the next question's request, in the file of the day, and found", async () => {
    const b = testAgent(
      request => (request.tools.length === 0 ? '## Goal\nKeep the zebra tidy\n## Next Steps\nBrush it' : 'ok'),
      { model: { local: false } },
    )
    const { id } = await b.agent.create()
    await b.agent.choose(id, { strategy: 'cowagent' })
    await b.agent.setConfig(id, { agent_max_context_turns: 3 })
    for (let n = 0; n < 4; n++)
      await sendAndSettle(b, id, `Number ${n} is important. ${'More words about it. '.repeat(20)}`)
    await until(async () => (await b.log(id)).some(entry => entry.type === 'memory'))
    expect(
      logSummary(await b.log(id))
        .slice(6)
        .map(line => line.split(':')[0]),
    ).toEqual(['user', 'cut turns', 'assistant', 'summary by model', 'memory'])
    const [fourth, summariser] = b.model.requests.slice(3)
    expect([
      fourth!.tools.length > 0,
      JSON.stringify(fourth!.messages).includes('zebra'),
      summariser!.tools.length,
    ]).toEqual([true, false, 0])
    await sendAndSettle(b, id, 'And then?')
    const sent = b.model.requests.findLast(request => request.tools.length > 0)!.messages
    expect(sent[0]).toMatchObject({
      role: 'user',
      content: expect.stringMatching(/Keep the zebra tidy[\s\S]*\n---\n\nNumber 2 is important/) as string,
    })
    expect((await b.agent.readPath('memory/2026-01-31.md')).text).toContain('Keep the zebra tidy')
    expect((await b.agent.search('tidy zebra'))[0]).toMatchObject({ kind: 'memory', path: 'memory/2026-01-31.md' })
  })

  it.each(['cowagent', 'balanced'] as const)(
    'under %s what was noted before a clear is found after it, though the same chat notes more that day',
    async strategy => {
      const animals = ['zebra', 'walrus', 'heron']
      const b = testAgent(
        request =>
          request.tools.length === 0
            ? `## Goal\nKeep the ${animals[0]} tidy\n## Next Steps\nBrush the ${animals[0]}`
            : 'ok',
        { model: { local: false } },
      )
      const { id } = await b.agent.create()
      await b.agent.choose(id, { strategy })
      await b.agent.setConfig(id, { agent_max_context_turns: 3 })
      const notes = async (): Promise<number> => (await b.log(id)).filter(entry => entry.type === 'memory').length
      const noted = async (): Promise<string> => {
        const before = await notes()
        for (let n = 0; n < 4; n++)
          await sendAndSettle(b, id, `Number ${n} is about the ${animals[0]}. ${'More words about it. '.repeat(20)}`)
        if (strategy === 'balanced') await b.agent.command(id, '/compact')
        await until(async () => (await notes()) > before)
        return (await b.agent.readPath('memory/2026-01-31.md')).text
      }
      await noted()
      await b.agent.command(id, '/context clear')
      animals.shift()
      expect(await noted()).toMatch(/zebra tidy[^]*walrus tidy/)
      expect((await b.agent.search('zebra tidy', { kinds: ['memory'] }))[0]).toMatchObject({
        kind: 'memory',
        path: 'memory/2026-01-31.md',
      })
      animals.shift()
      expect(await noted()).toMatch(/zebra tidy[^]*heron tidy/) // what came after the clear has one note, the newest
      expect((await b.agent.readPath('memory/2026-01-31.md')).text).not.toContain('walrus tidy')
    },
  )

  it('on a local engine makes room for a message, and is taken up again after the answer', async () => {
    const store = new MemoryStore()
    await store.createSession({ id: 's', title: 'x', createdAt: 0, updatedAt: 0, leaf: null, strategy: 'cowagent' })
    await store.append('s', [
      { type: 'user', text: `A question ${'with some words '.repeat(50)}`, id: 'u', parent: null, at: 1 },
      {
        type: 'assistant',
        text: 'An answer',
        calls: [],
        model: 'm',
        local: true,
        stop: 'stop',
        id: 'a',
        parent: 'u',
        at: 2,
      },
      { type: 'user', text: 'Another', id: 'v', parent: 'a', at: 3 },
      { type: 'assistant', text: 'Yes', calls: [], model: 'm', local: true, stop: 'stop', id: 'b', parent: 'v', at: 4 },
      { type: 'cut', before: 'v', reason: 'turns', group: 'g', id: 'c', parent: 'b', at: 5 },
    ])
    let summaries = 0
    const b = testAgent(
      request =>
        request.tools.length > 0
          ? 'At once.'
          : { text: ['## Goal\nQuestions\n', '## Next Steps\nNone'], delayMs: summaries++ === 0 ? 5000 : 0 },
      { store },
    )
    await b.agent.open('s')
    await until(() => summaries === 1)
    await sendAndSettle(b, 's', 'A message in between')
    await until(async () => (await b.log('s')).some(entry => entry.type === 'summary'))
    expect(logSummary((await b.log('s')).slice(5)).slice(0, 3)).toEqual([
      'user: A message in between',
      'assistant: At once.',
      'summary by model',
    ])
    expect(summaries).toBe(2)
  })

  it('survives a reload', async () => {
    const store = new MemoryStore()
    await store.createSession({ id: 's', title: 'x', createdAt: 0, updatedAt: 0, leaf: null, strategy: 'cowagent' })
    const entries: Entry[] = []
    for (let n = 0; n < 6; n++) {
      entries.push({
        type: 'user',
        text: `Question ${n} ${'with some words '.repeat(30)}`,
        id: `u${n}`,
        parent: n === 0 ? null : `a${n - 1}`,
        at: n * 2,
      })
      entries.push({
        type: 'assistant',
        text: `Answer ${n}`,
        calls: [],
        model: 'm',
        local: true,
        stop: 'stop',
        id: `a${n}`,
        parent: `u${n}`,
        at: n * 2 + 1,
      })
    }
    await store.append('s', [
      ...entries,
      { type: 'cut', before: 'u3', reason: 'turns', group: 'g', id: 'c', parent: 'a5', at: 20 },
    ])
    const b = testAgent(['## Goal\nQuestions\n## Next Steps\nNone'], { store })
    await b.agent.open('s')
    await until(async () => (await b.log('s')).some(entry => entry.type === 'summary'))
    expect((await b.log('s')).find(entry => entry.type === 'summary')).toMatchObject({ of: 'c', by: 'model' })
  })
})
