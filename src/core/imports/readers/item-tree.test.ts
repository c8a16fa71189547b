import { describe, expect, it } from 'vitest'
import { processorMs, faultsOf, said } from './agent-formats.fixture.ts'
import { foreign, itemTree, type ItemContent, type TreeRow } from './item-tree.ts'

const user = (text: string): ItemContent => ({ kind: 'user', text })
const asks = (...ids: string[]): ItemContent => ({
  kind: 'assistant',
  text: '',
  calls: ids.map(id => ({ id, name: `tool-${id}`, arguments: '{}' })),
})
const result = (callId: string, text = callId): ItemContent => ({
  kind: 'result',
  callId,
  tool: '',
  text,
  isError: false,
})
const row = (id: string, parent: string | null, content?: ItemContent): TreeRow =>
  content === undefined ? { id, parent } : { id, parent, content }

const parents = (rows: readonly TreeRow[]): string[] => {
  const { items } = itemTree(rows)
  expect(faultsOf({ id: 'c', items })).toEqual([])
  return items.map(({ id, parent }) => `${id} < ${parent}`)
}

describe('rows as items', () => {
  it('passes through what became no item', () => {
    const rows = [row('a', null), row('b', 'a', user('b')), row('x', 'b'), row('y', 'x'), row('c', 'y', user('c'))]
    expect(parents(rows)).toEqual(['b < null', 'c < b'])
    expect(itemTree(rows).itemAt('y')).toBe('b')
    expect(itemTree(rows).itemAt('a')).toBeUndefined()
    expect(itemTree(rows).itemAt('nowhere')).toBeUndefined()
  })

  it('puts parents before children, makes roots of orphans and cuts loops', () => {
    const rows = [
      row('c', 'b', user('c')),
      row('b', 'a', user('b')),
      row('a', null, user('a')),
      row('o', 'gone', user('o')),
      row('p', 'q', user('p')),
      row('q', 'p', user('q')),
      row('s', 's', user('s')),
    ]
    expect(parents(rows)).toEqual(['a < null', 'b < a', 'c < b', 'o < null', 'p < null', 'q < p', 's < null'])
  })

  it('takes a row that came twice once, and another one of the same id as another', () => {
    const rows = [
      row('a', null, user('a')),
      row('a', null, user('a')),
      row('a', null, user('other')),
      row('b', 'a', user('b')),
    ]
    expect(parents(rows)).toEqual(['a < null', 'a#2 < null', 'b < a'])
  })

  it('stands what has no branch between a row and what hangs on it', () => {
    const rows: TreeRow[] = [
      row('a', null, user('a')),
      row('b', 'a', user('b')),
      { ...row('x', 'a', foreign(1, 'unknown')), behind: true },
      { ...row('y', 'x', foreign(2, 'unknown')), behind: true },
      { ...row('z', null, foreign(3, 'unknown')), behind: true },
      row('c', 'a', user('c')),
    ]
    expect(parents(rows)).toEqual(['z < null', 'a < z', 'x < a', 'y < x', 'b < y', 'c < y'])
    expect(itemTree(rows).itemAt('a')).toBe('y')
  })

  it('puts results in the order of the calls, and what follows behind the last', () => {
    const rows = [
      row('a', null, asks('1', '2', '3')),
      row('r3', 'a', result('3')),
      row('r1', 'r3', result('1')),
      row('r2', 'r1', result('2')),
      row('b', 'r2', user('b')),
      row('c', 'r2', user('c')),
    ]
    expect(parents(rows)).toEqual(['a < null', 'r1 < a', 'r2 < r1', 'r3 < r2', 'b < r3', 'c < r3'])
    const forked = [...rows.slice(0, 3), row('r2', 'r3', result('2')), row('d', 'r2', user('d'))]
    expect(parents(forked)).toEqual(['a < null', 'r3 < a', 'r1 < r3', 'r2 < r3', 'd < r2'])
  })

  it('keeps a second result of a call beside the talk, and one without a call as it is', () => {
    const rows = [
      row('a', null, asks('1')),
      row('r', 'a', result('1')),
      row('s', 'r', result('1', 'again')),
      row('t', 's', result('9')),
    ]
    expect(said(itemTree(rows).items)).toEqual(['assistant  +tool-1', 'result 1', 'foreign unknown', 'result 9'])
  })

  it('gives an id that comes again to each call of it, and to its own result', () => {
    const rows = [
      row('a', null, asks('1')),
      row('r', 'a', result('1', 'first')),
      row('b', 'r', asks('1')),
      row('s', 'b', result('1', 'second')),
      row('c', 'r', asks('1', '1')), // a branch beside b
      row('t', 'c', result('1', 'third')),
      row('u', 't', result('1', 'fourth')),
    ]
    const { items } = itemTree(rows)
    expect(items.flatMap(item => (item.kind === 'result' ? `${item.text} ${item.callId} ${item.tool}` : []))).toEqual([
      'first 1 tool-1',
      'second 1#2 tool-1',
      'third 1#3 tool-1',
      'fourth 1#4 tool-1',
    ])
    expect(faultsOf({ id: 'c', items })).toEqual([])
  })

  it('lets one call be answered on two branches', () => {
    const rows = [row('a', null, asks('1')), row('r', 'a', result('1', 'x')), row('s', 'a', result('1', 'y'))]
    expect(said(itemTree(rows).items)).toEqual(['assistant  +tool-1', 'result x', 'result y'])
  })

  it('keeps from the first item that a compaction names, and from none that is not before it', () => {
    const summary = (firstKept: string): ItemContent => ({ kind: 'summary', text: 's', firstKept })
    const rows = [
      row('a', null, user('a')),
      row('m', 'a'),
      row('n', 'm'),
      row('b', 'n', user('b')),
      row('c', 'a', user('c')),
    ]
    const keptOf = (firstKept: string, parent = 'b'): unknown => {
      const item = itemTree([...rows, row('k', parent, summary(firstKept))]).items.at(-1)
      return item?.kind === 'summary' ? item.firstKept : 'no summary'
    }
    expect(keptOf('a')).toBe('a')
    expect(keptOf('m')).toBe('b')
    expect(keptOf('c')).toBeUndefined()
    expect(keptOf('gone')).toBeUndefined()
  })

  it('takes no longer for being deep, wide or knotted', () => {
    const n = 30_000
    const deep = Array.from({ length: n }, (_, i) =>
      row(`${i}`, i === 0 ? null : `${i - 1}`, i % 3 ? user('x') : asks('1')),
    )
    const wide = Array.from({ length: n }, (_, i) => row(`${i}`, i === 0 ? null : '0', result('1')))
    const same = Array.from({ length: n }, (_, i) => row('a', 'a', user(`${i}`)))
    const aside = Array.from({ length: n }, (_, i) => ({
      ...row(`${i}`, null, foreign(i, 'unknown')),
      behind: true as const,
    }))
    const ring = Array.from({ length: n }, (_, i) => row(`${i}`, `${(i + 1) % n}`))
    for (const rows of [deep, deep.toReversed(), wide, same, aside, ring]) {
      expect(processorMs(() => itemTree(rows))).toBeLessThan(2_000)
    }
  })
})
