import { describe, expect, it } from 'vitest'
import { safePattern } from './safe-pattern.ts'

describe('safePattern', () => {
  it.each(['TODO|FIXME', 'func\\w+\\(', '^\\s*import', '(?:a|b)c', '\\d{4}-\\d{2}', '端口 ?\\d+', 'a{2,3}', '[(+*]+x', 'colou?r'])('takes %s', source => { expect(safePattern(source).pattern).toBeInstanceOf(RegExp) })

  it.each(['(a+)+$', '(?:aa?)+x', '(a?b?)*c', '(?:x(y?))+z', `${'a?'.repeat(12)}b`, '(a|a)*b', '(.*a){20}', '(a*)*', '((a+)b)+', '(\\w+\\s?)+$', '(x+x+)+y', '.*.*.*.*=', '(a)\\1', 'a{1000}', '(', '', 'x'.repeat(300), '(?:a+){2,}'])('refuses %s', source => { expect(() => safePattern(source)).toThrow() })

  it('ends in time on the longest line with what it takes', () => {
    for (const source of ['a*a*b', 'a*a*a*b', '.*.*=.*', '(?:aa?)x', 'a?a?a?a?b']) {
      const { pattern, reach } = safePattern(source)
      const started = performance.now()
      expect(pattern.exec('a'.repeat(reach))?.[0]).toBeUndefined()
      expect(performance.now() - started).toBeLessThan(15_000)
    }
  })
})
