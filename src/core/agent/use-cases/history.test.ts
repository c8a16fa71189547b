import { describe, expect, it } from 'vitest'
import { sendAndSettle, testAgent, type TestAgent } from '../agent.fixture.ts'
import type { ContextInfo, HistoryAct } from '../api/context-api.ts'

const said = (n: number) => `Question ${n}. ${'Words that take room. '.repeat(40)}`

/** A chat of turns of some 200 tokens each, in a window of so many. */
async function chatOf(turns: number, window = 12_000): Promise<TestAgent & { id: string }> {
  const b = testAgent(() => `An answer. ${'More words that take room. '.repeat(40)}`)
  const { id } = await b.agent.create()
  await b.agent.setConfig(id, { max_input_length: window })
  for (let n = 0; n < turns; n++) await sendAndSettle(b, id, said(n))
  return { ...b, id }
}
const named = (act: HistoryAct | null) => act && [act.what, act.of ?? '', act.count, act.label.slice(0, 10)]
const acts = ({ undo, redo }: ContextInfo) => [named(undo), named(redo)]

describe('the history of a chat', () => {
  it('names each act; Put back is one of them, and Undo after it reverses it', async () => {
    const { agent, id, log } = await chatOf(6)
    const question = (await log(id))[0]!.id
    await agent.compact(id)
    await agent.pin(id, question, true)
    const made = await agent.context(id)
    expect(acts(made)).toEqual([['pin', '', 1, 'Question 0'], null])
    const { group, count } = made.removed[0]!
    await agent.undo(id, group)
    const back = await agent.context(id)
    expect(acts(back)).toEqual([['put back', 'summary', count, ''], null])
    expect(back.total).toBeGreaterThan(made.total)
    await agent.undo(id)
    const again = await agent.context(id)
    expect(again.total).toBe(made.total)
    expect(acts(again)).toEqual([
      ['pin', '', 1, 'Question 0'],
      ['put back', 'summary', count, ''],
    ])
    await agent.redo(id)
    expect((await agent.context(id)).total).toBe(back.total)
  })

  it('tells of each act when, why, how much, by whom, and whether it stands', async () => {
    const { agent, id } = await chatOf(6)
    await agent.compact(id)
    const { group, count } = (await agent.context(id)).removed[0]!
    await agent.undo(id, group)
    await agent.command(id, '/context clear')
    const told = await agent.happened(id)
    expect(told.map(({ what, why, stands }) => [what, why, stands])).toEqual([
      ['clear', 'you', true],
      ['put back', 'you', true],
      ['summary', 'you', false],
    ])
    const summary = told[2]!
    expect(summary).toMatchObject({
      count,
      by: expect.stringMatching(/model|rule/) as string,
      ms: expect.any(Number) as number,
    })
    expect(summary.tokens!.after).toBeLessThan(summary.tokens!.before)
  })

  it('says of a compaction that a threshold asked for that it came by itself', async () => {
    const { agent, id } = await chatOf(40)
    const told = await agent.happened(id)
    expect(told.length).toBeGreaterThan(0)
    for (const { what, why, path } of told)
      expect([what, why, path?.slice(0, 7)]).toEqual(['summary', 'automatic', 'dialog/'])
  })
})

describe('Put back', () => {
  it('says before whether it fits; what does not fit comes back in part, as one act', async () => {
    const { agent, id } = await chatOf(40, 60_000)
    await agent.compact(id)
    const { group } = (await agent.context(id)).removed[0]!
    const wide = await agent.previewPutBack(id, group)
    expect(wide).toMatchObject({ fits: true })
    expect(wide.after).toBeGreaterThan(wide.before)
    await agent.setConfig(id, { max_input_length: 12_000 })
    const narrow = await agent.previewPutBack(id, group)
    expect(narrow.fits).toBe(false)
    expect(narrow.part!.messages).toBeGreaterThan(0)
    expect(narrow.part!.messages).toBeLessThan(narrow.messages)

    const before = await agent.context(id)
    await agent.putBackPart(id, group)
    const then = await agent.context(id)
    expect(then.messages - before.messages).toBe(narrow.part!.messages)
    expect(then.next.messages).toBe(0)
    expect(named(then.undo)).toEqual(['put back', 'summary', narrow.part!.messages, ''])
    await agent.undo(id)
    expect(await agent.context(id)).toMatchObject({ total: before.total, messages: before.messages })
    await expect(agent.previewPutBack(id, 'nothing')).rejects.toMatchObject({ code: 'bad_input' })
  })
})
