/**
 * Windows from tiny to huge, texts of 10 MB, a summariser that always fails, a provider that refuses: nothing may run
 * for ever.
 */
import { describe, expect, it } from 'vitest'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { defaultStrategy, strategyNames, type StrategyName } from '../../context/strategy.ts'
import { isFact } from '../../log/query.ts'
import type { Entry } from '../../log/entry.ts'
import type { ModelRequest } from '../../log/message.ts'
import { testAgent, sendAndSettle, type TestAgent } from '../agent.fixture.ts'

/** The first is smaller than the system prompt. */
const windows = [40, 1_024, 4_096, 131_072, 1_000_000]
const huge = 'all the roses of the garden, by name and year\n'.repeat(230_000) // 10.6 MB
const page = huge.slice(0, 200_000)
/** Texts of 10 MB take a while to be read and stored: one chat gets them, the others what is still above all limits. */
const sizeFor = (strategy: StrategyName, window: number): string =>
  strategy === defaultStrategy && window === 4_096 ? huge : huge.slice(0, 300_000)
/** Model calls of one turn; after them one more for the final answer. */
const steps = 6
const isSummary = (request: ModelRequest): boolean =>
  /summary-so-far|<conversation>/.test(request.messages[0]?.content ?? '')
const tokensOf = (request: ModelRequest): number =>
  Math.ceil(
    (request.system.length + JSON.stringify(request.messages).length + JSON.stringify(request.tools).length) / 3.4,
  )

/** Calls tools that answer with as much as they may, three times in each turn, then answers at length. */
function greedy(request: ModelRequest, index: number) {
  const since = request.messages.length - request.messages.findLastIndex(message => message.role === 'user')
  if (request.tools.length > 0 && request.toolChoice !== 'none' && since < 6) {
    return {
      text: 'I look. ',
      calls: [
        { name: 'read_file', arguments: { path: 'tool_result/r.txt', start_byte: index * 40_000 } },
        { name: 'fetch_url', arguments: { url: `https://example.org/${index}` } },
      ],
    }
  }
  return { text: `What I found, in short: ${'a rose and its year '.repeat(30)}` }
}

/** A chat that holds a result of 10 MB already. */
async function chat(
  strategy: StrategyName,
  script: (request: ModelRequest, index: number) => ReturnType<typeof greedy> | object,
  model: { contextWindow: number; local?: boolean },
): Promise<TestAgent> {
  const store = new MemoryStore()
  const long = sizeFor(strategy, model.contextWindow)
  await store.createSession({
    id: 's',
    title: 'x',
    createdAt: 0,
    updatedAt: 0,
    leaf: null,
    leaves: 'asks',
    strategy,
    allowed: ['fetch_url example.org'],
    config: { agent_max_context_turns: 3, agent_max_steps: steps },
  })
  const b = testAgent(script, {
    store,
    model: { local: false, ...model },
    readPage: async url => ({ title: 'All roses', markdown: url.endsWith('/0') ? long : page, url }),
  })
  const handle = await b.agent.importStart({ asCopy: false })
  const message = (id: string, parent: string | null, message: object): string =>
    JSON.stringify({ type: 'message', id, parent, seq: 0, timestamp: 1_000, message })
  await b.agent.importLines(handle, [
    JSON.stringify({
      type: 'session',
      harness: 'haversack',
      id: 's',
      name: 'x',
      createdAt: 0,
      format: 1,
      leaves: 'asks',
    }),
    message('u', null, { role: 'user', content: 'List the roses' }),
    message('a', 'u', {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'c', function: { name: 'read_file', arguments: '{"path":"workspace/roses.txt"}' } }],
      model: 'm',
      stop: 'calls',
    }),
    message('r', 'a', { role: 'tool', content: long, toolCallId: 'c', name: 'read_file' }),
    message('b', 'r', { role: 'assistant', content: 'There they are.', model: 'm', stop: 'stop' }),
  ])
  expect((await b.agent.importEnd(handle)).problems).toEqual([])
  await b.agent.switchLeaf('s', 'b')
  return b
}

/**
 * Cuts that were made although nothing had been said since the one before; the last resort tells nothing and may follow
 * one.
 */
function twice(log: readonly Entry[]): string[] {
  const found: string[] = []
  let since: string | undefined
  for (const entry of log) {
    if (isFact(entry)) since = undefined
    if (entry.type !== 'cut' || (entry.reason !== 'compact' && entry.reason !== 'overflow')) continue
    if (since !== undefined) found.push(`${since} and ${entry.reason}`)
    since = entry.reason
  }
  return found
}

/** A turn ended: with an answer, or with a reason that the person can read. */
async function ended(b: TestAgent, state: string): Promise<void> {
  const log = await b.log('s')
  const last = log.findLast(entry => isFact(entry) || (entry.type === 'note' && entry.code.startsWith('model_')))!
  if (state === 'idle') expect(last).toMatchObject({ type: 'assistant', calls: [] })
  else {
    expect(last.type).toBe('note')
    expect(
      b.events.some(event => event.type === 'failed' && event.code === 'model_overflow' && event.message.length > 20),
    ).toBe(true)
  }
}

describe.each(strategyNames)('%s', strategy => {
  it.each(windows)('with a window of %i and a summariser that always fails', { timeout: 60_000 }, async window => {
    let summaries = 0
    const b = await chat(
      strategy,
      (request, index) => {
        if (!isSummary(request)) return greedy(request, index)
        summaries++
        return { fail: { code: 'model_refused', message: 'no summaries here' } }
      },
      { contextWindow: window },
    )
    for (let n = 0; n < 4; n++) {
      const before = b.model.requests.length - summaries
      const { state } = await sendAndSettle(
        b,
        's',
        n === 2 ? sizeFor(strategy, window) : `Question ${n}: ${'what of this rose? '.repeat(40)}`,
      )
      await ended(b, state)
      expect(b.model.requests.length - summaries - before).toBeLessThanOrEqual(steps + 1)
    }
    const log = await b.log('s')
    expect(twice(log)).toEqual([])
    expect(summaries).toBeLessThanOrEqual(6) // three runs with a retry each, then the breaker
    expect(log.filter(entry => entry.type === 'user')).toHaveLength(1 + 4)
    expect((await b.agent.readPath('tool_result/r.txt', { startLine: 6_000 })).text).toContain('all the roses')
  })

  it.each([
    ['with numbers', true],
    ['without a number', false],
  ])('with a provider whose window is smaller than it says, %s', { timeout: 60_000 }, async (_how, says) => {
    const real = 6_000
    const b = await chat(
      strategy,
      (request, index) => {
        const actual = tokensOf(request)
        if (actual > real) return { overflow: says ? { limit: real, actual } : true }
        return isSummary(request) ? { text: '## Goal\nRoses\n## Next Steps\nMore roses' } : greedy(request, index)
      },
      { contextWindow: 1_000_000 },
    )
    for (let n = 0; n < 4; n++) {
      const before = b.model.requests.length
      const { state } = await sendAndSettle(b, 's', `Question ${n}: ${'what of this rose? '.repeat(40)}`)
      await ended(b, state)
      // each may be refused once for each rung
      expect(b.model.requests.length - before).toBeLessThanOrEqual((steps + 1) * 6)
    }
    expect(twice(await b.log('s'))).toEqual([])
  })
})
