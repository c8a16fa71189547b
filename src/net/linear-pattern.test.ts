import { describe, expect, it } from 'vitest'
import { linearPattern } from './linear-pattern.ts'

describe('linearPattern', () => {
  it.each([
    ['TODO|FIXME', 'a todo', 2],
    ['func\\w+\\(', 'x functional(', 2],
    ['^\\s*import', '  import', 0],
    ['端口 ?\\d+', '的端口 80', 1],
    ['[(+*]+x', 'a(+x', 1],
    ['colou?r', 'Color', 0],
    ['\\-', 'a-b', 1],
    ['(?<year>\\d{4})', 'in 2026', 3],
    ['\\u7aef', '的端', 1],
    ['\\u{1F600}', 'a😀', 1],
    ['[^]x', '\nx', 0],
    ['\\p{L}+', '1é', 1],
    ['a.c', 'a😀c', 0],
    ['none', 'a', -1],
    ['(a|a)*b', 'aab', 0],
    ['(?:a+){2,}', 'aaa', 0],
  ])('%s is found in %j', async (source, text, at) => {
    expect((await linearPattern(source))(text)).toBe(at)
  })

  it.each(['(', '', 'x'.repeat(300), '(a)\\1', 'a(?=b)', '(?<!a)b', 'a{2000}', '((a{100}){100}){100}'])(
    'refuses %s, and says why',
    async source => {
      await expect(linearPattern(source)).rejects.toMatchObject({ code: 'bad_input' })
    },
  )

  it('ends in time on a long line, whatever the pattern', async () => {
    for (const source of [
      '(a+)+$',
      '(?:aa?)+x',
      '(a?b?)*c',
      `${'a?'.repeat(60)}b`,
      '(a|a)*b',
      '(.*a){20}x',
      '(a*)*b',
      '.*.*.*.*=',
      '(x+x+)+y',
      '(a?)(?:a{0,99}).*(?:a*)?!',
      '[a-z]+?(?:a*)?x$',
      'a?a?a*a*x',
      '(?:a?){900}b',
    ]) {
      const find = await linearPattern(source)
      const times = [2_000, 8_000].map(length => {
        const started = process.cpuUsage().user
        find('a'.repeat(length))
        return (process.cpuUsage().user - started) / 1_000 // ms
      })
      // four times the text; a quadratic one would take sixteen times as long
      expect(times[1], source).toBeLessThan(16 * Math.max(times[0]!, 60))
    }
  })
})
