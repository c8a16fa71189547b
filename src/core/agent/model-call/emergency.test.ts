/**
 * A request that does not fit, in every strategy: what is told of it is what the log shows, and what was in vain comes
 * back (C5.6, C9.6).
 */
import { describe, expect, it } from 'vitest'
import { scripted, type ScriptLine } from '../../../models/scripted.ts'
import { configKeys } from '../../context/config/config.ts'
import { differencesOf } from '../../context/strategies/differences.ts'
import { strategyNames, type StrategyName } from '../../context/strategy.ts'
import { factsRemovedBy, questionsIn } from '../../log/model-view/removed-counts.ts'
import type { ModelRequest } from '../../log/message.ts'
import type { Models } from '../../ports/ports.ts'
import { testAgent, logSummary, modelsOf, sendAndSettle, until, type TestAgent } from '../agent.fixture.ts'

const long = (times: number): string => 'A long line of words that says little. '.repeat(times)
const size = (request: ModelRequest): number => JSON.stringify(request.messages).length

/** A chat whose server refuses what is longer than so many characters; asked without tools, it writes a summary. */
async function chat(
  strategy: StrategyName,
  { refuses, turns, contextWindow = 200_000 }: { refuses: () => number; turns: number; contextWindow?: number },
): Promise<TestAgent> {
  const b = testAgent(
    (request): ScriptLine | string =>
      request.tools.length === 0
        ? '## Goal\nThe garden of Ada\n## Next Steps\nWater it'
        : size(request) > refuses()
          ? { overflow: true }
          : 'An answer.',
    { model: { local: false, contextWindow } },
  )
  await b.store.createSession({
    id: 's',
    title: 'x',
    createdAt: 0,
    updatedAt: 0,
    leaf: null,
    model: 'scripted',
    strategy,
  })
  for (let n = 0; n < turns; n++) await sendAndSettle(b, 's', `${n}: ${long(60)}`)
  return b
}

const numbers = (text: string): number[] => (text.replaceAll(',', '').match(/\d+/g) ?? []).map(Number)

it.each([
  ['Chinese', '背包里装的是整个对话，窗口只是其中的一小部分。'.repeat(300)],
  ['English', long(600)],
])('a question in %s that is longer than a small window is shortened, and answered', async (_, question) => {
  const b = testAgent(() => 'ok', { model: { local: false, contextWindow: 4_096 } })
  const { id } = await b.agent.create('A chat')
  expect(await sendAndSettle(b, id, question)).toEqual({ state: 'idle' })
  expect(logSummary(await b.log(id)).at(-1)).toBe('assistant: ok')
  expect((await b.log(id)).filter(entry => entry.type === 'shorten')).toHaveLength(1)
})

