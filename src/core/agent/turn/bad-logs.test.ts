/** Logs as no program should write them: each is taken whole, its faults are said, and what is sent is legal. */
import { describe, expect, it } from 'vitest'
import { strategyNames } from '../../context/strategy.ts'
import type { Message } from '../../log/message.ts'
import { testAgent, sendAndSettle } from '../agent.fixture.ts'

type Line = Record<string, unknown>
const at = 1_700_000_000_000
const message = (id: string, parent: string | null, content: Line, more: Line = {}): Line => ({
  type: 'message',
  id,
  parent,
  seq: 0,
  timestamp: at,
  message: content,
  ...more,
})
const user = (content: string): Line => ({ role: 'user', content })
const calls = (...ids: string[]): Line => ({
  role: 'assistant',
  content: '',
  model: 'm',
  stop: 'calls',
  toolCalls: ids.map(id => ({ id, function: { name: 'look', arguments: '{}' } })),
})
const answer = (content: string): Line => ({ role: 'assistant', content, model: 'm', stop: 'stop' })
const result = (toolCallId: string, content: string): Line => ({ role: 'tool', toolCallId, name: 'look', content })
const edit = (id: string, parent: string, entry: Line): Line => ({
  type: 'edit',
  id,
  parent,
  seq: 0,
  timestamp: at,
  entry,
})

/** `says`: what the report has to name, with the line; the header is line 1. */
const cases: { name: string; lines: Line[]; says: [number, RegExp][] }[] = [
  {
    name: 'an orphan result',
    lines: [
      message('u', null, user('q')),
      message('r', 'u', result('nobody', 'lost words')),
      message('a', 'r', answer('kept words')),
    ],
    says: [[3, /1 result answers no call/]],
  },
  {
    name: 'a call that is never answered',
    lines: [
      message('u', null, user('q')),
      message('c', 'u', calls('1')),
      message('v', 'c', user('and?')),
      message('a', 'v', answer('kept words')),
    ],
    says: [[3, /1 call has no result/]],
  },
  {
    name: 'two results for one call',
    lines: [
      message('u', null, user('q')),
      message('c', 'u', calls('1')),
      message('r', 'c', result('1', 'first')),
      message('s', 'r', result('1', 'second')),
      message('a', 's', answer('kept words')),
    ],
    says: [[5, /answers no call/]],
  },
  {
    name: 'a result that stands behind the next question',
    lines: [
      message('u', null, user('q')),
      message('c', 'u', calls('1', '2')),
      message('r', 'c', result('1', 'one')),
      message('v', 'r', user('and?')),
      message('s', 'v', result('2', 'two')),
      message('a', 's', answer('kept words')),
    ],
    says: [],
  },
  {
    name: 'one id for two calls of an answer',
    lines: [
      message('u', null, user('q')),
      message('c', 'u', calls('1', '1')),
      message('r', 'c', result('1', 'one')),
      message('a', 'r', answer('kept words')),
    ],
    says: [[3, /two calls with one id/]],
  },
  {
    name: 'an id that comes twice',
    lines: [
      message('u', null, user('q')),
      message('a', 'u', answer('first words')),
      message('a', 'a', answer('other words')),
      message('v', 'a', user('and?')),
    ],
    says: [[4, /id a comes twice/]],
  },
  {
    name: 'times out of order',
    lines: [
      message('u', null, user('q')),
      message('a', 'u', answer('kept words'), { timestamp: at - 60_000 }),
      message('v', 'a', user('and?'), { timestamp: at - 90_000 }),
    ],
    says: [[3, /2 messages are older/]],
  },
  {
    name: 'a cut that names nothing',
    lines: [
      message('u', null, user('q')),
      message('a', 'u', answer('kept words')),
      edit('x', 'a', { type: 'cut', group: 'g', before: 'nowhere', reason: 'compact' }),
    ],
    says: [[4, /1 change of the context names a message that is not there/]],
  },
  {
    name: 'a summary without its cut, a shortening and an undo of nothing',
    lines: [
      message('u', null, user('q')),
      message('a', 'u', answer('kept words')),
      edit('x', 'a', {
        type: 'summary',
        group: 'g',
        of: 'nowhere',
        text: 'never shown',
        by: 'model',
        place: 'own message',
        guide: [],
        covers: { first: 'u', last: 'a' },
        stats: { entries: 2, before: 1, after: 1, ms: 1 },
      }),
      edit('y', 'x', {
        type: 'shorten',
        group: 'h',
        target: 'gone',
        keep: 10,
        unit: 'bytes',
        headShare: 70,
        path: 'tool_result/gone.txt',
      }),
      edit('z', 'y', { type: 'undo', group: 'i', target: 'no group' }),
    ],
    says: [[4, /3 changes of the context name/]],
  },
  {
    name: 'parents in a circle',
    lines: [message('u', 'b', user('q')), message('a', 'u', answer('kept words')), message('b', 'a', user('and?'))],
    says: [],
  },
  {
    name: 'no question at all',
    lines: [message('a', null, answer('kept words')), message('r', 'a', result('1', 'x'))],
    says: [[3, /answers no call/]],
  },
]

function isLegal(messages: readonly Message[]): boolean {
  let open: string[] = []
  for (const one of messages) {
    if (one.role === 'tool') {
      const index = open.indexOf(one.toolCallId)
      if (index < 0) return false
      open.splice(index, 1)
    } else {
      if (open.length > 0) return false
      if (one.role === 'assistant') open = (one.toolCalls ?? []).map(call => call.id)
      if (new Set(open).size < open.length) return false
    }
  }
  return open.length === 0
}

describe.each(cases)('$name', ({ lines, says }) => {
  it.each(strategyNames)('is taken by %s, said, sent legally, and given back whole', async strategy => {
    const b = testAgent(request => (request.tools.length === 0 ? '## Goal\nGo on\n## Next Steps\nMore' : 'Here.'))
    const handle = await b.agent.importStart({ asCopy: false })
    await b.agent.importLines(handle, [
      JSON.stringify({ type: 'session', harness: 'haversack', id: 's', name: 'bad', createdAt: at, format: 1 }),
      ...lines.map(line => JSON.stringify(line)),
    ])
    const report = await b.agent.importEnd(handle)
    expect(report.entries).toBe(lines.length)
    for (const [line, reason] of says)
      expect(report.problems).toContainEqual({ line, reason: expect.stringMatching(reason) as string })
    if (says.length === 0) expect(report.problems).toEqual([])

    await b.agent.choose('s', { strategy })
    expect(await sendAndSettle(b, 's', 'Go on')).toEqual({ state: 'idle' })
    await b.agent.compact('s')
    expect(await sendAndSettle(b, 's', 'And on')).toEqual({ state: 'idle' })
    for (const request of b.model.requests) expect(isLegal(request.messages)).toBe(true)

    const all: string[] = []
    for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
      const page = await b.agent.exportLines({ kind: 'session', session: 's' }, cursor)
      all.push(...page.lines)
      cursor = page.next
    }
    const text = all.join('\n')
    for (const line of lines)
      if ('message' in line) expect(text).toContain(JSON.stringify((line['message'] as Line)['content']))
  })
})
