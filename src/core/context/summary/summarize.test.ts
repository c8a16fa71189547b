import { describe, expect, it } from 'vitest'
import { AgentError } from '../../errors.ts'
import type { FactEntry } from '../../log/entry.ts'
import type { StopReason } from '../../log/message.ts'
import { inSections, itemsOf, emptySection, progressItems, sectionNames, parseSections } from './sections.ts'
import { serialiseFact } from './serialise-fact.ts'
import type { AskSummariser } from '../strategy.ts'
import { summaryAssistant, bytesCounter, summaryResult, stepEnv, summaryUser } from './summarize.fixture.ts'
import { summarize, summaryCap } from './summarize.ts'
import type { SummaryInput } from './summarize.ts'
import { withoutThinking } from './valid-summary.ts'

const count = bytesCounter.text
const finished = (text: string, finish: StopReason = 'stop'): Awaited<ReturnType<AskSummariser>> => ({ text, finish })

/** Answers one after the other, the last one again and again; what was asked is kept. */
function scripted(...answers: (string | Error | Awaited<ReturnType<AskSummariser>>)[]): {
  ask: AskSummariser
  asked: { text: string; tokens: number; maxTokens: number }[]
} {
  const asked: { text: string; tokens: number; maxTokens: number }[] = []
  const ask: AskSummariser = (prompt, { maxTokens }) => {
    const text = [prompt.system, ...prompt.messages.map(message => message.content)].join('\n')
    const answer = answers[Math.min(asked.length, answers.length - 1)] ?? ''
    asked.push({ text, tokens: count(text), maxTokens })
    if (answer instanceof Error) return Promise.reject(answer)
    return Promise.resolve(typeof answer === 'string' ? finished(answer) : answer)
  }
  return { ask, asked }
}

const good = `## Goal
Ship release 2.3.1 of the shop.

## Constraints & Preferences
- never on Friday

## Progress
### Done
- [x] the tests pass
### In Progress
- [ ] the image is built
### Blocked
- (none)

## Key Decisions
- **node-9**: the disk of node-7 is broken

## Next Steps
1. Drain node-7

## Critical Context
- The ticket is OPS-4471.`

const chat: FactEntry[] = [
  summaryUser('u1', 'Release shop 2.3.1, ticket OPS-4471. Never on Friday. The config is deploy/api.yaml.'),
  summaryAssistant('a1', 'I look.', [{ id: 'c1', name: 'read_file', arguments: '{"path":"deploy/api.yaml"}' }]),
  summaryResult('r1', 'c1', 'read_file', `spec: replicas 3\n${'filler line of the file\n'.repeat(400)}`),
  summaryAssistant(
    'a2',
    'Decided: node-9, because the disk of node-7 is broken. Next I need to drain node-7. The image is 412 MB.',
  ),
  summaryUser('u2', 'Good. See https://ops.example/runbook for the steps.'),
  summaryAssistant('a3', 'The runbook says to drain node-7 first. The tests pass.'),
]
const input: SummaryInput = { facts: chat, replaces: 3_000, useModel: true }
const headings = (text: string): void => {
  expect(sectionNames.map(name => `## ${name}`).filter(heading => !text.includes(`${heading}\n`))).toEqual([])
}