describe.each(strategyNames)('an emergency under %s', strategy => {
  it('tells in card, mark, pane and note what the log shows, also in Chinese', async () => {
    let most = Infinity
    const b = await chat(strategy, { refuses: () => most, turns: 9 })
    await b.agent.setLanguage('zh')
    most = 14_000 // four turns of 2 400 characters, with a summary
    await sendAndSettle(b, 's', 'And now?')
    const log = await b.log('s')
    const cut = log.findIndex(entry => entry.type === 'cut' && entry.reason === 'overflow')
    const left = factsRemovedBy(log.slice(0, cut), [log[cut]!])
    const summary = log.find(entry => entry.type === 'summary' && entry.of === log[cut]!.id)
    expect(summary).toMatchObject({ by: 'model', stats: { entries: left.length } })
    const info = await b.agent.context('s')
    expect(info.removedByEdit[log[cut]!.id]).toEqual({ messages: left.length, turns: questionsIn(left) })
    expect(info.removed.filter(({ kind }) => kind === 'cut').map(({ count }) => count)).toEqual(
      log.flatMap(entry => (entry.type === 'cut' ? [info.removedByEdit[entry.id]!.messages] : [])).toReversed(),
    )
    for (const entry of log) {
      if (entry.type !== 'note' || entry.code !== 'overflow_rung') continue
      const { before, after } = entry.data as { before: number; after: number }
      expect(numbers(entry.text).slice(-2)).toEqual([before, after])
      expect(entry.text).toContain('没有删除任何内容')
    }
    await until(async () => (await b.agent.memoryNotes()).length > 0)
    expect((await b.agent.memoryNotes()).flatMap(({ notes }) => notes)).toMatchObject([
      { cut: 'overflow', text: expect.stringContaining('garden of Ada') as string },
    ])
  })

  it('of a short chat leaves a note of the day that says why, also when it was reworded', async () => {
    let most = Infinity
    const b = await chat(strategy, { refuses: () => most, turns: 3 })
    most = 6_000
    await sendAndSettle(b, 's', 'And now?')
    const [{ notes } = { notes: [] }] = await b.agent.memoryNotes()
    expect(notes).toMatchObject([{ cut: 'overflow' }]) // whatever memory_notes says, and that is told
    const told = differencesOf(strategy).find(({ id }) => id === 'daily-notes')!
    expect([configKeys.memory_notes.description, told.en.here, told.zh.here]).toEqual([
      expect.stringContaining('emergency'),
      expect.stringContaining('an emergency writes one in every strategy'),
      expect.stringContaining('应急处理在任何策略下都会写'),
    ])
    most = 3_000
    await sendAndSettle(b, 's', `Again: ${long(40)}`)
    const [{ notes: after } = { notes: [] }] = await b.agent.memoryNotes()
    expect(after).toMatchObject([{ cut: 'overflow' }]) // the newer stands for the older (C6.7)
    await b.agent.editNote(after[0]!.entry, 'Mine.')
    expect((await b.agent.memoryNotes())[0]!.notes).toMatchObject([{ text: 'Mine.', cut: 'overflow' }])
  })

  it('that no rung ends lifts all that it took, as one group, and the next message is made to fit again', async () => {
    let most = Infinity
    const b = await chat(strategy, { refuses: () => most, turns: 9 })
    const before = (await b.agent.view('s')).map(({ content }) => content)
    most = 10
    expect(await sendAndSettle(b, 's', 'And now?')).toEqual({ state: 'interrupted' })
    const log = await b.log('s')
    expect(log.filter(entry => entry.type === 'cut' && entry.reason !== 'turns').length).toBeGreaterThan(1)
    expect(log.filter(entry => entry.type === 'undo')).toMatchObject([{ by: 'ladder' }])
    expect(log.at(-1)).toMatchObject({
      type: 'note',
      code: 'model_overflow',
      text: expect.stringContaining('is back in the window') as string,
    })
    expect((await b.agent.view('s')).map(({ content }) => content)).toEqual([...before, 'And now?'])
    await b.agent.setLanguage('zh')
    b.events.length = 0
    await b.agent.resume('s')
    await b.settled('s')
    const said = (await b.log('s')).findLast(entry => entry.type === 'note')
    expect(said).toMatchObject({
      code: 'model_overflow',
      text: expect.stringMatching(/即使全部精简.*系统提示 [\d,]+，工具.*已全部恢复/) as string,
    })
    expect(said?.type === 'note' && said.text).not.toMatch(/tokens|nothing more/)
    most = 14_000
    b.events.length = 0
    await b.agent.resume('s')
    expect(await b.settled('s')).toEqual({ state: 'idle' })
    expect(logSummary(await b.log('s')).at(-1)).toBe('assistant: An answer.')
    expect(b.model.requests.at(-1)!.messages.length).toBeGreaterThan(3)
    await b.agent.undo('s') // all that this call took, in one go
    expect((await b.agent.view('s')).map(({ content }) => content)).toEqual([...before, 'And now?', 'An answer.'])
  })

  it('forgets what it told of a message that is deleted, also of one that stayed in view', async () => {
    let most = Infinity
    const b = await chat(strategy, { refuses: () => most, turns: 9 })
    most = 14_000
    await sendAndSettle(b, 's', 'The code is 1234')
    await until(async () => (await b.agent.memoryNotes()).length > 0)
    const kept = (await b.log('s')).find(entry => entry.type === 'user' && entry.text.startsWith('8:'))
    await b.agent.deleteMessage('s', kept!.id)
    expect(await b.agent.memoryNotes()).toEqual([])
    expect((await b.log('s')).filter(entry => entry.type === 'summary' && entry.by === 'model' && !entry.gone)).toEqual(
      [],
    )
  })
})

