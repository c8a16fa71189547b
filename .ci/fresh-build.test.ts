import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { newerThanBuild } from './fresh-build.ts'

let root = ''
/**
 * Writes a file of this age, and makes its folders as old: a folder is as new as the last file that was put in or taken
 * out.
 */
const at = (file: string, seconds: number): void => {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), '')
  for (let path = file; path !== '.'; path = dirname(path)) utimesSync(join(root, path), seconds, seconds)
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'build-'))
})
afterEach(() => {
  rmSync(root, { recursive: true, force: true })
})

it('builds where there is no whole build', () => {
  expect(newerThanBuild(root)).toBe('nothing built')
  at('dist/index.html', 10)
  expect(newerThanBuild(root)).toBe('nothing built')
})

it('builds anew where something that it is built of is newer, and not for a test or a page of words', () => {
  at('src/core/a.ts', 10)
  at('dist/service-worker.js', 20)
  expect(newerThanBuild(root)).toBeUndefined()
  for (const file of ['README.md', 'e2e/chat.spec.ts']) at(file, 30)
  expect(newerThanBuild(root)).toBeUndefined()
  at('src/core/a.ts', 30)
  expect(newerThanBuild(root)).toMatch(/\/src(\/|$)/)
  at('src/core/a.ts', 10)
  at('package.json', 30)
  expect(newerThanBuild(root)).toMatch(/package\.json$/)
})

it('sees that a file is gone by its folder, and passes over a test that was edited', () => {
  at('src/core/a.test.ts', 10)
  at('src/core/a.ts', 10)
  at('dist/service-worker.js', 20)
  utimesSync(join(root, 'src/core/a.test.ts'), 30, 30)
  expect(newerThanBuild(root)).toBeUndefined()
  rmSync(join(root, 'src/core/a.ts'))
  expect(newerThanBuild(root)).toMatch(/src\/core$/)
})
