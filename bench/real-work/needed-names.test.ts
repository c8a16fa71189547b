import { expect, it } from 'vitest'
import { momentsOf, neededNames } from './needed-names.ts'

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

it('finds moments within a session: apart from each other, each with what is written from memory from there on', () => {
  const facts = Array.from({ length: 80 }, (_, seq) => {
    const names = `oneName${seq % 40} twoName${seq % 40} threeName${seq % 40}`
    return {
      seq,
      id: `m${seq}`,
      at: 0,
      fact:
        seq % 2 === 0
          ? ({ type: 'user', text: seq < 40 ? names : 'go on' } as const)
          : ({ type: 'assistant', text: names, calls: [], model: 'm', stop: 'stop', local: true } as const),
    }
  })
  const moments = momentsOf(facts)
  expect([...moments.keys()]).toEqual([41, 53, 65])
  expect(moments.get(65)?.slice(0, 3)).toEqual(['oneName25', 'twoName25', 'threeName25'])
  expect(momentsOf(facts.slice(0, 40)).size).toBe(0)
})
