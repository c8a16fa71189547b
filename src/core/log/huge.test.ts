import { expect, it } from 'vitest'
import { isHuge, splitHuge } from './huge.ts'
import { utf8Bytes } from '../text/bytes.ts'

it('leaves a text of 131 072 bytes alone and splits one that is a byte longer', () => {
  const text = 'x'.repeat(131_072)
  expect(splitHuge(text)).toEqual({ text })
  const split = splitHuge(`${text}y`)
  expect([split.text.length, split.tail?.length, split.rest, split.whole]).toEqual([
    73_728,
    40_960,
    { bytes: 131_073, lines: 1, chars: 131_073 },
    `${text}y`,
  ])
})

it('measures in bytes and splits no character', () => {
  expect([isHuge('你'.repeat(43_690)), isHuge('你'.repeat(43_691))]).toEqual([false, true])
  const text = '🎒\n你'.repeat(30_000)
  const { text: head, tail = '', rest } = splitHuge(text)
  expect(text.startsWith(head) && text.endsWith(tail)).toBe(true)
  expect(utf8Bytes(head)).toBeLessThanOrEqual(73_728)
  expect(utf8Bytes(head)).toBeGreaterThan(73_724)
  expect(utf8Bytes(tail)).toBeGreaterThan(40_956)
  expect([...head, ...tail].every(letter => ['🎒', '\n', '你'].includes(letter))).toBe(true)
  expect(rest).toEqual({ bytes: 240_000, lines: 30_001, chars: 90_000 })
})
