import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { pages, withResults } from './write-results.ts'

it.each(pages)('$file tells the results that are kept (npm run results)', ({ file, results }) => {
  const page = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
  expect(page).toBe(withResults(page, results()))
})

it('the README tells ten figures, none of them missing', () => {
  const rows = pages
    .find(({ file }) => file === 'README.md')!
    .results()
    .split('\n')
    .slice(2)
  expect(rows).toHaveLength(10)
  for (const row of rows) expect(row).toMatch(/^\| [^|]+ \| [^|]*\d[^|]* \| `npm run [^|]+` \|$/)
  expect(rows.join('\n')).not.toMatch(/undefined|NaN|–(?!\d)/)
})

it('writes only between the marks, and nothing into a page without them', () => {
  expect(withResults('a\n<!-- results -->\nold\n<!-- /results -->\nb', 'new\n')).toBe(
    'a\n<!-- results -->\nnew\n\n<!-- /results -->\nb',
  )
  expect(() => withResults('a', 'new')).toThrow('No marks')
})
