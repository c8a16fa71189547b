import { describe, expect, it } from 'vitest'
import type { Id } from './entry.ts'
import { e, pathOfEntries, u } from './log.fixture.ts'
import { effectiveEdits, isAct, redoTarget, undoTarget } from './query.ts'

const cut = (id: string, before: Id | null) => e({ type: 'cut', before, reason: 'compact' }, id)
const undo = (id: string, group: Id) => e({ type: 'undo', target: group }, id)

describe('edits that stand', () => {
  it('are walked back by undo and forward by redo', () => {
    const steps = [u('q'), cut('A', null), cut('B', null), cut('C', null)]
    const press = (what: 'undo' | 'redo'): string | null => {
      const target = what === 'undo' ? undoTarget(pathOfEntries(steps)) : redoTarget(pathOfEntries(steps))
      if (target !== null) steps.push(undo(`s${steps.length}`, target))
      return target
    }
    const standing = (): string =>
      effectiveEdits(pathOfEntries(steps))
        .filter(({ type }) => type === 'cut')
        .map(({ id }) => id)
        .join('')
    const seen: [string, string][] = []
    for (const what of [
      'undo',
      'undo',
      'undo',
      'undo',
      'redo',
      'redo',
      'undo',
      'redo',
      'redo',
      'redo',
      'undo',
    ] as const)
      seen.push([press(what) === null ? `(${what})` : what, standing()])
    expect(seen).toEqual([
      ['undo', 'AB'],
      ['undo', 'A'],
      ['undo', ''],
      ['(undo)', ''],
      ['redo', 'A'],
      ['redo', 'AB'],
      ['undo', 'A'],
      ['redo', 'AB'],
      ['redo', 'ABC'],
      ['(redo)', 'ABC'],
      ['undo', 'AB'],
    ])
    steps.push(cut('D', null))
    expect([redoTarget(pathOfEntries(steps)), undoTarget(pathOfEntries(steps))]).toEqual([null, 'g-D'])
  })

  it('are brought back by Put back, which is an act: undo lifts it and redo makes it again', () => {
    const steps = [
      u('q'),
      cut('A', null),
      e({ type: 'pin', target: '0', on: true }, 'P'),
      e({ type: 'undo', target: 'g-A', act: true }, 'B'),
    ]
    const targets = () => [undoTarget(pathOfEntries(steps)), redoTarget(pathOfEntries(steps))]
    const standing = () =>
      effectiveEdits(pathOfEntries(steps))
        .filter(isAct)
        .map(({ id }) => id)
        .join('')
    expect([...targets(), standing()]).toEqual(['g-B', null, 'PB'])
    steps.push(undo('s1', 'g-B'))
    expect([...targets(), standing()]).toEqual(['g-P', 'g-s1', 'AP'])
    steps.push(undo('s2', 'g-s1'))
    expect([...targets(), standing()]).toEqual(['g-B', null, 'PB'])
    steps.push(undo('s3', 'g-B'), undo('s4', 'g-P'))
    expect([...targets(), standing()]).toEqual(['g-A', 'g-s4', 'A'])
  })
})
