import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { configNames } from '../config/config.ts'
import { strategyNames } from '../strategy.ts'
import { differences, differencesOf, differencesTable } from './differences.ts'
import { isPublished } from './index.ts'

const readme = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8').split('\n')

it('stand in the README, row by row', () => {
  const table = differencesTable()
  const start = readme.indexOf(table[0]!)
  const end = readme.findIndex((line, at) => at > start && !line.startsWith('|'))
  expect(start).toBeGreaterThan(readme.indexOf('## What differs from the published systems'))
  for (const [at, row] of table.entries()) expect(readme[start + at]).toBe(row)
  expect(readme.slice(start, end)).toHaveLength(table.length)
})

it('have each a name of its own, all four sentences in both languages, and nothing that would break a table or a list', () => {
  expect(new Set(differences.map(({ id }) => id)).size).toBe(differences.length)
  for (const { id, en, zh } of differences) {
    for (const text of [...Object.values(en), ...Object.values(zh)]) expect(text, id).toMatch(/^[^|\n]*[^|\n.。\s]$/)
    for (const part of ['title', 'published', 'here', 'why'] as const) {
      expect(zh[part], id).toMatch(/\p{Script=Han}/u)
      // what is named in one language is named in the other
      expect(zh[part].match(/`[^`]+`/g) ?? [], id).toEqual(en[part].match(/`[^`]+`/g) ?? [])
    }
  }
})

it('tell of every strategy what holds in all, and something of its own exactly of those that were published', () => {
  const common = differences.filter(({ of }) => of === 'all')
  expect(common.length).toBeGreaterThan(5)
  for (const strategy of strategyNames) {
    const all = differencesOf(strategy)
    expect(all).toEqual(expect.arrayContaining(common))
    expect(all.length > common.length, strategy).toBe(isPublished(strategy))
  }
})

it('name settings as they are called', () => {
  // of the published text, of other tables, of tools
  const elsewhere = ['max_context_turns', 'reme_compactor', 'fetch_url']
  const named = differences.flatMap(
    ({ en }) =>
      Object.values(en)
        .join(' ')
        .match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? [],
  )
  for (const name of named) expect([...configNames, ...elsewhere, 'is_valid']).toContain(name)
})
