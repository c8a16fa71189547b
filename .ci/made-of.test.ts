import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8')
const filesIn = (folder: string): string[] =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' }).map(file => `${folder}/${file}`)
const sources = ['src', 'workers']
  .flatMap(filesIn)
  .filter(file => /\.(ts|svelte)$/.test(file) && !/\.(test|laws|fixture|d)\.ts$/.test(file))
/** Names of files that import this; types alone do not count. */
const importing = (what: RegExp, files = sources): string[] =>
  files.filter(file =>
    [...read(file).matchAll(/import(?! type)\b[^'"]*?\(?['"]([^'"]+)['"]/g)].some(([, from]) => what.test(from ?? '')),
  )

it('the top of the tree holds what an outsider looks for', () => {
  const top = readdirSync(root)
  for (const name of [
    'package.json',
    'vite.config.ts',
    'tsconfig.json',
    'README.md',
    'src',
    'public',
    'workers',
    'e2e',
  ])
    expect(top).toContain(name)
})

it('all code is TypeScript, in files of its own or in Svelte', () => {
  const scripts = ['src', 'workers', 'e2e', 'bench', '.ci']
    .flatMap(filesIn)
    .filter(file => !file.includes('node_modules') && /\.(js|mjs|cjs|jsx)$/.test(file))
  expect(scripts).toEqual([])
  const components = sources.filter(file => file.endsWith('.svelte'))
  expect(components.length).toBeGreaterThan(20)
  expect(components.filter(file => /<script\b(?![^>]*lang="ts")/.test(read(file)))).toEqual([])
})

it.each([
  ['svelte', /^svelte(\/|$)/, ['src/ui', 'src/main.ts']],
  ['comlink', /^comlink$/, ['src/bridge']],
  ['dexie', /^dexie$/, ['src/storage']],
  ['@mlc-ai/web-llm', /^@mlc-ai\/web-llm$/, ['src/models']],
  ['gpt-tokenizer', /^gpt-tokenizer\//, ['src/models']],
  ['workbox-window', /^workbox-window$/, ['src/ui']],
] as const)('%s is declared, and used where it belongs', (name, what, places) => {
  expect(Object.keys((JSON.parse(read('package.json')) as { dependencies: object }).dependencies)).toContain(name)
  const users = importing(what)
  expect(users.length).toBeGreaterThan(0)
  expect(users.filter(file => !places.some(place => file.startsWith(place)))).toEqual([])
})

it('vite builds it, vitest and playwright test it', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  expect(scripts).toMatchObject({
    build: 'vite build',
    unit: 'vitest run',
    e2e: expect.stringMatching(/^playwright test /) as string,
  })
})

it('the worker runs the context pipeline, and the page does not have it', () => {
  expect(importing(/core\/agent\/agent\.ts$/)).toEqual(['workers/agent.worker.ts'])
  const page = sources.filter(file => file.startsWith('src/ui/') || file === 'src/main.ts')
  expect(
    importing(/core\/context\/(prepare|summary\/|compaction\/|overflow\/ladder|steps\/|strategies\/)/, page),
  ).toEqual([])
})
