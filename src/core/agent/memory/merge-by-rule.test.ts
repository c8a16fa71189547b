import { describe, expect, it } from 'vitest'
import type { MemoryNote } from '../api/memory-api.ts'
import { durableItems, mergeByRule } from './merge-by-rule.ts'

const note = (text: string, day = '2026-03-02'): MemoryNote => ({
  session: 's',
  title: 'T',
  entry: `${day} ${text}`,
  day,
  at: 0,
  text,
})
const merged = (memory: string, ...notes: MemoryNote[]): string => mergeByRule(memory, notes, 'en').text

describe('merging by rule', () => {
  it('leaves out what the text says already, in whatever form', () => {
    const memory = '# Memory\n\n- Ada likes green tea. (2026-03-01)\n'
    expect(merged(memory, note('ada likes green tea'), note('**Ada likes green tea!**'), note('likes green tea'))).toBe(
      memory,
    )
  })

  it('lets a newer line take the place of one that it repeats with more, or under the same name', () => {
    expect(merged('- The mast is larch (2026-03-01)\n- Other\n', note('The mast is larch from Norway'))).toBe(
      '- The mast is larch from Norway (2026-03-02)\n- Other\n',
    )
    expect(merged('- 预算：200 (2026-03-01)\n', note('预算：300'), note('预算：350', '2026-03-03'))).toBe(
      '- 预算：350 (2026-03-03)\n',
    )
    expect(
      merged(
        '- see https://a.example/x\n- at 10:30 tea\n',
        note('see https://b.example/y'),
        note('at 10:45 tea'),
      ).split('\n'),
    ).toHaveLength(5)
  })

  it('keeps what differs in one word: it may be another thing', () => {
    expect(merged('- Ada likes tea with milk\n', note('Ada likes coffee with milk'))).toContain(
      'tea with milk\n- Ada likes coffee',
    )
  })

  it('names for each new line its note, and nothing for a text that stays', () => {
    const { sources } = mergeByRule('', [note('one'), note('two')], 'zh')
    expect([...sources].map(([line, [source]]) => [line, source?.entry])).toEqual([
      ['- one (2026-03-02)', '2026-03-02 one'],
      ['- two (2026-03-02)', '2026-03-02 two'],
    ])
    expect(mergeByRule('a', [note('a')], 'en')).toEqual({ text: 'a', sources: new Map() })
  })

  it('takes every line of a note, and cuts one that is a text', () => {
    expect(durableItems('- a\n\n## head\n2. b\nc')).toEqual(['a', 'b', 'c'])
    expect(durableItems('x'.repeat(5_000))[0]).toHaveLength(401)
  })
})
