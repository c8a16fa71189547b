import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Log } from '../../log/entry.ts'
import { isFact } from '../../log/query.ts'
import { runs } from '../../text/laws.fixture.ts'
import { assistantFact, testLog, resultFact, userFactOf } from '../context.fixture.ts'
import { isMatched } from './matched.ts'

describe('calls and results', () => {
  const call = (id: string) => assistantFact('', [[id, 'web', '{}']])
  it.each([
    ['stand one for one', [userFactOf('q'), call('a'), resultFact('a', 'x'), assistantFact('done')], true],
    ['lack a result', [userFactOf('q'), call('a')], false],
    ['lack a result in the middle', [userFactOf('q'), call('a'), userFactOf('next')], false],
    ['lack a call', [userFactOf('q'), resultFact('a', 'x')], false],
    ['have two results', [userFactOf('q'), call('a'), resultFact('a', 'x'), resultFact('a', 'y')], false],
    [
      'have two calls of one name in a step',
      [
        userFactOf('q'),
        assistantFact('', [
          ['a', 'web', '{}'],
          ['a', 'web', '{}'],
        ]),
        resultFact('a', 'x'),
        resultFact('a', 'y'),
      ],
      false,
    ],
    ['use an id again', [userFactOf('q'), call('a'), resultFact('a', 'x'), call('a'), resultFact('a', 'y')], true],
  ] as const)('%s', (_, facts, expected) => {
    expect(isMatched(testLog(facts), 0)).toBe(expected)
  })

  it('are looked at from the position on, and what is left of a step there lacks its calls', () => {
    const log = testLog([
      userFactOf('q'),
      call('a'),
      userFactOf('q'),
      call('b'),
      resultFact('b', 'x'),
      assistantFact('done'),
    ])
    expect([0, 1, 2, 3, 4, 5].map(from => isMatched(log, from))).toEqual([false, false, true, true, false, true])
  })

  it('are judged alike however the log was seen to grow, from whichever position', () => {
    const facts = fc.array(
      fc.oneof(
        fc.constant(userFactOf('q')),
        fc.constant({ type: 'note', code: 'compact_no_gain', text: '' } as const),
        fc.subarray(['a', 'b'] as const).map(ids =>
          assistantFact(
            '',
            ids.map(id => [id, 'web', '{}']),
          ),
        ),
        fc.constantFrom('a', 'b').map(id => resultFact(id, 'x')),
      ),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(facts, fc.array(fc.nat(12), { maxLength: 4 }), fc.nat(12), (drafts, seen, from) => {
        const log = testLog(drafts)
        for (const length of seen) isMatched(log.slice(0, length), 0)
        expect(isMatched(log, from)).toBe(plainly(log.slice(from)))
      }),
      { numRuns: runs(200).numRuns * 5 },
    )
  })
})

/** The rule as it is said. */
function plainly(log: Log): boolean {
  const open = new Set<string>()
  for (const fact of log.filter(isFact)) {
    if (fact.type === 'result') {
      if (!open.delete(fact.callId)) return false
      continue
    }
    if (open.size > 0) return false
    for (const { id } of fact.type === 'assistant' ? fact.calls : []) {
      if (open.has(id)) return false
      open.add(id)
    }
  }
  return open.size === 0
}
