/**
 * `npm run bench -- memory-browser [FACTS]`: 100 000 facts in the IndexedDB of Chromium, written, packed and searched
 * in a worker, as in the app. Time of a search, of the first one after opening, of an append; long tasks of the page
 * meanwhile; sizes, also on disk.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type BrowserContext, type Page } from '@playwright/test'
import { createServer } from 'vite'
import type { Bench } from '../shared/machine.ts'

export const memoryBrowser: Bench = async (facts = '100000') => {
  const root = join(import.meta.dirname, '..', '..')
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'error',
    cacheDir: join(root, '.cache', 'vite-memory'),
    appType: 'custom',
    server: { port: 0, host: '127.0.0.1', watch: null, hmr: false },
    optimizeDeps: { include: ['dexie'], noDiscovery: true },
  })
  const profile = mkdtempSync(join(tmpdir(), 'haversack-bench-'))
  /** Runs a step in a fresh browser on the same profile, so that nothing is in memory and the database lies on disk. */
  const step = async <T>(run: (page: Page) => Promise<T>): Promise<T> => {
    const context: BrowserContext = await chromium.launchPersistentContext(profile, {
      executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-quic',
        '--disable-background-networking',
        '--no-first-run',
        '--disable-component-update',
        '--disable-sync',
      ],
    })
    try {
      const page = await context.newPage()
      page.on('console', message => {
        console.error(message.text())
      })
      await page.route('**/empty', route =>
        route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>bench</title>' }),
      )
      await page.goto(`http://localhost:${new URL(server.resolvedUrls!.local[0]!).port}/empty`)
      return await run(page)
    } finally {
      await context.close()
    }
  }
  try {
    await server.listen()
    await step(page => page.evaluate(inWorker, { task: fill.toString(), argument: Number(facts) }))
    const texts = sizeOf(profile)
    await step(page => page.evaluate(inWorker, { task: pack.toString(), argument: 0 }))
    const withIndex = sizeOf(profile)
    const { answer, longTasks } = await step(page => page.evaluate(inWorker, { task: measure.toString(), argument: 0 }))
    return {
      facts: Number(facts),
      ...answer,
      pageLongTasks: longTasks,
      onDisk: {
        texts,
        withIndex,
        note: 'bytes of the folder of IndexedDB after closing; it holds what is not compacted yet',
      },
    }
  } finally {
    await server.close()
    rmSync(profile, { recursive: true, force: true })
  }
}

function sizeOf(profile: string): number {
  const files = readdirSync(profile, { recursive: true, encoding: 'utf8' }).filter(path =>
    /IndexedDB[/\\].*leveldb|IndexedDB[/\\].*blob/.test(path),
  )
  return files.reduce((sum, path) => {
    const file = statSync(join(profile, path))
    return sum + (file.isFile() ? file.size : 0)
  }, 0)
}

/** Runs in the page: has a worker do the task, and counts what blocks the page above 50 ms meanwhile. */
async function inWorker({
  task,
  argument,
}: {
  task: string
  argument: number
}): Promise<{ answer: object; longTasks: number }> {
  let longTasks = 0
  new PerformanceObserver(list => {
    longTasks += list.getEntries().length
  }).observe({ type: 'longtask' })
  // tsx keeps the names of functions by a helper that the worker does not have.
  const load = `async (...paths) => Object.assign({}, ...await Promise.all(paths.map(path => import(${JSON.stringify(location.origin)} + path))))`
  const code = `const __name = part => part; (${task})(${load}, ${argument}).then(answer => postMessage({ answer }), error => postMessage({ error: String(error && error.stack || error) }))`
  const worker = new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })), { type: 'module' })
  const answer = await new Promise<object>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<{ answer?: object; error?: string }>) => {
      if (data.error === undefined) resolve(data.answer ?? {})
      else reject(new Error(data.error))
    }
    worker.onerror = event => {
      reject(new Error(event.message))
    }
  })
  worker.terminate()
  return { answer, longTasks }
}

/** What the tasks ask for, by path; each module holds a part of it. */
type Modules = Pick<typeof import('../../src/storage/indexeddb/connection.ts'), 'Connection'> &
  Pick<typeof import('../../src/storage/indexeddb/dexie-store.ts'), 'DexieStore'> &
  Pick<typeof import('../../src/core/agent/search/search-index.ts'), 'SearchIndex'> &
  Pick<typeof import('../../src/core/text/bytes.ts'), 'utf8Bytes'>
type Load = (...paths: string[]) => Promise<Modules>

