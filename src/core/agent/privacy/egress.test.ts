/** What a model elsewhere is given of other chats and of this device, and what it is asked before. */
import { describe, expect, it } from 'vitest'
import { scripted } from '../../../models/scripted.ts'
import type { ModelRequest } from '../../log/message.ts'
import { testAgent, sendAndSettle, type TestAgent } from '../agent.fixture.ts'
import { secret, elsewhere, callOfTool, chats, answer, found } from './egress.fixture.ts'

const results = (request: ModelRequest): string =>
  request.messages.flatMap(message => (message.role === 'tool' ? [message.content] : [])).join('\n')

describe('a model elsewhere', () => {
  it('is given other chats only after a yes, asked once in a chat, and never those that stayed on this device', async () => {
    const searches = ['safe pin 4711', 'boat pier', 'memo']
    const b = await chats((request, index) =>
      index % 2 === 0
        ? callOfTool('memory_search', { query: searches[index / 2] ?? 'x' })
        : `Done: ${results(request).length}`,
    )
    const asked = await sendAndSettle(b, 's', 'What is the pin?')
    expect(asked).toMatchObject({ state: 'asking', question: { tool: 'memory_search', egress: 'other chats' } })
    expect(b.model.requests).toHaveLength(1)
    expect((await answer(b, asked, 'allow')).state).toBe('idle')
    for (const text of ['And the boat?', 'And the memo?'])
      expect((await sendAndSettle(b, 's', text)).state).toBe('idle')
    const all = await found(b)
    expect(all).toContain('pier 9')
    expect(all).not.toContain('4711.')
    expect(JSON.stringify(b.model.requests)).not.toContain('pin of the safe')
    expect((await b.agent.permissions()).map(({ grant }) => grant)).toEqual(['other chats'])
  })

  it('is given these too after a yes of its own, which can be taken back', async () => {
    const b = await chats((_, index) => (index % 2 === 0 ? callOfTool('memory_search', { query: 'safe pin' }) : 'Done'))
    await answer(b, await sendAndSettle(b, 's', 'What is the pin?'), 'with this device')
    expect(await found(b)).toContain(secret)
    expect((await b.agent.permissions()).map(({ grant }) => grant)).toEqual(['other chats', 'chats of this device'])
    for (const grant of ['other chats', 'chats of this device']) await b.agent.revoke('s', grant)
    expect((await sendAndSettle(b, 's', 'Again?')).state).toBe('asking')
  })

  it('sees nothing by any path that was not allowed, and line numbers hold', async () => {
    const day = '2026-01-31'
    const id = async (b: TestAgent, session: string) => (await b.store.read(session))[0]!.entry.id
    const reads = [
      ['read_file', { path: `dialog/${day}.jsonl` }],
      ['memory_get', { path: day }],
      ['read_file', { path: 'MEMORY.md' }],
      ['search_files', { pattern: 'safe|pier', path: 'dialog/' }],
      ['read_file', { path: `dialog/private/${day}.jsonl` }],
    ] as const
    const b = await chats((_, index) => {
      const read = reads[index]
      return read ? callOfTool(read[0], read[1]) : 'Done'
    })
    await answer(b, await sendAndSettle(b, 's', 'Look everywhere.'), 'allow')
    const all = await found(b)
    expect(all).toContain('pier 9')
    expect(all).toContain('The boat is blue.')
    for (const kept of ['pin of the', '4711']) expect(all).not.toContain(kept)
    expect(all).toContain('may not be shown to a model elsewhere')
    const lines = all.split('\n').filter(line => line.startsWith('{')).length
    expect(lines).toBeGreaterThanOrEqual(4)

    const c = await chats((_, index) =>
      index === 0 ? callOfTool('read_file', { path: `user_text/${secretId}.txt` }) : 'Done',
    )
    const secretId = await id(c, 'private')
    expect((await sendAndSettle(c, 's', 'Read it.')).state).toBe('idle')
    expect(await found(c)).toContain('There is nothing at')
  })

  it("asks nothing for what is this chat's own, and a no is a no", async () => {
    const own = [
      ['memory_search', { query: 'pin', where: 'this chat' }],
      ['read_file', { path: 'tool_result/x.txt' }],
      ['get_time', {}],
    ] as const
    const b = await chats((_, index) => {
      const read = own[index]
      return read ? callOfTool(read[0], read[1]) : 'Done'
    })
    expect((await sendAndSettle(b, 's', 'Look here.')).state).toBe('idle')
    const c = await chats((_, index) => (index === 0 ? callOfTool('memory_get', { path: 'MEMORY.md' }) : 'Fine.'))
    await answer(c, await sendAndSettle(c, 's', 'What do you remember?'), 'deny')
    expect(await found(c)).toMatch(/denied this call/)
    expect(JSON.stringify(c.model.requests.at(-1)!.messages)).not.toContain('The boat is blue')
  })

  /**
   * A chat with an answer on line 8 of its day, lines of another chat from 9 to 10, and its own until 14; then `next`
   * is called.
   */
  async function interrupted(next: (index: number) => ReturnType<typeof callOfTool> | string): Promise<TestAgent> {
    let answers = 0
    const b = await chats(request => {
      if (request.tools.length === 0) return 'No summary.'
      const index = answers++
      return index < 5 ? (index === 1 ? '42 is the answer.' : 'Noted.') : next(index - 5)
    })
    await b.store.createSession({
      id: 'other',
      title: 'Other',
      createdAt: 0,
      updatedAt: 0,
      leaf: null,
      model: 'scripted',
    })
    for (const [id, text] of [
      ['s', 'One.'],
      ['s', 'Two.'],
      ['other', 'A word of another chat.'],
      ['s', 'Three.'],
      ['s', 'Four.'],
    ] as const)
      await sendAndSettle(b, id, `${text} ${'Filler. '.repeat(200)}`)
    return b
  }

  it('is given what the guide of its own summary names without a question, also where another chat spoke between', async () => {
    let guide: readonly { path: string; from: number; to: number }[] = []
    const b = await interrupted(index => {
      const line = guide[index]
      return line ? callOfTool('read_file', { path: line.path, start_line: line.from, end_line: line.to }) : 'Done'
    })
    await b.agent.command('s', '/compact')
    await b.settled('s')
    guide = (await b.log('s')).flatMap(entry => (entry.type === 'summary' ? entry.guide : []))
    expect(guide).toEqual([{ path: 'dialog/s/2026-01-31.jsonl', from: 1, to: 6 }])
    expect((await sendAndSettle(b, 's', 'What was the answer?')).state).toBe('idle')
    expect(await found(b)).toContain('42 is the answer.')
    expect(await found(b)).not.toContain('another chat')
  })

  it('is asked for a range of a day only where it holds lines of other chats, and a no says what remains', async () => {
    const path = 'dialog/2026-01-31.jsonl'
    const reads: [string, object][] = [
      ['read_file', { path, start_line: 5, end_line: 8 }],
      ['memory_get', { path, start_line: 8, end_line: 8 }],
      ['read_file', { path: 'dialog/s/2026-01-31.jsonl' }],
      ['search_files', { pattern: 'answer', path: 'dialog/s/2026-01-31.jsonl' }],
      ['read_file', { path: 'dialog/s/2020-01-01.jsonl' }],
      ['read_file', { path, start_line: 5, end_line: 9 }],
    ]
    const b = await interrupted(index => {
      const read = reads[index]
      return read ? callOfTool(...read) : 'Done'
    })
    const asked = await sendAndSettle(b, 's', 'Look.')
    expect(asked).toMatchObject({
      state: 'asking',
      question: { egress: 'other chats', call: { arguments: JSON.stringify(reads.at(-1)![1]) } },
    })
    await answer(b, asked, 'deny')
    const results = (await b.log('s')).flatMap(entry => (entry.type === 'result' ? [entry.text] : []))
    expect(results.slice(0, 4).every(text => text.includes('42 is the answer.'))).toBe(true)
    expect(results.at(-1)).toMatch(/denied this call.*dialog\/s\/<day>\.jsonl.*"this chat"/s)
    expect(results.join('\n')).not.toContain('another chat')
  })

  it('is not asked where there is nothing but this chat', async () => {
    const reads = [
      ['list_files', {}],
      ['memory_search', { query: 'answer' }],
      ['memory_get', { path: '2026-01-31' }],
      ['read_file', { path: 'dialog/2026-01-31.jsonl' }],
    ] as const
    const b = testAgent(
      (_, index) => {
        const read = reads[index]
        return read ? callOfTool(read[0], read[1]) : 'Done'
      },
      { model: elsewhere },
    )
    await b.store.createSession({ id: 's', title: 'x', createdAt: 0, updatedAt: 0, leaf: null, model: 'scripted' })
    expect((await sendAndSettle(b, 's', 'The answer is 42.')).state).toBe('idle')
    expect((await found(b)).match(/The answer is 42/g)?.length).toBeGreaterThanOrEqual(1)
  })

  it('is given files after the same yes, and those that a chat of this device wrote only after the yes for such chats', async () => {
    const reads = [
      ['read_file', { path: 'workspace/open.md' }],
      ['read_file', { path: 'workspace/diary.md' }],
      ['search_files', { pattern: 'rose', path: 'workspace/' }],
      ['list_files', {}],
    ] as const
    const writing = (path: string) =>
      scripted([callOfTool('write_file', { path, content: 'A rose for Ada.' }), 'Written.'], {
        id: path,
        local: path.includes('diary'),
      })
    const prepared = async (): Promise<TestAgent> => {
      const b = testAgent(
        (_, index) => {
          const read = reads[index]
          return read ? callOfTool(read[0], read[1]) : 'Done'
        },
        { model: elsewhere, others: [writing('workspace/diary.md'), writing('workspace/open.md')] },
      )
      for (const model of ['workspace/diary.md', 'workspace/open.md']) {
        await b.store.createSession({
          id: model,
          title: model,
          createdAt: 0,
          updatedAt: 0,
          leaf: null,
          model,
          allowed: ['write_file'],
        })
        await sendAndSettle(b, model, 'Write it down.')
        expect((await b.store.document(model))?.text).toBe('A rose for Ada.')
      }
      await b.store.createSession({ id: 's', title: 'x', createdAt: 0, updatedAt: 0, leaf: null, model: 'scripted' })
      return b
    }
    const b = await prepared()
    const asked = await sendAndSettle(b, 's', 'What is in the files?')
    expect(asked).toMatchObject({ state: 'asking', question: { tool: 'read_file', egress: 'other chats' } })
    expect((await answer(b, asked, 'allow')).state).toBe('idle')
    const some = await found(b)
    expect(some).toContain('workspace/open.md:1: A rose for Ada.')
    expect(some).not.toContain('diary.md:1')
    expect(some).not.toContain('diary.md  ')
    const c = await prepared()
    await answer(c, await sendAndSettle(c, 's', 'What is in the files?'), 'with this device')
    expect(await found(c)).toContain('workspace/diary.md:1: A rose for Ada.')
  })

  it('gets a chat that was only answered on this device after a yes of its own', async () => {
    const b = await chats(['Hello.', 'More.'])
    await b.agent.choose('private', { model: 'scripted' })
    const asked = await sendAndSettle(b, 'private', 'Go on.')
    expect(asked).toMatchObject({ state: 'asking', question: { egress: 'this chat', call: { id: 'this chat' } } })
    expect(b.model.requests).toHaveLength(0)
    b.events.length = 0
    await b.agent.resolvePermission('private', 'this chat', 'deny')
    expect((await b.settled('private')).state).toBe('idle')
    expect(b.model.requests).toHaveLength(0)
    expect((await b.log('private')).at(-1)).toMatchObject({
      type: 'note',
      code: 'stopped',
      text: expect.stringContaining('Not sent'),
    })

    await sendAndSettle(b, 'private', 'Go on, then.')
    b.events.length = 0
    await b.agent.resolvePermission('private', 'this chat', 'allow')
    expect((await b.settled('private')).state).toBe('idle')
    expect(b.model.requests).toHaveLength(1)
    expect((await sendAndSettle(b, 'private', 'And on.')).state).toBe('idle')
    expect((await b.store.session('private'))!.leaves).toBe('asks')
  })

  it('is not made the summariser of what stays here, unless it was chosen for that chat', async () => {
    const here = scripted(() => 'Noted.', { id: 'here', local: true })
    const b = testAgent(() => 'x', { model: elsewhere, others: [here] })
    await b.agent.setDefaults({ model: 'here', summariser: 'scripted' })
    const { id } = await b.agent.create()
    for (let n = 0; n < 6; n++) await sendAndSettle(b, id, `${secret} `.repeat(60))
    await b.agent.compact(id)
    expect(b.model.requests).toHaveLength(0)
    await b.agent.choose(id, { summariser: 'scripted' })
    for (let n = 0; n < 4; n++) await sendAndSettle(b, id, `${secret} `.repeat(60))
    await b.agent.compact(id)
    expect(b.model.requests.length).toBeGreaterThan(0)
  })
})

