import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { modelView } from './model-view.ts'
import { repairMessages } from './repair.ts'
import { splitHuge } from '../huge.ts'
import { utf8Bytes } from '../../text/bytes.ts'
import { a, call, e, pathOfEntries, r, summaryOf, u } from '../log.fixture.ts'
import { anyLog } from '../random-log.fixture.ts'
import { runs } from '../../text/laws.fixture.ts'
import type { AssistantFact, Entry, Log } from '../entry.ts'
import type { ReasoningGrade } from './reasoning-back.ts'
import type { Message } from '../message.ts'

const told = (log: Log, options = {}): string[] =>
  modelView(log, options).map(
    ({ message, entry }) =>
      `${entry ?? '-'} ${message.role} ${message.content}${
        message.role === 'assistant' && message.toolCalls ? ` [${message.toolCalls.map(({ id }) => id).join()}]` : ''
      }`,
  )
const round = [u('q1'), a('look', ['c', 'd']), r('c', 'one'), r('d', 'two'), a('a1'), u('q2'), a('a2')]
const cut = (
  id: string,
  before: string | null,
  reason: 'compact' | 'clear' = 'compact',
  pin?: string,
): ReturnType<typeof e> => e({ type: 'cut', before, reason, ...(pin === undefined ? {} : { pin }) }, id)
const pin = (target: string, on = true, id = `p${target}${on}`): ReturnType<typeof e> =>
  e({ type: 'pin', target, on }, id)
const shorten = (target: string, keep: number, id: string, part?: 'arguments'): ReturnType<typeof e> =>
  e({ type: 'shorten', target, keep, unit: 'bytes', headShare: 50, path: 'x', ...(part ? { part } : {}) }, id)

describe('without edits', () => {
  it('sends every fact, and neither notes nor what says nothing', () => {
    expect(
      told(
        pathOfEntries([
          u('hi'),
          a(''),
          { type: 'note', code: 'command', text: 'n' },
          a('yes'),
          { type: 'memory', text: 'm' },
        ]),
      ),
    ).toEqual(['0 user hi', '3 assistant yes'])
  })

  it('sends images of a question, not other attachments', () => {
    const log = pathOfEntries([
      {
        type: 'user',
        text: 'see',
        attachments: [
          { name: 'a', mime: 'image/png', bytes: 1, blob: 'b' },
          { name: 'p', mime: 'application/pdf', bytes: 1, blob: 'c' },
        ],
      },
    ])
    expect(modelView(log)[0]?.message).toEqual({
      role: 'user',
      content: 'see',
      images: [{ mime: 'image/png', blob: 'b' }],
    })
  })

  it('says what was removed, when and why, and keeps calls readable', () => {
    const gone = { bytes: 12, day: '2026-05-01', why: '5-day rule' }
    const [question, answer, result] = modelView(
      pathOfEntries([
        { ...u(''), gone },
        { ...a('', [call('c', '')]), gone },
        { ...r('c', ''), gone },
      ]),
    )
    expect(question?.message.content).toMatch(/2026-05-01.*5-day rule.*12 bytes/)
    expect(answer?.message).toMatchObject({ toolCalls: [{ id: 'c', arguments: '{}' }] })
    expect(result?.message.content).toBe(question?.message.content)
  })

  it('puts in what is missing and moves what is displaced', () => {
    expect(told(pathOfEntries([u('q'), a('', ['c', 'd']), u('again'), r('d', 'late')]))).toEqual([
      '0 user q',
      '1 assistant  [c,d]',
      '3 tool late',
      expect.stringMatching(/^- tool Error: no result/),
      '2 user again',
    ])
  })
})

