import { describe, expect, it, vi } from 'vitest'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { strategies } from '../../context/strategies/index.ts'
import type { StrategyName } from '../../context/strategy.ts'
import type { Entry } from '../../log/entry.ts'
import type { Tokenizer } from '../../ports/ports.ts'
import { testAgent, logSummary, processLocks, sendAndSettle, until } from '../agent.fixture.ts'
import type { AgentEvent } from '../api/api.ts'

describe('versions', () => {
  it('regenerate makes a sibling of the answer, and one can switch between them', async () => {
    const b = testAgent(['First.', 'Second.'])
    const { id } = await b.agent.create()
    await sendAndSettle(b, id, 'Hi')
    const first = (await b.log(id))[1]!
    b.events.length = 0
    await b.agent.regenerate(id, first.id)
    await b.settled(id)
    const log = await b.log(id)
    expect(logSummary(log)).toEqual(['user: Hi', 'assistant: First.', 'assistant: Second.'])
    expect(log[2]?.parent).toBe(first.parent)
    expect((await b.agent.view(id)).map(message => message.content).slice(2)).toEqual(['Hi', 'Second.'])
    await b.agent.switchLeaf(id, first.id)
    expect((await b.agent.view(id)).map(message => message.content).slice(2)).toEqual(['Hi', 'First.'])
  })

  it('editing a message asks anew beside it, and switching back brings the whole branch', async () => {
    const b = testAgent(['Paris.', 'More.', 'Rome.'])
    const { id } = await b.agent.create()
    await sendAndSettle(b, id, 'Capital of France?')
    await sendAndSettle(b, id, 'More?')
    const question = (await b.log(id))[0]!
    b.events.length = 0
    await b.agent.editMessage(id, question.id, 'Capital of Italy?')
    await b.settled(id)
    expect((await b.agent.view(id)).map(message => message.content).slice(2)).toEqual(['Capital of Italy?', 'Rome.'])
    await b.agent.switchLeaf(id, question.id)
    expect((await b.agent.view(id)).map(message => message.content).slice(2)).toEqual([
      'Capital of France?',
      'Paris.',
      'More?',
      'More.',
    ])
  })
})

