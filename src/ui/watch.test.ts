import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/** The bodies of all bare effects of a source, by counting brackets. */
function effectsIn(source: string): string[] {
  return [...source.matchAll(/\$effect(?:\.pre)?\(/g)].map(({ index, 0: { length } }) => {
    let depth = 1
    let end = index + length
    for (; depth > 0 && end < source.length; end++) depth += source[end] === '(' ? 1 : source[end] === ')' ? -1 : 0
    return source.slice(index + length, end - 1)
  })
}

/** What begins work elsewhere: a promise that is waited for or thrown away, a call of the worker. */
const beginsWork = /\bawait\b|\basync\b|\.then\(|\bvoid \w[\w.?]*\(|\bapi\./

it('no effect begins work whose reading could wake it again: that is what `watch` is for', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
    name => /\.(svelte|svelte\.ts)$/.test(name) && name !== 'browser/watch.svelte.ts',
  )
  expect(files.length).toBeGreaterThan(50)
  const found = files.flatMap(name =>
    effectsIn(readFileSync(join(import.meta.dirname, name), 'utf8'))
      .filter(body => beginsWork.test(body))
      .map(body => `${name}: ${body.slice(0, 80)}`),
  )
  expect(found).toEqual([])
})

it('knows such an effect when it sees one', () => {
  for (const body of [
    '() => { void look(settings.servers) }',
    '() => { void strategy; void load() }',
    '() => { shell.api.days().then(show) }',
    'async () => { await x }',
  ]) {
    expect(
      effectsIn(`a $effect(${body}) b`).filter(found => beginsWork.test(found)),
      body,
    ).toEqual([body])
  }
  expect(effectsIn('$effect(() => { box?.focus() })').filter(found => beginsWork.test(found))).toEqual([])
})