describe('cuts', () => {
  it('send nothing older, but the pinned question', () => {
    expect(told(pathOfEntries([...round, cut('k', '4', 'compact', '0')]))).toEqual([
      '0 user q1',
      '4 assistant a1',
      '5 user q2',
      '6 assistant a2',
    ])
    expect(modelView(pathOfEntries([...round, cut('k', '4', 'compact', '0')]))[0]).toMatchObject({
      behindCut: true,
      pinned: false,
    })
  })

  it('lose the pin of an older cut when a newer one falls further', () => {
    expect(told(pathOfEntries([...round, cut('k', '4', 'compact', '0'), cut('j', '5')]))).toEqual([
      '5 user q2',
      '6 assistant a2',
    ])
  })

  it('made between turns hide everything', () => {
    expect(told(pathOfEntries([...round, cut('k', null, 'clear')]))).toEqual([])
    expect(told(pathOfEntries([...round, cut('k', null, 'clear'), u('new')]))).toEqual(['8 user new'])
  })

  it('never hide the question of the turn that runs', () => {
    expect(
      told(pathOfEntries([u('q1'), a('a1'), u('q2'), a('', ['c']), r('c', 'x'), cut('k', null, 'clear')])),
    ).toEqual(['2 user q2'])
    expect(told(pathOfEntries([u('q1'), a('a1'), cut('k', null, 'clear')]), { running: true })).toEqual(['0 user q1'])
    expect(told(pathOfEntries([u('q1'), cut('k', null, 'clear')]), { running: false })).toEqual([])
  })

  it('between a call and its result leave a legal request', () => {
    expect(told(pathOfEntries([...round, cut('k', '2')]))).toEqual(['4 assistant a1', '5 user q2', '6 assistant a2'])
  })

  it('are lifted by undo, and come back', () => {
    const undo = (id: string, group: string): ReturnType<typeof e> => e({ type: 'undo', target: group }, id)
    const log = [...round, cut('k', '5'), undo('u1', 'g-k')]
    expect(told(pathOfEntries(log))).toEqual(told(pathOfEntries(round)))
    expect(told(pathOfEntries([...log, undo('u2', 'g-u1')]))).toEqual(['5 user q2', '6 assistant a2'])
  })
})

describe('reasoning that goes back', () => {
  const details = { from: 'here', value: [{ type: 'thinking', signature: 's' }] }
  const answer = (text: string, ids: readonly string[] = []): AssistantFact => ({
    type: 'assistant',
    text,
    reasoning: 'hm',
    details,
    calls: ids.map(id => call(id)),
    model: 'm',
    local: true,
    stop: ids.length > 0 ? 'calls' : 'stop',
  })
  const sent = (log: Log, text: ReasoningGrade = 'every answer', from = 'here'): unknown[] =>
    modelView(log, { reasoning: { text, from } }).flatMap(({ message }) =>
      message.role === 'assistant'
        ? [`${message.reasoning ?? '-'} ${message.details === undefined ? '-' : 'details'}`]
        : [],
    )
  const talk = [u('q1'), answer('look', ['c']), r('c', 'x'.repeat(50)), answer('a1'), u('q2'), answer('a2')]

  it('is what the grade says, with details of this very model', () => {
    expect(sent(pathOfEntries(talk), 'nothing')).toEqual(['- details', '- details', '- details'])
    expect(sent(pathOfEntries(talk), 'running turn')).toEqual(['- details', '- details', 'hm details'])
    expect(sent(pathOfEntries([...talk, u('q3')]), 'turns with calls')).toEqual([
      'hm details',
      'hm details',
      '- details',
    ])
    expect(sent(pathOfEntries(talk), 'every answer', 'elsewhere')).toEqual(['hm -', 'hm -', 'hm -'])
    expect(sent(pathOfEntries([u('q'), a('of before')]))).toEqual([' -'])
  })

  it('has no details where the answer is not sent as it came', () => {
    expect(sent(pathOfEntries([...talk, shorten('3', 1, 's')]))).toEqual(['hm details', 'hm -', 'hm details'])
    const long = [
      u('q'),
      { ...answer('look', ['c']), calls: [call('c', JSON.stringify({ text: 'x'.repeat(99) }))] },
      r('c', 'r'),
    ]
    expect(sent(pathOfEntries(long))).toEqual(['hm details'])
    expect(sent(pathOfEntries([...long, shorten('1', 9, 's', 'arguments')]))).toEqual(['hm -'])
    expect(
      sent(
        pathOfEntries([u('q'), answer('look', ['c']), r('c', 'r'), u('q2'), e({ type: 'strip', before: null }, 's')]),
      ),
    ).toEqual(['hm -'])
    // of one id twice the first call stays
    expect(sent(pathOfEntries([u('q'), answer('look', ['c', 'c']), r('c', 'r')]))).toEqual(['hm -'])
    expect(sent(pathOfEntries([u('q'), { ...answer('x'.repeat(140_000)) }]))).toEqual(['hm -'])
    expect(
      sent(
        pathOfEntries([
          u('q'),
          { ...answer('', ['c']), gone: { bytes: 1, day: '2026-05-01', why: 'deleted' } },
          r('c', 'r'),
        ]),
      ),
    ).toEqual(['hm -'])
  })

  it('is of the part of a turn that a cut left', () => {
    expect(sent(pathOfEntries([...talk, u('q3'), cut('k', '3', 'compact', '0')]), 'turns with calls')).toEqual([
      '- details',
      '- details',
    ])
    expect(sent(pathOfEntries([...talk, u('q3'), cut('k', '1', 'compact', '0')]), 'turns with calls')).toEqual([
      'hm details',
      'hm details',
      '- details',
    ])
  })
})

