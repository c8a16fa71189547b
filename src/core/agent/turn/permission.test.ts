/**
 * What is asked before a tool acts: that it is exactly what is done then, and that nobody is asked for what cannot be.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { anyText, runs } from '../../text/laws.fixture.ts'
import { trickyAddress } from '../../text/address/web-address.fixture.ts'
import { testAgent, logSummary, sendAndSettle, stillWorld, type TestAgent } from '../agent.fixture.ts'
import { fullArchive } from '../archive/readable-archive.ts'
import { grantFor } from './run-calls.ts'
import { SearchIndex } from '../search/search-index.ts'
import { runTool, type Tool, type ToolContext } from '../tools/tool.ts'
import { tools } from '../tools/index.ts'
import { linearPattern } from '../../../net/linear-pattern.ts'

const call = (name: string, args: Record<string, unknown> | string = {}, id?: string) => ({
  calls: [{ name, arguments: args, ...(id ? { id } : {}) }],
})
const acting = tools.filter(tool => tool.kind === 'acts')

async function opened(
  script: Parameters<typeof testAgent>[0],
  options?: Parameters<typeof testAgent>[1],
): Promise<TestAgent & { id: string }> {
  const b = testAgent(script, options)
  const { id } = await b.agent.create('A chat')
  return { ...b, id }
}

/** A store that notes what is written into it, and a network that notes what is asked. */
function watched(): { context: ToolContext; store: MemoryStore; done: string[] } {
  const store = new MemoryStore()
  const done: string[] = []
  const save = store.saveDocument.bind(store)
  store.saveDocument = (path, text, at, expected) => {
    done.push(`write ${path} ${text}`)
    return save(path, text, at, expected)
  }
  return {
    done,
    store,
    context: {
      session: 's',
      archive: fullArchive(store),
      world: stillWorld(),
      search: new SearchIndex(store),
      signal: new AbortController().signal,
      maxBytes: 50_000,
      maxSearchTokens: 2_000,
      givenPassages: new Set(),
      compilePattern: linearPattern,
      readPage: async url => {
        done.push(`fetch ${url}`)
        return { title: 'T', markdown: 'M', url }
      },
    },
  }
}

