/** What must hold for every tool of the table. Arguments are made from its own schema, so a new row falls under it. */
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { linearPattern } from '../../../net/linear-pattern.ts'
import { MemoryStore } from '../../../storage/memory-store.ts'
import type { Entry } from '../../log/entry.ts'
import { anyText, lives, runs } from '../../text/laws.fixture.ts'
import { stillWorld } from '../agent.fixture.ts'
import { readPath } from '../archive/read-path.ts'
import { fullArchive, readableArchive, searchView, type ArchiveReader } from '../archive/readable-archive.ts'
import { noteTexts } from '../i18n/note-texts.ts'
import { SearchIndex } from '../search/search-index.ts'
import { configKeys, defaultsOf } from '../../context/config/config.ts'
import { strategyNames } from '../../context/strategy.ts'
import { offeredTools, rereadableTools, toolsWithReadOnLine, tools, unindexedTools } from './index.ts'
import { runTool, type Tool, type ToolContext } from './tool.ts'

type Args = Record<string, unknown>
type Schema = { properties: Record<string, { type: string; enum?: string[] }>; required?: string[] }
const schemaOf = ({ parameters }: Tool): Schema => parameters as unknown as Schema
const requiredOf = (tool: Tool): readonly string[] => schemaOf(tool).required ?? []
const named = tools.map(tool => [tool.name, tool] as const)

/** Of a chat and files that may go elsewhere after a yes, and of what stays here. */
const shared = 'SHAREDWORD'
const staying = 'STAYINGWORD'
const at = new Date(2026, 0, 31, 12).getTime()
const day = '2026-01-31'
let store: MemoryStore
let search: SearchIndex

beforeEach(async () => {
  store = new MemoryStore()
  search = new SearchIndex(store, { unindexedTools })
  const marks = { own: 'asks', other: 'asks', private: 'stays' } as const
  for (const [id, leaves] of Object.entries(marks)) {
    await store.createSession({ id, title: id, createdAt: 0, updatedAt: 0, leaf: null, leaves })
    const text = { own: 'An own word', other: shared, private: staying }[id as keyof typeof marks]
    await store.append(id, [
      { id: `${id}-u`, parent: null, at, type: 'user', text },
      { id: `${id}-r`, parent: null, at, type: 'result', callId: 'c', tool: 't', text, isError: false },
      { id: `${id}-m`, parent: null, at, type: 'memory', text },
    ])
  }
  await store.saveDocument(`workspace/${shared}.md`, `${shared}\n`, at, 0, 'asks')
  await store.saveDocument(`workspace/${staying}.md`, `${staying}\n`, at, 0, 'stays')
  await store.saveDocument('workspace/notes.md', 'a note\n', at, 0, 'asks')
})

function contextFor(reader: ArchiveReader, maxBytes = 20_000): ToolContext {
  return {
    session: 'own',
    archive: readableArchive(store, reader),
    world: stillWorld('t'),
    compilePattern: linearPattern,
    readPage: async url => ({ title: 'T', markdown: 'A page.', url }),
    search: {
      find: async (query, options) => search.find(query, { ...options, view: await searchView(store, reader) }),
    },
    signal: new AbortController().signal,
    maxBytes,
    maxSearchTokens: 2_000,
    givenPassages: new Set(),
    compact: async keep => `Compacted, and kept ${keep.length} letters.`,
  }
}
const whole = (maxBytes?: number): ToolContext => contextFor({ session: 'own', access: 'all' }, maxBytes)
const dump = async (): Promise<string> =>
  JSON.stringify(await Promise.all((await store.documents()).map(({ path }) => store.document(path))))