describe('pins', () => {
  it('of a result bring the call, of a call its results, in their order', () => {
    expect(told(pathOfEntries([...round, cut('k', '5'), pin('3')]))).toEqual([
      '1 assistant look [d]',
      '3 tool two',
      '5 user q2',
      '6 assistant a2',
    ])
    expect(told(pathOfEntries([...round, cut('k', '5'), pin('1')]))).toEqual([
      '1 assistant look [c,d]',
      '2 tool one',
      '3 tool two',
      '5 user q2',
      '6 assistant a2',
    ])
    expect(told(pathOfEntries([...round, cut('k', '5'), pin('0'), pin('2'), pin('3')]))).toEqual([
      '0 user q1',
      '1 assistant look [c,d]',
      '2 tool one',
      '3 tool two',
      '5 user q2',
      '6 assistant a2',
    ])
  })

  it('stand before strip and shorten, until they are taken off', () => {
    const log = [
      u('q1'),
      a('', ['c']),
      r('c', 'x'.repeat(100)),
      a('a1'),
      shorten('2', 10, 's'),
      e({ type: 'strip', before: null }, 't'),
      u('q2'),
    ]
    expect(told(pathOfEntries(log))).toEqual(['0 user q1', '3 assistant a1', '6 user q2'])
    expect(told(pathOfEntries([...log, pin('2')]))).toEqual([
      '0 user q1',
      '1 assistant  [c]',
      `2 tool ${'x'.repeat(100)}`,
      '3 assistant a1',
      '6 user q2',
    ])
    expect(modelView(pathOfEntries([...log, pin('2')])).map(({ pinned }) => pinned)).toEqual([
      false,
      false,
      true,
      false,
      false,
    ])
    expect(told(pathOfEntries([...log, pin('2'), pin('2', false)]))).toEqual(told(pathOfEntries(log)))
  })
})

describe('strip', () => {
  it('keeps the question and the last answer with words of each turn before it', () => {
    const log = [
      u('q1'),
      a('first', ['c']),
      r('c', 'x'),
      a('', ['d']),
      r('d', 'y'),
      u('q2'),
      a('', ['e']),
      r('e', 'z'),
      u('q3'),
      a('', ['f']),
      r('f', 'w'),
    ]
    expect(told(pathOfEntries([...log, e({ type: 'strip', before: '8' }, 's')]))).toEqual([
      '0 user q1',
      '1 assistant first',
      '5 user q2',
      '8 user q3',
      '9 assistant  [f]',
      '10 tool w',
    ])
  })

  it('leaves a turn alone that its border stands in the middle of', () => {
    const log = [u('q1'), a('', ['c']), r('c', 'x'), a('a1')]
    expect(told(pathOfEntries([...log, e({ type: 'strip', before: '3' }, 's')]))).toEqual(told(pathOfEntries(log)))
  })

  it('of all leaves what comes later', () => {
    const log = pathOfEntries([
      u('q1'),
      a('', ['c']),
      r('c', 'x'),
      a('a1'),
      e({ type: 'strip', before: null }, 's'),
      u('q2'),
      a('', ['d']),
      r('d', 'y'),
    ])
    expect(told(log)).toEqual(['0 user q1', '3 assistant a1', '5 user q2', '6 assistant  [d]', '7 tool y'])
  })
})

describe('shorten', () => {
  const long = 'line of ten\n'.repeat(100)

  it('shows head, notice and tail, with a path of the fact; the newest one holds', () => {
    const log = [u('q'), a('', ['c']), r('c', long), shorten('2', 600, 's1'), shorten('2', 240, 's2')]
    const [, , result] = modelView(pathOfEntries(log))
    expect(result?.shortened).toEqual({ bytes: 1_200, omitted: 960, startLine: 11, path: 'tool_result/2.txt' })
    expect(result?.message.content.startsWith(`${'line of ten\n'.repeat(10)}[960 bytes`)).toBe(true)
    expect(result?.message.content.endsWith(`start_line=11.]\n${'line of ten\n'.repeat(10)}`)).toBe(true)
    expect(modelView(pathOfEntries([...log, e({ type: 'undo', target: 'g-s2' }, 'u1')]))[2]?.shortened?.omitted).toBe(
      600,
    )
  })

  it('names the place of each kind of text', () => {
    const log = pathOfEntries([
      u(long),
      a(long, [call('c', JSON.stringify({ content: long }))]),
      r('c', 'x'),
      shorten('0', 100, 's0'),
      shorten('1', 100, 's1'),
      shorten('1', 100, 's2', 'arguments'),
    ])
    const [question, answer] = modelView(log)
    expect([question?.shortened?.path, answer?.shortened?.path]).toEqual(['user_text/0.txt', 'answer/1.txt'])
    const message = answer?.message as Message & { role: 'assistant' }
    expect((JSON.parse(message.toolCalls?.[0]?.arguments ?? '') as { content: string }).content).toContain(
      'call/1.json',
    )
    expect(utf8Bytes(message.toolCalls?.[0]?.arguments ?? '')).toBeLessThan(400)
  })

  it('leaves a look-alike notice alone', () => {
    const text = '[960 bytes omitted from line 11 on; whole text: 1 bytes]'
    expect(told(pathOfEntries([u(text), shorten('0', 100, 's')]))).toEqual([`0 user ${text}`])
  })
})

