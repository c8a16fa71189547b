import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { foldersWithReadme, missingInReadme, missingPaths, namedFiles, pagesIn, scriptsIn } from './pages.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (page: string): string => readFileSync(join(root, page), 'utf8')
const pages = pagesIn(root)
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
const missingScripts = (page: string): string[] => scriptsIn(page).filter(script => !Object.hasOwn(scripts, script))

it('has the pages that a newcomer looks for', () => {
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/releases.md']))
})

it.each(pages)('%s names files and scripts that are there', page => {
  expect(missingPaths(read(page), root)).toEqual([])
  expect(missingScripts(read(page))).toEqual([])
})

describe('the README of a folder', () => {
  /** They begin a guide with sections of its own: how to add a step or a model, how to build a server. */
  const guides = ['src/core/context', 'src/models', 'bench/llama-server']

  it.each(foldersWithReadme)('%s: at most 20 lines, and every file that it names is there', folder => {
    const page = read(`${folder}/README.md`)
    const begin = guides.includes(folder) ? page.split(/^## /m)[0]! : page
    expect(begin.trimEnd().split('\n').length).toBeLessThanOrEqual(20)
    expect(namedFiles(begin).length).toBeGreaterThan(0)
    expect(missingInReadme(page, folder, root)).toEqual([])
    expect(missingScripts(page)).toEqual([])
  })
})

it('"Where is it?" of the README names at least one file in each row', () => {
  const rows = read('README.md').split('| I want to change … | open |\n')[1]!.split('\n\n')[0]!.split('\n').slice(1)
  expect(rows.length).toBeGreaterThan(40)
  expect(rows.filter(row => !/`[^`\s]*\w[./][^`\s]+`|\]\([^)]+\) \|$/.test(row.split(' | ')[1] ?? ''))).toEqual([])
})

it('finds a path that is not there, in code and not in fences', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pages-'))
  mkdirSync(join(folder, 'src/a'), { recursive: true })
  writeFileSync(join(folder, 'src/a/real.ts'), '')
  const named = (text: string): string[] => missingPaths(text, folder)
  expect(named('`src/a/real.ts` `src/a` `src/a/*` `src/a/re*.ts` `a/b` `npm run x` src/no.ts')).toEqual([])
  expect(named('`src/no.ts` `src/b/*` `src/a/*.md` `bench/x`')).toEqual([
    'src/no.ts',
    'src/b/*',
    'src/a/*.md',
    'bench/x',
  ])
  expect(named('```\n`src/no.ts`\n```\n')).toEqual([])
  rmSync(folder, { recursive: true })
})

it('knows every folder in the order of imports', () => {
  expect(foldersWithReadme).toEqual(
    expect.arrayContaining([
      'src/core',
      'src/core/text/search',
      'src/models/engines/llamacpp',
      'workers',
      'e2e/engines',
    ]),
  )
  expect(foldersWithReadme.filter(folder => folder.endsWith('/.') || folder.includes('|'))).toEqual([])
})

it('finds a file that a README names and that is neither in its folder nor at the root', () => {
  const folder = mkdtempSync(join(tmpdir(), 'readme-'))
  mkdirSync(join(folder, 'src/a/b'), { recursive: true })
  for (const file of ['src/a/real.ts', 'src/a/b/c.svelte', 'top.json']) writeFileSync(join(folder, file), '')
  const missing = (text: string): string[] => missingInReadme(text, 'src/a', folder)
  expect(missing('`real.ts` `b/c.svelte` `../../top.json` `src/a/real.ts` `re*.ts` `/help` `Model` no.ts')).toEqual([])
  expect(missing('`no.ts` `b/real.ts` `../real.ts` `src/b` `no*.ts`')).toEqual([
    'no.ts',
    'b/real.ts',
    '../real.ts',
    'src/b',
    'no*.ts',
  ])
  rmSync(folder, { recursive: true })
})

it('finds the scripts that people are told to run', () => {
  expect(scriptsIn('`npm run check:near`, `npm run --silent bench -- x`, npm run build')).toEqual([
    'check:near',
    'bench',
    'build',
  ])
})
