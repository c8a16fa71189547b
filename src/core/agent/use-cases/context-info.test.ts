import { describe, expect, it } from 'vitest'
import type { Entry, Id } from '../../log/entry.ts'
import { removedItems } from './removed-items.ts'

/** Ten questions, each with its answer, one line each on one day; then the edits. */
function logWith(
  ...edits: readonly ({ type: 'cut'; group: Id; before: Id | null } | { type: 'undo'; group: Id; target: Id })[]
): Entry[] {
  const facts: Entry[] = Array.from({ length: 20 }, (_, i): Entry => {
    const base = { id: `f${i}`, parent: i === 0 ? null : `f${i - 1}`, at: i }
    return i % 2 === 0
      ? { ...base, type: 'user', text: `question ${i}` }
      : { ...base, type: 'assistant', text: `answer ${i}`, calls: [], model: 'm', local: true, stop: 'stop' }
  })
  const rest = edits.map((edit, i): Entry => {
    const base = { id: `e${i}`, parent: i === 0 ? 'f19' : `e${i - 1}`, at: 100 + i }
    return edit.type === 'cut' ? { ...base, ...edit, reason: 'compact' } : { ...base, ...edit }
  })
  return [...facts, ...rest]
}
const place = (fact: Id) => ({
  day: '2026-03-02',
  line: Number(fact.slice(1)) + 1,
  session: 's',
  ownLine: Number(fact.slice(1)) + 1,
})

describe('takenOut', () => {
  it('says of a cut how many facts it took out and at which line of which day they begin', () => {
    expect(removedItems(logWith({ type: 'cut', group: 'g1', before: 'f8' }), place)).toEqual([
      {
        group: 'g1',
        kind: 'cut',
        entry: 'e0',
        label: 'compact',
        count: 8,
        at: 100,
        path: 'dialog/2026-03-02.jsonl',
        line: 1,
      },
    ])
  })
  it('counts of a later cut only what the earlier one had left', () => {
    const out = removedItems(
      logWith({ type: 'cut', group: 'g1', before: 'f8' }, { type: 'cut', group: 'g2', before: 'f14' }),
      place,
    )
    expect(out.map(({ group, count, line }) => [group, count, line])).toEqual([
      ['g2', 6, 9],
      ['g1', 8, 1],
    ])
  })
  it('gives it all of it once the earlier one is undone', () => {
    const out = removedItems(
      logWith(
        { type: 'cut', group: 'g1', before: 'f8' },
        { type: 'cut', group: 'g2', before: 'f14' },
        { type: 'undo', group: 'g3', target: 'g1' },
      ),
      place,
    )
    expect(out.map(({ group, count, line }) => [group, count, line])).toEqual([['g2', 14, 1]])
  })
})