/** Values that mean something here, and of every wrong kind. */
const oddValues: unknown[] = [
  undefined,
  null,
  true,
  [],
  ['workspace/notes.md'],
  {},
  { $ne: 1 },
  0,
  -1,
  1,
  2.5,
  1e300,
  '7',
  '-3',
  'NaN',
  '1e999',
  '',
  ' \n\u3000',
  '\ud83d',
  '\u0000',
  '../../etc/passwd',
  'workspace/',
  'workspace/notes.md',
  'https://x.y/z',
  'x'.repeat(20_000),
  '(',
  '(a+)+$',
  `dialog/${day}.jsonl`,
  'MEMORY.md',
  '__proto__',
  'constructor',
]
const anyValue = fc.oneof(fc.constantFrom(...oddValues), anyText)
const anyArguments = (tool: Tool): fc.Arbitrary<Args> =>
  fc.dictionary(fc.constantFrom(...Object.keys(schemaOf(tool).properties), 'unknown'), anyValue, { maxKeys: 6 })

describe.each(named)('%s', (_, tool) => {
  it('answers whatever a model writes, or says what is wrong, and changes nothing then', async () => {
    await fc.assert(
      fc.asyncProperty(anyArguments(tool), async args => {
        const before = await dump()
        const { text, isError } = await runTool(tool, args, whole())
        expect(text).not.toBe('')
        expect(text.length).toBeLessThan(22_000)
        if (isError || tool.kind === 'reads') expect(await dump()).toBe(before)
      }),
      runs(60),
    )
  })

  it('names what is missing', async () => {
    for (const missing of requiredOf(tool)) {
      const args = Object.fromEntries(
        requiredOf(tool).flatMap(name => (name === missing ? [] : [[name, 'workspace/a']])),
      )
      expect(await runTool(tool, args, whole())).toEqual({
        isError: true,
        text: expect.stringMatching(`"${missing}" is missing`) as string,
      })
    }
  })

  it('names the nearest where a path leads nowhere', async () => {
    for (const name of Object.keys(schemaOf(tool).properties).filter(name => /path|prefix/.test(name))) {
      const args = { ...Object.fromEntries(requiredOf(tool).map(name => [name, 'word'])), [name]: 'workspace/note.md' }
      const { text } = await runTool(tool, args, whole())
      if (tool.kind === 'acts' && /was created/.test(text)) continue // it makes what is not there
      expect(text).toContain('workspace/notes.md')
    }
  })

  it('gives a model elsewhere nothing of others unasked, and nothing that stays here after a yes to the rest', async () => {
    const places = [shared, staying, day, `dialog/${day}.jsonl`, 'dialog/', '.', `workspace/${shared}.md`, 'workspace/']
    const lines = ['other', 'private'].flatMap(id => [`dialog/${id}/${day}.jsonl`, `user_text/${id}-u.txt`])
    const more = [`memory/${day}.md`, `workspace/${staying}.md`, 'workspace/n', 'MEMORY.md', ...lines]
    const text = fc.constantFrom(undefined, '', 'everything', ...places, ...more)
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom(...Object.keys(schemaOf(tool).properties), 'x'), text),
        async args => {
          // What was typed comes back in errors; whoever typed it knew it.
          const typed = JSON.stringify(args)
          const gives = ({ text }: { text: string }, word: string): boolean =>
            !typed.includes(word) && text.includes(word)
          const unasked = await runTool(tool, args, contextFor({ session: 'own', access: 'own' }))
          expect(gives(unasked, shared) || gives(unasked, staying)).toBe(false)
          const asked = await runTool(tool, args, contextFor({ session: 'own', access: 'asks' }))
          expect(gives(asked, staying)).toBe(false)
          // An id is known only to those who were given it.
          if (tool.kind !== 'reads' || !gives(asked, shared) || /user_text/.test(typed)) return
          let seen = false
          const archive = readableArchive(store, { session: 'own', access: 'all', onRead: () => (seen = true) })
          if (tool.dryRun !== 'reads nothing stored') await tool.dryRun(args, { archive, session: 'own' })
          expect(seen).toBe(true)
        },
      ),
      runs(80),
    )
  })

  it('is offered always, or where its own switch is on, which nothing has on by itself', () => {
    for (const name of strategyNames) {
      const config = defaultsOf(name)
      expect(offeredTools(config).includes(tool)).toBe(tool.needs === undefined)
      if (tool.needs === undefined) continue
      expect(configKeys[tool.needs]).toMatchObject({ type: 'boolean', default: false, strategies: 'all' })
      expect(offeredTools({ ...config, [tool.needs]: true })).toContain(tool)
      expect(tool.inSmallWindows).toBeUndefined()
    }
  })

  it('is found by a search exactly if its row says so', async () => {
    await store.append('own', [
      { id: 'x', parent: null, at, type: 'result', callId: 'x', tool: tool.name, text: 'walrus', isError: false },
    ])
    expect((await search.find('walrus', { limit: 5, maxLength: 99 })).length > 0).toBe(tool.indexed)
  })

  it('gives the same text again by the same call, and keeps a read-on line, where its row says so', async () => {
    expect([rereadableTools.has(tool.name), toolsWithReadOnLine.has(tool.name)]).toEqual([
      tool.rereadable === true,
      tool.hasReadOnLine === true,
    ])
    if (!tool.rereadable) return
    const args = Object.fromEntries(requiredOf(tool).map(name => [name, 'workspace/notes.md']))
    const first = await runTool(tool, args, whole())
    expect(first.isError).toBe(false)
    expect(await runTool(tool, args, whole())).toEqual(first)
  })
})

