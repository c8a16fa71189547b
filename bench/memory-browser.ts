/**
 * `npm run bench -- memory-browser [FACTS]`: 100 000 facts in the IndexedDB of Chromium. Time of a search, of the first one after
 * opening, of an append; size of texts and index.
 */
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { createServer } from 'vite'
import type { Bench } from './machine.ts'

export const memoryBrowser: Bench = async (facts = '100000') => {
  const root = join(import.meta.dirname, '..')
  const server = await createServer({
    root, configFile: false, logLevel: 'error', cacheDir: join(root, '.cache', 'vite-memory'), appType: 'custom',
    server: { port: 0, host: '127.0.0.1', watch: null, hmr: false }, optimizeDeps: { include: ['dexie'], noDiscovery: true },
  })
  const browser = await chromium.launch({ executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-quic', '--disable-background-networking', '--no-first-run', '--disable-component-update', '--disable-sync'] })
  try {
    await server.listen()
    const origin = server.resolvedUrls!.local[0]!.replace('127.0.0.1', 'localhost')
    const page = await browser.newPage()
    page.on('console', message => { console.error(message.text()) })
    // tsx keeps the names of functions by a helper that the page does not have.
    await page.addInitScript('globalThis.__name = part => part')
    await page.route('**/empty', route => route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>bench</title>' }))
    await page.goto(`${origin}empty`)
    await page.evaluate(fill, Number(facts))
    // A new page, so that nothing is in memory: what an opening costs.
    await page.goto(`${origin}empty`)
    const measured = await page.evaluate(measure)
    return { facts: Number(facts), chromium: browser.version(), ...measured }
  } finally {
    await browser.close()
    await server.close()
  }
}

/** Runs in the page: writes the facts, 200 a chat, about 800 bytes each, and has them packed. */
async function fill(facts: number): Promise<void> {
  const load = (path: string) => import(path)
  const [{ Connection }, { DexieStore }, { SearchIndex }] = await Promise.all(['/src/storage/connection.ts', '/src/storage/dexie-store.ts', '/src/core/agent/search-index.ts'].map(load))
  const connection = new Connection({ name: 'bench-memory', from: { indexedDB, IDBKeyRange }, onState: () => {} })
  await connection.open(60_000)
  const store = new DexieStore(connection)
  const syllables = 'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo yu za bri cle dro fla'.split(' ')
  let state = 7
  const chance = (): number => { state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 1; return (state >>> 4) % 1_000_003 / 1_000_003 }
  // Words as often as in speech: few common ones, many rare ones.
  const word = (): string => {
    let rank = Math.floor(Math.exp(chance() * Math.log(60_000)))
    let text = ''
    do { text += syllables[rank % syllables.length]!; rank = Math.floor(rank / syllables.length) } while (rank > 0)
    return text
  }
  const perChat = 200
  for (let chat = 0; chat < facts / perChat; chat++) {
    const id = `chat${chat}`
    const at = Date.UTC(2024, 0, 1) + chat * 7_200_000
    await store.createSession({ id, title: `${word()} ${word()}`, createdAt: at, updatedAt: at, leaf: null })
    await store.append(id, Array.from({ length: perChat }, (_, i) => {
      const base = { id: `${id}-${i}`, parent: i === 0 ? null : `${id}-${i - 1}`, at: at + i * 30_000, text: Array.from({ length: 130 }, word).join(' ') }
      return i % 2 === 0 ? { ...base, type: 'user' } : { ...base, type: 'assistant', calls: [], model: 'm', local: true, stop: 'stop' }
    }))
    if (chat % 100 === 99) console.log(`${(chat + 1) * perChat} facts written`)
  }
  const started = performance.now()
  await new SearchIndex(store).update()
  console.log(`packed in ${Math.round(performance.now() - started)} ms`)
  await connection.close()
}

/** Runs in a fresh page. */
async function measure(): Promise<object> {
  const load = (path: string) => import(path)
  const [{ Connection }, { DexieStore }, { SearchIndex }, { utf8Bytes }] = await Promise.all(['/src/storage/connection.ts', '/src/storage/dexie-store.ts', '/src/core/agent/search-index.ts', '/src/core/text/bytes.ts'].map(load))
  const connection = new Connection({ name: 'bench-memory', from: { indexedDB, IDBKeyRange }, onState: () => {} })
  await connection.open(60_000)
  const store = new DexieStore(connection)
  const timed = async (work: () => Promise<unknown>): Promise<number> => { const start = performance.now(); await work(); return performance.now() - start }
  const rounded = (value: number): number => Math.round(value * 10) / 10
  const options = { most: 10, longest: 800, beside: 160, now: Date.UTC(2025, 0, 1), without: new Set() }
  const index = new SearchIndex(store)
  const samples: string[] = []
  for (let i = 0; i < 200; i++) {
    const [row] = await store.read(`chat${i * 2}`, { from: i % 200, limit: 1 })
    if (row) samples.push(row.entry.text.split(' ').slice(i % 50, i % 50 + 3 + i % 6).join(' '))
  }
  const first = await timed(() => index.find(samples[0]!, options))
  const searches: number[] = []
  let found = 0
  for (const query of samples) searches.push(await timed(async () => { if ((await index.find(query, options)).length > 0) found++ }))
  searches.sort((a, b) => a - b)
  const appends = { bare: [] as number[], indexed: [] as number[] }
  for (let i = 0; i < 60; i++) {
    const entry = { id: `new${i}`, parent: null, at: Date.UTC(2025, 1, 1) + i, type: 'user', text: samples.join(' ').slice(0, 800) }
    appends[i % 2 === 0 ? 'bare' : 'indexed'].push(await timed(async () => { await store.append('chat0', [entry]); if (i % 2 === 1) await index.update() }))
  }
  const segments = await store.segments()
  const packed = segments.reduce((sum: number, segment: { bytes: Uint8Array }) => sum + segment.bytes.length, 0)
  let texts = 0
  for (const { id } of await store.sessions()) for (const { entry } of await store.read(id)) texts += utf8Bytes(entry.text)
  await connection.close()
  const middle = (list: number[]): number => rounded(list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0)
  return {
    firstSearchMs: rounded(first), p50ms: middle(searches), p95ms: rounded(searches[Math.floor(searches.length * 0.95)] ?? 0), found: `${found} of ${samples.length}`,
    appendMs: middle(appends.bare), appendAndIndexMs: middle(appends.indexed), segments: segments.length, textBytes: texts, indexBytes: packed, indexShare: Math.round(packed / texts * 1000) / 1000,
  }
}
