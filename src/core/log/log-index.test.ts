import { describe, expect, it } from 'vitest'
import type { Entry } from './entry.ts'
import { indexOf } from './log-index.ts'

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
    expect([...indexOf([a, b, n, c]).at]).toEqual([
      ['a', 0],
      ['b', 1],
      ['n', 2],
      ['c', 3],
    ])
    expect(indexOf([a, b, n, c, d]).at.get('d')).toBe(4)
    const branch = indexOf([a, b, d])
    expect([[...branch.at.keys()], branch.rare]).toEqual([['a', 'b', 'd'], []])
    const again = indexOf([a, b, n, user('a'), c])
    expect([[...again.twice], again.at.get('a'), again.rare.length]).toEqual([['a'], 0, 1])
    expect([...indexOf([a, b, n]).twice]).toEqual([])
  })

  it('sees one entry in the middle whose text was removed, while all others are the same', () => {
    const [a, b] = [user('a'), user('b')]
    indexOf([a, note('n', 'the secret'), b])
    expect(indexOf([a, note('n', ''), b]).rare.map(({ entry }) => entry)).toEqual([note('n', '')])
  })

  it('sees what was pushed to the very same array', () => {
    const log = [user('a')]
    indexOf(log)
    log.push(note('n', 'later'))
    expect(indexOf(log).rare).toHaveLength(1)
  })
})