describe('a summary by a model', () => {
  it('takes a valid answer as it is and attaches the identifiers that it lost', async () => {
    const { ask, asked } = scripted(good)
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
      stepEnv(scripted(good.replaceAll(/2\.3\.1|OPS-4471/g, 'it')).ask),
    )
    expect(summary.text).toBe(good.replaceAll(/2\.3\.1|OPS-4471/g, 'it'))
  })

  it('puts the instruction last, and names the fault before it when it asks again', async () => {
    const { ask, asked } = scripted('', good)
    const summary = await summarize(input, stepEnv(ask, { instruction: 'keep the decisions' }))
    expect(summary).toMatchObject({ by: 'model', calls: 2, failures: ['it was empty'] })
    expect(asked[0]?.text.endsWith('keep the decisions')).toBe(true)
    expect(asked[1]?.text.endsWith('keep the decisions')).toBe(true)
    expect(asked[1]?.text).toContain('it was empty')
  })

  it('gives the previous summary to the model, and asks in Chinese where the chat is', async () => {
    const { ask, asked } = scripted(good)
    await summarize({ ...input, previous: '## Goal\nThe old goal' }, stepEnv(ask, { language: 'zh' }))
    expect(asked[0]?.text).toContain('The old goal')
    expect(asked[0]?.text).toContain('## Critical Context')
    expect(asked[0]?.text).toContain('逐字照抄')
  })

  it('flags identifiers that occur in no source', async () => {
    const summary = await summarize(
      input,
      stepEnv(scripted(good.replace('OPS-4471.', 'OPS-4471, see src/made/up.ts and 99 GB.')).ask),
    )
    const flags = /Unconfirmed \(in no source\): (.*)/.exec(summary.text)?.[1] ?? ''
    expect(flags.split(' · ').sort()).toEqual(['99 GB', 'src/made/up.ts'])
  })

  it('takes off thinking, and what it says in a fence', async () => {
    const summary = await summarize(
      input,
      stepEnv(scripted(`<think>Hm, ## Goal?</think>\n\`\`\`markdown\n${good}\n\`\`\``).ask),
    )
    expect(summary.by).toBe('model')
    expect(summary.text.startsWith(good)).toBe(true)
  })

  it('adds headings that are missing when two are there', async () => {
    const summary = await summarize(input, stepEnv(scripted('## Goal\nShip it\n\n**Next Steps:**\n1. Drain').ask))
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
  it.each<[string, Parameters<typeof scripted>[0], RegExp]>([
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
    const { ask, asked } = scripted(answer)
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
    const summary = await summarize({ ...input, replaces: count(good) }, stepEnv(scripted(good).ask))
    expect(summary.by).toBe('extractive')
    expect(summary.failures[0]).toMatch(/not shorter|too long/)
    expect(count(summary.text)).toBeLessThan(count(good))
  })

  it('where so little is replaced that no summary fits: still six headings and the request, and nobody is asked', async () => {
    const { ask, asked } = scripted(good)
    const summary = await summarize(
      { facts: [summaryUser('u', 'Hello there.')], replaces: 12, useModel: true },
      stepEnv(ask),
    )
    expect(asked).toHaveLength(0)
    headings(summary.text)
    expect(count(summary.text)).toBeLessThan(60)
  })

  it('where no model may be asked', async () => {
    const { ask, asked } = scripted(good)
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
      stepEnv(scripted(good).ask),
    )
    expect(summary.text).toBe(good)
  })
})

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
      const { ask, asked } = scripted('## Goal\nAll of it\n\n## Next Steps\n1. Go on')
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
    const { ask, asked } = scripted(
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
    const { ask, asked } = scripted('## Goal\nAll of it\n\n## Next Steps\n1. Go on')
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
      stepEnv(scripted(first, new Error('gone')).ask, { contextWindow: 8_192 }),
    )
    expect(summary).toMatchObject({ by: 'extractive', calls: 3 })
    expect(summary.text).toContain('The first piece told this')
    expect(summary.text).toContain('src/part22.ts')
    expect(count(summary.text)).toBeLessThanOrEqual(summaryCap(8_192))
  })

  it('stops asking after three minutes', async () => {
    let now = 0
    const { ask, asked } = scripted('## Goal\nPiece\n\n## Next Steps\n1. Go')
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
    await expect(summarize(input, stepEnv(scripted(good).ask, { signal: stopped.signal }))).rejects.toMatchObject({
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
    const { ask, asked } = scripted('## Goal\nAll\n\n## Next Steps\n1. Go')
    const summary = await summarize({ facts, replaces: 50_000, useModel: true }, stepEnv(ask, { contextWindow: 4_096 }))
    for (const one of asked) expect(one.tokens).toBeLessThanOrEqual(0.6 * 4_096)
    expect(count(summary.text)).toBeLessThanOrEqual(summaryCap(4_096))
  })
})

describe('sections', () => {
  it('are the published six, in their order, and the prompt asks for each of them and for what is done, running and blocked', async () => {
    expect(sectionNames).toEqual([
      'Goal',
      'Constraints & Preferences',
      'Progress',
      'Key Decisions',
      'Next Steps',
      'Critical Context',
    ])
    for (const language of ['en', 'zh'] as const) {
      const { ask, asked } = scripted(good)
      await summarize(input, stepEnv(ask, { language }))
      const places = [
        ...sectionNames.slice(0, 3).map(name => `## ${name}`),
        '### Done',
        '### In Progress',
        '### Blocked',
        ...sectionNames.slice(3).map(name => `## ${name}`),
      ].map(heading => asked[0]!.text.indexOf(heading))
      expect(places.every((place, at) => place > (places[at - 1] ?? -1))).toBe(true)
    }
  })
  it('reads what small models write, and writes it in order', () => {
    const text = inSections(
      'Here is the summary:\n# 2. Next steps\n- go\n**Goal**\nwin\n## 关键决定\n- 用 A\n## Files\na.ts',
    )
    expect(text.indexOf('## Goal')).toBeLessThan(text.indexOf('## Next Steps'))
    expect(parseSections(text).found.get('Key Decisions')).toBe('- 用 A')
    expect(parseSections(text).found.get('Critical Context')).toContain('a.ts')
    expect(text).not.toContain('Here is the summary')
    expect(inSections(text)).toBe(text)
  })
  it('leaves headings in code alone and keeps long words in front', () => {
    expect(parseSections('## Goal\n```\n## Next Steps\n```\nx').found.size).toBe(1)
    expect(inSections(`${'long words. '.repeat(30)}\n## Goal\nx`)).toContain('long words.')
  })
  it('takes items and progress apart', () => {
    expect(itemsOf('- [x] one\n2. two\n\n(none)\n### Done\n* three')).toEqual(['one', 'two', 'three'])
    expect(progressItems('### Done\n- a\n### In Progress\n- [ ] b\n- [x] c\n### Blocked\n- d')).toEqual({
      done: ['a', 'c'],
      running: ['b'],
      blocked: ['d'],
    })
  })
  it('cuts thinking off however it is marked', () => {
    expect(withoutThinking('<THINK>a</THINK>b')).toBe('b')
    expect(withoutThinking('a</think>b')).toBe('b')
    expect(withoutThinking('b<thinking>a')).toBe('b')
    expect(withoutThinking('plain')).toBe('plain')
  })
})