describe('what is said of other chats', () => {
  it('is nothing before a yes: the list of files asks, and then names no day on which only chats of this device spoke', async () => {
    const b = await chats((_, index) => (index === 0 ? callOfTool('list_files', {}) : 'Done'))
    await b.store.createSession({ id: 'earlier', title: 'x', createdAt: 0, updatedAt: 0, leaf: null })
    const at = new Date(2025, 4, 6, 12).getTime()
    await b.store.append('earlier', [
      { id: 'e1', parent: null, at, type: 'user', text: 'A day of its own.' },
      { id: 'e2', parent: 'e1', at, type: 'memory', text: 'And a note.' },
    ])
    const asked = await sendAndSettle(b, 's', 'Which files are there?')
    expect(asked).toMatchObject({ state: 'asking', question: { tool: 'list_files', egress: 'other chats' } })
    await answer(b, asked, 'allow')
    expect(await found(b)).toContain('dialog/2026-01-31.jsonl')
    expect(await found(b)).not.toContain('2025-05-06')
  })

  it('is only that a line is there, where one of a day may not be seen', async () => {
    const day = '2026-01-31'
    const b = await chats((_, index) =>
      index === 0 ? callOfTool('read_file', { path: `dialog/${day}.jsonl` }) : 'Done',
    )
    await answer(b, await sendAndSettle(b, 's', 'Look.'), 'allow')
    const [row] = await b.store.read('private')
    const all = await found(b)
    for (const hidden of ['private', row!.entry.id, String(row!.entry.at)]) expect(all).not.toContain(`"${hidden}"`)
    expect(all.split('\n')[0]).toBe(
      '{"type":"withheld","content":"[Said in a chat that may not be shown to a model elsewhere.]"}',
    )
  })
})
