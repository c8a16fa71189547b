import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import {
  activeFacts,
  boundaryOf,
  newestCut,
  openTurnQuestion,
  cutsOwingSummary,
  pathTo,
  pinnedFacts,
  redoTarget,
  effectiveEdits,
  effectiveSummary,
  isAct,
  storedSummary,
  turnsOf,
  unansweredCalls,
  unansweredResults,
  undoTarget,
} from './query.ts'
import { a, e, pathOfEntries, r, summaryOf, u } from './log.fixture.ts'
import { anyLog } from './random-log.fixture.ts'
import { runs } from '../text/laws.fixture.ts'
import type { Entry } from './entry.ts'

const cut = (
  id: string,
  before: string | null,
  reason: 'compact' | 'clear' | 'turns' = 'compact',
  pin?: string,
): ReturnType<typeof e> => e({ type: 'cut', before, reason, ...(pin === undefined ? {} : { pin }) }, id)
const undo = (id: string, group: string): ReturnType<typeof e> => e({ type: 'undo', target: group }, id)

describe('the path to a leaf', () => {
  const entry = (id: string, parent: string | null): Entry => ({ ...pathOfEntries([u(id)])[0]!, id, parent })
  const ids = (entries: Entry[], leaf: string | null): string[] => pathTo(entries, leaf).map(({ id }) => id)

  it('goes from the first entry to the leaf, past siblings', () => {
    const entries = [entry('a', null), entry('b', 'a'), entry('b2', 'a'), entry('c', 'b2')]
    expect(ids(entries, 'c')).toEqual(['a', 'b2', 'c'])
    expect(ids(entries, 'b')).toEqual(['a', 'b'])
  })

  it('is the log itself where there are no branches', () => {
    const log = pathOfEntries([u('a'), a('b')])
    expect(pathTo(log, '1')).toBe(log)
  })

  it('ends on circles, missing parents and unknown leaves', () => {
    expect(ids([entry('a', 'c'), entry('b', 'a'), entry('c', 'b')], 'c')).toEqual(['a', 'b', 'c'])
    expect(ids([entry('a', 'a')], 'a')).toEqual(['a'])
    expect(ids([entry('b', 'gone')], 'b')).toEqual(['b'])
    expect([ids([entry('a', null)], 'x'), ids([entry('a', null)], null), ids([], 'x')]).toEqual([[], [], []])
  })

  it('takes the first of one id twice, and terminates on any parents', () => {
    expect(ids([entry('a', null), entry('b', 'a'), entry('a', 'b')], 'a')).toEqual(['a'])
    const any = fc.array(
      fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('a', 'b', 'c', 'd', 'x', null)),
      { maxLength: 8 },
    )
    fc.assert(
      fc.property(any, pairs => {
        const path = pathTo(
          pairs.map(([id, parent]) => entry(id, parent)),
          pairs.at(-1)?.[0] ?? null,
        )
        expect(new Set(path.map(({ id }) => id)).size).toBe(path.length)
      }),
      runs(),
    )
  })
})

describe('turns', () => {
  it('start with a question; what stands before the first one is a turn without', () => {
    const log = pathOfEntries([
      a('hello'),
      u('one'),
      a('', ['c']),
      r('c', 'x'),
      e({ type: 'pin', target: '1', on: true }),
      u('two'),
    ])
    expect(turnsOf(log).map(({ question, facts }) => [question?.text ?? null, facts.length])).toEqual([
      [null, 1],
      ['one', 3],
      ['two', 1],
    ])
  })

  it('are open while an answer or a result is awaited', () => {
    expect(openTurnQuestion(pathOfEntries([u('q')]))?.text).toBe('q')
    expect(openTurnQuestion(pathOfEntries([u('q'), a('', ['c'])]))?.text).toBe('q')
    expect(openTurnQuestion(pathOfEntries([u('q'), a('', ['c']), r('c', 'x'), cut('k', null)]))?.text).toBe('q')
    expect(openTurnQuestion(pathOfEntries([u('q'), a('done')]))).toBeNull()
    expect(openTurnQuestion(pathOfEntries([]))).toBeNull()
  })

  it('are over when they were stopped, failed or broken off', () => {
    expect(openTurnQuestion(pathOfEntries([u('q'), { type: 'note', code: 'network', text: '' }]))).toBeNull()
    expect(openTurnQuestion(pathOfEntries([u('q'), { type: 'note', code: 'retry', text: '' }]))?.text).toBe('q')
    expect(
      openTurnQuestion(
        pathOfEntries([
          u('q'),
          { ...a('', ['c']), stop: 'stopped' } as ReturnType<typeof a>,
          r('c', 'stopped by the user'),
        ]),
      ),
    ).toBeNull()
  })
})

