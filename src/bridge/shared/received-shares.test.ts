/** Shares are kept whole and bounded, whatever they hold. */
import { beforeEach, describe, expect, it } from 'vitest'
import { dropShare, filesOf, keepShare, shareLimits, standsIn, waitingShares } from './received-shares.ts'

/** The part of the browser's caches that is used here. */
function memoryCaches(): CacheStorage {
  const kept = new Map<string, Response>()
  const address = (request: RequestInfo | URL): string =>
    new URL(request instanceof Request ? request.url : request, 'https://app.example/').href
  const cache = {
    put: async (request: RequestInfo, response: Response) => {
      kept.set(address(request), new Response(await response.blob()))
    },
    match: async (request: RequestInfo) => kept.get(address(request))?.clone(),
    delete: async (request: RequestInfo) => kept.delete(address(request)),
    keys: async () => [...kept.keys()].map(url => new Request(url)),
  }
  return { has: async () => true, open: async () => cache } as unknown as CacheStorage
}

let caches: CacheStorage
beforeEach(() => {
  caches = memoryCaches()
})
const form = (parts: Record<string, string | File | File[]>): FormData => {
  const made = new FormData()
  for (const [name, part] of Object.entries(parts))
    for (const one of [part].flat()) {
      if (typeof one === 'string') made.append(name, one)
      else made.append(name, one)
    }
  return made
}
const keep = (parts: Parameters<typeof form>[0], id = 'one') => keepShare(form(parts), caches, { id, now: 1 })

describe('what is shared', () => {
  it('keeps words, link and files until they are taken out', async () => {
    expect(
      await keep({
        title: 'A page',
        text: 'Read this: https://a.example/',
        url: 'https://a.example/',
        files: new File(['one'], 'a.md', { type: 'text/markdown' }),
      }),
    ).toBe(true)
    const [share] = await waitingShares(caches)
    expect(share).toMatchObject({ text: 'A page\nRead this: https://a.example/', files: [{ name: 'a.md', bytes: 3 }] })
    const [file] = await filesOf(share!, caches)
    expect([file!.name, file!.type, await file!.text()]).toEqual(['a.md', 'text/markdown', 'one'])
    await standsIn(share!, 'chat', caches)
    expect(await waitingShares(caches)).toEqual([{ ...share, chat: 'chat' }])
    await dropShare(share!, caches)
    expect(await waitingShares(caches)).toEqual([])
    expect(await filesOf(share!, caches)).toEqual([])
  })

  it('says a text once, whichever field it came in', async () => {
    await keep({ title: 'same', text: 'same', url: 'https://b.example/' })
    expect((await waitingShares(caches))[0]?.text).toBe('same\nhttps://b.example/')
  })

  it('keeps nothing of what is empty', async () => {
    expect(await keep({ text: '  ', other: 'ignored' })).toBe(false)
    expect(await waitingShares(caches)).toEqual([])
  })

  it('cleans names, and bounds their number, length and size', async () => {
    const long = 'n'.repeat(5_000)
    const huge = new File(['x'], 'huge.txt')
    Object.defineProperty(huge, 'size', { value: shareLimits.bytes + 1 })
    const named = [new File(['x'], '../../etc/\u202Etxt.exe\n'), new File(['x'], long), new File(['x'], '/')]
    const many = Array.from({ length: 200 }, (_, n) => new File(['x'], `${n}.txt`))
    const made = form({ text: 't'.repeat(shareLimits.text + 9), files: [...named, ...many] })
    const all = made.getAll.bind(made)
    made.getAll = name => [huge, ...all(name)] // a form copies what it is given, and its size with it
    await keepShare(made, caches, { id: 'one', now: 1 })
    const { text, files } = (await waitingShares(caches))[0]!
    expect(text).toHaveLength(shareLimits.text)
    expect(files).toHaveLength(shareLimits.files)
    expect(files.slice(0, 4).map(({ name, kept }) => [name, kept])).toEqual([
      ['huge.txt', false],
      ['txt.exe', true],
      ['n'.repeat(shareLimits.name), true],
      ['file', true],
    ])
    expect((await filesOf((await waitingShares(caches))[0]!, caches)).map(({ name }) => name)).not.toContain('huge.txt')
  })

  it('refuses more than may wait at once, and leaves those that wait', async () => {
    for (let n = 0; n < shareLimits.waiting; n++) await keep({ text: `text ${n}` }, `id-${n}`)
    await expect(keep({ text: 'one more' }, 'last')).rejects.toThrow(/Too many/)
    expect(await waitingShares(caches)).toHaveLength(shareLimits.waiting)
  })
})
