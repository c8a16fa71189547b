import { beforeAll, describe, expect, it } from 'vitest'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { AgentError } from '../../errors.ts'
import type { Entry } from '../../log/entry.ts'
import { createArchiveSearch } from '../search/archive-search.ts'
import { fullArchive } from '../archive/readable-archive.ts'
import { runTool, type Tool, type ToolContext } from './tool.ts'
import { memoryGet } from './memory-get.ts'
import { memorySearch } from './memory-search.ts'
import { searchFiles } from './search-files.ts'
import { linearPattern } from '../../../net/linear-pattern.ts'

/**
 * Whatever a model writes, a tool answers or says what is wrong, within this time. Unit: ms; search_files stops itself
 * after 3 s, the rest is for a busy machine.
 */
const inTime = 15_000
const now = new Date(2026, 2, 18, 15).getTime()
let context: Omit<ToolContext, 'givenPassages'>

beforeAll(async () => {
  const store = new MemoryStore()
  await store.createSession({ id: 'a', title: 'Boats', createdAt: 0, updatedAt: 0, leaf: null })
  const words = [
    'larch mast',
    'the of and',
    '桅杆是落叶松',
    '돛대는 낙엽송',
    'マストはカラマツ',
    '\ud83d broken \udc00',
    'a'.repeat(5_000),
    '😀😀😀',
  ]
  await store.append(
    'a',
    Array.from({ length: 160 }, (_, i): Entry => ({
      id: `e${i}`,
      parent: null,
      at: now - i * 60_000,
      type: 'user',
      text: `${words[i % words.length]} ${i}`,
    })),
  )
  await store.saveDocument(
    'workspace/long.txt',
    `${'a'.repeat(200_000)}\n${'a b '.repeat(50_000)}\nTODO: oil the mast\n`,
    now,
    0,
  )
  const world = { now: () => Date.now(), newId: () => 'x', sleep: () => Promise.resolve() }
  context = {
    session: 'b',
    archive: fullArchive(store),
    search: createArchiveSearch({ store, world }),
    signal: new AbortController().signal,
    maxBytes: 50_000,
    maxSearchTokens: 2_000,
    world,
    compilePattern: linearPattern,
    readPage: () => Promise.reject(new AgentError('tool_failed', 'no network')),
  }
  await memorySearch.run({ query: 'ready' }, { ...context, givenPassages: new Set() })
}, 60_000)

/**
 * Runs a tool; answers with what it said, whether it was an error, and fails where it took too long or said nothing.
 */
async function asked(
  tool: Tool,
  args: Record<string, unknown>,
  world = context.world,
): Promise<{ text: string; isError: boolean }> {
  const started = process.cpuUsage() // other work on the machine must not count
  const answer = await runTool(tool, args, { ...context, world, givenPassages: new Set() })
  const { user, system } = process.cpuUsage(started)
  expect((user + system) / 1_000).toBeLessThan(inTime)
  expect(answer.text).not.toBe('')
  return answer
}

