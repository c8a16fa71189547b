/** A request that does not fit, in every strategy: what is told of it is what the log shows, and what was in vain comes back (C5.6, C9.6). */
import { describe, expect, it } from 'vitest'
import type { ScriptLine } from '../../models/scripted.ts'
import type { StrategyName } from '../context/strategy.ts'
import { leftBy, questionsIn } from '../log/took.ts'
import type { ModelRequest } from '../log/message.ts'
import { bench, brief, say, until, type Bench } from './agent.fixture.ts'

const names = ['cowagent', 'copaw', 'qwenpaw', 'balanced'] as const
const long = (times: number): string => 'A long line of words that says little. '.repeat(times)
const size = (request: ModelRequest): number => JSON.stringify(request.messages).length

/** A chat whose server refuses what is longer than so many characters; asked without tools, it writes a summary. */
async function chat(strategy: StrategyName, { refuses, turns, contextWindow = 200_000 }: { refuses: () => number; turns: number; contextWindow?: number }): Promise<Bench> {
  const b = bench((request): ScriptLine | string => request.tools.length === 0 ? '## Goal\nThe garden of Ada\n## Next Steps\nWater it' : size(request) > refuses() ? { overflow: true } : 'An answer.', { model: { local: false, contextWindow } })
  await b.store.createSession({ id: 's', title: 'x', createdAt: 0, updatedAt: 0, leaf: null, model: 'scripted', strategy })
  for (let n = 0; n < turns; n++) await say(b, 's', `${n}: ${long(60)}`)
  return b
}

const numbers = (text: string): number[] => (text.replaceAll('\u202f', '').match(/\d+/g) ?? []).map(Number)

describe.each(names)('an emergency under %s', strategy => {
  it('tells in card, mark, pane and note what the log shows, also in Chinese', async () => {
    let most = Infinity
    const b = await chat(strategy, { refuses: () => most, turns: 9 })
    await b.agent.setLanguage('zh')
    most = 14_000   // four turns of 2 400 characters, with a summary
    await say(b, 's', 'And now?')
    const log = await b.log('s')
    const cut = log.findIndex(entry => entry.type === 'cut' && entry.reason === 'overflow')
    const left = leftBy(log.slice(0, cut), [log[cut]!])
    const summary = log.find(entry => entry.type === 'summary' && entry.of === log[cut]!.id)
    expect(summary).toMatchObject({ by: 'model', stats: { entries: left.length } })
    const info = await b.agent.context('s')
    expect(info.took[log[cut]!.id]).toEqual({ messages: left.length, turns: questionsIn(left) })
    expect(info.takenOut.filter(({ kind }) => kind === 'cut').map(({ count }) => count)).toEqual(log.flatMap(entry => entry.type === 'cut' ? [info.took[entry.id]!.messages] : []).toReversed())
    for (const entry of log) {
      if (entry.type !== 'note' || entry.code !== 'overflow_rung') continue
      const { before, after } = entry.data as { before: number; after: number }
      expect(numbers(entry.text).slice(-2)).toEqual([before, after])
      expect(entry.text).toContain('没有删除任何内容')
    }
    await until(async () => (await b.agent.memoryNotes()).length > 0)
    expect((await b.agent.memoryNotes()).flatMap(({ notes }) => notes)).toMatchObject([{ cut: 'overflow', text: expect.stringContaining('garden of Ada') as string }])
  })

  it('of a short chat leaves a note of the day that says why, also when it was reworded', async () => {
    let most = Infinity
    const b = await chat(strategy, { refuses: () => most, turns: 3 })
    most = 6_000
    await say(b, 's', 'And now?')
    const [{ notes } = { notes: [] }] = await b.agent.memoryNotes()
    expect(notes).toMatchObject([{ cut: 'overflow' }])
    most = 3_000
    await say(b, 's', `Again: ${long(40)}`)
    const [{ notes: after } = { notes: [] }] = await b.agent.memoryNotes()
    expect(after).toMatchObject([{ cut: 'overflow' }])   // the newer stands for the older (C6.7)
    await b.agent.editNote(after[0]!.entry, 'Mine.')
    expect((await b.agent.memoryNotes())[0]!.notes).toMatchObject([{ text: 'Mine.', cut: 'overflow' }])
  })

  it('that no rung ends lifts all that it took, as one group, and the next message is made to fit again', async () => {
    let most = Infinity
    const b = await chat(strategy, { refuses: () => most, turns: 9 })
    const before = (await b.agent.view('s')).map(({ content }) => content)
    most = 10
    expect(await say(b, 's', 'And now?')).toEqual({ state: 'interrupted' })
    const log = await b.log('s')
    expect(log.filter(entry => entry.type === 'cut' && entry.reason !== 'turns').length).toBeGreaterThan(1)
    expect(log.filter(entry => entry.type === 'undo')).toMatchObject([{ by: 'ladder' }])
    expect(log.at(-1)).toMatchObject({ type: 'note', code: 'model_overflow', text: expect.stringContaining('is back in the window') as string })
    expect((await b.agent.view('s')).map(({ content }) => content)).toEqual([...before, 'And now?'])
    most = 14_000
    b.events.length = 0
    await b.agent.resume('s')
    expect(await b.rest('s')).toEqual({ state: 'idle' })
    expect(brief(await b.log('s')).at(-1)).toBe('assistant: An answer.')
    expect(b.model.requests.at(-1)!.messages.length).toBeGreaterThan(3)
    await b.agent.undo('s')   // all that this call took, in one go
    expect((await b.agent.view('s')).map(({ content }) => content)).toEqual([...before, 'And now?', 'An answer.'])
  })

  it('forgets what it told of a message that is deleted, also of one that stayed in view', async () => {
    let most = Infinity
    const b = await chat(strategy, { refuses: () => most, turns: 9 })
    most = 14_000
    await say(b, 's', 'The code is 1234')
    await until(async () => (await b.agent.memoryNotes()).length > 0)
    const kept = (await b.log('s')).find(entry => entry.type === 'user' && entry.text.startsWith('8:'))
    await b.agent.deleteMessage('s', kept!.id)
    expect(await b.agent.memoryNotes()).toEqual([])
    expect((await b.log('s')).filter(entry => entry.type === 'summary' && entry.by === 'model' && !entry.gone)).toEqual([])
  })
})
