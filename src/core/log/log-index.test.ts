import { describe, expect, it } from 'vitest'
import type { Entry } from './entry.ts'
import { logIndex } from './log-index.ts'

const user = (id: string): Entry => ({ id, parent: null, at: 0, type: 'user', text: id })
const note = (id: string, text: string): Entry => ({
  id,
  parent: null,
  at: 0,
  type: 'note',
  code: 'compact_no_gain',
  text,
})

describe('the index of a log', () => {
  it('follows a log that grows, and one that ends earlier or branches off', () => {
    const [a, b, c, d, n] = [user('a'), user('b'), user('c'), user('d'), note('n', 'said')]
    expect([...logIndex([a, b, n, c]).positions]).toEqual([
      ['a', 0],
      ['b', 1],
      ['n', 2],
      ['c', 3],
    ])
    expect(logIndex([a, b, n, c, d]).positions.get('d')).toBe(4)
    const branch = logIndex([a, b, d])
    expect([[...branch.positions.keys()], branch.nonFacts]).toEqual([['a', 'b', 'd'], []])
    const again = logIndex([a, b, n, user('a'), c])
    expect([[...again.duplicateIds], again.positions.get('a'), again.nonFacts.length]).toEqual([['a'], 0, 1])
    expect([...logIndex([a, b, n]).duplicateIds]).toEqual([])
  })

  it('sees one entry in the middle whose text was removed, while all others are the same', () => {
    const [a, b] = [user('a'), user('b')]
    logIndex([a, note('n', 'the secret'), b])
    expect(logIndex([a, note('n', ''), b]).nonFacts.map(({ entry }) => entry)).toEqual([note('n', '')])
  })

  it('sees what was pushed to the very same array', () => {
    const log = [user('a')]
    logIndex(log)
    log.push(note('n', 'later'))
    expect(logIndex(log).nonFacts).toHaveLength(1)
  })
})
