import { describe, expect, it } from 'vitest'
import { repairMessages, repairsAfterCrash } from './repair.ts'
import { a, call, pathOfEntries, r, u } from '../log.fixture.ts'
import type { Message } from '../message.ts'
import vectors from './repair.vectors.json' with { type: 'json' }

type Given = ['user', string] | ['assistant', string, string[]?] | ['result', string, string]
type Case = {
  name: string
  why: string
  messages: Given[]
  expect: (number | { seq: number; calls: string[] } | { missing: string })[]
}

function messageOf([role, first, second]: Given): Message {
  if (role === 'user') return { role, content: first }
  if (role === 'result') return { role: 'tool', toolCallId: first, name: 'tool', content: second as string }
  const toolCalls = ((second ?? []) as string[]).map(id => call(id))
  return { role, content: first, ...(toolCalls.length > 0 ? { toolCalls } : {}) }
}

describe('repair', () => {
  it.each(vectors as Case[])('$name: $why', ({ messages: given, expect: right }) => {
    const messages = given.map(messageOf)
    const repaired = repairMessages(messages)
    expect(repaired).toHaveLength(right.length)
    right.forEach((wanted, i) => {
      const found = repaired[i]
      if (typeof wanted === 'number') expect(found).toBe(messages[wanted])
      else if ('missing' in wanted)
        expect(found).toMatchObject({ role: 'tool', toolCallId: wanted.missing, isError: true })
      else
        expect(found).toMatchObject({
          content: messages[wanted.seq]?.content,
          toolCalls: wanted.calls.map(id => call(id)),
        })
    })
  })

  it('answers the nearest call where a server numbers its calls anew in each answer', () => {
    const messages = (
      [
        ['assistant', '', ['0']],
        ['result', '0', 'one'],
        ['assistant', '', ['0']],
        ['result', '0', 'two'],
      ] as Given[]
    ).map(messageOf)
    expect(repairMessages(messages)).toEqual(messages)
  })

  it('leaves the older call without result where an id came again before it was answered', () => {
    const messages = (
      [
        ['assistant', 'first', ['0']],
        ['assistant', 'second', ['0']],
        ['result', '0', 'late'],
      ] as Given[]
    ).map(messageOf)
    expect(repairMessages(messages).map(({ content }) => content)).toEqual([
      'first',
      expect.stringContaining('no result'),
      'second',
      'late',
    ])
  })
})

describe('repairs after a crash', () => {
  const partial = { text: 'half an ans', reasoning: '', calls: [], model: 'm', local: true }

  it('keeps what had come of an answer', () => {
    expect(repairsAfterCrash(pathOfEntries([u('q')]), partial)).toEqual([
      { type: 'assistant', text: 'half an ans', calls: [], model: 'm', local: true, stop: 'interrupted' },
    ])
  })

  it('adds nothing where nothing had come', () => {
    expect(repairsAfterCrash(pathOfEntries([u('q'), a('done')]), { ...partial, text: '' })).toEqual([])
    expect(repairsAfterCrash([], undefined)).toEqual([])
  })

  it('gives a result to each open call of the last turn that does not wait for a permission', () => {
    const log = pathOfEntries([u('old'), a('', ['x']), u('q'), a('', ['1', '2', '3']), r('2', 'done')])
    expect(repairsAfterCrash(log, undefined, new Set(['3']))).toMatchObject([
      { type: 'result', callId: '1', isError: true },
    ])
  })

  it('answers calls that stood in the partial', () => {
    const repairs = repairsAfterCrash(pathOfEntries([u('q')]), { ...partial, calls: [call('1'), call('1'), call('2')] })
    expect(repairs.map(fact => (fact.type === 'result' ? fact.callId : fact.type))).toEqual(['assistant', '1', '2'])
  })
})
