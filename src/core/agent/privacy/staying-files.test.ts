/** Files that a chat of this device wrote: who finds, reads and changes them. */
import { describe, expect, it } from 'vitest'
import { scripted } from '../../../models/scripted.ts'
import type { ModelRequest } from '../../log/message.ts'
import type { Model } from '../../ports/ports.ts'
import { testAgent, sendAndSettle, type TestAgent } from '../agent.fixture.ts'
import { elsewhere, callOfTool, answer, found } from './egress.fixture.ts'

describe('a file that stays on this device', () => {
  /**
   * A chat of this device and one that was answered elsewhere have each written a file; the model elsewhere has a chat
   * of its own.
   */
  async function files(script: Parameters<typeof testAgent>[0], ...more: Model[]): Promise<TestAgent> {
    const write = (path: string, content: string, local: boolean) =>
      scripted([callOfTool('write_file', { path, content }), 'Written.', 'More.'], { id: path, local })
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
    return next ? callOfTool(...next) : 'Done'
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
    const c = testAgent([callOfTool('write_file', { path: 'workspace/new.md', content: 'x' }), 'Done'], {
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
