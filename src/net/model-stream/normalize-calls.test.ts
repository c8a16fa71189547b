import { describe, expect, it } from 'vitest'
import { callNormalizer } from './normalize-calls.ts'
import { wholeArguments } from './whole-arguments.ts'

describe('the pieces of a call’s arguments', () => {
  it.each<[string, string[], string]>([
    ['increments', ['{"path":', '"a"}'], '{"path":"a"}'],
    ['a placeholder, then increments', ['{}', '{"path":', '"MEMORY.md"}'], '{"path":"MEMORY.md"}'],
    ['a placeholder, then the whole', ['{ }', '{"path":"a"}'], '{"path":"a"}'],
    ['a placeholder alone, twice', ['{}', '{}'], '{}'],
    ['the whole twice', ['{"path":"a"}', '{"path":"a"}'], '{"path":"a"}'],
    ['increments, then the whole', ['{"pa', 'th":"a"}', '{"path":"a"}'], '{"path":"a"}'],
    ['another whole', ['{"path":"a"}', '{"path":"b"}'], '{"path":"b"}'],
    ['all there is so far with each piece', ['{"path"', '{"path":"a', '{"path":"a"}'], '{"path":"a"}'],
    ['all of it in one piece', ['{}{"path":"a"}'], '{"path":"a"}'],
    ['braces inside of strings', ['{"a":"}{', '","b":"\\"}{"}'], '{"a":"}{","b":"\\"}{"}'],
    ['a placeholder, and half a call', ['{}', '{"path":"hal'], '{"path":"hal'],
    ['half a call', ['{"path":', '"hal'], '{"path":"hal'],
    ['a whole, and half of the repetition', ['{"path":"a"}', '{"pat'], '{"path":"a"}'],
    ['what is no JSON', ['path', '=a'], 'path=a'],
    ['blanks behind', ['{"path":"a"}', '\n'], '{"path":"a"}\n'],
    ['nothing', [], ''],
  ])('%s', (_, pieces, whole) => {
    expect(wholeArguments(pieces)).toBe(whole)
  })

  it('take time in proportion to their length', () => {
    const from = performance.now()
    for (const hostile of [
      Array.from({ length: 20_000 }, () => '{}'),
      ['{"a":' + '['.repeat(200_000)],
      Array.from({ length: 5_000 }, (_, n) => '{'.repeat(n % 7)),
    ])
      wholeArguments(hostile)
    expect(performance.now() - from).toBeLessThan(5_000)
  })
})

it('a name ends before a channel mark, and has no frame', () => {
  const named = (name: string) => {
    const mender = callNormalizer(() => 'id')
    mender.add({ index: 0, function: { name, arguments: '{}' } })
    return mender.end()[0]!.function.name
  }
  expect(
    [
      'get_time<|channel|>commentary',
      'get_time<|constrain|>json',
      'functions.get_time',
      'functions.get_time:0',
      ' get_time ',
      'my.tool',
      '<|channel|>',
    ].map(named),
  ).toEqual(['get_time', 'get_time', 'get_time', 'get_time', 'get_time', 'my.tool', 'unnamed_tool'])
})

it('a call that is being written is told with its name and length', () => {
  const mender = callNormalizer(() => 'id')
  expect(mender.add({ index: 0, id: 'a', function: { arguments: '{"pa' } })).toBeUndefined()
  expect(mender.add({ index: 0, function: { name: 'f', arguments: 'th":"' } })).toEqual({ name: 'f', chars: 9 })
  expect(mender.add({ index: 0, function: { arguments: 'x"}' } })).toEqual({ name: 'f', chars: 12 })
  expect(mender.end()).toHaveLength(1)
  expect(mender.end()).toEqual([])
})