describe('calls and results', () => {
  it('finds calls without a result, where ids come again too', () => {
    const log = pathOfEntries([u('q'), a('', ['0']), r('0', 'x'), a('', ['0', '1', '1']), r('1', 'y')])
    expect(unansweredCalls(log).map(({ assistant, call }) => [assistant.id, call.id])).toEqual([['3', '0']])
  })

  it('finds results that no answer followed', () => {
    expect(unansweredResults(pathOfEntries([u('q'), a('', ['0', '1']), r('0', 'x'), r('1', 'y')]))).toEqual(
      new Set(['2', '3']),
    )
    expect(unansweredResults(pathOfEntries([u('q'), a('', ['0']), r('0', 'x'), a('done')])).size).toBe(0)
  })
})

describe('edits that stand', () => {
  it('are those that nothing lifted; an undo may be undone', () => {
    const ids = (...more: ReturnType<typeof e>[]): string[] =>
      effectiveEdits(pathOfEntries([u('q'), cut('k', null), ...more])).map(({ id }) => id)
    expect(ids()).toEqual(['k'])
    expect(ids(undo('u1', 'g-k'))).toEqual(['u1'])
    expect(ids(undo('u1', 'g-k'), undo('u2', 'g-u1'))).toEqual(['k', 'u2'])
    expect(ids(undo('u1', 'g-k'), undo('u2', 'g-u1'), undo('u3', 'g-u2'))).toEqual(['u1', 'u3'])
    expect(ids(undo('u1', 'nothing'))).toEqual(['k', 'u1'])
  })

  it('a late summary goes with its cut, a wording by hand goes alone', () => {
    const late = [u('q'), cut('k', null, 'turns'), u('next'), summaryOf('k', 'late', 'own message', 's')]
    expect(undoTarget(pathOfEntries(late))).toBe('g-k')
    expect(
      undoTarget(
        pathOfEntries([
          ...late,
          { ...summaryOf('k', 'mine', 'own message', 'p'), by: 'person' } as ReturnType<typeof e>,
        ]),
      ),
    ).toBe('g-p')
  })

  it('skip a late summary whose cut was lifted', () => {
    expect(
      undoTarget(
        pathOfEntries([
          u('q'),
          cut('j', null),
          cut('k', null, 'turns'),
          undo('u1', 'g-k'),
          summaryOf('k', 'late', 'own message', 's'),
        ]),
      ),
    ).toBe('g-j')
  })

  it('know who is pinned now', () => {
    const pin = (target: string, on: boolean, id: string): ReturnType<typeof e> => e({ type: 'pin', target, on }, id)
    expect([
      ...pinnedFacts(
        effectiveEdits(pathOfEntries([u('q'), pin('0', true, 'p1'), pin('x', true, 'p2'), pin('0', false, 'p3')])),
      ),
    ]).toEqual(['x'])
  })
})

