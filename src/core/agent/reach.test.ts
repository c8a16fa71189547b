import { describe, expect, it } from 'vitest'
import { scripted } from '../../models/scripted.ts'
import type { ModelRequest } from '../log/message.ts'
import type { Model } from '../ports.ts'
import { bench, say, type Bench } from './agent.fixture.ts'
import type { Status } from './api.ts'

const secret = 'The pin of the safe is 4711.'
const shared = 'The boat is moored at pier 9.'
const elsewhere = { local: false }
const results = (request: ModelRequest): string => request.messages.flatMap(message => message.role === 'tool' ? [message.content] : []).join('\n')
const call = (name: string, args: object) => ({ calls: [{ name, arguments: args as Record<string, unknown> }] })

/** A chat that never left this device, one that was answered elsewhere, and an empty one with the model elsewhere. */
async function chats(script: Parameters<typeof bench>[0], ...more: Model[]): Promise<Bench> {
  const here = scripted(() => 'Noted.', { id: 'here', local: true })
  const away = scripted(() => 'Noted.', { id: 'away', local: false })
  const b = bench(script, { model: elsewhere, others: [here, away, ...more] })
  for (const [id, model, text] of [['private', 'here', secret], ['open', 'away', shared]] as const) {
    await b.store.createSession({ id, title: `Chat ${id}`, createdAt: 0, updatedAt: 0, leaf: null, model })
    await say(b, id, text)
  }
  await b.store.append('private', [{ id: 'memo1', parent: null, at: b.world.now(), type: 'memory', text: 'Memo: 4711 again.' }], { keepLeaf: true })
  await b.store.saveDocument('MEMORY.md', 'The boat is blue.\n', 0, 0)
  await b.store.createSession({ id: 's', title: 'x', createdAt: 0, updatedAt: 0, leaf: null, model: 'scripted' })
  return b
}
/** The app after a reload: all of it new, but for what is stored. */
const reloaded = (b: Bench, ...more: Model[]): Bench => bench(() => 'x', { model: elsewhere, others: more, store: b.store, locks: b.locks })

async function answer(b: Bench, status: Status, said: 'allow' | 'deny' | 'always here' | 'with this device'): Promise<Status> {
  expect(status.state).toBe('asking')
  b.events.length = 0
  await b.agent.answer('s', (status as Status & { state: 'asking' }).question.call.id, said)
  return b.rest('s')
}
const found = async (b: Bench): Promise<string> => (await b.log('s')).flatMap(entry => entry.type === 'result' ? [entry.text] : []).join('\n')