describe('huge texts', () => {
  const text = `${'一行中文 and words\n'.repeat(9_000)}end`

  it('are shown with at most 100 000 bytes, split or not, with the same bytes', () => {
    const { whole: _whole, ...parts } = splitHuge(text)
    const split = modelView(
      pathOfEntries([{ ...r('c', ''), ...parts } as ReturnType<typeof r>].flatMap(result => [a('', ['c']), result])),
    )[1]
    const whole = modelView(pathOfEntries([a('', ['c']), r('c', text)]))[1]
    expect(split?.message.content).toBe(whole?.message.content)
    expect(utf8Bytes(split?.message.content ?? '')).toBeLessThanOrEqual(100_300)
    expect(split?.shortened).toMatchObject({ bytes: utf8Bytes(text), path: 'tool_result/1.txt' })
  })

  it('stay within it when a shortening would show more, and get a smaller one exactly', () => {
    const { whole: _whole, ...parts } = splitHuge(text)
    const shown = (keep: number, unit: 'bytes' | 'chars'): number => {
      const log = pathOfEntries([
        a('', ['c']),
        { ...r('c', ''), ...parts } as ReturnType<typeof r>,
        e({ type: 'shorten', target: '1', keep, unit, headShare: 70, path: 'x' }, 's'),
      ])
      return utf8Bytes(modelView(log)[1]?.message.content ?? '')
    }
    expect(shown(90_000, 'chars')).toBeLessThanOrEqual(100_300)
    expect(shown(1_000_000, 'bytes')).toBeLessThanOrEqual(100_300)
    expect(shown(3_000, 'bytes')).toBeLessThanOrEqual(3_300)
  })
})

describe('page tools', () => {
  it('say how to read their result again, also when it is whole', () => {
    const log = pathOfEntries([a('', ['c']), r('c', 'page', 'fetch_url')])
    expect(modelView(log, { toolsWithReadOnLine: new Set(['fetch_url']) })[1]?.message.content).toMatch(
      /^page\n\[.*tool_result\/1\.txt.*\]\n$/,
    )
    expect(modelView(log)[1]?.message.content).toBe('page')
  })

  it('say nothing under a call that failed', () => {
    const failed = { ...r('c', 'example.org could not be read', 'fetch_url'), isError: true } as ReturnType<typeof r>
    expect(
      modelView(pathOfEntries([a('', ['c']), failed]), { toolsWithReadOnLine: new Set(['fetch_url']) })[1]?.message
        .content,
    ).toBe('example.org could not be read')
  })
})

describe('summaries', () => {
  it('stand in front as a message of their own: what it is, the guide, the summary', () => {
    const [summary, ...rest] = modelView(
      pathOfEntries([...round, cut('k', '5'), summaryOf('k', '## Goal\nX', 'own message', 's')]),
    )
    expect(summary).toMatchObject({ kind: 'summary', entry: 's', message: { role: 'user' } })
    const text = summary?.message.content ?? ''
    const places = [
      'not a new request',
      'dialog/2026-03-01.jsonl, lines 1 to 4',
      'read_file',
      'begin at the end and go backwards',
      '## Goal\nX',
    ].map(part => text.indexOf(part))
    expect(places.every((place, i) => place > (places[i - 1] ?? -1))).toBe(true)
    expect(rest.map(({ entry }) => entry)).toEqual(['5', '6'])
  })

  it('stand in front of the first question, separated by a rule, the question unchanged', () => {
    const log = pathOfEntries([...round, cut('k', '5'), summaryOf('k', 'S', 'first question', 's'), u('q3')])
    const [first] = modelView(log)
    expect(first).toMatchObject({ kind: 'fact', entry: '5', summary: { entry: 's' } })
    expect(first?.message.content).toBe(`${first?.summary?.content}\n\n---\n\nq2`)
  })

  it('have a message of their own where there is no question left', () => {
    const log = pathOfEntries([
      u('q'),
      a('a'),
      cut('k', '1'),
      u('lost'),
      summaryOf('k', 'S', 'first question', 's'),
      u('x'),
      cut('j', null),
      summaryOf('j', 'S2', 'own message', 's2'),
    ])
    expect(modelView(log, { running: false }).map(({ kind }) => kind)).toEqual(['summary'])
  })
})

