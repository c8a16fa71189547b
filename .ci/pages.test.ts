import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { missingPaths, pagesIn, scriptsIn } from './pages.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (page: string): string => readFileSync(join(root, page), 'utf8')
const pages = pagesIn(root)

it('has the pages that a newcomer looks for', () => {
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/releases.md']))
})

it.each(pages)('%s names files and scripts that are there', page => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  expect(missingPaths(read(page), root)).toEqual([])
  expect(scriptsIn(read(page)).filter(script => !Object.hasOwn(scripts, script))).toEqual([])
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

it('finds the scripts that people are told to run', () => {
  expect(scriptsIn('`npm run check:near`, `npm run --silent bench -- x`, npm run build')).toEqual([
    'check:near',
    'bench',
    'build',
  ])
})
