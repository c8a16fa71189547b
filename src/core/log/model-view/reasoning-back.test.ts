/** How much of its reasoning a model is sent back. */
import { describe, expect, it } from 'vitest'
import { modelView } from './model-view.ts'
import { a, call, e, pathOfEntries, r, u } from '../log.fixture.ts'
import type { AssistantFact, Log } from '../entry.ts'
import type { ReasoningGrade } from './reasoning-back.ts'
import { cutEdit, shortenEdit } from './model-view.fixture.ts'

describe('reasoning that goes back', () => {
  const details = { from: 'here', value: [{ type: 'thinking', signature: 's' }] }
  const answer = (text: string, ids: readonly string[] = []): AssistantFact => ({
    type: 'assistant',
    text,
    reasoning: 'hm',
    details,
    calls: ids.map(id => call(id)),
    model: 'm',
    local: true,
    stop: ids.length > 0 ? 'calls' : 'stop',
  })
  const sent = (log: Log, text: ReasoningGrade = 'every answer', from = 'here'): unknown[] =>
    modelView(log, { reasoning: { text, from } }).flatMap(({ message }) =>
      message.role === 'assistant'
        ? [`${message.reasoning ?? '-'} ${message.details === undefined ? '-' : 'details'}`]
        : [],
    )
  const talk = [u('q1'), answer('look', ['c']), r('c', 'x'.repeat(50)), answer('a1'), u('q2'), answer('a2')]

  it('is what the grade says, with details of this very model', () => {
    expect(sent(pathOfEntries(talk), 'nothing')).toEqual(['- details', '- details', '- details'])
    expect(sent(pathOfEntries(talk), 'running turn')).toEqual(['- details', '- details', 'hm details'])
    expect(sent(pathOfEntries([...talk, u('q3')]), 'turns with calls')).toEqual([
      'hm details',
      'hm details',
      '- details',
    ])
    expect(sent(pathOfEntries(talk), 'every answer', 'elsewhere')).toEqual(['hm -', 'hm -', 'hm -'])
    expect(sent(pathOfEntries([u('q'), a('of before')]))).toEqual([' -'])
  })

  it('has no details where the answer is not sent as it came', () => {
    expect(sent(pathOfEntries([...talk, shortenEdit('3', 1, 's')]))).toEqual(['hm details', 'hm -', 'hm details'])
    const long = [
      u('q'),
      { ...answer('look', ['c']), calls: [call('c', JSON.stringify({ text: 'x'.repeat(99) }))] },
      r('c', 'r'),
    ]
    expect(sent(pathOfEntries(long))).toEqual(['hm details'])
    expect(sent(pathOfEntries([...long, shortenEdit('1', 9, 's', 'arguments')]))).toEqual(['hm -'])
    expect(
      sent(
        pathOfEntries([u('q'), answer('look', ['c']), r('c', 'r'), u('q2'), e({ type: 'strip', before: null }, 's')]),
      ),
    ).toEqual(['hm -'])
    // of one id twice the first call stays
    expect(sent(pathOfEntries([u('q'), answer('look', ['c', 'c']), r('c', 'r')]))).toEqual(['hm -'])
    expect(sent(pathOfEntries([u('q'), { ...answer('x'.repeat(140_000)) }]))).toEqual(['hm -'])
    expect(
      sent(
        pathOfEntries([
          u('q'),
          { ...answer('', ['c']), gone: { bytes: 1, day: '2026-05-01', why: 'deleted' } },
          r('c', 'r'),
        ]),
      ),
    ).toEqual(['hm -'])
  })

  it('is of the part of a turn that a cut left', () => {
    expect(sent(pathOfEntries([...talk, u('q3'), cutEdit('k', '3', 'compact', '0')]), 'turns with calls')).toEqual([
      '- details',
      '- details',
    ])
    expect(sent(pathOfEntries([...talk, u('q3'), cutEdit('k', '1', 'compact', '0')]), 'turns with calls')).toEqual([
      'hm details',
      'hm details',
      '- details',
    ])
  })
})