describe('cuts', () => {
  it('hide what is older, the furthest one decides, one that names nothing hides nothing', () => {
    const log = pathOfEntries([u('1'), a('2'), u('3'), a('4'), cut('k', '2'), cut('j', '1'), cut('x', 'nowhere')])
    expect(boundaryOf(log)).toMatchObject({ from: 2, cut: { id: 'k' } })
    expect(activeFacts(log).map(({ id }) => id)).toEqual(['2', '3'])
    expect(newestCut(log)?.id).toBe('j')
  })

  it('with no border hide all that stands before them', () => {
    const log = pathOfEntries([u('1'), a('2'), cut('k', null, 'clear'), u('4')])
    expect(activeFacts(log).map(({ id }) => id)).toEqual(['3'])
  })

  it('never hide what comes after them', () => {
    expect(activeFacts(pathOfEntries([u('1'), cut('k', '2'), u('3')])).map(({ id }) => id)).toEqual(['2'])
  })

  it('owe a summary by their reason, until they had one, also one that was undone', () => {
    const owed = (...more: ReturnType<typeof e>[]): string[] =>
      cutsOwingSummary(
        pathOfEntries([u('q'), cut('t', null, 'turns'), cut('c', null, 'clear'), cut('k', null), ...more]),
      ).map(({ id }) => id)
    expect(owed()).toEqual(['t', 'k'])
    expect(owed(summaryOf('t', 'x', 'own message', 's'))).toEqual(['k'])
    expect(owed(summaryOf('t', 'x', 'own message', 's'), undo('u1', 'g-s'))).toEqual(['k'])
    expect(owed(undo('u1', 'g-t'))).toEqual(['k'])
  })
})

describe('the summary that is shown', () => {
  it('is that of the newest cut that stands', () => {
    const log = [
      u('1'),
      cut('k', '0'),
      summaryOf('k', 'first', 'own message', 's1'),
      u('2'),
      cut('j', '3'),
      summaryOf('j', 'second', 'own message', 's2'),
    ]
    expect(effectiveSummary(pathOfEntries(log))?.text).toBe('second')
    expect(effectiveSummary(pathOfEntries([...log, undo('u1', 'g-j')]))?.text).toBe('first')
    expect(effectiveSummary(pathOfEntries([...log, summaryOf('k', 'first, late', 'own message', 's3')]))?.text).toBe(
      'second',
    )
    expect(effectiveSummary(pathOfEntries([...log, summaryOf('j', 'by hand', 'own message', 's3')]))?.text).toBe(
      'by hand',
    )
    expect(
      effectiveSummary(pathOfEntries([...log, summaryOf('j', 'by hand', 'own message', 's3'), undo('u1', 'g-s3')]))
        ?.text,
    ).toBe('second')
    expect(effectiveSummary(pathOfEntries([u('1'), summaryOf('nowhere', 'x')]))).toBeNull()
  })

  it('is hidden by a later clear, also when it arrives after it', () => {
    expect(
      effectiveSummary(
        pathOfEntries([u('1'), cut('k', '0', 'turns'), cut('c', null, 'clear'), u('2'), summaryOf('k', 'late')]),
      ),
    ).toBeNull()
    expect(
      effectiveSummary(
        pathOfEntries([
          u('1'),
          cut('k', '0', 'turns'),
          cut('c', null, 'clear'),
          summaryOf('k', 'late'),
          undo('u1', 'g-c'),
        ]),
      )?.text,
    ).toBe('late')
  })

  it('in front of the first question waits for the next question; until then the one before stays', () => {
    const log = [
      u('1'),
      cut('k', '0', 'turns'),
      summaryOf('k', 'first', 'first question', 's1'),
      u('2'),
      cut('j', '3', 'turns'),
      summaryOf('j', 'second', 'first question', 's2'),
    ]
    expect(effectiveSummary(pathOfEntries(log))?.text).toBe('first')
    expect(storedSummary(pathOfEntries(log))?.text).toBe('second')
    expect(effectiveSummary(pathOfEntries([...log, u('3')]))?.text).toBe('second')
  })
})

it('questions to a log never throw, whatever it holds', () => {
  fc.assert(
    fc.property(anyLog, log => {
      for (const ask of [
        turnsOf,
        openTurnQuestion,
        unansweredCalls,
        unansweredResults,
        effectiveEdits,
        undoTarget,
        redoTarget,
        newestCut,
        activeFacts,
        effectiveSummary,
        storedSummary,
        cutsOwingSummary,
      ])
        ask(log)
      // Lifting what undo names always changes what stands.
      const target = undoTarget(log)
      if (target !== null) expect(effectiveEdits(log).some(edit => edit.group === target && isAct(edit))).toBe(true)
    }),
    runs(),
  )
})
