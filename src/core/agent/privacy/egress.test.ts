import { describe, expect, it } from 'vitest'
import { scripted } from '../../../models/scripted.ts'
import type { ModelRequest } from '../../log/message.ts'
import type { Model } from '../../ports/ports.ts'
import { testAgent, sendAndSettle, type TestAgent } from '../agent.fixture.ts'
import type { Status } from '../api/api.ts'

const secret = 'The pin of the safe is 4711.'
const shared = 'The boat is moored at pier 9.'
const elsewhere = { local: false }
const results = (request: ModelRequest): string =>
  request.messages.flatMap(message => (message.role === 'tool' ? [message.content] : [])).join('\n')
const call = (name: string, args: object) => ({ calls: [{ name, arguments: args as Record<string, unknown> }] })

/** A chat that never left this device, one that was answered elsewhere, and an empty one with the model elsewhere. */
async function chats(script: Parameters<typeof testAgent>[0], ...more: Model[]): Promise<TestAgent> {
  const here = scripted(() => 'Noted.', { id: 'here', local: true })
  const away = scripted(() => 'Noted.', { id: 'away', local: false })
  const b = testAgent(script, { model: elsewhere, others: [here, away, ...more] })
  for (const [id, model, text] of [
    ['private', 'here', secret],
    ['open', 'away', shared],
  ] as const) {
    await b.store.createSession({ id, title: `Chat ${id}`, createdAt: 0, updatedAt: 0, leaf: null, model })
    await sendAndSettle(b, id, text)
  }
  await b.store.append(
    'private',
    [{ id: 'memo1', parent: null, at: b.world.now(), type: 'memory', text: 'Memo: 4711 again.' }],
    { keepLeaf: true },
  )
  await b.store.saveDocument('MEMORY.md', 'The boat is blue.\n', 0, 0)
  await b.store.createSession({ id: 's', title: 'x', createdAt: 0, updatedAt: 0, leaf: null, model: 'scripted' })
  return b
}
/** The app after a reload: all of it new, but for what is stored. */
const reloaded = (b: TestAgent, ...more: Model[]): TestAgent =>
  testAgent(() => 'x', { model: elsewhere, others: more, store: b.store, locks: b.locks, prefix: 'later ' })

async function answer(
  b: TestAgent,
  status: Status,
  said: 'allow' | 'deny' | 'always here' | 'with this device',
): Promise<Status> {
  expect(status.state).toBe('asking')
  b.events.length = 0
  await b.agent.resolvePermission('s', (status as Status & { state: 'asking' }).question.call.id, said)
  return b.settled('s')
}
const found = async (b: TestAgent): Promise<string> =>
  (await b.log('s')).flatMap(entry => (entry.type === 'result' ? [entry.text] : [])).join('\n')