describe('always', () => {
  it('the request is legal, and the same log gives the same objects and bytes', () => {
    fc.assert(
      fc.property(anyLog, log => {
        const view = modelView(log)
        const messages = view.map(({ message }) => message)
        expect(isLegal(messages)).toBe(true)
        repairMessages(messages).forEach((message, i) => expect(message).toBe(messages[i]))
        for (const message of messages) {
          if (message.role === 'assistant') {
            expect(message.content !== '' || (message.toolCalls?.length ?? 0) > 0).toBe(true)
            expect(new Set(message.toolCalls?.map(({ id }) => id)).size).toBe(message.toolCalls?.length ?? 0)
          }
        }
        modelView(log).forEach((again, i) => expect(again).toBe(view[i]))
        const copy = JSON.parse(JSON.stringify(log)) as Log
        expect(JSON.stringify(modelView(copy))).toBe(JSON.stringify(view))
      }),
      runs(),
    )
  })

  it('a log seen growing gives the same as one seen at once', () => {
    fc.assert(
      fc.property(anyLog, fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 9 }), (log, steps) => {
        for (const options of [{}, { running: true }, { running: false }]) {
          const pushed: Entry[] = []
          for (let step = 0; pushed.length < log.length; step++) {
            pushed.push(...log.slice(pushed.length, pushed.length + steps[step % steps.length]!))
            const copy = JSON.parse(JSON.stringify(pushed)) as Log
            const at = JSON.stringify(modelView(copy, options))
            expect(JSON.stringify(modelView(log.slice(0, pushed.length), options))).toBe(at)
            expect(JSON.stringify(modelView(pushed, options))).toBe(at)
          }
        }
      }),
      runs(),
    )
  })

  it('a log that only chats and is cut gives the same, however it is seen', () => {
    const turn = (n: number): Log =>
      pathOfEntries([u(`q${n}`), a('look', ['c']), r('c', `r${n}`), a('go on', ['c']), r('c', 'more'), a(`a${n}`)]).map(
        entry => ({ ...entry, id: `${n}.${entry.id}` }),
      )
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            end: fc.nat(6),
            cut: fc.boolean(),
            at: fc.nat(60),
            pin: fc.boolean(),
            clear: fc.boolean(),
            place: fc.boolean(),
          }),
          { maxLength: 8 },
        ),
        turns => {
          let log: Log = []
          const options = { running: true }
          for (const [n, { end, cut: cuts, at, pin: pins, clear, place }] of turns.entries()) {
            const facts = [...log, ...turn(n).slice(0, end)]
            const border = facts[at % Math.max(1, facts.length)]
            const question = facts.slice(0, at % Math.max(1, facts.length)).findLast(({ type }) => type === 'user')
            log =
              cuts && border
                ? [
                    ...facts,
                    ...pathOfEntries([
                      cut(`k${n}`, border.id, clear ? 'clear' : 'compact', pins ? question?.id : undefined),
                      summaryOf(`k${n}`, `S${n}`, place ? 'first question' : 'own message', `s${n}`),
                    ]),
                  ]
                : facts
            expect(JSON.stringify(modelView(log, options))).toBe(
              JSON.stringify(modelView(JSON.parse(JSON.stringify(log)) as Log, options)),
            )
          }
        },
      ),
      runs(),
    )
  })

  it('a log that grows keeps what was sent before, as the same objects', () => {
    fc.assert(
      fc.property(anyLog, fc.nat(30), (log, some) => {
        const facts = log.filter(({ type }) => type === 'user' || type === 'assistant')
        const before = modelView(facts.slice(0, some))
        modelView(facts)
          .slice(0, before.length)
          .forEach((item, i) => expect(item).toBe(before[i]))
      }),
      runs(),
    )
  })
})

/** Every call is answered right behind its answer, once, and there is no other result. */
function isLegal(messages: readonly Message[]): boolean {
  const waiting = new Set<string>()
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!waiting.delete(message.toolCallId)) return false
    } else {
      if (waiting.size > 0) return false
      if (message.role === 'assistant') for (const { id } of message.toolCalls ?? []) waiting.add(id)
    }
  }
  return waiting.size === 0
}
