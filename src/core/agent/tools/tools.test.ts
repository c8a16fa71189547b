import { describe, expect, it } from 'vitest'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { stillWorld } from '../agent.fixture.ts'
import { fullArchive } from '../archive/readable-archive.ts'
import { SearchIndex } from '../search/search-index.ts'
import { AgentError } from '../../errors.ts'
import { runTool, type ToolContext } from './tool.ts'
import { tools } from './index.ts'
import { linearPattern } from '../../../net/linear-pattern.ts'

type Context = ToolContext & { store: MemoryStore }

function context(changes: Partial<Context> = {}): Context {
  const store = changes.store ?? new MemoryStore()
  return {
    session: 's',
    store,
    archive: fullArchive(store),
    world: stillWorld(),
    compilePattern: linearPattern,
    readPage: async url => ({ title: 'T', markdown: 'M'.repeat(5000), url }),
    search: new SearchIndex(store),
    signal: new AbortController().signal,
    maxBytes: 50_000,
    maxSearchTokens: 2000,
    givenPassages: new Set(),
    ...changes,
  }
}

const run = (
  name: string,
  args: Record<string, unknown>,
  with_: ToolContext,
): Promise<{ text: string; isError: boolean }> =>
  runTool(
    tools.find(tool => tool.name === name)!,
    args,
    with_,
  )

async function withResult(text: string): Promise<Context> {
  const store = new MemoryStore()
  await store.createSession({ id: 's', title: 'x', createdAt: 0, updatedAt: 0, leaf: null })
  await store.append('s', [
    { type: 'result', callId: 'c', tool: 't', text, isError: false, id: 'r', parent: null, at: 1 },
  ])
  return context({ store })
}

describe('read_file', () => {
  const lines = Array.from({ length: 5000 }, (_, n) => `line ${n + 1}`).join('\n')

  it('reads a range of lines, also when numbers come as texts, and says how to read on', async () => {
    const c = await withResult(lines)
    const { text } = await run('read_file', { path: 'tool_result/r.txt', start_line: '3', end_line: '4' }, c)
    expect(text).toBe(
      'line 3\nline 4\n[lines 3 to 4 of 5000 lines; to read on: read_file tool_result/r.txt start_line 5]',
    )
  })

  it('reads at most 2 000 lines at once', async () => {
    const { text } = await run('read_file', { path: 'tool_result/r.txt' }, await withResult(lines))
    expect(text).toContain('[lines 1 to 2000 of 5000 lines; to read on: read_file tool_result/r.txt start_line 2001]')
  })

  it('takes numbers below 1 for 1 and beyond the end for the end, and refuses a start behind it', async () => {
    const c = await withResult('a\nb\nc\n')
    expect((await run('read_file', { path: 'tool_result/r.txt', start_line: -4, end_line: 99 }, c)).text).toBe(
      'a\nb\nc\n',
    )
    expect(await run('read_file', { path: 'tool_result/r.txt', start_line: 4 }, c)).toMatchObject({
      isError: true,
      text: expect.stringContaining('has 3 lines, 6 bytes') as string,
    })
    expect(await run('read_file', { path: 'tool_result/r.txt', start_line: 3, end_line: 2 }, c)).toMatchObject({
      isError: true,
    })
  })

  it('reads on inside a long line, by bytes, without splitting a character', async () => {
    const whole = '汉'.repeat(1000)
    const c = { ...(await withResult(whole)), maxBytes: 1000 }
    let read = ''
    for (let start = 0; ;) {
      const { text } = await run(
        'read_file',
        { path: 'tool_result/r.txt', ...(start === 0 ? {} : { start_byte: start }) },
        c,
      )
      const next = /start_byte (\d+)\]$/.exec(text)
      read += text.split('\n[lines')[0]
      if (!next) break
      start = Number(next[1])
    }
    expect(read).toBe(whole)
  })

  it('reaches every byte of any text by its own read-on lines', async () => {
    const whole = `${'x'.repeat(700)}\n\n${'short\n'.repeat(50)}${'é'.repeat(900)}\nend`
    const c = { ...(await withResult(whole)), maxBytes: 400 }
    let read = ''
    let args: Record<string, unknown> = {}
    for (let n = 0; n < 100; n++) {
      const { text, isError } = await run('read_file', { path: 'tool_result/r.txt', ...args }, c)
      expect(isError).toBe(false)
      const next =
        /\n?\[lines \d+ to \d+ of \d+ lines; to read on: read_file \S+ (start_line|start_byte) (\d+)\]$/.exec(text)
      const shown = next
        ? text.slice(0, next.index) + (text.charAt(next.index) === '\n' && next[1] === 'start_line' ? '\n' : '')
        : text
      read += shown
      if (!next) break
      args = { [next[1]!]: Number(next[2]) }
    }
    expect(read).toBe(whole)
  })

  it('names what is near for an unknown path', async () => {
    const c = context()
    await c.store.saveDocument('workspace/notes.md', 'x', 1, 0)
    expect(await run('read_file', { path: 'workspace/note.md' }, c)).toEqual({
      isError: true,
      text: 'There is nothing at "workspace/note.md". Nearest: workspace/notes.md',
    })
    expect((await run('read_file', { path: '../../etc/passwd' }, c)).isError).toBe(true)
  })

  it('reads dialogs by line, of all chats and of one', async () => {
    const c = await withResult('the result')
    const day = (await c.store.days())[0]!.day
    expect((await run('read_file', { path: `dialog/${day}.jsonl` }, c)).text).toContain('"the result"')
    expect((await run('read_file', { path: `dialog/s/${day}.jsonl`, start_line: 1, end_line: 1 }, c)).text).toContain(
      '"the result"',
    )
    expect((await run('read_file', { path: `dialog/other/${day}.jsonl` }, c)).isError).toBe(true)
  })
})