describe('memory_search', () => {
  it.each([
    [{}],
    [{ query: '' }],
    [{ query: ' \n\t\u3000' }],
    [{ query: null }],
    [{ query: { $ne: 1 } }],
    [{ query: ['mast'] }],
    [{ query: true }],
  ])('says what is wrong with %j', async args => {
    expect(await asked(memorySearch, args)).toMatchObject({
      isError: true,
      text: expect.stringMatching(/query/) as string,
    })
  })

  it.each([
    'the of and',
    '的 了 在',
    'what is it',
    'は が を',
    '???',
    '…',
    '😀',
    '\u0000\u0007',
    '\u202e\u2066',
    '(((',
    '"mast',
    '*',
    '%_',
    '-mast',
    'AND OR NOT',
  ])('answers %j, which has no telling word', async query => {
    expect((await asked(memorySearch, { query })).isError).toBe(false)
  })

  it.each([
    ['words', 'larch mast '.repeat(1_000)],
    ['one word', 'x'.repeat(10_000)],
    ['Chinese', '桅杆落叶松'.repeat(2_000)],
    ['Korean', '돛대는 '.repeat(2_500)],
    ['base64', btoa('\u0001\u00ffq'.repeat(2_500))],
    ['joints', 'a-'.repeat(5_000)],
    ['brackets', '('.repeat(10_000)],
    ['dates', '2026-01-31 '.repeat(900)],
    ['numbers', '1'.repeat(10_000)],
    ['accents', 'e\u0301'.repeat(5_000)],
    ['a hundred thousand letters', 'mast '.repeat(20_000)],
  ])('answers ten thousand letters of %s in time', async (_of, query) => {
    expect((await asked(memorySearch, { query })).isError).toBe(false)
  })

  it.each(['\ud83d', '\udc00 mast', 'mast \ud83d', 'la\udc00rch', '\ud83d\ud83d\udc00\udc00'])(
    'takes broken UTF-16 %j, and gives none of it on',
    async query => {
      const { text } = await asked(memorySearch, { query })
      expect(text).toMatch(/^(\d+\. |Nothing was found)/)
    },
  )

  it.each([
    '2026-02-30',
    '2026-02-29',
    '2026-13',
    '2026-00-10',
    '0000-00-00',
    '9999-99-99',
    '20260131',
    'soon',
    'NaN',
    '-1',
    '1e999',
    '2026-01-31T99:99:99Z',
    '\ud83d',
    'x'.repeat(10_000),
  ])('refuses the date %j and says how one is written', async from => {
    expect(await asked(memorySearch, { query: 'mast', from })).toMatchObject({
      isError: true,
      text: expect.stringContaining('2026-01-31') as string,
    })
    expect(await asked(memorySearch, { query: 'mast', to: from })).toMatchObject({ isError: true })
  })

  it('reads a day that does not exist inside a query as words', async () => {
    expect((await asked(memorySearch, { query: 'mast on 2026-02-30 or the 31st of June' })).text).toMatch(/larch mast/)
  })

  it.each([0, -5, 1e9, '7', 2.7])('takes the limit %j for a sensible one', async limit => {
    const count = (await asked(memorySearch, { query: 'mast', limit })).text.match(/^\d+\. /gm)?.length ?? 0
    expect(count >= 1 && count <= 10).toBe(true)
  })

  it.each([
    [{ limit: 'many' }],
    [{ limit: Number.NaN }],
    [{ where: 'moon' }],
    [{ where: 7 }],
    [{ from: '2026', to: '2025' }],
  ])('refuses %j', async args => {
    expect((await asked(memorySearch, { query: 'mast', ...args })).isError).toBe(true)
  })
})

describe('search_files', () => {
  it.each([
    '',
    '(',
    '[a',
    'a{',
    '*',
    '(a+)+$',
    '(a|aa)+$',
    '(a*)*b',
    '(.*a){30}',
    '(\\w+\\s?)+$',
    'a*a*a*a*a*b',
    '(a)\\1',
    '(?=(a+))\\1',
    'a{1,100000}',
    'x'.repeat(10_000),
  ])('refuses %j or is done in time', async pattern => {
    await asked(searchFiles, { pattern, path: 'workspace/' })
  })

  it.each(['a*a*b', '.*.*=.*', '(?:aa?)+x', '[^b]*[^c]*d', '\\s*\\S*\\s*z', '^(a|b|c)*$', '\ud83d', '.'])(
    'ends on very long lines: %s',
    async pattern => {
      // On a clock that runs six times as fast, its limit of 3 s is over in half a second.
      const hasty = { ...context.world, now: () => now + (Date.now() - now) * 6 }
      await asked(searchFiles, { pattern, path: 'workspace/' }, hasty)
      await asked(searchFiles, { pattern, path: 'dialog/' }, hasty)
    },
  )

  it.each([
    [{}],
    [{ pattern: 7 }],
    [{ pattern: null }],
    [{ pattern: 'mast', path: '../../etc' }],
    [{ pattern: 'mast', path: 'workspace/none.txt' }],
  ])('says what is wrong with %j', async args => {
    expect((await asked(searchFiles, args)).isError).toBe(true)
  })
})

describe('memory_get', () => {
  it.each([
    [{}],
    [{ path: '' }],
    [{ path: 7 }],
    [{ path: '../MEMORY.md' }],
    [{ path: 'memory/2026-02-30.md' }],
    [{ path: 'x'.repeat(10_000) }],
    [{ path: '\ud83d' }],
    [{ path: 'workspace/long.txt', start_line: 9, end_line: 3 }],
  ])('says what is wrong with %j', async args => {
    expect((await asked(memoryGet, args)).isError).toBe(true)
  })

  it.each([[{ start_line: -3 }], [{ start_line: '2' }], [{ start_line: 1, end_line: 1e12 }]])(
    'takes %j for a sensible range',
    async range => {
      expect((await asked(memoryGet, { path: 'workspace/long.txt', ...range })).isError).toBe(false)
    },
  )
})
