import { expect, it } from 'vitest'
import { definedTwice, hiding, namesIn, platformNames, type Named } from './one-name.ts'

const exported = (file: string, text: string): string[] =>
  namesIn(file, text)
    .filter(({ isExported }) => isExported)
    .map(({ name }) => name)

it('finds every kind of name that a file exports, and no other', () => {
  expect(
    exported(
      'a.ts',
      'export type A = 1\nexport interface B {}\nexport class C {}\nexport abstract class D {}\nexport enum E {}\nexport function f() {}\nexport async function* g() {}',
    ),
  ).toEqual(['A', 'B', 'C', 'D', 'E', 'f', 'g'])
  expect(
    exported(
      'a.svelte.ts',
      'export const a = 1, b = 2\nexport let c: number\nexport const [d, , e = 1] = x()\nexport const { f, g: h, ...i } = x()',
    ),
  ).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'h', 'i'])
  expect(
    exported(
      'a.ts',
      'type A = 1\nfunction b() { const c = 1 }\nconst text = "export const d = 1"\n/* export const e = 1 */',
    ),
  ).toEqual([])
})

it('takes what is passed on from another file for no definition', () => {
  expect(
    exported('a.ts', 'export type { A } from "./b.ts"\nexport { c } from "./b.ts"\nexport * from "./b.ts"'),
  ).toEqual([])
})

it('reads the module part of a component, and not what it gives its parent', () => {
  expect(
    exported(
      'A.svelte',
      '<script module lang="ts">\n  export const a = 1\n</script>\n<script lang="ts">\n  export function b() {}\n</script>\n<p>export const c = 1</p>',
    ),
  ).toEqual(['a'])
  expect(exported('A.svelte', '<script lang="ts">\n  const a = 1\n</script>')).toEqual([])
})

it('says which files export the same name, and nothing of names that only one file has or that are not exported', () => {
  const names = [
    ...namesIn('a.ts', 'export type Row = 1\nexport const one = 1'),
    ...namesIn('b.svelte.ts', 'export function Row() {}\nconst one = 1'),
    ...namesIn(
      'c.ts',
      'export function same(a: 1): 1\nexport function same(a: 2): 2\nexport function same(a: never) { return a }',
    ),
  ]
  expect(definedTwice(names)).toEqual([{ name: 'Row', files: ['a.ts', 'b.svelte.ts'] }])
})

it('says which names hide one of TypeScript or of the platform', () => {
  const platform = platformNames()
  for (const name of [
    'Partial',
    'Record',
    'Event',
    'Text',
    'Range',
    'Document',
    'File',
    'Storage',
    'Request',
    'Map',
    'Promise',
    'AbortSignal',
    'history',
    'stop',
    'ServiceWorkerGlobalScope',
  ])
    expect(platform).toContain(name)
  const named = (text: string): Named[] => namesIn('a.ts', text)
  const hidden = (text: string): string[] => hiding(named(text), platform).map(({ name }) => name)
  expect(hidden('export type Partial = 1\nexport const stop = 1\ntype Node = 1\nclass File {}')).toEqual([
    'Partial',
    'stop',
    'Node',
    'File',
  ])
  expect(hidden('export type PartialReply = 1\nconst name = 1\nfunction close() {}')).toEqual([])
})