describe('a window that the person typed', () => {
  it.each([
    [
      'a refusal without numbers',
      { fail: { code: 'model_refused', data: { status: 400, body: '{"error":{"message":"prompt is too long"}}' } } },
    ],
    ['an answer of nothing', { usage: { input: 20_000, output: 0 } }],
  ] as const)(
    'gives way for that message to what the server says when it is asked, after %s',
    async (_, line: ScriptLine) => {
      const model = scripted(request => (JSON.stringify(request).length > 28_000 ? line : 'ok'), {
        local: false,
        contextWindow: 32_768,
      })
      const servers = [{ id: 's', name: 'Mine', baseUrl: 'http://localhost:1', contextWindow: 32_768, models: [] }]
      const models: Models = {
        ...modelsOf(model),
        list: async () => [
          {
            id: model.id,
            name: model.name,
            kind: 'remote',
            server: 's',
            contextWindow: 32_768,
            local: false,
            tools: true,
          },
        ],
        servers: async () => servers,
        probe: async () => ({ models: [], contextWindow: 8_000 }),
      }
      const b = testAgent(() => undefined, { models })
      await b.store.createSession({
        id: 'c',
        title: 'x',
        createdAt: 0,
        updatedAt: 0,
        leaf: null,
        model: model.id,
        strategy: 'qwenpaw',
      })
      for (let n = 0; n < 12; n++) expect(await sendAndSettle(b, 'c', `${n}: ${long(70)}`)).toEqual({ state: 'idle' })
      const log = await b.log('c')
      expect(log.filter(entry => entry.type === 'note' && entry.code === 'window_learnt')).toMatchObject([
        {
          tokens: 8_000,
          data: { typed: true },
          text: expect.stringContaining('This message is made to fit what the server says') as string,
        },
      ])
      const sent = model.requests.filter(({ tools }) => tools.length > 0) // not the summaries
      const refused = sent.flatMap((request, at) => (JSON.stringify(request).length > 28_000 ? [at] : []))
      expect(refused.length).toBeGreaterThan(0)
      // a fifth of the one window, and of the other
      for (const at of refused) expect([sent[at]!.maxTokens, sent[at + 1]!.maxTokens]).toEqual([6_553, 1_600])
      expect(log.some(entry => entry.type === 'cut' && entry.reason === 'last resort')).toBe(false)
      expect(log.filter(entry => entry.type === 'assistant').length).toBe(12)
      expect(await b.agent.context('c')).toMatchObject({ window: 32_768, reportedWindow: 8_000 })
    },
  )

  it.each(['en', 'zh'] as const)(
    'goes on counting where the server tells a smaller one, to which a refused message is made to fit; that is said once (%s)',
    async language => {
      const text = long(70)
      const model = scripted(
        request => {
          const size = Math.ceil(JSON.stringify(request).length / 4)
          return request.tools.length === 0
            ? 'no summary'
            : size > 6000
              ? { overflow: { limit: 8000, actual: size + 2100 } }
              : 'ok'
        },
        { local: false, contextWindow: 32_768 },
      )
      const servers = [{ id: 's', name: 'Mine', baseUrl: 'http://localhost:1', contextWindow: 32_768, models: [] }]
      const models: Models = {
        ...modelsOf(model),
        list: async () => [
          {
            id: model.id,
            name: model.name,
            kind: 'remote',
            server: 's',
            contextWindow: 32_768,
            local: false,
            tools: true,
          },
        ],
        servers: async () => servers,
      }
      const b = testAgent(() => undefined, { models })
      await b.agent.setLanguage(language)
      await b.store.createSession({
        id: 'c',
        title: 'x',
        createdAt: 0,
        updatedAt: 0,
        leaf: null,
        model: model.id,
        strategy: 'qwenpaw',
      })
      for (let n = 0; n < 16; n++) expect(await sendAndSettle(b, 'c', `${n}: ${text}`)).toEqual({ state: 'idle' })
      const log = await b.log('c')
      const told = log.filter(entry => entry.type === 'note' && entry.code === 'window_learnt')
      expect(told).toMatchObject([
        {
          tokens: 8_000,
          data: { window: 8_000, before: 32_768, typed: true },
          text: expect.stringMatching(
            {
              en: /8,000 tokens; you set 32,768\. This message is made to fit/,
              zh: /8,000 个 token，而你设置的是 32,768 个/,
            }[language],
          ) as string,
        },
      ])
      expect(told[0]).not.toMatchObject({ text: expect.stringContaining('smaller number counts') as string })
      expect(log.filter(entry => entry.type === 'note' && entry.code === 'overflow_rung').length).toBeGreaterThan(1)
      // what fits what was told stays: never the question alone
      expect(log.some(entry => entry.type === 'cut' && entry.reason === 'last resort')).toBe(false)
      expect(await b.agent.context('c')).toMatchObject({ window: 32_768, reportedWindow: 8_000 })
      await b.agent.command('c', '/context')
      expect((await b.log('c')).at(-1)).toMatchObject({
        text: expect.stringMatching(
          {
            en: /the server says 8,000 tokens; your 32,768 count/,
            zh: /服务器表示是 8,000 个 token；仍以你设置的 32,768 个为准/,
          }[language],
        ) as string,
      })
    },
  )
})
