import { beforeAll, describe, expect, it } from 'vitest'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { AgentError } from '../../errors.ts'
import type { Entry } from '../../log/entry.ts'
import { fullArchive } from '../archive/readable-archive.ts'
import { SearchIndex } from '../search/search-index.ts'
import { runTool, type ToolContext } from './tool.ts'
import { memoryGet } from './memory-get.ts'
import { memorySearch } from './memory-search.ts'
import { searchFiles } from './search-files.ts'
import { linearPattern } from '../../../net/linear-pattern.ts'

/** A Wednesday. */
const now = new Date(2026, 2, 18, 15).getTime()
let context: ToolContext

beforeAll(async () => {
  const store = new MemoryStore()
  await store.createSession({ id: 'a', title: 'Boats', createdAt: 0, updatedAt: 0, leaf: null })
  const said = (id: string, at: number, text: string): Entry => ({ id, parent: null, at, type: 'user', text })
  await store.append('a', [
    said('e1', new Date(2026, 2, 10).getTime(), 'The mast is made of larch.'),
    said('e2', new Date(2026, 2, 10).getTime(), 'Who built it?'),
    said('e3', new Date(2026, 2, 10).getTime(), 'Olsen built the mast.'),
    said('e4', new Date(2025, 4, 3).getTime(), 'A mast of steel was planned.'),
  ])
  await store.append('a', [
    {
      id: 'm1',
      parent: null,
      at: new Date(2026, 2, 10, 9).getTime(),
      type: 'memory',
      text: 'The boat has a larch mast.',
    },
  ])
  await store.saveDocument('workspace/notes.md', 'alpha\nTODO: oil the mast\nomega\n', now, 0)
  context = {
    session: 'b',
    archive: fullArchive(store),
    search: new SearchIndex(store),
    signal: new AbortController().signal,
    givenPassages: new Set(),
    maxBytes: 50_000,
    maxSearchTokens: 2_000,
    world: { now: () => now, newId: () => 'x', sleep: () => Promise.resolve() },
    compilePattern: linearPattern,
    readPage: () => Promise.reject(new AgentError('tool_failed', 'no network')),
  }
})

const run = (tool: typeof memorySearch, args: Record<string, unknown>) =>
  runTool(tool, args, { ...context, givenPassages: new Set() })

describe('memory_search', () => {
  it('gives place, chat, day, score and one neighbour on each side, each text once', async () => {
    const { text } = await run(memorySearch, { query: 'who built the mast', where: 'messages', limit: 1 })
    expect(text).toMatch(/^1\. dialog\/2026-03-10\.jsonl:\d \(Boats, 2026-03-10, score \d+\.\d\)\n/)
    expect(text.split('\n').filter(line => /^\[(before|after)\] /.test(line)).length).toBeGreaterThan(0)
    const all = (await run(memorySearch, { query: 'mast' })).text
    expect(all.split('Olsen built the mast.').length).toBe(2)
  })

  it('narrows by time and by place, and never gives a passage twice in a turn', async () => {
    expect((await run(memorySearch, { query: 'mast', from: '2025-05', to: '2025-05' })).text).toContain('steel')
    expect((await run(memorySearch, { query: 'mast', from: '2025-05', to: '2025-05' })).text).not.toContain('larch')
    expect((await run(memorySearch, { query: 'mast in May 2025' })).text).toMatch(/^1\. dialog\/2025-05-03/)
    expect((await run(memorySearch, { query: 'mast', from: 'last week', where: 'files' })).text).toMatch(
      /^1\. workspace\/notes\.md/,
    )
    const given = new Set<string>()
    const first = await memorySearch.run({ query: 'mast' }, { ...context, givenPassages: given })
    expect(first).toContain('Olsen')
    expect(await memorySearch.run({ query: 'mast' }, { ...context, givenPassages: given })).not.toContain('Olsen built')
  })

  it.each([
    [{ query: ' ' }, 'empty'],
    [{ query: 'x', from: '2026-02-30' }, 'no date that exists'],
    [{ query: 'x', from: '2026', to: '2025' }, 'later'],
    [{ query: 'x', where: 'moon' }, 'one of'],
    [{}, 'missing'],
  ])('says what is wrong with %j', async (args, words) => {
    expect(await run(memorySearch, args)).toMatchObject({
      isError: true,
      text: expect.stringContaining(words) as string,
    })
  })

  it('answers to stop words, ten thousand letters and broken letters', async () => {
    for (const query of ['the of and', 'mast '.repeat(2_000), '\ud83d mast'])
      expect((await run(memorySearch, { query })).isError).toBe(false)
  })
})

describe('memory_get and search_files', () => {
  it('read what a search has named', async () => {
    expect((await run(memoryGet, { path: '2026-03-10' })).text).toContain('larch mast')
    expect((await run(memoryGet, { path: 'workspace/notes.md', start_line: 2, end_line: 2 })).text).toMatch(/^TODO/)
    expect(await run(memoryGet, { path: 'workspace/none.md' })).toMatchObject({ isError: true })
  })

  it('finds lines by a pattern, also by one that would never end elsewhere, and refuses what is none', async () => {
    expect((await run(searchFiles, { pattern: 'todo.*mast' })).text).toBe('workspace/notes.md:2: TODO: oil the mast')
    expect((await run(searchFiles, { pattern: 'Olsen', path: 'dialog/' })).text).toMatch(
      /^dialog\/2026-03-10\.jsonl:3: /,
    )
    expect((await run(searchFiles, { pattern: '(\\w+)+t$' })).isError).toBe(false)
    expect((await run(searchFiles, { pattern: '(a)\\1' })).isError).toBe(true)
    expect((await run(searchFiles, { pattern: 'zzz' })).text).toMatch(/^No line/)
  })
})