describe('a model elsewhere', () => {
  it('is given other chats only after a yes, asked once in a chat, and never those that stayed on this device', async () => {
    const searches = ['safe pin 4711', 'boat pier', 'memo']
    const b = await chats((request, index) =>
      index % 2 === 0
        ? call('memory_search', { query: searches[index / 2] ?? 'x' })
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
    const b = await chats((_, index) => (index % 2 === 0 ? call('memory_search', { query: 'safe pin' }) : 'Done'))
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
      return read ? call(read[0], read[1]) : 'Done'
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
      index === 0 ? call('read_file', { path: `user_text/${secretId}.txt` }) : 'Done',
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
      return read ? call(read[0], read[1]) : 'Done'
    })
    expect((await sendAndSettle(b, 's', 'Look here.')).state).toBe('idle')
    const c = await chats((_, index) => (index === 0 ? call('memory_get', { path: 'MEMORY.md' }) : 'Fine.'))
    await answer(c, await sendAndSettle(c, 's', 'What do you remember?'), 'deny')
    expect(await found(c)).toMatch(/denied this call/)
    expect(JSON.stringify(c.model.requests.at(-1)!.messages)).not.toContain('The boat is blue')
  })

  /**
   * A chat with an answer on line 8 of its day, lines of another chat from 9 to 10, and its own until 14; then `next`
   * is called.
   */
  async function interrupted(next: (index: number) => ReturnType<typeof call> | string): Promise<TestAgent> {
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
      return line ? call('read_file', { path: line.path, start_line: line.from, end_line: line.to }) : 'Done'
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
      return read ? call(...read) : 'Done'
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
        return read ? call(read[0], read[1]) : 'Done'
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
      scripted([call('write_file', { path, content: 'A rose for Ada.' }), 'Written.'], {
        id: path,
        local: path.includes('diary'),
      })
    const prepared = async (): Promise<TestAgent> => {
      const b = testAgent(
        (_, index) => {
          const read = reads[index]
          return read ? call(read[0], read[1]) : 'Done'
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

describe('a file that stays on this device', () => {
  /**
   * A chat of this device and one that was answered elsewhere have each written a file; the model elsewhere has a chat
   * of its own.
   */
  async function files(script: Parameters<typeof testAgent>[0], ...more: Model[]): Promise<TestAgent> {
    const write = (path: string, content: string, local: boolean) =>
      scripted([call('write_file', { path, content }), 'Written.', 'More.'], { id: path, local })
    const b = testAgent(script, {
      model: elsewhere,
      others: [
        write('workspace/diary.md', 'The vault opens at noon: 4711.', true),
        write('workspace/plan.md', 'The vault is in the cellar.', false),
        ...more,
      ],
    })
    for (const model of ['workspace/diary.md', 'workspace/plan.md']) {
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
    }
    await b.store.createSession({ id: 's', title: 'x', createdAt: 0, updatedAt: 0, leaf: null, model: 'scripted' })
    return b
  }
  const marks = async (b: TestAgent): Promise<Record<string, string>> =>
    Object.fromEntries((await b.store.documents()).map(({ path, leaves }) => [path, leaves]))
  const inTurn = (calls: readonly (readonly [string, object])[]) => (_: ModelRequest, index: number) => {
    const next = calls[index]
    return next ? call(...next) : 'Done'
  }

  it('is not found by a search, and not by its name, size or neighbours', async () => {
    const b = await files(
      inTurn([
        ['memory_search', { query: 'vault opens noon' }],
        ['list_files', {}],
        ['search_files', { pattern: 'vault' }],
        ['read_file', { path: 'workspace/diar.md' }],
      ]),
    )
    expect((await answer(b, await sendAndSettle(b, 's', 'When does the vault open?'), 'allow')).state).toBe('idle')
    const all = await found(b)
    expect(all).toContain('The vault is in the cellar.')
    expect(all).toContain('workspace/plan.md  27 bytes')
    for (const hidden of ['4711', 'diary']) expect(all).not.toContain(hidden)
  })

  it('is not sent to a server for embeddings, which gets the others and MEMORY.md', async () => {
    const b = await files(() => 'x')
    await b.agent.saveDocument('MEMORY.md', 'The boat is blue.', 0)
    await b.agent.saveDocument('workspace/typed.md', 'Typed by the person.', 0)
    const asked: string[] = []
    const embedder = {
      id: 'e',
      local: false,
      embed: async (texts: readonly string[]) => {
        asked.push(...texts)
        return texts.map(() => [1, 2])
      },
    }
    const { createArchiveSearch } = await import('../search/archive-search.ts')
    await createArchiveSearch({ store: b.store, world: b.world, embedder: async () => embedder }).catchUp()
    expect(asked).toEqual(
      expect.arrayContaining(['The vault is in the cellar.', 'The boat is blue.', 'Typed by the person.']),
    )
    expect(asked.join()).not.toContain('4711')
  })

  it("cannot be changed by a model elsewhere, which may change the others, its own chat's too", async () => {
    const b = await files(
      inTurn([
        ['write_file', { path: 'workspace/diary.md', content: 'x' }],
        ['edit_file', { path: 'workspace/diary.md', old_text: 'vault', new_text: 'x' }],
        ['edit_file', { path: 'workspace/plan.md', old_text: 'cellar', new_text: 'attic' }],
      ]),
    )
    await b.store.updateSession('s', { allowed: ['write_file', 'edit_file'] })
    expect((await sendAndSettle(b, 's', 'Change them.')).state).toBe('idle')
    expect((await b.store.document('workspace/diary.md'))?.text).toContain('4711')
    expect((await b.store.document('workspace/plan.md'))?.text).toBe('The vault is in the attic.')
    expect(await found(b)).toContain('Choose another path')
    expect(await marks(b)).toEqual({ 'workspace/diary.md': 'stays', 'workspace/plan.md': 'asks' })
  })

  it('keeps its mark when it is written again, and gives it to what is written from it', async () => {
    const b = await files(
      inTurn([
        ['read_file', { path: 'workspace/diary.md' }],
        ['write_file', { path: 'workspace/copy.md', content: '4711' }],
      ]),
    )
    await b.agent.saveDocument('workspace/diary.md', 'By the person, over it.', 1)
    await b.store.updateSession('s', { allowed: ['write_file'] })
    await answer(b, await sendAndSettle(b, 's', 'Copy it.'), 'with this device')
    await b.agent.revoke('s', 'chats of this device')
    await sendAndSettle(b, 's', 'Again.')
    expect(await marks(b)).toEqual({
      'workspace/diary.md': 'stays',
      'workspace/plan.md': 'asks',
      'workspace/copy.md': 'stays',
    })
    expect((await b.store.session('s'))?.readStaying).toBe(true)
  })

  it('marks what is written after a refusal that named it, before anything was asked', async () => {
    const b = await files(
      inTurn([
        ['edit_file', { path: 'workspace/diar.md', old_text: 'x', new_text: 'y' }],
        ['write_file', { path: 'workspace/new.md', content: 'There is a diary.' }],
      ]),
    )
    await b.store.updateSession('s', { leaves: 'asks', allowed: ['other chats', 'chats of this device'] })
    const asked = await sendAndSettle(b, 's', 'Correct it.')
    expect(asked).toMatchObject({ state: 'asking', question: { tool: 'write_file' } })
    expect(await found(b)).toContain('Nearest: workspace/diary.md')
    await answer(b, asked, 'allow')
    expect(await marks(b)).toMatchObject({ 'workspace/new.md': 'stays' })
  })

  it('is marked with its write, or not written', async () => {
    const b = await files(() => 'x')
    const writes: unknown[][] = []
    const store = new Proxy(b.store, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name)
        if (name === 'saveDocument')
          return (...args: Parameters<typeof target.saveDocument>) => {
            writes.push(args)
            return target.saveDocument(...args)
          }
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
    })
    const c = testAgent([call('write_file', { path: 'workspace/new.md', content: 'x' }), 'Done'], {
      store,
      model: { local: true },
      prefix: 'later ',
    })
    await store.createSession({
      id: 't',
      title: 'x',
      createdAt: 0,
      updatedAt: 0,
      leaf: null,
      allowed: ['write_file'],
      model: 'scripted',
    })
    await sendAndSettle(c, 't', 'Write.')
    expect(writes.map(([path, , , , leaves]) => [path, leaves])).toEqual([['workspace/new.md', 'stays']])
  })
})

describe('what is said of other chats', () => {
  it('is nothing before a yes: the list of files asks, and then names no day on which only chats of this device spoke', async () => {
    const b = await chats((_, index) => (index === 0 ? call('list_files', {}) : 'Done'))
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
    const b = await chats((_, index) => (index === 0 ? call('read_file', { path: `dialog/${day}.jsonl` }) : 'Done'))
    await answer(b, await sendAndSettle(b, 's', 'Look.'), 'allow')
    const [row] = await b.store.read('private')
    const all = await found(b)
    for (const hidden of ['private', row!.entry.id, String(row!.entry.at)]) expect(all).not.toContain(`"${hidden}"`)
    expect(all.split('\n')[0]).toBe(
      '{"type":"withheld","content":"[Said in a chat that may not be shown to a model elsewhere.]"}',
    )
  })
})

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
    const b = testAgent((_, index) => (index === 0 ? call('memory_search', { query: 'anything' }) : 'Done'))
    const { id } = await b.agent.create()
    expect((await sendAndSettle(b, id, 'Look.')).state).toBe('idle')
    expect((await b.store.session(id))!.leaves).toBe('stays')
  })

  it('asks as one elsewhere does where one has answered: it would be sent what was read when it answers again', async () => {
    const reader = scripted([call('memory_search', { query: 'safe pin boat pier' }), 'Found.'], {
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
      const reader = scripted(() => call('memory_search', { query: 'safe pin' }), { id: 'reader', local: true })
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