/** Runs in the worker: writes the facts, 200 a chat, about 800 bytes each. */
async function fill(load: Load, facts: number): Promise<void> {
  const { Connection, DexieStore } = await load(
    '/src/storage/indexeddb/connection.ts',
    '/src/storage/indexeddb/dexie-store.ts',
  )
  const connection = new Connection({ name: 'bench-memory', from: { indexedDB, IDBKeyRange }, onState: () => {} })
  await connection.open(60_000)
  const store = new DexieStore(connection)
  const syllables = 'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo yu za bri cle dro fla'.split(' ')
  let state = 7
  const chance = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 1
    return ((state >>> 4) % 1_000_003) / 1_000_003
  }
  // Words as often as in speech: few common ones, many rare ones.
  const word = (): string => {
    let rank = Math.floor(Math.exp(chance() * Math.log(60_000)))
    let text = ''
    do {
      text += syllables[rank % syllables.length]!
      rank = Math.floor(rank / syllables.length)
    } while (rank > 0)
    return text
  }
  const perChat = 200
  for (let chat = 0; chat < facts / perChat; chat++) {
    const id = `chat${chat}`
    const at = Date.UTC(2024, 0, 1) + chat * 7_200_000
    await store.createSession({ id, title: `${word()} ${word()}`, createdAt: at, updatedAt: at, leaf: null })
    await store.append(
      id,
      Array.from({ length: perChat }, (_, i) => {
        const base = {
          id: `${id}-${i}`,
          parent: i === 0 ? null : `${id}-${i - 1}`,
          at: at + i * 30_000,
          text: Array.from({ length: 130 }, word).join(' '),
        }
        return i % 2 === 0
          ? { ...base, type: 'user' }
          : { ...base, type: 'assistant', calls: [], model: 'm', local: true, stop: 'stop' }
      }),
    )
    if (chat % 100 === 99) console.log(`${(chat + 1) * perChat} facts written`)
  }
  await connection.close()
}

/** Runs in the worker: packs all that was written. */
async function pack(load: Load): Promise<void> {
  const { Connection, DexieStore, SearchIndex } = await load(
    '/src/storage/indexeddb/connection.ts',
    '/src/storage/indexeddb/dexie-store.ts',
    '/src/core/agent/search/search-index.ts',
  )
  const connection = new Connection({ name: 'bench-memory', from: { indexedDB, IDBKeyRange }, onState: () => {} })
  await connection.open(60_000)
  const started = performance.now()
  await new SearchIndex(new DexieStore(connection)).update()
  console.log(`packed in ${Math.round(performance.now() - started)} ms`)
  await connection.close()
}

/** Runs in the worker of a fresh browser. */
async function measure(load: Load): Promise<object> {
  const { Connection, DexieStore, SearchIndex, utf8Bytes } = await load(
    '/src/storage/indexeddb/connection.ts',
    '/src/storage/indexeddb/dexie-store.ts',
    '/src/core/agent/search/search-index.ts',
    '/src/core/text/bytes.ts',
  )
  const connection = new Connection({ name: 'bench-memory', from: { indexedDB, IDBKeyRange }, onState: () => {} })
  await connection.open(60_000)
  const store = new DexieStore(connection)
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const start = performance.now()
    await work()
    return performance.now() - start
  }
  const rounded = (value: number): number => Math.round(value * 10) / 10
  const options = {
    limit: 10,
    maxLength: 800,
    neighbourLength: 160,
    now: Date.UTC(2025, 0, 1),
    exclude: new Set<string>(),
    distinct: true,
  }
  const index = new SearchIndex(store)
  const samples: string[] = []
  for (let i = 0; i < 200; i++) {
    const [row] = await store.read(`chat${i * 2}`, { from: i % 200, limit: 1 })
    if (row?.entry.type === 'user' || row?.entry.type === 'assistant')
      samples.push(
        row.entry.text
          .split(' ')
          .slice(i % 50, (i % 50) + 3 + (i % 6))
          .join(' '),
      )
  }
  const first = await timed(() => index.find(samples[0]!, options))
  const searches: number[] = []
  let found = 0
  for (const query of samples)
    searches.push(
      await timed(async () => {
        if ((await index.find(query, options)).length > 0) found++
      }),
    )
  searches.sort((a, b) => a - b)
  const idle: number[] = []
  for (let i = 0; i < 20; i++) idle.push(await timed(() => index.update()))
  const appends = { bare: [] as number[], indexed: [] as number[] }
  for (let i = 0; i < 60; i++) {
    const entry = {
      id: `new${i}`,
      parent: null,
      at: Date.UTC(2025, 1, 1) + i,
      type: 'user' as const,
      text: samples.join(' ').slice(0, 800),
    }
    appends[i % 2 === 0 ? 'bare' : 'indexed'].push(
      await timed(async () => {
        await store.append('chat0', [entry])
        if (i % 2 === 1) await index.update()
      }),
    )
  }
  const segments = await store.segments()
  const packed = segments.reduce((sum, segment) => sum + segment.bytes.length, 0)
  let texts = 0
  for (const { id } of await store.sessions())
    for (const { entry } of await store.read(id)) if ('text' in entry) texts += utf8Bytes(entry.text)
  await connection.close()
  const middle = (list: number[]): number => rounded(list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0)
  return {
    firstSearchMs: rounded(first),
    p50ms: middle(searches),
    p95ms: rounded(searches[Math.floor(searches.length * 0.95)] ?? 0),
    found: `${found} of ${samples.length}`,
    lookForNewsMs: middle(idle),
    appendMs: middle(appends.bare),
    appendAndIndexMs: middle(appends.indexed),
    segments: segments.length,
    textBytes: texts,
    indexBytes: packed,
    indexShare: Math.round((packed / texts) * 1000) / 1000,
  }
}
