import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Log } from '../../log/entry.ts'
import { isFact } from '../../log/query.ts'
import { assistant, logOf, result, user } from '../context.fixture.ts'
import { isMatched } from './matched.ts'

describe('calls and results', () => {
  const call = (id: string) => assistant('', [[id, 'web', '{}']])
  it.each([
    ['stand one for one', [user('q'), call('a'), result('a', 'x'), assistant('done')], true],
    ['lack a result', [user('q'), call('a')], false],
    ['lack a result in the middle', [user('q'), call('a'), user('next')], false],
    ['lack a call', [user('q'), result('a', 'x')], false],
    ['have two results', [user('q'), call('a'), result('a', 'x'), result('a', 'y')], false],
    [
      'have two calls of one name in a step',
      [
        user('q'),
        assistant('', [
          ['a', 'web', '{}'],
          ['a', 'web', '{}'],
        ]),
        result('a', 'x'),
        result('a', 'y'),
      ],
      false,
    ],
    ['use an id again', [user('q'), call('a'), result('a', 'x'), call('a'), result('a', 'y')], true],
  ] as const)('%s', (_, facts, expected) => {
    expect(isMatched(logOf(facts), 0)).toBe(expected)
  })

  it('are looked at from the position on, and what is left of a step there lacks its calls', () => {
    const log = logOf([user('q'), call('a'), user('q'), call('b'), result('b', 'x'), assistant('done')])
    expect([0, 1, 2, 3, 4, 5].map(from => isMatched(log, from))).toEqual([false, false, true, true, false, true])
  })

  it('are judged alike however the log was seen to grow, from whichever position', () => {
    const facts = fc.array(
      fc.oneof(
        fc.constant(user('q')),
        fc.constant({ type: 'note', code: 'compact_no_gain', text: '' } as const),
        fc.subarray(['a', 'b'] as const).map(ids =>
          assistant(
            '',
            ids.map(id => [id, 'web', '{}']),
          ),
        ),
        fc.constantFrom('a', 'b').map(id => result(id, 'x')),
      ),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(facts, fc.array(fc.nat(12), { maxLength: 4 }), fc.nat(12), (drafts, seen, from) => {
        const log = logOf(drafts)
        for (const length of seen) isMatched(log.slice(0, length), 0)
        expect(isMatched(log, from)).toBe(plainly(log.slice(from)))
      }),
      { numRuns: Number(process.env['HAVERSACK_RUNS'] ?? 200) * 5 },
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
