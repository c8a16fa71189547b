import { expect, it } from 'vitest'
import { WritingSpeed } from './writing-speed.ts'

const words = (text: string): number => text.split(' ').filter(word => word !== '').length

it('is tokens by the counter over the time since the first piece, whose own tokens took longer', () => {
  const speed = new WritingSpeed(words)
  speed.add('Once ', 10_000)
  speed.add('upon a ', 10_500)
  expect(speed.at(10_500)).toBeUndefined() // too early
  speed.add('time there ', 11_000)
  expect(speed.at(11_000)).toBe(4)
  expect(speed.at(12_000)).toBe(2) // nothing came meanwhile
  speed.add('was a fox', 14_000)
  expect(speed.at(14_000)).toBe(7 / 4)
})

it('says nothing of an answer that has not begun, or came in one piece', () => {
  const speed = new WritingSpeed(words)
  expect(speed.at(5_000)).toBeUndefined()
  speed.add('', 5_000)
  speed.add('All of it', 9_000)
  expect(speed.at(20_000)).toBeUndefined()
})

it('counts each piece once', () => {
  const seen: string[] = []
  const speed = new WritingSpeed(text => {
    seen.push(text)
    return 1
  })
  speed.add('a', 0)
  speed.add('b', 1)
  speed.add('c', 2)
  speed.at(3)
  speed.add('d', 4)
  speed.at(5)
  speed.at(6)
  expect(seen).toEqual(['bc', 'd'])
})
