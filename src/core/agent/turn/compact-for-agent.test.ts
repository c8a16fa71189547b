/** The agent asks for a compaction itself, by the tool `compact` (C5.8). */
import { describe, expect, it } from 'vitest'
import { goodSummary } from '../../context/context.fixture.ts'
import { configKeys, defaultsOf } from '../../context/config/config.ts'
import { strategyNames, type StrategyName } from '../../context/strategy.ts'
import { bytesOver } from '../../log/counter.ts'
import type { Entry } from '../../log/entry.ts'
import type { Message, ModelRequest } from '../../log/message.ts'
import type { ScriptLine } from '../../../models/scripted.ts'
import { logSummary, sendAndSettle, testAgent, until, type TestAgent, type TestAgentOptions } from '../agent.fixture.ts'
import { selectTools } from '../request/window-limits.ts'
import { offeredTools } from '../tools/index.ts'
import { openedChat, scriptedCall } from './run-turn.fixture.ts'

type Chat = TestAgent & { id: string }
/** The n-th request with tools, and what came before it in its messages. */
type Answer = (n: number, messages: readonly Message[]) => ScriptLine | string

const window = 20_000 // tokens
const least = 1_000 // 5 % of it
const longText = (n: number): string => `Part ${n}: ${'all work and no play, '.repeat(250)}`
const isSummariser = ({ tools }: ModelRequest): boolean => tools.length === 0
const summariserCalls = ({ model }: Chat): ModelRequest[] => model.requests.filter(isSummariser)
const names = ({ tools }: ModelRequest): string[] => tools.map(({ name }) => name)
const compactResults = (log: readonly Entry[]): string[] =>
  log.flatMap(entry => (entry.type === 'result' && entry.tool === 'compact' ? [entry.text] : []))
const sent = (chat: Chat): readonly Message[] => chat.model.requests.filter(one => !isSummariser(one)).at(-1)!.messages

/** A chat of three long answers, in which the agent may compact, and that goes on with `answers`. */
async function longChat(
  answer: Answer,
  {
    summary = goodSummary,
    ...more
  }: TestAgentOptions & { summary?: ScriptLine | string; strategy?: StrategyName } = {},
): Promise<Chat> {
  let turns = 0
  const chat = await openedChat(
    request => {
      if (isSummariser(request)) return summary
      const n = turns++
      return n < 3 ? longText(n) : answer(n - 3, request.messages)
    },
    { ...more, model: { contextWindow: window, local: false, ...more.model } },
  )
  if (more.strategy) await chat.agent.choose(chat.id, { strategy: more.strategy })
  await chat.agent.setConfig(chat.id, { compact_tool: true })
  for (let n = 0; n < 3; n++) await sendAndSettle(chat, chat.id, `Question ${n}`)
  return chat
}

