/** A model writes the summary, and what is done where its answer is none. */
import { describe, expect, it } from 'vitest'
import { AgentError } from '../../errors.ts'
import { emptySection, parseSections } from './sections.ts'
import { serialiseFact } from './serialise-fact.ts'
import { summaryAssistant, summaryResult, stepEnv, summaryUser } from './summarize.fixture.ts'
import { summarize, summaryCap } from './summarize.ts'
import { count, finished, answeringSummariser, good, chat, input, headings } from './answering-summariser.fixture.ts'

describe('a summary by a model', () => {
  it('takes a valid answer as it is and attaches the identifiers that it lost', async () => {
    const { ask, asked } = answeringSummariser(good)
    const summary = await summarize(input, stepEnv(ask))
    expect(summary).toMatchObject({ by: 'model', calls: 1, failures: [] })
    expect(asked).toHaveLength(1)
    expect(summary.text.startsWith(good)).toBe(true)
    for (const name of ['deploy/api.yaml', 'https://ops.example/runbook', '412 MB'])
      expect(summary.text).toContain(name)
    expect([...summary.shown]).toEqual(chat.map(fact => fact.id))
  })

  it('adds nothing where nothing is missing', async () => {
    const summary = await summarize(
      {
        facts: [summaryUser('u', 'Keep the garden in order.'), summaryAssistant('a', 'I do. '.repeat(200))],
        replaces: 500,
        useModel: true,
      },
      stepEnv(answeringSummariser(good.replaceAll(/2\.3\.1|OPS-4471/g, 'it')).ask),
    )
    expect(summary.text).toBe(good.replaceAll(/2\.3\.1|OPS-4471/g, 'it'))
  })

  it('puts the instruction last, and names the fault before it when it asks again', async () => {
    const { ask, asked } = answeringSummariser('', good)
    const summary = await summarize(input, stepEnv(ask, { instruction: 'keep the decisions' }))
    expect(summary).toMatchObject({ by: 'model', calls: 2, failures: ['it was empty'] })
    expect(asked[0]?.text.endsWith('keep the decisions')).toBe(true)
    expect(asked[1]?.text.endsWith('keep the decisions')).toBe(true)
    expect(asked[1]?.text).toContain('it was empty')
  })

  it('gives the previous summary to the model, and asks in Chinese where the chat is', async () => {
    const { ask, asked } = answeringSummariser(good)
    await summarize({ ...input, previous: '## Goal\nThe old goal' }, stepEnv(ask, { language: 'zh' }))
    expect(asked[0]?.text).toContain('The old goal')
    expect(asked[0]?.text).toContain('## Critical Context')
    expect(asked[0]?.text).toContain('逐字照抄')
  })

  it.each([
    ['en', 32_768, 40_000, '982 to 1966 words'],
    ['en', 32_768, 4_000, '240 to 1599 words'],
    ['en', 32_768, 600, 'under 239 words'],
    ['en', 8_192, 40_000, '245 to 491 words'],
    ['zh', 32_768, 40_000, '1965 到 3932 个字'],
    ['zh', 32_768, 400, '不超过 319 个字'],
  ] as const)(
    'asks in %s for a size that a window of %i allows and %i tokens are worth',
    async (language, contextWindow, replaces, size) => {
      const { ask, asked } = answeringSummariser(good)
      await summarize({ ...input, replaces }, stepEnv(ask, { language, contextWindow }))
      expect(asked[0]?.text).toContain(size)
    },
  )

  it('flags identifiers that occur in no source', async () => {
    const summary = await summarize(
      input,
      stepEnv(answeringSummariser(good.replace('OPS-4471.', 'OPS-4471, see src/made/up.ts and 99 GB.')).ask),
    )
    const flags = /Unconfirmed \(in no source\): (.*)/.exec(summary.text)?.[1] ?? ''
    expect(flags.split(' · ').sort()).toEqual(['99 GB', 'src/made/up.ts'])
  })

  it('takes off thinking, and what it says in a fence', async () => {
    const summary = await summarize(
      input,
      stepEnv(answeringSummariser(`<think>Hm, ## Goal?</think>\n\`\`\`markdown\n${good}\n\`\`\``).ask),
    )
    expect(summary.by).toBe('model')
    expect(summary.text.startsWith(good)).toBe(true)
  })

  it('adds headings that are missing when two are there', async () => {
    const summary = await summarize(
      input,
      stepEnv(answeringSummariser('## Goal\nShip it\n\n**Next Steps:**\n1. Drain').ask),
    )
    expect(summary.by).toBe('model')
    headings(summary.text)
    expect(parseSections(summary.text).found.get('Key Decisions')).toBe(emptySection)
  })

  it('never shows reasoning, and at most 2 000 letters of a block', () => {
    const fact = { ...summaryAssistant('a', `start${'x'.repeat(5_000)}end`), reasoning: 'secret thoughts' }
    const text = serialiseFact(fact)
    expect(text).not.toContain('secret')
    expect(text.length).toBeLessThan(2_500)
    expect(text).toMatch(/^\[assistant 2026-03-02 09:00\]\nstartx+/)
    expect(text).toMatch(/answer\/a\.txt[\s\S]*xend$/)
    expect(serialiseFact(summaryResult('r', 'c', 'grep', 'No such file', true))).toContain('failed result of grep')
  })
})

