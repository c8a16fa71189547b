/**
 * Law: in no sentence of ours does a text from elsewhere that is written from right to left move what stands around it.
 */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { defaultsOf } from '../core/context/config/config.ts'
import { rightToLeft } from '../core/text/display/isolate.ts'

const arabic = 'تقرير 3'

/** Every file whose name says that it holds words. What a model reads keeps its bytes: its paths are arguments. */
const files = import.meta.glob<Record<string, unknown>>(
  [
    '../{core,models,net,storage,bridge}/**/*-texts.ts',
    '../core/agent/i18n/*.ts',
    './i18n/{en,zh}/*.ts',
    '!./**/*.test.ts',
    '!../**/*.test.ts',
  ],
  { eager: true },
)
const forModels = ['../core/log/model-view/view-texts.ts', '../core/agent/tools/read-result-texts.ts']

type Say = (...given: unknown[]) => unknown
type Found = { name: string; say: Say }

function* functionsIn(value: unknown, name: string): Generator<Found> {
  if (typeof value === 'function') yield { name, say: value as Say }
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) yield* functionsIn(inner, `${name}.${key}`)
}

const tile = { label: arabic, kind: 'user', tokens: 17 }
/** What a function may want in a place: the first that it can be called with counts. */
const samples: unknown[] = [
  arabic,
  3,
  [arabic],
  {
    name: arabic,
    text: arabic,
    server: arabic,
    model: arabic,
    host: arabic,
    path: arabic,
    title: arabic,
    key: arabic,
    value: arabic,
    why: 'other strategy',
    strategies: [arabic],
    by: arabic,
  },
]
/** What only has numbers, or is as deep as no guess gets. */
const own: readonly (readonly [RegExp, unknown[]])[] = [
  [/modelsEn\.price|modelsZh\.price/, [{ input: 1, output: 2 }]],
  [/strategyLimits/, [defaultsOf('balanced')]],
  [/contextTexts\.\w+\.context$/, [{ roles: {}, largest: [tile], counter: arabic, factor: 1 }]],
  [
    /\.found$/,
    [
      [{ path: 'dialog/x.jsonl', from: 1, to: 2, said: `${arabic}, 2026-01-31`, text: 'x' }],
      [{ who: 'user', text: arabic }],
    ],
  ],
]

function called({ name, say }: Found): unknown {
  const given = own.find(([pattern]) => pattern.test(name))?.[1]
  if (given !== undefined) return say(...given)
  const count = Math.max(1, say.length)
  const tries = samples.flatMap(first =>
    samples.map(others => [first, ...Array.from({ length: count - 1 }, () => others)]),
  )
  for (const args of tries) {
    try {
      return say(...args)
    } catch {
      // it wants something else in one of its places
    }
  }
  throw new Error(`${name}: the law cannot call it; give it a sample`)
}

/** The text without what is isolated in it, and without what is code. */
function around(said: string): string {
  let depth = 0
  return [...said.replace(/(`+)[^]*?\1/g, '')]
    .filter(sign => {
      if (sign === '\u2068') depth++
      else if (sign === '\u2069') depth--
      else return depth === 0
      return false
    })
    .join('')
}

const textsOf = (said: unknown): string[] =>
  typeof said === 'string' ? [said] : Array.isArray(said) ? said.flatMap(textsOf) : []

it('holds for every sentence that is made of words', () => {
  const turned: string[] = []
  let isolating = 0
  for (const [file, held] of Object.entries(files)) {
    if (forModels.includes(file)) continue
    for (const found of functionsIn(held, file)) {
      for (const text of textsOf(called(found))) {
        if (text !== arabic && rightToLeft.test(around(text))) turned.push(`${found.name}: ${text}`)
        if (text.includes('\u2068')) isolating++
        expect(around(text), found.name).not.toMatch(/[\u2068\u2069]/)
      }
    }
  }
  expect(turned).toEqual([])
  expect(isolating).toBeGreaterThan(150)
})

it('leaves what a model reads as it is', () => {
  for (const file of forModels) expect(files[file]).toBeDefined()
  expect(
    textsOf(
      [
        ...functionsIn(
          forModels.map(file => files[file]),
          '',
        ),
      ].flatMap(({ say }) => {
        try {
          return textsOf(say([{ path: arabic, from: 1, to: 2 }]))
        } catch {
          return []
        }
      }),
    ).join(''),
  ).not.toMatch(/[\u2068\u2069]/)
})

it('makes what is read out of one sentence of words, not of pieces', () => {
  const screens = import.meta.glob('./**/*.svelte')
  const pieces = Object.keys(screens).flatMap(file =>
    readFileSync(new URL(file, import.meta.url), 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        const mixed =
          /\s(?:aria-label|aria-valuetext|aria-description|title|placeholder|alt)=(?:"(?!\{[^{}"]*\}")[^"]*\{[^"]*"|\{`[^`]*\$\{)/.exec(
            line,
          )
        return mixed === null ? [] : [`${file}:${index + 1}${mixed[0]}`]
      }),
  )
  expect(pieces).toEqual([])
})
