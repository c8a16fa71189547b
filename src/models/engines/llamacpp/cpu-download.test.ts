import { describe, expect, it } from 'vitest'
import type { AgentError } from '../../../core/errors.ts'
import { copyGguf, downloadGguf, ggufOnDisk, type GgufDeps } from './cpu-download.ts'
import { gguf, memoryFiles, rangeServer } from '../shared/memory-files.fixture.ts'

const never = new AbortController().signal
const source = { url: 'https://huggingface.co/a/b/resolve/main/tiny.gguf', file: 'tiny.gguf' }
const file = gguf(9_000, 7)

const parts = (changes: Partial<GgufDeps> = {}): GgufDeps & { files: ReturnType<typeof memoryFiles> } => ({
  fetch: rangeServer(file).fetch,
  estimate: async () => ({ quota: 1e9, usage: 0 }),
  wait: async () => {},
  progress: () => {},
  ...changes,
  files: (changes.files ?? memoryFiles()) as ReturnType<typeof memoryFiles>,
})

const reason = (task: Promise<unknown>): Promise<unknown> =>
  task.then(
    () => 'went well',
    (error: AgentError) => error.data['reason'] ?? error.code,
  )

describe('a GGUF file from its address', () => {
  it('comes whole, with progress, and is not fetched twice', async () => {
    const server = rangeServer(file)
    const told: [number, number][] = []
    const made = parts({
      fetch: server.fetch,
      progress: (done, total) => {
        told.push([done, total])
      },
    })
    await downloadGguf(source, {}, made, never)
    expect(made.files.bytes('tiny.gguf')).toEqual(file)
    expect([told[0], told.at(-1)]).toEqual([
      [0, 9_000],
      [9_000, 9_000],
    ])
    await downloadGguf(source, {}, made, never)
    expect(server.asked).toEqual([0])
    expect(await ggufOnDisk(source, made.files)).toEqual({ bytes: 9_000, total: 9_000, missing: [] })
  })

  it('after a stop it counts as not whole, and goes on where it was', async () => {
    const server = rangeServer(file)
    const control = new AbortController()
    const made = parts({
      fetch: server.fetch,
      progress: done => {
        if (done >= 4_000) control.abort()
      },
    })
    expect(await reason(downloadGguf(source, {}, made, control.signal))).toBe('stopped')
    expect(await ggufOnDisk(source, made.files)).toEqual({ bytes: 4_000, total: 9_000, missing: ['weights'] })
    await downloadGguf(source, {}, { ...made, progress: () => {} }, never)
    expect(server.asked).toEqual([0, 4_000])
    expect(made.files.bytes('tiny.gguf')).toEqual(file)
    expect(made.files.names()).toEqual(['tiny.gguf'])
  })

  it('takes up a broken line by itself as long as something comes, and says so when nothing does', async () => {
    const server = rangeServer(file, () => ({ breakAfter: 2_000 }))
    const made = parts({ fetch: server.fetch })
    await downloadGguf(source, {}, made, never)
    expect(server.asked).toEqual([0, 2_000, 4_000, 6_000, 8_000])
    expect(made.files.bytes('tiny.gguf')).toEqual(file)
    const dead = rangeServer(file, () => ({ breakAfter: 0 }))
    expect(await reason(downloadGguf(source, {}, parts({ fetch: dead.fetch }), never))).toBe('blocked')
    expect(dead.asked).toHaveLength(3)
  })

  it.each([
    ['a server without ranges', { whole: true }, file],
    ['another state of the file', { etag: '"2"' }, gguf(9_000, 9)],
    ['another length', {}, gguf(9_500, 9)],
    ['a shorter one', {}, gguf(3_000, 9)],
  ])('begins anew for %s', async (_, later, next) => {
    let way: object = { etag: '"1"' }
    const server = rangeServer(file, () => way)
    const control = new AbortController()
    const made = parts({
      fetch: server.fetch,
      progress: done => {
        if (done === 4_000) control.abort()
      },
    })
    await reason(downloadGguf(source, {}, made, control.signal))
    way = later
    server.file = next
    await downloadGguf(source, {}, { ...made, progress: () => {} }, never)
    expect(made.files.bytes('tiny.gguf')).toEqual(next)
    expect(made.files.names()).toEqual(['tiny.gguf'])
  })

  it('knows a file as whole whose note was left behind', async () => {
    const server = rangeServer(file)
    const made = parts({ fetch: server.fetch })
    for (const [name, bytes] of [
      ['tiny.gguf', file],
      ['tiny.gguf.unfinished', new TextEncoder().encode('{"total":9000}')],
    ] as const)
      (await made.files.open(name, 0)).write(bytes, 0)
    expect(await ggufOnDisk(source, made.files)).toMatchObject({ missing: ['weights'] })
    await downloadGguf(source, {}, made, never)
    expect([server.asked, made.files.names()]).toEqual([[], ['tiny.gguf']])
  })

  it('keeps nothing of what is none, is too large, or does not fit', async () => {
    const wrong = parts({ fetch: async () => new Response('<html>please sign in') })
    expect(await reason(downloadGguf(source, {}, wrong, never))).toBe('damaged')
    const huge = parts({ fetch: async () => new Response(file, { headers: { 'content-length': '3000000000' } }) })
    expect(await reason(downloadGguf(source, {}, huge, never))).toBe('too-large')
    const small = parts({ estimate: async () => ({ quota: 9_000, usage: 8_000 }) })
    const files = memoryFiles()
    const atTheEnd = parts({
      files: {
        ...files,
        open: async (name, from) => ({
          ...(await files.open(name, from)),
          close() {
            if (name === source.file) throw new DOMException('full', 'QuotaExceededError')
          },
        }),
      },
    })
    expect(await reason(downloadGguf(source, {}, atTheEnd, never))).toBe('quota')
    expect((await ggufOnDisk(source, files)).missing).not.toEqual([])
    expect(await reason(downloadGguf(source, {}, small, never))).toBe('quota')
    for (const { files } of [wrong, huge, small]) expect(files.names()).toEqual([])
    const full = parts({ files: memoryFiles(4_500) })
    expect(await reason(downloadGguf(source, {}, full, never))).toBe('quota')
    expect(await ggufOnDisk(source, full.files)).toMatchObject({ bytes: 4_000, missing: ['weights'] })
  })

  it('tells a file system that refuses from a line that broke', async () => {
    const refusing = (name: string) =>
      parts({
        files: {
          ...memoryFiles(),
          open: async () => {
            throw new DOMException('no', name)
          },
        } as unknown as ReturnType<typeof memoryFiles>,
      })
    expect(await reason(downloadGguf(source, {}, refusing('NoModificationAllowedError'), never))).toBe('busy')
    expect(await reason(downloadGguf(source, {}, refusing('SecurityError'), never))).toBe('no-storage')
  })

  it('asks nobody for a file where the browser keeps none, and copies none', async () => {
    const server = rangeServer(file)
    const made = parts({
      fetch: server.fetch,
      files: memoryFiles(Infinity, new DOMException('Security error when calling GetDirectory', 'SecurityError')),
    })
    expect(await reason(downloadGguf(source, {}, made, never))).toBe('no-storage')
    expect(await reason(copyGguf(source, new Blob([file]), made, never))).toBe('no-storage')
    expect(server.asked).toEqual([])
  })

  it('asks the mirror that stands for the usual host', async () => {
    const asked: string[] = []
    const made = parts({
      fetch: async url => {
        asked.push(url)
        return new Response(file)
      },
    })
    await downloadGguf(source, { weights: 'https://mirror.example' }, made, never)
    expect(asked).toEqual(['https://mirror.example/a/b/resolve/main/tiny.gguf'])
  })
})