describe('an answer that is no summary', () => {
  const long = `${good}\n${'- More and more words about the same thing.\n'.repeat(2_000)}`
  it.each<[string, Parameters<typeof answeringSummariser>[0], RegExp]>([
    ['blank', '  \n', /empty/],
    ['reasoning only', '<think>I should write ## Goal and ## Next Steps</think>', /only reasoning/],
    ['reasoning that never ends', `<think>${good}`, /only reasoning/],
    ['an error text', 'Error generating summary: 429 rate limit', /error message/],
    ['an apology', 'I am sorry, I cannot help with that.', /error message/],
    ['cut off', finished(good, 'length'), /cut off/],
    ['filtered', finished(good, 'filtered'), /not finished/],
    ['without headings', 'The person wants to release the shop and everything goes well so far.', /headings/],
    ['over the cap', long, /too long/],
    ['empty sections', '## Goal\n\n## Next Steps\n', /held nothing/],
    ['thrown', new Error('429 rate limit'), /429/],
    ['overflow', new AgentError('model_overflow', 'prompt is too long'), /too long/],
    ['an idle timeout', new AgentError('network', 'no token for 60 s'), /60 s/],
  ])('%s: one retry, then by rule', async (_, answer, fault) => {
    const { ask, asked } = answeringSummariser(answer)
    const summary = await summarize({ ...input, previous: '## Goal\n- The oldest goal of all' }, stepEnv(ask))
    expect(summary).toMatchObject({ by: 'extractive', calls: 2 })
    expect(asked).toHaveLength(2)
    expect(summary.failures).toHaveLength(2)
    expect(summary.failures[0]).toMatch(fault)
    expect(asked[1]?.text).toContain(summary.failures[0])
    expect(summary.shown.size).toBe(0)
    headings(summary.text)
    for (const kept of ['Release shop 2.3.1', 'Never on Friday', 'node-9', 'The oldest goal of all', 'deploy/api.yaml'])
      expect(summary.text).toContain(kept)
    expect(summary.text).not.toMatch(/429|<think>|sorry/)
    expect(count(summary.text)).toBeLessThanOrEqual(summaryCap(32_768))
  })

  it('larger than what it replaces', async () => {
    const summary = await summarize({ ...input, replaces: count(good) }, stepEnv(answeringSummariser(good).ask))
    expect(summary.by).toBe('extractive')
    expect(summary.failures[0]).toMatch(/not shorter|too long/)
    expect(count(summary.text)).toBeLessThan(count(good))
  })

  it('where so little is replaced that no summary fits: still six headings and the request, and nobody is asked', async () => {
    const { ask, asked } = answeringSummariser(good)
    const summary = await summarize(
      { facts: [summaryUser('u', 'Hello there.')], replaces: 12, useModel: true },
      stepEnv(ask),
    )
    expect(asked).toHaveLength(0)
    headings(summary.text)
    expect(count(summary.text)).toBeLessThan(60)
  })

  it('where no model may be asked', async () => {
    const { ask, asked } = answeringSummariser(good)
    expect(await summarize({ ...input, useModel: false }, stepEnv(ask))).toMatchObject({
      by: 'extractive',
      calls: 0,
      failures: [],
    })
    expect(await summarize(input, stepEnv(undefined))).toMatchObject({ by: 'extractive', calls: 0, failures: [] })
    expect(asked).toHaveLength(0)
  })

  it('keeps to an earlier summary when there is nothing new', async () => {
    const summary = await summarize(
      { facts: [], previous: good, replaces: 3_000, useModel: true },
      stepEnv(answeringSummariser(good).ask),
    )
    expect(summary.text).toBe(good)
  })
})