describe('what cannot be allowed', () => {
  const cases: [string, Record<string, unknown>, RegExp][] = [
    ['write_file', { path: 'notes/hello.md', content: 'x' }, /only below workspace\//],
    ['write_file', { path: 'MEMORY.md', content: 'x' }, /only below workspace\//],
    ['write_file', { path: 'workspace/../a.md', content: 'x' }, /only below workspace\//],
    ['write_file', { path: 'workspace/a.md' }, /"content" is missing/],
    ['write_file', { content: 'x' }, /"path" is missing/],
    ['write_file', { path: 'workspace/a.md', content: 7 }, /must be a text/],
    ['edit_file', { path: 'notes/a.md', old_text: 'a', new_text: 'b' }, /only below workspace\//],
    ['edit_file', { path: 'workspace/a.md', old_text: '', new_text: 'b' }, /old_text is empty/],
    [
      'edit_file',
      { path: 'workspace/none.md', old_text: 'a', new_text: 'b' },
      /There is no workspace\/none\.md\. Nearest: workspace\/notes\.md/,
    ],
    ['edit_file', { path: 'workspace/notes.md', old_text: 'zebra', new_text: 'b' }, /does not occur/],
    ['edit_file', { path: 'workspace/notes.md', old_text: 'o', new_text: 'b' }, /more than once/],
    ['edit_file', { path: 'workspace/notes.md', old_text: 'one' }, /"new_text" is missing/],
    ['fetch_url', {}, /"url" is missing/],
    ['fetch_url', { url: 'file:///etc/passwd' }, /Only http and https/],
    ['fetch_url', { url: 'javascript:alert(1)' }, /Only http and https/],
    ['fetch_url', { url: 'no address' }, /no web address/],
    ['fetch_url', { url: 'https://user:pass@example.org/' }, /name or password/],
    ['fetch_url', { url: `https://example.org/?q=${'a'.repeat(9_000)}` }, /at most 8000/],
    ['fetch_url', { url: `https://${'a'.repeat(300)}.example/` }, /no name is longer than 253/],
    ['fetch_url', { url: 'https://example.org\\@evil.example/' }, /not written plainly/],
  ]

  it.each(cases)('is refused before it is asked: %s %j', async (name, args, why) => {
    const b = await opened([call(name, args), 'I see.'])
    await b.store.saveDocument('workspace/notes.md', 'one two', 0, 0)
    expect((await sendAndSettle(b, b.id, 'Go')).state).toBe('idle')
    expect((await b.log(b.id))[2]).toMatchObject({
      type: 'result',
      isError: true,
      text: expect.stringMatching(why) as string,
    })
    expect(await b.store.documents()).toHaveLength(1)
  })

  it('has a case for each tool that acts', () => {
    expect(new Set(cases.map(([name]) => name))).toEqual(new Set(acting.map(({ name }) => name)))
  })

  it('tells a model elsewhere nothing about files before a yes', async () => {
    const b = await opened(
      [call('edit_file', { path: 'workspace/notes.md', old_text: 'a guess', new_text: 'b' }, 'c1'), 'I see.'],
      { model: { local: false } },
    )
    await b.store.saveDocument('workspace/notes.md', 'one two', 0, 0)
    expect(await sendAndSettle(b, b.id, 'Go')).toMatchObject({ state: 'asking', question: { tool: 'edit_file' } })
    await b.agent.resolvePermission(b.id, 'c1', 'deny')
    await b.settled(b.id)
    expect(JSON.stringify(b.model.requests)).not.toMatch(/does not occur|There is no/)
  })
})

describe('what is asked', () => {
  const argument = fc.oneof(
    anyText,
    trickyAddress,
    fc.constantFrom(
      'workspace/a.md',
      './workspace/a.md',
      'workspace/\u202egpj.md',
      ' workspace/b/c.txt ',
      'notes/a.md',
      'one',
      undefined,
      null,
      7,
      {},
    ),
  )
  const args = fc.record({ path: argument, content: argument, old_text: argument, new_text: argument, url: argument })

  it.each(acting.map(tool => [tool.name, tool] as const))(
    'is what %s does, and nothing else',
    async (_name, tool: Tool) => {
      if (tool.kind !== 'acts') throw new Error('It only reads')
      await fc.assert(
        fc.asyncProperty(args, async args => {
          const { context, store, done } = watched()
          await store.saveDocument('workspace/a.md', 'two one three', 0, 0)
          done.length = 0
          let plan
          try {
            plan = tool.plan(args)
          } catch {
            /* cannot be allowed */
          }
          const { isError } = await runTool(tool, args, context)
          if (plan === undefined) expect([isError, done]).toEqual([true, []])
          else if (plan.does === 'fetch') expect(done).toEqual([`fetch ${plan.address.href}`])
          else if (plan.does === 'write') expect(done).toEqual([`write ${plan.path} ${plan.content}`])
          else if (!isError)
            expect(done).toEqual([`write ${plan.path} ${'two one three'.split(plan.before).join(plan.after)}`])
          if (plan?.does !== 'fetch' && plan) expect(plan.path).toMatch(/^workspace\//)
        }),
        runs(300),
      )
    },
  )
})

describe('a yes for the whole chat', () => {
  const grant = (url: string): string | undefined => {
    const tool = tools.find(({ name }) => name === 'fetch_url')
    try {
      return tool?.kind === 'acts'
        ? grantFor({ call: { id: 'c', name: 'fetch_url', arguments: '' }, tool: 'fetch_url', plan: tool.plan({ url }) })
        : undefined
    } catch {
      return undefined
    }
  }

  it('holds for one scheme, host and port, however they are written', () => {
    for (const url of ['https://github.com/a', 'HTTPS://GitHub.COM:443/b?c', 'https://github.com'])
      expect(grant(url)).toBe('fetch_url github.com')
    for (const url of [
      'http://github.com/',
      'https://github.com./',
      'https://github.com:8443/',
      'https://gіthub.com/',
      'https://www.github.com/',
      'https://github.com.evil.example/',
      'https://github.co/',
      'https://evil.example/github.com',
    ])
      expect(grant(url), url).not.toBe('fetch_url github.com')
    expect(grant('http://0x7f.1:5663/')).toBe('fetch_url http://127.0.0.1:5663')
  })

  it('is never taken for another host', () => {
    fc.assert(
      fc.property(trickyAddress, trickyAddress, (one, other) => {
        const [a, b] = [grant(one), grant(other)]
        if (a !== undefined && a === b) expect(new URL(one).origin).toBe(new URL(other).origin)
      }),
      runs(500),
    )
  })

  it('that was given to a look-alike by an earlier version counts for nothing', async () => {
    const b = await opened([call('fetch_url', { url: 'http://gіthub.com/' })])
    await b.store.updateSession(b.id, { allowed: ['fetch_url gіthub.com', 'fetch_url github.com'] })
    expect(await sendAndSettle(b, b.id, 'Read')).toMatchObject({
      state: 'asking',
      question: { plan: { address: { host: 'xn--gthub-n2e.com' } } },
    })
  })
})

describe('an answer', () => {
  it('is for the call that was shown, although a later one has its id', async () => {
    const b = await opened([
      call('fetch_url', { url: 'https://good.example/' }, 'c1'),
      call('fetch_url', { url: 'https://evil.example/' }, 'c1'),
      'Done.',
    ])
    const first = await sendAndSettle(b, b.id, 'Read')
    if (first.state !== 'asking') throw new Error('It did not ask')
    b.events.length = 0
    await b.agent.resolvePermission(b.id, first.question.call, 'allow')
    const second = await b.settled(b.id)
    if (second.state !== 'asking') throw new Error('It did not ask again')
    // Another tab still shows the first question.
    await expect(b.agent.resolvePermission(b.id, first.question.call, 'always here')).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await b.agent.permissions()).toEqual([])
    b.events.length = 0
    await b.agent.resolvePermission(b.id, second.question.call, 'deny')
    await b.settled(b.id)
    expect(logSummary(await b.log(b.id)).filter(line => /result|error/.test(line))).toEqual([
      'result fetch_url: # A page',
      expect.stringContaining('error fetch_url: The user denied') as string,
    ])
  })
})
