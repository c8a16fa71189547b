import { expect, it } from 'vitest'
import type { Entry, Id, NewEntry } from '../../core/log/entry.ts'
import { transcript } from './transcript.ts'

/** A chat of which five messages stand, two of them behind a cut; `late`: what was said before its summary came. */
function compacted(late: readonly NewEntry[] = []): Entry[] {
  const stats = { entries: 2, before: 10, after: 5, ms: 1 }
  const news: NewEntry[] = [
    asked('old'),
    answered('old answer'),
    asked('new'),
    answered('new answer'),
    { type: 'cut', group: 'g', before: 'e2', reason: 'turns' },
    ...late,
    {
      type: 'summary',
      group: 'g',
      of: 'e4',
      text: '## Goal\nbuild it',
      by: 'model',
      place: 'own message',
      guide: [],
      covers: { first: 'e0', last: 'e1' },
      stats,
    },
  ]
  return chain(news)
}
const asked = (text: string): NewEntry => ({ type: 'user', text })
const answered = (text: string): NewEntry => ({
  type: 'assistant',
  text,
  calls: [],
  model: 'm',
  local: true,
  stop: 'stop',
})
const chain = (news: readonly NewEntry[], from: readonly Entry[] = []): Entry[] => [
  ...from,
  ...news.map((one, i): Entry => {
    const at = from.length + i
    return { ...one, id: `e${at}`, parent: at === 0 ? null : `e${at - 1}`, at: 1_000 + at }
  }),
]
const shapes = (entries: readonly Entry[], leaf: Id = entries.at(-1)!.id) =>
  transcript(entries, leaf).map(({ type }) => type)

it('keeps the card of a summary at the border that it made, whatever is said or undone later', () => {
  const entries = chain([answered('answer')], compacted([asked('more')])) // the summary came late
  const placed = ['user', 'assistant', 'summary', 'user', 'assistant', 'user', 'assistant']
  expect(shapes(entries)).toEqual(placed)
  expect(shapes(chain([{ type: 'undo', group: 'u', target: 'g' }], entries))).toEqual(placed)
})

it('shows the card once the message at its border is loaded', () => {
  const entries = compacted()
  expect(shapes(entries.slice(3))).toEqual(['assistant'])
  expect(shapes(entries.slice(2))).toEqual(['summary', 'user', 'assistant'])
})

it('shows the card where it was made in a chat that lacks the message at its border', () => {
  const torn = compacted()
    .filter(({ id }) => id !== 'e2')
    .map(entry => ({ ...entry, parent: entry.parent === 'e2' ? 'e1' : entry.parent }))
  expect(shapes(torn)).toEqual(['user', 'assistant', 'assistant', 'summary'])
})
