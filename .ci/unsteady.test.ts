import { expect, it } from 'vitest'
import { countAgain, countUnsteady, failedTests, only } from './unsteady.ts'

const spec = (title: string, line: number, ok: boolean) => ({ title, file: 'a.spec.ts', line, ok })

it('finds what failed, with the groups around it', () => {
  const suites = [
    {
      title: 'a.spec.ts',
      file: 'a.spec.ts',
      specs: [spec('good', 1, true), spec('bad', 2, false)],
      suites: [{ title: 'group', file: 'a.spec.ts', specs: [spec('worse (1)', 9, false)] }],
    },
  ]
  const failed = failedTests({ suites, stats: { expected: 1, unexpected: 2, flaky: 0 } })
  expect(failed).toEqual([
    { file: 'a.spec.ts', line: 2, title: 'bad' },
    { file: 'a.spec.ts', line: 9, title: 'group worse (1)' },
  ])
  expect(only(failed[1]!)).toEqual(['a.spec.ts:9', '--grep', 'group worse \\(1\\)$'])
})

it('is green where all that failed passed twice alone, red where one did not, and red where too many were unsteady', () => {
  expect(countAgain({ passed: 100, failed: 0 }, [])).toEqual({ passed: 100, failed: 0 })
  expect(countAgain({ passed: 98, failed: 2 }, [true, true])).toEqual({ passed: 100, failed: 0 })
  expect(countAgain({ passed: 98, failed: 2 }, [true, false])).toEqual({ passed: 99, failed: 1 })
  expect(countUnsteady({ passed: 100, failed: 0 }, 3)).toEqual({ passed: 100, failed: 0 })
  expect(countUnsteady({ passed: 100, failed: 0 }, 4)).toEqual({ passed: 96, failed: 4 })
})
