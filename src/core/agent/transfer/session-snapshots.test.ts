import { describe, expect, it } from 'vitest'
import { AgentError } from '../../errors.ts'
import type { LogStore } from '../../ports/ports.ts'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { testAgent, logSummary, sendAndSettle, until, type TestAgent } from '../agent.fixture.ts'
import { snapshotLines } from './snapshot-lines.ts'
import { importLinesInto } from './transfer.fixture.ts'

/** A store that is taken away: from then on it refuses everything. */
function removable(): { store: LogStore; remove(): void } {
  let gone = false
  const store = new Proxy(new MemoryStore(), {
    get(own, name) {
      const method = Reflect.get(own, name) as unknown
      if (typeof method !== 'function') return method
      return (...args: unknown[]) =>
        gone
          ? Promise.reject(new AgentError('storage_gone', 'gone'))
          : (method as (...args: unknown[]) => unknown).apply(own, args)
    },
  })
  return {
    store,
    remove: () => {
      gone = true
    },
  }
}

const saved = async (b: TestAgent): Promise<string[]> =>
  snapshotLines(await b.agent.sessionSnapshots(), { newId: b.world.newId, now: b.world.now() })

describe('what memory holds when the store is gone', () => {
  it('comes back from a file as it was: branches, edits, calls, both ends of a huge text', async () => {
    const { store, remove } = removable()
    const b = testAgent(
      [{ calls: [{ name: 'get_time', arguments: {} }], text: 'Let me see.' }, 'Ten.', 'Long.', 'Long indeed.'],
      { store },
    )
    const { id } = await b.agent.create('Of two')
    await sendAndSettle(b, id, 'What time is it?')
    await sendAndSettle(b, id, 'line\n'.repeat(40_000))
    await b.agent.pin(id, (await b.log(id))[0]!.id, true)
    b.events.length = 0
    await b.agent.regenerate(id, (await b.log(id)).findLast(entry => entry.type === 'assistant')!.id)
    await b.settled(id)
    const before = await b.log(id)
    const view = await b.agent.view(id)
    remove()
    const lines = await saved(b)
    const fresh = testAgent([], { prefix: 'f' })
    expect((await importLinesInto(fresh, lines)).problems).toEqual([])
    expect(logSummary(await fresh.log(id))).toEqual(logSummary(before))
    expect((await fresh.log(id)).map(({ id, parent, at }) => [id, parent, at])).toEqual(
      before.map(({ id, parent, at }) => [id, parent, at]),
    )
    expect((await fresh.agent.view(id)).map(({ role, content }) => [role, content])).toEqual(
      view.map(({ role, content }) => [role, content]),
    )
    expect(await fresh.agent.sessions()).toMatchObject([
      { id, title: 'Of two', leaf: (await b.agent.sessionSnapshots())[0]!.info.leaf },
    ])
  })

  it('comes back with the answer that was being written, and with the draft', async () => {
    const { store, remove } = removable()
    const b = testAgent([{ text: ['Half of', ' an answer', ' that goes on.'], delayMs: 30 }], { store })
    const { id } = await b.agent.create('A chat')
    await b.agent.send(id, 'Tell me')
    await until(() => b.events.some(event => event.type === 'delta'))
    remove()
    // it goes on to its end, and cannot be stored
    await until(() => b.events.some(event => event.type === 'failed' && event.code === 'storage_gone'))
    const held = await b.agent.sessionSnapshots()
    const lines = snapshotLines(
      held.map(chat => ({ ...chat, info: { ...chat.info, draft: 'And then?' } })),
      { newId: () => 'new1', now: 99 },
    )
    const fresh = testAgent([], { prefix: 'f' })
    await importLinesInto(fresh, lines)
    expect(logSummary(await fresh.log(id))).toEqual([
      'user: Tell me',
      'assistant (interrupted): Half of an answer that goes on.',
    ])
    expect(await fresh.agent.sessions()).toMatchObject([{ title: 'A chat', draft: 'And then?', leaf: 'new1' }])
    // A second time it changes nothing, and it never writes over what is typed.
    await fresh.agent.saveDraft(id, 'Typed here')
    expect(await importLinesInto(fresh, lines)).toMatchObject({ entries: 0, skipped: 2 })
    expect((await fresh.agent.sessions())[0]!.draft).toBe('Typed here')
    await fresh.agent.saveDraft(id, '')
    await importLinesInto(fresh, lines)
    expect((await fresh.agent.sessions())[0]!.draft).toBe('And then?')
  })

  it('is told as that to whoever sends, and what was there stays held', async () => {
    const { store, remove } = removable()
    const b = testAgent(['One.'], { store })
    const { id } = await b.agent.create('A chat')
    await sendAndSettle(b, id, 'First')
    remove()
    await expect(b.agent.send(id, 'Second')).rejects.toMatchObject({ code: 'storage_gone' })
    expect((await saved(b)).length).toBe(3)
    // Another tab has begun anew, with what this one saved.
    b.agent.onPeerEvent({ type: 'appended', session: id, entries: [], from: 2, leaf: null })
    b.agent.onPeerEvent({ type: 'sessions' })
    await new Promise(resolve => {
      setTimeout(resolve, 5)
    })
    expect((await saved(b)).length).toBe(3)
  })

  it('is told to whoever sends in a chat whose last question has no answer, too: what its state is cannot be asked then', async () => {
    const { store, remove } = removable()
    const b = testAgent([{ fail: { code: 'model_server' } }], { store })
    const { id } = await b.agent.create('A chat')
    await b.store.append(id, [{ type: 'user', id: 'u1', parent: null, at: 1, text: 'Open' }])
    await b.agent.view(id)
    remove()
    await expect(b.agent.send(id, 'Second')).rejects.toMatchObject({ code: 'storage_gone' })
    await expect(b.agent.resume(id)).rejects.toMatchObject({ code: 'storage_gone' })
  })
})