describe('undo and redo', () => {
  it('lift a clear and bring it back; the view is the one before', async () => {
    const b = testAgent(['One.', 'Two.'])
    const { id } = await b.agent.create()
    await sendAndSettle(b, id, 'First')
    await sendAndSettle(b, id, 'Second')
    const before = await b.agent.view(id)
    await b.agent.command(id, '/context clear')
    expect(await b.agent.view(id)).toHaveLength(2)
    await b.agent.undo(id)
    expect(await b.agent.view(id)).toEqual(before)
    expect((await b.agent.context(id)).canRedo).toBe(true)
    await b.agent.redo(id)
    expect(await b.agent.view(id)).toHaveLength(2)
    await b.agent.undo(id)
    await expect(b.agent.undo(id)).rejects.toMatchObject({ code: 'bad_input' })
  })

  it('lift one given group and leave the others', async () => {
    const b = testAgent(['One.', 'Two.'])
    const { id } = await b.agent.create()
    await sendAndSettle(b, id, 'First')
    const [question, answer] = await b.log(id)
    await b.agent.pin(id, question!.id, true)
    await b.agent.pin(id, answer!.id, true)
    const first = (await b.log(id)).find((entry): entry is Entry & { type: 'pin' } => entry.type === 'pin')!
    await b.agent.undo(id, first.group)
    expect((await b.agent.context(id)).tiles.filter(tile => tile.pinned).map(tile => tile.entry)).toEqual([answer!.id])
  })

  it('compacts by hand, says what it did, and the summary can be reworded and undone', async () => {
    const b = testAgent([
      'An answer with the path src/main.ts. '.repeat(40),
      'Short.',
      '## Goal\nFix src/main.ts\n## Next Steps\nGo on',
    ])
    const { id } = await b.agent.create()
    await sendAndSettle(b, id, 'Please look at src/main.ts and tell me. '.repeat(40))
    await sendAndSettle(b, id, 'And now?')
    const before = await b.agent.view(id)
    await b.agent.compact(id)
    const summary = (await b.log(id)).find((entry): entry is Entry & { type: 'summary' } => entry.type === 'summary')!
    expect(summary.by).toBe('model')
    expect((await b.agent.view(id)).length).toBeLessThan(before.length + 1)
    await b.agent.editSummary(id, summary.id, 'In my words.')
    expect((await b.agent.view(id))[2]?.content).toContain('In my words.')
    await b.agent.undo(id)
    expect((await b.agent.view(id))[2]?.content).toContain('Fix src/main.ts')
    await b.agent.undo(id)
    expect(await b.agent.view(id)).toEqual(before)
  })

  it('previews without appending', async () => {
    const b = testAgent(['An answer. '.repeat(200), 'Short.'])
    const { id } = await b.agent.create()
    await sendAndSettle(b, id, 'A long question. '.repeat(100))
    await sendAndSettle(b, id, 'And now?')
    const log = await b.log(id)
    const preview = await b.agent.preview(id)
    expect(preview.after).toBeLessThan(preview.before)
    expect(preview.entries).toBeGreaterThan(0)
    expect(preview.summary).toContain('## Goal')
    expect(await b.log(id)).toEqual(log)
    expect(await b.agent.preview(id, 'cowagent')).toMatchObject({
      strategy: 'cowagent',
      entries: 0,
      nothing: expect.any(String) as string,
    })
  })

  it.each(Object.keys(strategies) as StrategyName[])('asks no model by looking, under %s', async strategy => {
    const b = testAgent(() => 'An answer. '.repeat(200))
    const { id } = await b.agent.create()
    await b.agent.setConfig(id, { max_input_length: 12_000, agent_max_context_tokens: 2_000 })
    for (let n = 0; n < 3; n++) await sendAndSettle(b, id, `Question ${n}. `.repeat(60))
    await b.agent.choose(id, { strategy })
    const asked = b.model.requests.length
    const log = await b.log(id)
    await b.agent.context(id)
    await b.agent.view(id)
    for (const other of [undefined, ...(Object.keys(strategies) as StrategyName[])]) await b.agent.preview(id, other)
    for (const line of [
      '/context',
      '/history',
      '/summary',
      '/strategy',
      '/config strategies',
      '/memory',
      '/search question',
      '/model',
      '/help',
    ])
      await b.agent.command(id, line)
    await b.settled(id)
    expect(b.model.requests).toHaveLength(asked)
    expect((await b.log(id)).filter(entry => entry.type !== 'note')).toEqual(log.filter(entry => entry.type !== 'note'))
  })
})

