import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

// The build takes a `.then` behind an `import()` into what it watches over, and tells whatever fails in it as a part
// that is missing: the page then said that a new version is there where only the service worker was blocked.
const chained = /import\('[^']+'\)\s*\.(?:then|catch|finally)\(/

it('what is done with a part that was loaded is not taken for a part that is missing', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
    name => /\.(svelte|ts)$/.test(name) && !name.endsWith('.test.ts'),
  )
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter(name => chained.test(readFileSync(join(import.meta.dirname, name), 'utf8')))).toEqual([])
})

it('knows such an import when it sees one', () => {
  expect(chained.test("void import('./part.ts').then(part => part.begin())")).toBe(true)
  expect(chained.test("const part = await import('./part.ts')")).toBe(false)
})
