import { describe, expect, it } from 'vitest'
import type { FactEntry, Log } from '../../log/entry.ts'
import { modelView } from '../../log/model-view/model-view.ts'
import { assistantFact, resultFact, testEnv, testLog, userFactOf } from '../context.fixture.ts'
import { shortenCalls } from '../view/shorten.ts'
import { textLimitSteps } from './text-limit-steps.ts'

const bound = 9_000
const argumentsOf = (length: number): string => JSON.stringify({ content: 'x'.repeat(length) })

/** The edits for one text and one call of so many characters. */
async function editsFor(length: number) {
  const log = testLog([
    userFactOf('Go'),
    assistantFact('', [['c1', 'write_file', argumentsOf(length)]]),
    resultFact('c1', 'y'.repeat(length)),
  ])
  return (await textLimitSteps(bound)[0]!(log, testEnv())).map(edit => 'part' in edit && edit.part)
}

/** The arguments of the only call, as a model is sent them. */
const sentArguments = (log: Log): string =>
  modelView(log).flatMap(({ message }) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []))[0]!.arguments

describe('a bound on each single text (C5.6)', () => {
  it('shortens what is above it, and nothing that keeps it', async () => {
    for (const length of [8_000, 8_700, 8_999, 9_000]) expect(await editsFor(length), `${length}`).toEqual([])
    for (const length of [9_001, 20_000]) expect(await editsFor(length), `${length}`).toHaveLength(2)
  })
})

describe('an excerpt of arguments', () => {
  it('that saves no bytes is no edit', () => {
    let made = 0
    for (let length = 1_000; length < 1_800; length += 10) {
      const log = testLog([
        userFactOf('Go'),
        assistantFact('', [['c1', 'write_file', argumentsOf(length)]]),
        resultFact('c1', 'ok'),
      ])
      const edit = shortenCalls(log, testEnv(), log[1] as FactEntry, { limit: 1_000, unit: 'bytes', headShare: 50 })
      if (edit === undefined) continue
      expect(sentArguments(testLog([edit], log)).length, `${length}`).toBeLessThan(argumentsOf(length).length)
      made++
    }
    expect(made).toBeGreaterThan(10)
  })
})
