/** What a person does to a chat that is there: its versions, undo, deletion, and what is found after a crash. */
import { describe, expect, it } from 'vitest'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { strategyNames } from '../../context/strategy.ts'
import type { Entry } from '../../log/entry.ts'
import { testAgent, logSummary, sendAndSettle, until } from '../agent.fixture.ts'

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
    expect((await b.agent.context(id)).redo).not.toBeNull()
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
    expect(await b.agent.preview(id, { strategy: 'cowagent' })).toMatchObject({
      strategy: 'cowagent',
      entries: 0,
      nothing: expect.any(String) as string,
    })
  })

  it.each(strategyNames)('asks no model by looking, under %s', async strategy => {
    const b = testAgent(() => 'An answer. '.repeat(200))
    const { id } = await b.agent.create()
    await b.agent.setConfig(id, { max_input_length: 12_000, agent_max_context_tokens: 2_000 })
    for (let n = 0; n < 3; n++) await sendAndSettle(b, id, `Question ${n}. `.repeat(60))
    await b.agent.choose(id, { strategy })
    const asked = b.model.requests.length
    const log = await b.log(id)
    await b.agent.context(id)
    await b.agent.view(id)
    for (const other of [undefined, ...strategyNames]) await b.agent.preview(id, other && { strategy: other })
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
  it('what has come of an answer is stored while it waits for more', async () => {
    const b = testAgent([{ text: ['Some ', 'words'], delayMs: 50 }])
    const { id } = await b.agent.create()
    await b.agent.send(id, 'Hi')
    await until(async () => (await b.store.partial(id))?.text === 'Some ')
    await b.settled(id)
    expect(await b.store.partial(id)).toBeUndefined()
  })

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
