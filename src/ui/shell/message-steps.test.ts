import { expect, it } from 'vitest'
import type { TranscriptItem } from '../transcript/transcript-items.ts'
import { messageBeside } from './message-steps.ts'

const items = ['user', 'tool', 'assistant', 'note', 'user', 'assistant', 'note'].map(
  (type, n) => ({ type, key: `${n}`, entry: `${n}` }) as TranscriptItem,
)
const beside = (key: string | undefined, by: 1 | -1) => messageBeside(items, key, by)?.key

it('goes from message to message, across tool calls and notes, and ends at both ends', () => {
  expect([beside(undefined, -1), beside('5', -1), beside('4', -1), beside('2', -1), beside('0', -1)]).toEqual([
    '5',
    '4',
    '2',
    '0',
    undefined,
  ])
  expect([beside('0', 1), beside('2', 1), beside('4', 1), beside('5', 1), beside(undefined, 1)]).toEqual([
    '2',
    '4',
    '5',
    undefined,
    undefined,
  ])
})

it('goes on from a tool call or a note that has the focus', () => {
  expect([beside('1', -1), beside('1', 1), beside('3', -1), beside('6', 1)]).toEqual(['0', '2', '2', undefined])
})
