import { expect, it } from 'vitest'
import { lacksOf, usesOfScript, usesOfStyle } from './browser-features.ts'
import { oldest } from './browsers.ts'

const old = {
  chrome: '100',
  edge: '100',
  chrome_android: '100',
  firefox: '100',
  firefox_android: '100',
  safari: '15.4',
  safari_ios: '15.4',
}
const script = (code: string, floor: Record<keyof typeof oldest, string> = old): string[] =>
  lacksOf(usesOfScript(code).uses, floor).map(({ name }) => name)
const style = (css: string, floor: Record<keyof typeof oldest, string> = old): string[] =>
  lacksOf(usesOfStyle(css), floor).map(({ name }) => name)

it('finds what is too new in a script: globals, statics, methods, ways of the browser, regular expressions', () => {
  expect(script('AbortSignal.any([a, b])')).toEqual(['AbortSignal.any'])
  expect(script('new URLPattern("/a")')).toEqual(['URLPattern'])
  expect(script('const b = list().toSorted()')).toEqual(['.toSorted()'])
  expect(script('Object.groupBy(a, f); Promise.withResolvers()')).toEqual(['Object.groupBy', 'Promise.withResolvers'])
  expect(script('document.startViewTransition(f); element.checkVisibility()')).toEqual([
    'document.startViewTransition',
    '.checkVisibility()',
  ])
  expect(script('const r = /[\\p{L}--[a-z]]/v')).toEqual(['flag v of a regular expression'])
  expect(script('new RegExp("[a--b]", "v")')).toEqual(['flag v of a regular expression'])
  expect(script('const r = /(?<=a)b/')).toEqual(['lookbehind assertion in a regular expression'])
})

it('tells which browsers lack it, and since when others have it', () => {
  expect(
    lacksOf(usesOfScript('a().toSorted()').uses, { ...old, chrome: '110', edge: '110', chrome_android: '110' })[0]
      ?.lacking,
  ).toEqual(['firefox 115', 'firefox_android 115', 'safari 16', 'safari_ios 16'])
})

it('finds nothing in what all of them know, or in what is asked for first', () => {
  expect(
    script('[1].map(String).at(-1); structuredClone(a); new Map().get(b); crypto.getRandomValues(c); x.own()'),
  ).toEqual([])
  expect(script('typeof URLPattern; a.toSorted?.()')).toEqual([])
  expect(script('AbortSignal.any([a]); list.toSorted(); URL.canParse(b)', oldest)).toEqual([])
})

it('knows which names the build defines itself', () => {
  const { defined } = usesOfScript(
    'const a = { take() {} , give: 1 }; class B { run() {} } ; a.late = f; const { never } = a',
  )
  expect([...defined].toSorted()).toEqual(['give', 'late', 'run', 'take'])
})

it('finds what is too new in a style sheet: selectors, functions, units, rules, properties', () => {
  expect(style('a:has(b){color:red}')).toEqual([':has'])
  expect(style('a{color:color-mix(in oklab, red, blue)}')).toEqual(['color-mix()'])
  expect(style('a{height:100dvh}')).toEqual(['units svh, lvh, dvh'])
  expect(style('@starting-style{a{color:red}}')).toEqual(['@starting-style'])
  expect(style('a{text-wrap:pretty}')).toEqual(['text-wrap', 'text-wrap: pretty'])
  expect(style('a{&:hover{color:red}}')).toContain('nesting')
  expect(style('a:hover{color:rgb(0 0 0);display:grid;content:":has(b) 1dvh"}')).toEqual([])
})
