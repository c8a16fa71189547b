import { expect, it } from 'vitest'
import { neededNames } from './needed-names.ts'

const before =
  'I edited src/app/main.ts: parseArgs() calls readConfig. The commit is 9f3c2ab1, see https://example.org/a.'

it('are the identifiers of before that the agent wrote again, each once and in order', () => {
  expect(
    neededNames(before, [
      { wrote: 'readConfig reads src/app/main.ts' },
      { wrote: 'again src/app/main.ts, at 9f3c2ab1' },
    ]),
  ).toEqual(['readConfig', 'src/app/main.ts', '9f3c2ab1'])
})

it('are none that are new, and no plain words or numbers', () => {
  expect(
    neededNames(before, [{ wrote: 'I edited writeConfig in src/app/other.ts, 12 lines, see the commit' }]),
  ).toEqual([])
})

it('are none that were shown again first, not even when they are written again later', () => {
  expect(
    neededNames(before, [
      { wrote: 'Where was it?' },
      { shown: 'src/app/main.ts: export function readConfig' },
      { wrote: 'readConfig in src/app/main.ts' },
    ]),
  ).toEqual([])
  expect(
    neededNames(before, [
      { wrote: 'readConfig' },
      { shown: 'src/app/main.ts: export function readConfig' },
      { wrote: 'readConfig in src/app/main.ts' },
    ]),
  ).toEqual(['readConfig'])
})