describe('a model elsewhere', () => {
  it('is given other chats only after a yes, asked once in a chat, and never those that stayed on this device', async () => {
    const searches = ['safe pin 4711', 'boat pier', 'memo']
    const b = await chats((request, index) => index % 2 === 0 ? call('memory_search', { query: searches[index / 2] ?? 'x' }) : `Done: ${results(request).length}`)
    const asked = await say(b, 's', 'What is the pin?')
    expect(asked).toMatchObject({ state: 'asking', question: { tool: 'memory_search', reach: 'other chats' } })
    expect(b.model.requests).toHaveLength(1)
    expect((await answer(b, asked, 'allow')).state).toBe('idle')
    for (const text of ['And the boat?', 'And the memo?']) expect((await say(b, 's', text)).state).toBe('idle')
    const all = await found(b)
    expect(all).toContain('pier 9')
    expect(all).not.toContain('4711.')
    expect(JSON.stringify(b.model.requests)).not.toContain('pin of the safe')
    expect((await b.agent.permissions()).map(({ grant }) => grant)).toEqual(['other chats'])
  })

  it('is given these too after a yes of its own, which can be taken back', async () => {
    const b = await chats((_, index) => index % 2 === 0 ? call('memory_search', { query: 'safe pin' }) : 'Done')
    await answer(b, await say(b, 's', 'What is the pin?'), 'with this device')
    expect(await found(b)).toContain(secret)
    expect((await b.agent.permissions()).map(({ grant }) => grant)).toEqual(['other chats', 'chats of this device'])
    for (const grant of ['other chats', 'chats of this device']) await b.agent.revoke('s', grant)
    expect((await say(b, 's', 'Again?')).state).toBe('asking')
  })

  it('sees nothing by any path that was not allowed, and line numbers hold', async () => {
    const day = '2026-01-31'
    const id = async (b: Bench, session: string) => (await b.store.read(session))[0]!.entry.id
    const reads = [['read_file', { path: `dialog/${day}.jsonl` }], ['memory_get', { path: day }], ['read_file', { path: 'MEMORY.md' }], ['search_files', { pattern: 'safe|pier', path: 'dialog/' }], ['read_file', { path: `dialog/private/${day}.jsonl` }]] as const
    const b = await chats((_, index) => { const read = reads[index]; return read ? call(read[0], read[1]) : 'Done' })
    await answer(b, await say(b, 's', 'Look everywhere.'), 'allow')
    const all = await found(b)
    expect(all).toContain('pier 9')
    expect(all).toContain('The boat is blue.')
    for (const kept of ['pin of the', '4711']) expect(all).not.toContain(kept)
    expect(all).toContain('may not be shown to a model elsewhere')
    const lines = all.split('\n').filter(line => line.startsWith('{')).length
    expect(lines).toBeGreaterThanOrEqual(4)

    const c = await chats((_, index) => index === 0 ? call('read_file', { path: `user_text/${secretId}.txt` }) : 'Done')
    const secretId = await id(c, 'private')
    expect((await say(c, 's', 'Read it.')).state).toBe('idle')
    expect(await found(c)).toContain('There is nothing at')
  })

  it('asks nothing for what is this chat\'s own, and a no is a no', async () => {
    const own = [['memory_search', { query: 'pin', where: 'this chat' }], ['read_file', { path: 'tool_result/x.txt' }], ['get_time', {}]] as const
    const b = await chats((_, index) => { const read = own[index]; return read ? call(read[0], read[1]) : 'Done' })
    expect((await say(b, 's', 'Look here.')).state).toBe('idle')
    const c = await chats((_, index) => index === 0 ? call('memory_get', { path: 'MEMORY.md' }) : 'Fine.')
    await answer(c, await say(c, 's', 'What do you remember?'), 'deny')
    expect(await found(c)).toMatch(/denied this call/)
    expect(JSON.stringify(c.model.requests.at(-1)!.messages)).not.toContain('The boat is blue')
  })

  it('is given files after the same yes, and those that a chat of this device wrote only after the yes for such chats', async () => {
    const reads = [['read_file', { path: 'workspace/open.md' }], ['read_file', { path: 'workspace/diary.md' }], ['search_files', { pattern: 'rose', path: 'workspace/' }], ['list_files', {}]] as const
    const writing = (path: string) => scripted([call('write_file', { path, content: 'A rose for Ada.' }), 'Written.'], { id: path, local: path.includes('diary') })
    const prepared = async (): Promise<Bench> => {
      const b = bench((_, index) => { const read = reads[index]; return read ? call(read[0], read[1]) : 'Done' }, { model: elsewhere, others: [writing('workspace/diary.md'), writing('workspace/open.md')] })
      for (const model of ['workspace/diary.md', 'workspace/open.md']) {
        await b.store.createSession({ id: model, title: model, createdAt: 0, updatedAt: 0, leaf: null, model, allowed: ['write_file'] })
        await say(b, model, 'Write it down.')
        expect((await b.store.document(model))?.text).toBe('A rose for Ada.')
      }
      await b.store.createSession({ id: 's', title: 'x', createdAt: 0, updatedAt: 0, leaf: null, model: 'scripted' })
      return b
    }
    const b = await prepared()
    const asked = await say(b, 's', 'What is in the files?')
    expect(asked).toMatchObject({ state: 'asking', question: { tool: 'read_file', reach: 'other chats' } })
    expect((await answer(b, asked, 'allow')).state).toBe('idle')
    const some = await found(b)
    expect(some).toContain('workspace/open.md:1: A rose for Ada.')
    expect(some).not.toContain('diary.md:1')
    expect(some).not.toContain('diary.md  ')
    const c = await prepared()
    await answer(c, await say(c, 's', 'What is in the files?'), 'with this device')
    expect(await found(c)).toContain('workspace/diary.md:1: A rose for Ada.')
  })

  it('gets a chat that was only answered on this device after a yes of its own', async () => {
    const b = await chats(['Hello.', 'More.'])
    await b.agent.choose('private', { model: 'scripted' })
    const asked = await say(b, 'private', 'Go on.')
    expect(asked).toMatchObject({ state: 'asking', question: { reach: 'this chat', call: { id: 'this chat' } } })
    expect(b.model.requests).toHaveLength(0)
    b.events.length = 0
    await b.agent.answer('private', 'this chat', 'deny')
    expect((await b.rest('private')).state).toBe('idle')
    expect(b.model.requests).toHaveLength(0)
    expect((await b.log('private')).at(-1)).toMatchObject({ type: 'note', code: 'stopped', text: expect.stringContaining('Not sent') })

    await say(b, 'private', 'Go on, then.')
    b.events.length = 0
    await b.agent.answer('private', 'this chat', 'allow')
    expect((await b.rest('private')).state).toBe('idle')
    expect(b.model.requests).toHaveLength(1)
    expect((await say(b, 'private', 'And on.')).state).toBe('idle')
    expect((await b.store.session('private'))!.leaves).toBe('asks')
  })

  it('is not made the summariser of what stays here, unless it was chosen for that chat', async () => {
    const here = scripted(() => 'Noted.', { id: 'here', local: true })
    const b = bench(() => 'x', { model: elsewhere, others: [here] })
    await b.agent.setDefaults({ model: 'here', summariser: 'scripted' })
    const { id } = await b.agent.create()
    for (let n = 0; n < 6; n++) await say(b, id, `${secret} `.repeat(60))
    await b.agent.compact(id)
    expect(b.model.requests).toHaveLength(0)
    await b.agent.choose(id, { summariser: 'scripted' })
    for (let n = 0; n < 4; n++) await say(b, id, `${secret} `.repeat(60))
    await b.agent.compact(id)
    expect(b.model.requests.length).toBeGreaterThan(0)
  })
})

