import { describe, expect, it } from 'vitest'
import type { Entry, Fact } from '../../log/entry.ts'
import { modelView } from '../../log/model-view/model-view.ts'
import { scriptedSummariser, assistantFact, testEnv, goodSummary, testLog, userFactOf } from '../context.fixture.ts'
import { lateSummary } from './late-summary.ts'
import { runPipeline } from '../run-pipeline.ts'

const step = lateSummary('first question')
const turns = (from: number, to: number): Fact[] =>
  Array.from({ length: to - from }, (_, n): Fact[] => [
    userFactOf(`question ${from + n} about src/app-${from + n}.ts`),
    assistantFact(`answer ${from + n} `.repeat(200)),
  ]).flat()
const cutBefore = (entry: Entry | undefined, id: string, reason: 'turns' | 'clear' = 'turns') =>
  ({ type: 'cut', id, group: id, before: entry?.id ?? null, reason }) as const
const nothingWorthKeeping = goodSummary.replaceAll(/^(- |1\. |Tend).*$/gm, '(none)')

describe('lateSummary', () => {
  it('tells each cut once, oldest first, each with what it took out of view', async () => {
    const facts = testLog(turns(0, 6))
    let log: Entry[] = testLog([cutBefore(facts[4], 'one'), cutBefore(facts[8], 'two')], facts)
    const covers: unknown[] = []
    for (let n = 0; n < 2; n++) {
      const added = await runPipeline(log, [step], testEnv({ ask: scriptedSummariser(goodSummary).ask }))
      const summary = added.find(entry => entry.type === 'summary')
      covers.push(summary?.type === 'summary' && [summary.of, summary.covers.first, summary.covers.last])
      expect(added.find(entry => entry.type === 'memory')).toMatchObject({
        cut: n === 0 ? 'one' : 'two',
        text: summary?.type === 'summary' ? summary.text : '',
      })
      log = [...log, ...added]
    }
    expect(covers).toEqual([
      ['one', facts[0]?.id, facts[3]?.id],
      ['two', facts[4]?.id, facts[7]?.id],
    ])
    expect(await runPipeline(log, [step], testEnv())).toEqual([])
  })

  it('asks the model once: what stands in view is what is remembered of the day', async () => {
    const facts = testLog(turns(0, 6))
    const { ask, calls } = scriptedSummariser(goodSummary)
    const added = await runPipeline(testLog([cutBefore(facts[4], 'one')], facts), [step], testEnv({ ask }))
    expect(calls()).toBe(1)
    expect(added.map(entry => entry.type)).toEqual(['summary', 'memory'])
    expect(
      new Set(added.map(entry => (entry.type === 'summary' || entry.type === 'memory' ? entry.text : ''))).size,
    ).toBe(1)
  })

  it('is shown from the next question on, in front of the first one that is kept', async () => {
    const facts = testLog(turns(0, 3))
    const cut = testLog([cutBefore(facts[2], 'one')], facts)
    const log = [...cut, ...(await runPipeline(cut, [step], testEnv({ ask: scriptedSummariser(goodSummary).ask })))]
    expect(modelView(log)[0]?.message.content).toBe(facts[2]?.type === 'user' ? facts[2].text : '')
    const next = modelView(testLog([userFactOf('and then?')], log))[0]?.message.content ?? ''
    expect(next).toContain('Tend the garden')
    expect(next.endsWith('question 1 about src/app-1.ts')).toBe(true)
  })

  it.each([
    ['in these words', 'Nothing worth keeping.'],
    ['in Chinese', '没有值得保留的内容。'],
    ['after thinking', '<think>Only greetings.</think>\nNothing worth keeping'],
    ['by empty sections', nothingWorthKeeping],
  ])(
    'writes no memory where the model finds nothing worth keeping, %s; a short summary by rule stands in view',
    async (_how, answer) => {
      const facts = testLog(turns(0, 3))
      const log = testLog([cutBefore(facts[4], 'one')], facts)
      const { ask, calls } = scriptedSummariser(answer)
      const added = await runPipeline(log, [step], testEnv({ ask }))
      expect(added.map(entry => entry.type)).toEqual(['summary'])
      expect(calls()).toBe(1)
      const [summary] = added
      expect(summary).toMatchObject({ by: 'extractive', of: 'one' })
      expect(summary?.type === 'summary' && summary.text).toContain('question 1 about src/app-1.ts')
      expect(summary?.type === 'summary' && summary.text.length).toBeLessThan(1_300)
    },
  )

  it('keeps the summary so far where the newer part holds nothing worth keeping', async () => {
    const facts = testLog(turns(0, 6))
    const first = testLog([cutBefore(facts[4], 'one')], facts)
    const told = [
      ...first,
      ...(await runPipeline(first, [step], testEnv({ ask: scriptedSummariser(goodSummary).ask }))),
    ]
    const added = await runPipeline(
      testLog([cutBefore(facts[8], 'two')], told),
      [step],
      testEnv({ ask: scriptedSummariser('Nothing worth keeping').ask }),
    )
    expect(added.map(entry => entry.type)).toEqual(['summary'])
    expect(added[0]?.type === 'summary' && added[0].text).toContain('Tend the garden')
  })

  it('answers by rule when the model fails, says so, and remembers that too', async () => {
    const facts = testLog(turns(0, 4))
    const added = await runPipeline(
      testLog([cutBefore(facts[6], 'one')], facts),
      [step],
      testEnv({ ask: scriptedSummariser(new Error('503')).ask }),
    )
    expect(added.map(entry => entry.type)).toEqual(['summary', 'note', 'memory'])
    expect(added[0]).toMatchObject({ by: 'extractive' })
  })

  it('owes nothing for a clear, nor for a cut that was undone', async () => {
    const facts = testLog(turns(0, 3))
    expect(await runPipeline(testLog([cutBefore(facts[4], 'one', 'clear')], facts), [step], testEnv())).toEqual([])
    expect(
      await runPipeline(
        testLog([cutBefore(facts[4], 'one'), { type: 'undo', group: 'u', target: 'one' }], facts),
        [step],
        testEnv(),
      ),
    ).toEqual([])
  })
})
