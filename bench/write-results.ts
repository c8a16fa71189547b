/**
 * `npm run results`: puts what was measured into bench/RESULTS.md and README.md, between their marks. Nothing is
 * measured here.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { keyFigures } from './key-figures.ts'
import { browserTables } from './results-browser.ts'
import { realWorkTables } from './results-real-work.ts'
import { resultTables } from './results-table.ts'

const [from, to] = ['<!-- results -->\n', '\n<!-- /results -->']

/** The pages that hold results, each with what stands between its marks. */
export const pages: readonly { file: string; results: () => string }[] = [
  { file: 'bench/RESULTS.md', results: () => [browserTables(), resultTables(), realWorkTables()].join('\n\n') },
  { file: 'README.md', results: keyFigures },
]

/** The page with these results between its marks. Throws where it has no marks. */
export function withResults(page: string, results: string): string {
  const [start, end] = [page.indexOf(from), page.indexOf(to)]
  if (start < 0 || end < start) throw new Error('No marks of results in this page')
  return page.slice(0, start) + from + results + page.slice(end)
}

const root = new URL('..', import.meta.url)
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { file, results } of pages)
    writeFileSync(new URL(file, root), withResults(readFileSync(new URL(file, root), 'utf8'), results()))
}
