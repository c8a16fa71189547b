/** A summary stays within its size, its number of calls and its time, whatever it is given. */
import { describe, expect, it } from 'vitest'
import type { FactEntry } from '../../log/entry.ts'
import type { AskSummariser } from '../strategy.ts'
import { summaryAssistant, summaryResult, stepEnv, summaryUser } from './summarize.fixture.ts'
import { summarize, summaryCap } from './summarize.ts'
import { count, answeringSummariser, good, input, headings } from './answering-summariser.fixture.ts'

describe('bounds', () => {
  const many = (facts: number, letters: number): FactEntry[] =>
    Array.from({ length: facts }, (_, index) =>
      index % 2 === 0
        ? summaryUser(`u${index}`, `Please change src/part${index}.ts. ${'word '.repeat(letters / 5)}`)
        : summaryAssistant(`a${index}`, `I changed src/part${index - 1}.ts. ${'word '.repeat(letters / 5)}`),
    )

  it.each([1_024, 2_048, 4_096, 8_192, 32_768, 200_000])(
    'no call fills more than 60 percent of a window of %i, and the answer fits beside it',
    async askWindow => {
      const { ask, asked } = answeringSummariser('## Goal\nAll of it\n\n## Next Steps\n1. Go on')
      const facts = many(60, 3_000)
      const summary = await summarize(
        { facts, previous: good, replaces: 40_000, useModel: true },
        stepEnv(ask, { contextWindow: 32_768, askWindow }),
      )
      for (const one of asked) {
        expect(one.tokens).toBeLessThanOrEqual(0.6 * askWindow)
        expect(one.tokens + one.maxTokens).toBeLessThanOrEqual(askWindow)
      }
      expect(asked.length).toBeLessThanOrEqual(8)
      expect(count(summary.text)).toBeLessThanOrEqual(summaryCap(32_768))
      headings(summary.text)
      if (askWindow >= 32_768) expect(summary.shown.size).toBe(facts.length)
    },
  )

  it('goes piece by piece, each with the summary so far, and shows every fact once', async () => {
    const { ask, asked } = answeringSummariser(
      '## Goal\nPiece one\n\n## Next Steps\n1. Go',
      '## Goal\nPiece two\n\n## Next Steps\n1. Go',
      '## Goal\nPiece three\n\n## Next Steps\n1. Go',
    )
    const facts = many(24, 1_500)
    const summary = await summarize({ facts, replaces: 9_000, useModel: true }, stepEnv(ask, { contextWindow: 8_192 }))
    expect(summary).toMatchObject({ by: 'model', failures: [] })
    expect(summary.calls).toBeGreaterThan(1)
    expect(asked[1]?.text).toContain('Piece one')
    for (const fact of facts)
      expect(asked.filter(one => one.text.includes(`Please change src/part${fact.id.slice(1)}.ts`)).length).toBe(
        fact.type === 'user' ? 1 : 0,
      )
    expect([...summary.shown]).toEqual(facts.map(fact => fact.id))
  })

  it('asks at most eight times; what was not shown goes by rule, the newest to the model', async () => {
    const { ask, asked } = answeringSummariser('## Goal\nAll of it\n\n## Next Steps\n1. Go on')
    const facts = many(400, 1_900)
    const summary = await summarize(
      { facts, replaces: 200_000, useModel: true },
      stepEnv(ask, { contextWindow: 8_192 }),
    )
    expect(asked.length).toBeLessThanOrEqual(8)
    expect(summary.shown.has(facts.at(-1)?.id ?? '')).toBe(true)
    expect(summary.shown.has('u0')).toBe(false)
    expect(asked[0]?.text).toContain('src/part') // of the summary by rule
  })

  it('keeps what one piece gave when the next one fails', async () => {
    const first = '## Goal\nThe first piece told this\n\n## Key Decisions\n- **x**'
    const summary = await summarize(
      { facts: many(24, 1_500), replaces: 9_000, useModel: true },
      stepEnv(answeringSummariser(first, new Error('gone')).ask, { contextWindow: 8_192 }),
    )
    expect(summary).toMatchObject({ by: 'extractive', calls: 3 })
    expect(summary.text).toContain('The first piece told this')
    expect(summary.text).toContain('src/part22.ts')
    expect(count(summary.text)).toBeLessThanOrEqual(summaryCap(8_192))
  })

  it('stops asking after three minutes', async () => {
    let now = 0
    const { ask, asked } = answeringSummariser('## Goal\nPiece\n\n## Next Steps\n1. Go')
    const slow: AskSummariser = (prompt, limits) => {
      now += 100_000
      return ask(prompt, limits)
    }
    const summary = await summarize(
      { facts: many(40, 1_500), replaces: 12_000, useModel: true },
      stepEnv(slow, { contextWindow: 4_096, now: () => now }),
    )
    expect(asked.length).toBe(2)
    headings(summary.text)
  })

  it('ends at once when it is stopped, before, during and after a call', async () => {
    const stopped = new AbortController()
    stopped.abort()
    await expect(
      summarize(input, stepEnv(answeringSummariser(good).ask, { signal: stopped.signal })),
    ).rejects.toMatchObject({
      code: 'stopped',
    })
    const during = new AbortController()
    const ask: AskSummariser = () => {
      during.abort()
      return Promise.reject(new Error('aborted'))
    }
    await expect(summarize(input, stepEnv(ask, { signal: during.signal }))).rejects.toMatchObject({ code: 'stopped' })
    const paused = new AbortController()
    await expect(
      summarize(
        { ...input, useModel: false, facts: many(1_000, 1_900) },
        stepEnv(undefined, {
          signal: paused.signal,
          pause: () => {
            paused.abort()
            return Promise.resolve()
          },
        }),
      ),
    ).rejects.toMatchObject({ code: 'stopped' })
  })

  it('takes facts that are hostile: huge, empty, removed, with many calls', async () => {
    const calls = Array.from({ length: 300 }, (_, index) => ({
      id: `c${index}`,
      name: 'x',
      arguments: `{"a":"${'y'.repeat(3_000)}"}`,
    }))
    const facts: FactEntry[] = [
      summaryUser('u', 'a'.repeat(100_000)),
      summaryAssistant('a', '', calls),
      summaryResult('r', 'c1', 'x', '\u0000'.repeat(1_000)),
      summaryUser('e', ''),
      { ...summaryUser('g', ''), gone: { bytes: 12, day: '2026-03-01', why: 'deleted by the person' } },
      {
        ...summaryResult('h', 'c2', 'x', 'h'.repeat(70_000)),
        tail: 't'.repeat(40_000),
        rest: { bytes: 10_000_000, lines: 1 },
      },
    ]
    const { ask, asked } = answeringSummariser('## Goal\nAll\n\n## Next Steps\n1. Go')
    const summary = await summarize({ facts, replaces: 50_000, useModel: true }, stepEnv(ask, { contextWindow: 4_096 }))
    for (const one of asked) expect(one.tokens).toBeLessThanOrEqual(0.6 * 4_096)
    expect(count(summary.text)).toBeLessThanOrEqual(summaryCap(4_096))
  })
})