describe('reading on', () => {
  const body = fc.array(fc.oneof(anyText, fc.constantFrom('x'.repeat(900), '汉字'.repeat(200), '\n\n\n')), {
    maxLength: 8,
  })
  const texts = body.map(parts => parts.join('').replace(/\p{Cs}/gu, '?'))
  const limit = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 60, max: 2_000 }))

  it('ends and loses nothing, by lines, by bytes and by both in turn, for every kind of path', async () => {
    await fc.assert(
      fc.asyncProperty(texts, limit, fc.boolean(), fc.boolean(), async (text, maxBytes, byBytes, huge) => {
        const long = huge ? text + 'y'.repeat(140_000) : text
        const here = new MemoryStore()
        await here.createSession({ id: 's', title: '', createdAt: 0, updatedAt: 0, leaf: null })
        const facts: Entry[] = [
          { id: 'u', parent: null, at, type: 'user', text: long },
          { id: 'r', parent: null, at, type: 'result', callId: 'c', tool: 't', text, isError: false },
          { id: 'm', parent: null, at, type: 'memory', text: `A note. ${text}` },
        ]
        await here.append('s', facts)
        await here.saveDocument('workspace/a.md', text, at, 0)
        const archive = fullArchive(here)
        const paths = ['user_text/u.txt', 'tool_result/r.txt', 'workspace/a.md']
        for (const path of [...paths, `memory/${day}.md`, `dialog/${day}.jsonl`, `dialog/s/${day}.jsonl`]) {
          const all = (await readPath(archive, path, { startByte: 0 }, Number.MAX_SAFE_INTEGER)).text
          const most = Math.max(maxBytes, Math.ceil(all.length / 30)) // each read may look at the whole text
          if (path === 'workspace/a.md') expect(all).toBe(text)
          let read = ''
          let range: object = byBytes ? { startByte: 0 } : {}
          for (let calls = 0; ; calls++) {
            expect(calls).toBeLessThanOrEqual(all.length)
            const part = await readPath(archive, path, range, most)
            read += part.text
            if (!part.more) break
            range = part.nextByte === undefined ? { startLine: part.nextLine! } : { startByte: part.nextByte }
          }
          expect(read === all, path).toBe(true)
        }
      }),
      lives(12),
    )
  })
})

it('what a small window keeps is what its note names', () => {
  const kept = tools.filter(tool => tool.inSmallWindows).map(({ name }) => name)
  for (const language of ['en', 'zh'] as const)
    expect(
      noteTexts({ language })
        .smallWindow('two tools', 4_096)
        .match(/\b[a-z]+_[a-z]+\b/g),
    ).toEqual(kept)
  for (const tool of tools)
    for (const key of tool.inSmallWindows?.keys ?? []) expect(Object.keys(schemaOf(tool).properties)).toContain(key)
})