describe('the tool compact', () => {
  it.each(strategyNames)(
    'is offered under %s only where it is switched on; off, the same bytes are sent',
    async name => {
      const chat = await openedChat(['One.', scriptedCall('compact'), 'Two.', 'Three.', 'Four.'], {
        model: { local: false },
      })
      await chat.agent.choose(chat.id, { strategy: name })
      await sendAndSettle(chat, chat.id, 'Hi')
      await sendAndSettle(chat, chat.id, 'Compact')
      expect(compactResults(await chat.log(chat.id))[0]).toMatch(/^There is no tool "compact"/)
      await chat.agent.setConfig(chat.id, { compact_tool: true })
      await sendAndSettle(chat, chat.id, 'Now')
      await chat.agent.setConfig(chat.id, { compact_tool: false })
      await sendAndSettle(chat, chat.id, 'And now')
      const [first, , , on, off] = chat.model.requests
      expect(names(first!)).not.toContain('compact')
      expect(names(on!)).toEqual([...names(first!), 'compact'])
      expect(JSON.stringify([off!.system, off!.tools])).toBe(JSON.stringify([first!.system, first!.tools]))
      expect(on!.system).toBe(first!.system)
      expect(JSON.stringify(on!.tools).startsWith(JSON.stringify(first!.tools).slice(0, -1))).toBe(true)
    },
  )

  it('is off by default, and its setting holds for all chats or for one', async () => {
    for (const name of strategyNames) expect(defaultsOf(name).compact_tool).toBe(false)
    expect(configKeys.compact_tool).toMatchObject({ type: 'boolean', strategies: 'all' })
    const chat = await openedChat(['One.', 'Two.'])
    await chat.agent.setConfig(null, { compact_tool: true })
    await sendAndSettle(chat, chat.id, 'Hi')
    await chat.agent.command(chat.id, '/config compact_tool off')
    await sendAndSettle(chat, chat.id, 'Hi')
    expect(chat.model.requests.map(request => names(request).includes('compact'))).toEqual([true, false])
  })

  it.each(strategyNames)(
    'compacts before the next request under %s, asks nothing, and says what it did',
    async strategy => {
      const chat = await longChat(n => (n === 0 ? scriptedCall('compact', { keep: 'the gate code' }) : 'Go on.'), {
        strategy,
      })
      expect(await sendAndSettle(chat, chat.id, 'Question 3')).toEqual({ state: 'idle' })
      const log = await chat.log(chat.id)
      const at = log.findIndex(entry => entry.type === 'cut')
      expect(logSummary(log.slice(at - 1)).filter(line => line !== 'memory')).toEqual([
        'assistant:  [compact]',
        'cut compact',
        'summary by model',
        expect.stringMatching(/^result compact: Compacted: 6 earlier messages are now a summary, \d+ → \d+ tokens/),
        'assistant: Go on.',
      ])
      const summary = log.find(entry => entry.type === 'summary')!
      expect(summary).toMatchObject({ place: 'own message', stats: { entries: 6, asked: 'agent' } })
      const { before, after } = (summary as Extract<Entry, { type: 'summary' }>).stats
      expect(compactResults(log)[0]).toContain(`${before} → ${after} tokens`)
      const text = JSON.stringify(sent(chat))
      expect(text).toContain('Tend the garden')
      expect(text).toContain('Question 3')
      expect(text).not.toContain('Part 0')
      expect(sent(chat).at(-1)).toMatchObject({ role: 'tool', content: compactResults(log)[0] })
    },
  )

  it('tells the summariser what the agent wants kept, as words of the agent and of bounded length', async () => {
    const wish = `the gate code\n\n${'x'.repeat(2_000)}`
    const chat = await longChat(n => (n === 0 ? scriptedCall('compact', { keep: wish }) : 'Go on.'))
    await sendAndSettle(chat, chat.id, 'Question 3')
    const asked = summariserCalls(chat)[0]!.messages.at(-1)!.content
    expect(asked).toMatch(/what the assistant named for its next steps: "the gate code x{100,490}…?"$/)
  })

  it('hides nothing that is unanswered: all calls and results of its own answer stay, in order', async () => {
    const chat = await longChat((n, messages) =>
      n === 0
        ? scriptedCall('get_time', { n: 1 }, 'early')
        : n === 1
          ? {
              calls: [
                { id: 'a', name: 'get_time', arguments: {} },
                { id: 'b', name: 'compact', arguments: {} },
                { id: 'c', name: 'list_files', arguments: {} },
              ],
            }
          : `Seen ${messages.length}.`,
    )
    await sendAndSettle(chat, chat.id, 'Question 3')
    const messages = sent(chat)
    expect(messages.map(({ role }) => role)).toEqual(['user', 'user', 'assistant', 'tool', 'tool', 'tool'])
    expect(messages.slice(3).map(message => message.role === 'tool' && message.toolCallId)).toEqual(['a', 'b', 'c'])
    expect(JSON.stringify(messages)).not.toContain('early')
    expect(messages[1]!.content).toBe('Question 3')
  })

  it.each(strategyNames)('is taken back by Undo under %s: the view is what it was', async strategy => {
    const chat = await longChat(n => (n === 0 ? scriptedCall('compact') : n === 1 ? 'Go on.' : 'Again.'), { strategy })
    await sendAndSettle(chat, chat.id, 'Question 3')
    const summary = (await chat.log(chat.id)).find(entry => entry.type === 'summary')
    await chat.agent.undo(chat.id, summary?.type === 'summary' ? summary.group : undefined)
    await sendAndSettle(chat, chat.id, 'Question 4')
    const text = JSON.stringify(sent(chat))
    for (const part of ['Question 0', 'Part 0', 'Part 2', 'Question 3']) expect(text).toContain(part)
    expect(text).not.toContain('Tend the garden')
  })

  it('asks no model and changes nothing where too little would leave', async () => {
    const chat = await openedChat([scriptedCall('compact', { keep: 'x' }), 'Go on.'], {
      model: { contextWindow: window, local: false },
    })
    await chat.agent.setConfig(chat.id, { compact_tool: true })
    await sendAndSettle(chat, chat.id, 'Hi')
    expect(logSummary(await chat.log(chat.id))).toEqual([
      'user: Hi',
      'assistant:  [compact]',
      `result compact: Nothing to compact: fewer than ${least} tokens could leave. Go on, and ask again only when much more was said.`,
      'assistant: Go on.',
    ])
    expect(summariserCalls(chat)).toEqual([])
  })

  it('called at every step it asks a model only once for so much growth, and the turn ends', async () => {
    const chat = await longChat(n => scriptedCall('compact', { keep: `wish ${n}` }))
    expect(await sendAndSettle(chat, chat.id, 'Question 3')).toEqual({ state: 'interrupted' })
    const log = await chat.log(chat.id)
    const gains = log.flatMap(entry => (entry.type === 'summary' ? [entry.stats.before - entry.stats.after] : []))
    expect(Math.min(...gains)).toBeGreaterThan(least * 0.9) // a summary of more may be a little longer
    expect(summariserCalls(chat)).toHaveLength(gains.length)
    const results = compactResults(log)
    expect(results.length).toBeGreaterThan(20)
    expect(gains.length).toBeLessThan(4)
    expect(new Set(results.filter(text => !text.startsWith('Compacted'))).size).toBe(1)
  })

  it('the same call at every step ends as a loop', async () => {
    const chat = await longChat(() => scriptedCall('compact'))
    await sendAndSettle(chat, chat.id, 'Question 3')
    expect(compactResults(await chat.log(chat.id)).length).toBeLessThanOrEqual(9)
    expect(summariserCalls(chat)).toHaveLength(1)
  })

  it('does not make again what the person undid before much more was said', async () => {
    const chat = await longChat(n =>
      n === 1 || n === 3 || n === 6 ? 'Go on.' : n === 4 ? longText(9) : scriptedCall('compact'),
    )
    await sendAndSettle(chat, chat.id, 'Question 3')
    await chat.agent.undo(chat.id)
    await sendAndSettle(chat, chat.id, 'Question 4')
    expect(compactResults(await chat.log(chat.id))[1]).toMatch(/^Not compacted: the last compaction was undone/)
    expect(summariserCalls(chat)).toHaveLength(1)
    await sendAndSettle(chat, chat.id, 'Question 5')
    await sendAndSettle(chat, chat.id, 'Question 6')
    expect(compactResults(await chat.log(chat.id))[2]).toMatch(/^Compacted: /)
  })

  it('leaves a summariser alone that has failed three times; only a person asks it again', async () => {
    const chat = await longChat(n => (n === 0 ? scriptedCall('compact', { keep: 'x' }) : 'Go on.'), {
      summary: 'No summary.',
    })
    const failed = { type: 'note', code: 'summary_failed', text: 'x', data: { model: 'Scripted' } } as const
    const { leaf } = (await chat.store.session(chat.id))!
    await chat.store.append(
      chat.id,
      ['n1', 'n2', 'n3'].map((id, n, ids) => ({ ...failed, id, parent: n === 0 ? leaf : ids[n - 1]!, at: 9 })),
    )
    await chat.store.updateSession(chat.id, { leaf: 'n3' })
    await sendAndSettle(chat, chat.id, 'Question 3')
    const log = await chat.log(chat.id)
    expect(summariserCalls(chat)).toEqual([])
    expect(compactResults(log)[0]).toMatch(/^Compacted: .*No model wrote it/)
    const summary = log.find(entry => entry.type === 'summary')
    expect(summary).toMatchObject({ by: 'extractive' })
    expect(summary?.type === 'summary' && summary.stats.unfollowed).toBeUndefined()
    await chat.agent.compact(chat.id)
    await chat.settled(chat.id)
  })

  it('says nothing of an instruction of the person where the model fails: there was none', async () => {
    const chat = await longChat(n => (n === 0 ? scriptedCall('compact', { keep: 'x' }) : 'Go on.'), {
      summary: 'No summary.',
    })
    await sendAndSettle(chat, chat.id, 'Question 3')
    const note = (await chat.log(chat.id)).find(entry => entry.type === 'note' && entry.code === 'summary_failed')
    expect(note?.type === 'note' && note.text).not.toContain('your instruction')
    expect(summariserCalls(chat).length).toBeGreaterThan(0)
  })

  it('Stop while the summary is written cuts nothing, and the call has a result', async () => {
    const chat = await longChat(() => scriptedCall('compact'), { summary: { text: ['## Goal'], delayMs: 60_000 } })
    await chat.agent.send(chat.id, 'Question 3')
    await until(() => summariserCalls(chat).length > 0)
    await chat.agent.stop(chat.id)
    await chat.settled(chat.id)
    const log = await chat.log(chat.id)
    expect(log.some(entry => entry.type === 'cut' || entry.type === 'summary')).toBe(false)
    expect(compactResults(log)).toEqual(['Stopped by the user before it was done.'])
  })

  it('is dropped where the person changes the view while the summary is written', async () => {
    const chat = await longChat(n => (n === 0 ? scriptedCall('compact') : 'Go on.'), {
      summary: { text: [goodSummary], delayMs: 300 },
    })
    await chat.agent.send(chat.id, 'Question 3')
    await until(() => summariserCalls(chat).length > 0)
    await chat.agent.command(chat.id, '/clear')
    await chat.settled(chat.id)
    const log = await chat.log(chat.id)
    expect(log.flatMap(entry => (entry.type === 'cut' ? [entry.reason] : []))).toEqual(['clear'])
    expect(compactResults(log)).toEqual(['Not compacted: the user changed what is in view meanwhile.'])
  })

  it('covers what a cut of cowagent still owes, which then gets no summary of its own', async () => {
    let summaries = 0
    const chat = await openedChat(
      request =>
        isSummariser(request)
          ? { text: goodSummary, ...(summaries++ === 0 ? { delayMs: 2_000 } : {}) }
          : request.messages.at(-1)!.content === 'Question 4'
            ? scriptedCall('compact')
            : longText(0),
      { model: { contextWindow: window, local: false } },
    )
    await chat.agent.choose(chat.id, { strategy: 'cowagent' })
    await chat.agent.setConfig(chat.id, { compact_tool: true, agent_max_context_turns: 3 })
    for (let n = 0; n < 5; n++) await sendAndSettle(chat, chat.id, `Question ${n}`)
    const log = await chat.log(chat.id)
    const first = log.find(entry => entry.type === 'user')!
    const owing = log.flatMap(entry => (entry.type === 'cut' && entry.reason === 'turns' ? [entry.id] : []))
    expect(owing.length).toBeGreaterThan(0)
    expect(log.some(entry => entry.type === 'summary' && owing.includes(entry.of))).toBe(false)
    const asked = log.find(entry => entry.type === 'summary' && entry.stats.asked === 'agent')
    expect(asked).toMatchObject({ place: 'own message', covers: { first: first.id } })
    expect(JSON.stringify(sent(chat))).toContain('Tend the garden')
  })

  it('works with a model of this device, and the other tab shows it', async () => {
    const chat = await longChat(n => (n === 0 ? scriptedCall('compact') : 'Go on.'), { model: { local: true } })
    const other = testAgent([], { store: chat.store, locks: chat.locks, prefix: 'o' })
    await sendAndSettle(chat, chat.id, 'Question 3')
    const shown = await other.agent.view(chat.id)
    expect(shown.some(({ content }) => content.includes('Tend the garden'))).toBe(true)
    expect(compactResults(await chat.log(chat.id))[0]).toMatch(/^Compacted: /)
  })

  it('does not take other tools away where the window is too small for all of them', () => {
    const { text } = bytesOver(4)
    const config = defaultsOf('balanced')
    let dropped = 0
    for (let size = 1_000; size < 12_000; size += 20) {
      const namesWith = (compact_tool: boolean): string[] =>
        selectTools(offeredTools({ ...config, compact_tool }), size, true, text).tools.map(({ name }) => name)
      const [off, on] = [namesWith(false), namesWith(true)]
      expect(on.filter(name => name !== 'compact')).toEqual(off)
      if (off.length > 2 && on.length === off.length) dropped++
    }
    expect(dropped).toBeGreaterThan(0)
  })
})