describe('a GGUF file from the disk', () => {
  it('is copied in pieces, and nothing stays of one that is stopped or none', async () => {
    const made = parts()
    await copyGguf(source, new Blob([gguf(5_000_000)]), made, never)
    expect(await made.files.size('tiny.gguf')).toBe(5_000_000)
    const control = new AbortController()
    const stopped = parts({
      progress: done => {
        if (done > 0) control.abort()
      },
    })
    expect(await reason(copyGguf(source, new Blob([gguf(9_000_000)]), stopped, control.signal))).toBe('stopped')
    const wrong = parts()
    expect(await reason(copyGguf(source, new Blob(['<html>']), wrong, never))).toBe('damaged')
    const empty = parts()
    expect(await reason(copyGguf(source, new Blob([]), empty, never))).toBe('damaged')
    for (const { files } of [stopped, wrong, empty]) expect(files.names()).toEqual([])
  })

  it('that is none, or too large, takes the place of nothing', async () => {
    const made = parts()
    await copyGguf(source, new Blob([gguf(5_000)]), made, never)
    expect(await reason(copyGguf(source, new Blob(['<html>']), made, never))).toBe('damaged')
    expect(
      await reason(
        copyGguf(source, new Blob([gguf(9_000)]), { ...made, estimate: async () => ({ quota: 1, usage: 0 }) }, never),
      ),
    ).toBe('quota')
    expect(await ggufOnDisk(source, made.files)).toEqual({ bytes: 5_000, total: 5_000, missing: [] })
  })

  it('cannot be downloaded without an address', async () => {
    expect(await reason(downloadGguf({ file: 'tiny.gguf' }, {}, parts(), never))).toBe('not-downloaded')
  })
})