describe('delete', () => {
  it('takes the words of a message away and leaves its place', async () => {
    const b = testAgent(['Noted.'])
    const { id } = await b.agent.create()
    await sendAndSettle(b, id, 'The secret is 1234')
    expect((await b.agent.search('secret 1234'))[0]?.kind).toBe('message')
    const question = (await b.log(id))[0]!
    await b.agent.deleteMessage(id, question.id)
    expect((await b.agent.open(id)).entries[0]).toMatchObject({
      type: 'user',
      text: '',
      gone: { why: 'deleted', bytes: 18 },
    })
    expect(await b.agent.search('secret 1234')).toEqual([]) // nor by the title that was made of it
    expect((await b.agent.readPath(`user_text/${question.id}.txt`)).gone).toMatchObject({ bytes: 18 })
    expect(b.events.some(event => event.type === 'leaf')).toBe(true)
  })

  it('takes it out of summaries and memories too; the rest is told anew, and a line that was typed stays', async () => {
    const b = testAgent(
      request =>
        request.tools.length === 0 ? '## Goal\nKeep the code 1234 of the gate\n## Next Steps\nPaint it' : 'Noted.',
      { model: { local: false } },
    )
    const { id } = await b.agent.create()
    await b.agent.choose(id, { strategy: 'cowagent' })
    await b.agent.setConfig(id, { agent_max_context_turns: 3 })
    await sendAndSettle(b, id, 'The code of the gate is 1234')
    await b.agent.command(id, '/memory The code 1234 was changed')
    for (let n = 0; n < 3; n++)
      await sendAndSettle(b, id, `Paint ${n} of the gate is green. ${'It is a long gate. '.repeat(30)}`)
    await until(async () => (await b.log(id)).some(entry => entry.type === 'memory' && entry.cut !== undefined))
    await sendAndSettle(b, id, 'And now?')
    await b.agent.deleteMessage(id, (await b.log(id))[0]!.id)
    const log = await b.log(id)
    expect(log.filter(entry => entry.gone).map(entry => entry.type)).toEqual(['user', 'summary', 'memory'])
    expect(log.at(-1)).toMatchObject({ type: 'summary', by: 'extractive' })
    expect(JSON.stringify(log.filter(entry => entry.type !== 'memory'))).not.toContain('1234')
    expect(log.find(entry => entry.type === 'memory' && entry.cut === undefined)).toMatchObject({
      text: 'The code 1234 was changed',
    })
  })

  it('of a chat removes it from the list, while its answer is being written', async () => {
    const b = testAgent([{ text: ['a', 'b', 'c'], delayMs: 20 }])
    const { id } = await b.agent.create()
    await b.agent.send(id, 'Hi')
    await b.agent.remove(id)
    expect(await b.agent.sessions()).toEqual([])
    await expect(b.agent.open(id)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('after a crash', () => {
  it('what had come of an answer is kept, marked, and can be continued', async () => {
    const b = testAgent([{ text: ['Some ', 'words ', 'and more'], delayMs: 3 }])
    const { id } = await b.agent.create()
    await b.agent.send(id, 'Hi')
    await until(() => b.events.some(event => event.type === 'delta'))
    await b.store.savePartial({
      session: id,
      parent: (await b.log(id))[0]!.id,
      at: 1,
      text: 'Some words',
      reasoning: '',
      calls: [{ id: 'c', name: 'get_time', arguments: '{}' }],
      model: 'scripted',
      local: true,
    })
    const copy = new MemoryStore() // what the disk held when the app went away
    const info = (await b.store.session(id))!
    await copy.createSession({ ...info, leaf: null })
    await copy.append(id, (await b.log(id)).slice(0, 1))
    await copy.savePartial((await b.store.partial(id))!)
    await b.agent.stop(id)

    const again = testAgent(['the rest.'], { store: copy, prefix: 'n' })
    expect((await again.agent.open(id)).partial?.text).toBe('Some words')
    expect(await again.settled(id)).toEqual({ state: 'interrupted' })
    expect(logSummary(await again.log(id))).toEqual([
      'user: Hi',
      'assistant (interrupted): Some words [get_time]',
      expect.stringContaining('error get_time') as string,
      'note restored',
    ])
    again.events.length = 0
    await again.agent.resume(id)
    expect(await again.settled(id)).toEqual({ state: 'idle' })
    expect(logSummary(await again.log(id)).at(-1)).toBe('assistant: the rest.')
    expect(await copy.partial(id)).toBeUndefined()
  })

  it('a call that ran gets a result, and the ones that ask go on waiting', async () => {
    const store = new MemoryStore()
    await store.createSession({ id: 's', title: 'x', createdAt: 0, updatedAt: 0, leaf: null })
    await store.append('s', [
      { type: 'user', text: 'Hi', id: 'a', parent: null, at: 1 },
      {
        type: 'assistant',
        text: '',
        calls: [
          { id: '1', name: 'get_time', arguments: '{}' },
          { id: '2', name: 'fetch_url', arguments: '{"url":"https://a.example/x"}' },
        ],
        model: 'm',
        local: true,
        stop: 'calls',
        id: 'b',
        parent: 'a',
        at: 2,
      },
    ])
    const b = testAgent(['Thanks.'], { store })
    await b.agent.open('s')
    expect(await b.settled('s')).toMatchObject({
      state: 'asking',
      question: { plan: { address: { host: 'a.example' } } },
    })
    b.events.length = 0
    await b.agent.resolvePermission('s', '2', 'allow')
    expect(await b.settled('s')).toEqual({ state: 'idle' })
    expect(logSummary((await b.log('s')).filter(entry => entry.type === 'result'))).toEqual([
      expect.stringContaining('error get_time: Error: interrupted') as string,
      'result fetch_url: # A page',
    ])
  })

  it('nothing is done twice: opening again adds nothing', async () => {
    const b = testAgent(['Hello.'])
    const { id } = await b.agent.create()
    await sendAndSettle(b, id, 'Hi')
    const again = testAgent([], { store: b.store, prefix: 'n' })
    await again.agent.open(id)
    await again.settled(id)
    await again.agent.open(id)
    await new Promise(resolve => {
      setTimeout(resolve, 10)
    })
    expect(await b.log(id)).toHaveLength(2)
  })
})

describe('two tabs on one store', () => {
  it('the second waits, sees what the first does, and then works on the whole log', async () => {
    const store = new MemoryStore()
    const locks = processLocks()
    const pair: { second?: ReturnType<typeof testAgent> } = {}
    const first = testAgent([{ text: ['one ', 'two ', 'three'], delayMs: 5 }], {
      store,
      locks,
      prefix: 'a',
      broadcast: event => {
        pair.second?.agent.onPeerEvent(event)
      },
    })
    const second = testAgent(['After you.'], {
      store,
      locks,
      prefix: 'b',
      broadcast: event => {
        first.agent.onPeerEvent(event)
      },
    })
    pair.second = second
    const { id } = await first.agent.create()
    await second.agent.open(id)
    await second.settled(id)
    await first.agent.send(id, 'From the first')
    second.events.length = 0
    const sent = second.agent.send(id, 'From the second')
    await until(() => second.events.some(event => event.type === 'status' && event.status.state === 'waiting'))
    await sent
    await until(async () => (await second.log(id)).length === 4)
    expect(logSummary(await second.log(id))).toEqual([
      'user: From the first',
      'assistant: one two three',
      'user: From the second',
      'assistant: After you.',
    ])
    expect(second.model.requests[0]?.messages.map(message => message.content)).toEqual([
      'From the first',
      'one two three',
      'From the second',
    ])
    expect(second.events.some(event => event.type === 'delta')).toBe(true)
    expect(first.events.filter(event => event.type === 'status' && event.status.state === 'waiting')).toEqual([])
    await until(async () => (await first.agent.view(id)).length === 6)
  })

  it('a stop in the waiting tab gives up waiting and leaves the other alone', async () => {
    const store = new MemoryStore()
    const locks = processLocks()
    const first = testAgent([{ text: ['one ', 'two ', 'three'], delayMs: 10 }], { store, locks, prefix: 'a' })
    const second = testAgent([], { store, locks, prefix: 'b' })
    const { id } = await first.agent.create()
    await first.agent.send(id, 'From the first')
    const sent = second.agent.send(id, 'From the second')
    await until(() => second.events.some(event => event.type === 'status' && event.status.state === 'waiting'))
    void second.agent.stop(id)
    await expect(sent).rejects.toMatchObject({ code: 'stopped' })
    await first.settled(id)
    expect(logSummary(await first.log(id))).toEqual(['user: From the first', 'assistant: one two three'])
  })

  it('a tab that looks on can stop what another one answers, and only that', async () => {
    const store = new MemoryStore()
    const locks = processLocks()
    const pair: { second?: ReturnType<typeof testAgent> } = {}
    const seen = (event: AgentEvent): AgentEvent =>
      // as the channel between tabs does
      event.type === 'status' && event.status.state !== 'idle' ? { ...event, status: { state: 'waiting' } } : event
    const first = testAgent([{ text: Array.from({ length: 200 }, (_, at) => `${at} `), delayMs: 5 }], {
      store,
      locks,
      prefix: 'a',
      broadcast: event => {
        pair.second?.agent.onPeerEvent(seen(event))
      },
    })
    const second = testAgent([], {
      store,
      locks,
      prefix: 'b',
      broadcast: event => {
        first.agent.onPeerEvent(event)
      },
    })
    pair.second = second
    const { id } = await first.agent.create()
    await second.agent.open(id)
    await first.agent.send(id, 'Count')
    await until(() => second.events.some(event => event.type === 'delta'))
    await second.agent.stop(id)
    await first.settled(id)
    const log = await first.log(id)
    expect(log.find(({ type }) => type === 'assistant')).toMatchObject({ stop: 'stopped' })
    await until(() => second.events.some(event => event.type === 'status' && event.status.state === 'idle'))
    expect(second.events.some(event => event.type === 'stop')).toBe(false)
    second.agent.onPeerEvent({ type: 'stop', session: id }) // nothing runs here: nothing happens
    expect((await second.log(id)).length).toBe(log.length)
  })

  it('a second message into a running turn is refused', async () => {
    const b = testAgent([{ text: ['one ', 'two '], delayMs: 5 }])
    const { id } = await b.agent.create()
    await b.agent.send(id, 'Hi')
    await expect(b.agent.send(id, 'Again')).rejects.toMatchObject({ code: 'busy' })
    await b.settled(id)
  })
})

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

describe('search', () => {
  it('finds what was said in other chats, with its place, and never the question itself', async () => {
    const b = testAgent([
      'Noted.',
      { calls: [{ name: 'memory_search', arguments: { query: 'which port did we choose for the proxy' } }] },
      { calls: [{ name: 'memory_search', arguments: { query: 'which port did we choose for the proxy' } }] },
      'It is 8443.',
    ])
    const one = await b.agent.create()
    await sendAndSettle(b, one.id, 'For the proxy we choose port 8443')
    const two = await b.agent.create()
    await sendAndSettle(b, two.id, 'Which port did we choose for the proxy?')
    const results = (await b.log(two.id)).flatMap(entry => (entry.type === 'result' ? [entry.text] : []))
    expect(results[0]).toMatch(
      /1\. dialog\/2026-01-31\.jsonl:1 \(For the proxy we choose port 8443, 2026-01-31, score [\d.]+\)\nFor the proxy/,
    )
    expect(results[0]).not.toContain('Which port')
    expect(results[1]).not.toContain('8443') // no passage twice in a turn
  })

  it('finds after a clear what the model has forgotten: what was noted, and what was only said', async () => {
    const look = { calls: [{ name: 'memory_search', arguments: { query: 'larch mast, aurora boat' } }] }
    const b = testAgent(['Noted.', look, 'Found.'])
    const { id } = await b.agent.create()
    await b.agent.command(id, '/memory The boat is called Aurora.')
    await sendAndSettle(b, id, 'The mast is made of larch.')
    await b.agent.command(id, '/context clear')
    await sendAndSettle(b, id, 'What do you know of the boat?')
    const [before, after] = b.model.requests.slice(1).map(({ messages }) => JSON.stringify(messages))
    for (const word of ['larch', 'Aurora'])
      expect([before!.includes(word), after!.includes(word)]).toEqual([false, true])
  })

  it('finds Chinese words, documents and notes of the day', async () => {
    const b = testAgent([])
    const { id } = await b.agent.create()
    await b.agent.command(id, '/memory 代理的端口是八千')
    await b.agent.saveDocument('workspace/plan.md', 'line one\nthe zebra plan\nline three', 0)
    expect((await b.agent.search('代理端口'))[0]).toMatchObject({ kind: 'memory', path: 'memory/2026-01-31.md' })
    expect((await b.agent.search('zebra'))[0]).toMatchObject({
      kind: 'document',
      path: 'workspace/plan.md',
      from: 1,
      to: 3,
    })
    await b.agent.saveDocument('workspace/plan.md', 'nothing here', 1)
    expect(await b.agent.search('zebra')).toEqual([])
  })
})

describe('the exact counter', () => {
  it('tells every chat that waits for it when it is there, not only the first one', async () => {
    let arrived = (): void => undefined
    const tokenizer: Tokenizer = {
      load: () =>
        new Promise<void>(resolve => {
          arrived = () => {
            tokenizer.count = text => text.length
            resolve()
          }
        }),
      count: undefined,
    }
    const b = testAgent([], { tokenizer })
    const first = await b.agent.create('One')
    const second = await b.agent.create('Two')
    expect((await b.agent.context(first.id)).counter).toBe('bytes/4')
    expect((await b.agent.context(second.id)).counter).toBe('bytes/4')
    b.events.length = 0
    arrived()
    await vi.waitFor(() => {
      expect(b.events.flatMap(event => (event.type === 'context' ? [event.session] : []))).toEqual([
        first.id,
        second.id,
      ])
    })
    expect((await b.agent.context(second.id)).counter).toBe('bpe')
  })
})
