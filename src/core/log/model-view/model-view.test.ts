/** What the model is sent of a log: facts, cuts, pins, strips and summaries. */
import { describe, expect, it } from 'vitest'
import { modelView } from './model-view.ts'
import { a, call, e, pathOfEntries, r, summaryOf, u } from '../log.fixture.ts'
import { sentLines, shortTalk, cutEdit, pinEdit, shortenEdit } from './model-view.fixture.ts'

describe('without edits', () => {
  it('sends every fact, and neither notes nor what says nothing', () => {
    expect(
      sentLines(
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
    expect(sentLines(pathOfEntries([u('q'), a('', ['c', 'd']), u('again'), r('d', 'late')]))).toEqual([
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
    expect(sentLines(pathOfEntries([...shortTalk, cutEdit('k', '4', 'compact', '0')]))).toEqual([
      '0 user q1',
      '4 assistant a1',
      '5 user q2',
      '6 assistant a2',
    ])
    expect(modelView(pathOfEntries([...shortTalk, cutEdit('k', '4', 'compact', '0')]))[0]).toMatchObject({
      behindCut: true,
      pinned: false,
    })
  })

  it('lose the pin of an older cut when a newer one falls further', () => {
    expect(sentLines(pathOfEntries([...shortTalk, cutEdit('k', '4', 'compact', '0'), cutEdit('j', '5')]))).toEqual([
      '5 user q2',
      '6 assistant a2',
    ])
  })

  it('made between turns hide everything', () => {
    expect(sentLines(pathOfEntries([...shortTalk, cutEdit('k', null, 'clear')]))).toEqual([])
    expect(sentLines(pathOfEntries([...shortTalk, cutEdit('k', null, 'clear'), u('new')]))).toEqual(['8 user new'])
  })

  it('never hide the question of the turn that runs', () => {
    expect(
      sentLines(pathOfEntries([u('q1'), a('a1'), u('q2'), a('', ['c']), r('c', 'x'), cutEdit('k', null, 'clear')])),
    ).toEqual(['2 user q2'])
    expect(sentLines(pathOfEntries([u('q1'), a('a1'), cutEdit('k', null, 'clear')]), { running: true })).toEqual([
      '0 user q1',
    ])
    expect(sentLines(pathOfEntries([u('q1'), cutEdit('k', null, 'clear')]), { running: false })).toEqual([])
  })

  it('between a call and its result leave a legal request', () => {
    expect(sentLines(pathOfEntries([...shortTalk, cutEdit('k', '2')]))).toEqual([
      '4 assistant a1',
      '5 user q2',
      '6 assistant a2',
    ])
  })

  it('are lifted by undo, and come back', () => {
    const undo = (id: string, group: string): ReturnType<typeof e> => e({ type: 'undo', target: group }, id)
    const log = [...shortTalk, cutEdit('k', '5'), undo('u1', 'g-k')]
    expect(sentLines(pathOfEntries(log))).toEqual(sentLines(pathOfEntries(shortTalk)))
    expect(sentLines(pathOfEntries([...log, undo('u2', 'g-u1')]))).toEqual(['5 user q2', '6 assistant a2'])
  })
})

describe('pins', () => {
  it('of a result bring the call, of a call its results, in their order', () => {
    expect(sentLines(pathOfEntries([...shortTalk, cutEdit('k', '5'), pinEdit('3')]))).toEqual([
      '1 assistant look [d]',
      '3 tool two',
      '5 user q2',
      '6 assistant a2',
    ])
    expect(sentLines(pathOfEntries([...shortTalk, cutEdit('k', '5'), pinEdit('1')]))).toEqual([
      '1 assistant look [c,d]',
      '2 tool one',
      '3 tool two',
      '5 user q2',
      '6 assistant a2',
    ])
    expect(
      sentLines(pathOfEntries([...shortTalk, cutEdit('k', '5'), pinEdit('0'), pinEdit('2'), pinEdit('3')])),
    ).toEqual(['0 user q1', '1 assistant look [c,d]', '2 tool one', '3 tool two', '5 user q2', '6 assistant a2'])
  })

  it('stand before strip and shorten, until they are taken off', () => {
    const log = [
      u('q1'),
      a('', ['c']),
      r('c', 'x'.repeat(100)),
      a('a1'),
      shortenEdit('2', 10, 's'),
      e({ type: 'strip', before: null }, 't'),
      u('q2'),
    ]
    expect(sentLines(pathOfEntries(log))).toEqual(['0 user q1', '3 assistant a1', '6 user q2'])
    expect(sentLines(pathOfEntries([...log, pinEdit('2')]))).toEqual([
      '0 user q1',
      '1 assistant  [c]',
      `2 tool ${'x'.repeat(100)}`,
      '3 assistant a1',
      '6 user q2',
    ])
    expect(modelView(pathOfEntries([...log, pinEdit('2')])).map(({ pinned }) => pinned)).toEqual([
      false,
      false,
      true,
      false,
      false,
    ])
    expect(sentLines(pathOfEntries([...log, pinEdit('2'), pinEdit('2', false)]))).toEqual(sentLines(pathOfEntries(log)))
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
    expect(sentLines(pathOfEntries([...log, e({ type: 'strip', before: '8' }, 's')]))).toEqual([
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
    expect(sentLines(pathOfEntries([...log, e({ type: 'strip', before: '3' }, 's')]))).toEqual(
      sentLines(pathOfEntries(log)),
    )
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
    expect(sentLines(log)).toEqual(['0 user q1', '3 assistant a1', '5 user q2', '6 assistant  [d]', '7 tool y'])
  })
})

describe('summaries', () => {
  it('stand in front as a message of their own: what it is, the guide, the summary', () => {
    const [summary, ...rest] = modelView(
      pathOfEntries([...shortTalk, cutEdit('k', '5'), summaryOf('k', '## Goal\nX', 'own message', 's')]),
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
    const log = pathOfEntries([...shortTalk, cutEdit('k', '5'), summaryOf('k', 'S', 'first question', 's'), u('q3')])
    const [first] = modelView(log)
    expect(first).toMatchObject({ kind: 'fact', entry: '5', summary: { entry: 's' } })
    expect(first?.message.content).toBe(`${first?.summary?.content}\n\n---\n\nq2`)
  })

  it('have a message of their own where there is no question left', () => {
    const log = pathOfEntries([
      u('q'),
      a('a'),
      cutEdit('k', '1'),
      u('lost'),
      summaryOf('k', 'S', 'first question', 's'),
      u('x'),
      cutEdit('j', null),
      summaryOf('j', 'S2', 'own message', 's2'),
    ])
    expect(modelView(log, { running: false }).map(({ kind }) => kind)).toEqual(['summary'])
  })
})