describe('a chat that stayed on this device until now', () => {
  it('is not summarised by a model elsewhere that was only chosen', async () => {
    const here = scripted(() => 'Noted.', { id: 'here', local: true })
    const b = bench(() => 'Summary.', { model: elsewhere, others: [here] })
    await b.agent.setDefaults({ model: 'here' })
    const { id } = await b.agent.create()
    for (let n = 0; n < 6; n++) await say(b, id, `${secret} `.repeat(60))
    await b.agent.setDefaults({ model: 'scripted' })
    await b.agent.preview(id)
    await b.agent.compact(id)
    expect((await b.log(id)).findLast(entry => entry.type === 'summary')).toMatchObject({ by: 'extractive' })
    expect(b.model.requests).toHaveLength(0)
    expect((await say(b, id, 'Go on.')).state).toBe('asking')
    b.events.length = 0
    await b.agent.answer(id, 'this chat', 'allow')
    expect((await b.rest(id)).state).toBe('idle')
    await b.agent.compact(id)
    expect(b.model.requests.length).toBeGreaterThan(1)
  })

  it('asks as well where the model elsewhere was chosen while the request was made smaller', async () => {
    const away = scripted(() => 'Hello.', { id: 'away', local: false })
    const chosen: Promise<void>[] = []
    const b = bench((request): string => {
      if (request.tools.length === 0 && chosen.length === 0) chosen.push(b.agent.choose(id, { model: 'away' }))
      return 'Fine. '.repeat(40)
    }, { model: { local: true, contextWindow: 8_192 }, others: [away] })
    const { id } = await b.agent.create()
    await b.agent.choose(id, { strategy: 'copaw' })
    let last: Status = { state: 'idle' }
    for (let n = 0; n < 40 && last.state === 'idle' && chosen.length === 0; n++) last = await say(b, id, `${secret} `.repeat(80))
    expect(chosen).toHaveLength(1)
    expect(last).toMatchObject({ state: 'asking', question: { reach: 'this chat' } })
    expect(away.requests).toHaveLength(0)
  })
})

describe('a model of this device', () => {
  it('is never asked about', async () => {
    const b = bench((_, index) => index === 0 ? call('memory_search', { query: 'anything' }) : 'Done')
    const { id } = await b.agent.create()
    expect((await say(b, id, 'Look.')).state).toBe('idle')
    expect((await b.store.session(id))!.leaves).toBe('stays')
  })

  it('asks as one elsewhere does where one has answered: it would be sent what was read when it answers again', async () => {
    const reader = scripted([call('memory_search', { query: 'safe pin boat pier' }), 'Found.'], { id: 'reader', local: true })
    const b = await chats(['Hello.', 'Hello again.'], reader)
    await say(b, 's', 'Hello.')
    await b.agent.choose('s', { model: 'reader' })
    const asked = await say(b, 's', 'What is the pin?')
    expect(asked).toMatchObject({ state: 'asking', question: { tool: 'memory_search', reach: 'other chats' } })
    expect((await reloaded(b, reader).agent.open('s')).status).toEqual(asked)
    expect((await answer(b, asked, 'allow')).state).toBe('idle')
    expect(await found(b)).toContain('pier 9')
    await b.agent.choose('s', { model: 'scripted' })
    await say(b, 's', 'And now you.')
    expect(b.model.requests).toHaveLength(2)
    expect(JSON.stringify(b.model.requests)).not.toContain('pin of the safe')
  })
})