describe('a dialog that is read by bytes', () => {
  it('ends where the day ends, and says what lies behind it', async () => {
    const c = await withResult('the result')
    const path = `dialog/${(await c.store.days())[0]!.day}.jsonl`
    const whole = (await run('read_file', { path }, c)).text
    expect((await run('read_file', { path, start_byte: 0 }, c)).text).toBe(whole)
    expect((await run('read_file', { path, start_byte: whole.length - 3 }, c)).text).toBe(whole.slice(-3))
    expect(await run('read_file', { path, start_byte: 100_000 }, c)).toEqual({
      isError: true,
      text: `start_byte 100000 is behind the end: ${path} has 1 line, ${whole.length} bytes.`,
    })
  })
})

describe('search_files', () => {
  it('finds what stands behind a line of more than a megabyte, and counts each line once', async () => {
    const c = context()
    await c.store.saveDocument('workspace/long.txt', `first\n${'x'.repeat(1_200_000)}\nneedle here\n`, 1, 0)
    expect((await run('search_files', { pattern: 'needle' }, c)).text).toBe(
      'workspace/long.txt:3: needle here\n[of very long lines only the first 4000 characters were searched: workspace/long.txt:2]',
    )
    await c.store.saveDocument('workspace/lines.txt', 'a\n'.repeat(501), 1, 0)
    expect((await run('search_files', { pattern: '^$', path: 'workspace/lines.txt' }, c)).text).toBe(
      'No line of workspace/lines.txt matches.',
    )
    expect((await run('search_files', { pattern: 'a', path: 'workspace/lines.txt' }, c)).text).toMatch(
      /workspace\/lines\.txt:100: a\n\[more matches follow/,
    )
  })
})

describe('files of the workspace', () => {
  it('are written, changed at one exact place, and every revision is kept', async () => {
    const c = context()
    await run('write_file', { path: 'workspace/a.md', content: 'one\ntwo\nthree' }, c)
    expect((await run('edit_file', { path: 'workspace/a.md', old_text: 'two', new_text: '$& 2' }, c)).text).toContain(
      'line 2; revision 2',
    )
    expect((await c.store.document('workspace/a.md'))?.text).toBe('one\n$& 2\nthree')
    expect((await c.store.document('workspace/a.md', 1))?.text).toBe('one\ntwo\nthree')
    expect((await run('list_files', { prefix: 'workspace/' }, c)).text).toBe('workspace/a.md  14 bytes, revision 2')
  })

  it('are not changed where the text is missing, comes twice, or differs in blanks only', async () => {
    const c = context()
    await run('write_file', { path: 'workspace/a.md', content: 'x  y\nx z\nx z' }, c)
    expect((await run('edit_file', { path: 'workspace/a.md', old_text: 'q', new_text: '' }, c)).text).toMatch(
      /does not occur in workspace\/a\.md\. Read/,
    )
    expect((await run('edit_file', { path: 'workspace/a.md', old_text: 'x y', new_text: '' }, c)).text).toContain(
      'only its blanks',
    )
    expect((await run('edit_file', { path: 'workspace/a.md', old_text: 'x z', new_text: '' }, c)).text).toContain(
      'more than once',
    )
    expect((await run('edit_file', { path: 'workspace/b.md', old_text: 'x', new_text: '' }, c)).text).toContain(
      'Nearest: workspace/a.md',
    )
    expect((await c.store.document('workspace/a.md'))?.revision).toBe(1)
  })
})

describe('fetch_url', () => {
  it('asks with the host, gives the page whole, and names the source', async () => {
    const tool = tools.find(tool => tool.name === 'fetch_url')!
    expect(tool.kind === 'acts' && tool.plan({ url: ' https://Example.org:8080/a?b ' })).toEqual({
      does: 'fetch',
      address: {
        href: 'https://example.org:8080/a?b',
        origin: 'https://example.org:8080',
        host: 'example.org:8080',
        space: 'public',
        encrypted: true,
      },
    })
    const markdown = 'A line of the page.\n'.repeat(100)
    const { text } = await run(
      'fetch_url',
      { url: 'https://example.org/' },
      context({ maxBytes: 500, readPage: async url => ({ title: 'T', markdown, url }) }),
    )
    expect(text).toBe(`# T\n\nSource: https://example.org/\n\n${markdown}`)
  })

  it('takes no address in which two readers could see two hosts', async () => {
    const asked: string[] = []
    const c = context({
      readPage: async url => {
        asked.push(url)
        return { title: 'T', markdown: 'M', url }
      },
    })
    for (const url of [
      'https://a@b@evil.org/',
      'https://user@example.org/',
      'https://example.org\t.evil.org/',
      'https://example.org\n.evil.org/',
      'https://example.org\\.evil.org/',
      'https://example.org%2eevil.org/',
      'https:/example.org/',
      'https:example.org',
      'https://example.org:80:90/',
      'https://[::1/',
      'https://example.org/a b',
    ])
      expect((await run('fetch_url', { url }, c)).isError, url).toBe(true)
    expect(asked).toEqual([])
    for (const url of [
      'https://example.org',
      'HTTP://[::1]:80/x',
      'https://例子.中国/路?q=1#a',
      'http://my_box:5147?x',
    ])
      expect((await run('fetch_url', { url }, c)).isError, url).toBe(false)
    expect(asked).toEqual([
      'https://example.org/',
      'http://[::1]/x',
      'https://xn--fsqu00a.xn--fiqs8s/%E8%B7%AF?q=1#a',
      'http://my_box:5147/?x',
    ])
  })

  it.each(['', ' \n', '\u200b\n\u00ad'])('says so where a page gives no text: %j', async markdown => {
    const { text, isError } = await run(
      'fetch_url',
      { url: 'https://example.org/' },
      context({ readPage: async url => ({ title: 'Shop', markdown, url }) }),
    )
    expect([isError, text]).toEqual([
      false,
      expect.stringMatching(/^# Shop\n\nSource: https:\/\/example\.org\/\n\n\[This page gives no text/),
    ])
  })

  it('explains a refusal by the browser, and takes no other address', async () => {
    const blocked = context({
      readPage: async () => {
        throw new AgentError('network', 'Failed to fetch.')
      },
    })
    expect(await run('fetch_url', { url: 'https://example.org/' }, blocked)).toMatchObject({
      isError: true,
      text: expect.stringContaining('CORS') as string,
    })
    expect((await run('fetch_url', { url: 'file:///etc/passwd' }, context())).isError).toBe(true)
    expect((await run('fetch_url', { url: 'javascript:alert(1)' }, context())).isError).toBe(true)
  })
})

describe('every tool', () => {
  it('answers strange arguments with an error or a text, and never throws', async () => {
    for (const tool of tools) {
      for (const args of [
        {},
        { path: 5, query: {}, url: [] },
        { path: '', query: '', url: '', content: null },
        { path: 'x', start_line: 'many' },
      ]) {
        const { text } = await runTool(tool, args as Record<string, unknown>, context())
        expect(text).not.toBe('')
      }
    }
  })
})
