import { expect, it } from 'vitest'
import { withoutMarks } from './source-marks.ts'

it('takes marks out of the text, and leaves the words of names and links', () => {
  expect(withoutMarks('a \uE200cite\uE202turn0\uE201. b\uE200cite\uE202x\uE201')).toBe('a. b')
  expect(
    withoutMarks('In \uE200entity\uE202["city","Paris","x"]\uE201, see \uE200url\uE202T\uE202https://a.b\uE201!'),
  ).toBe('In Paris, see [T](https://a.b)!')
  expect(withoutMarks('a \uE203b\uE204\uE206 \uE200open')).toBe('a b open')
  expect(withoutMarks('plain ')).toBe('plain ')
  expect(withoutMarks('a\uE202turn0search1, b \uE200\uE202turn0news0\uE202turn1search2\uE201')).toBe('a, b')
})

it('is linear in the marks', () => {
  const from = process.cpuUsage().user
  expect(withoutMarks('a \uE200cite\uE202x\uE201 '.repeat(100_000))).toBe('a '.repeat(100_000))
  expect((process.cpuUsage().user - from) / 1000).toBeLessThan(2_000)
})
