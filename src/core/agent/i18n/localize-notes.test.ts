import { expect, it } from 'vitest'
import type { NewEntry } from '../../log/entry.ts'
import { localizeNotes } from './localize-notes.ts'

const note: NewEntry = {
  type: 'note',
  code: 'compact_no_gain',
  text: 'English',
  tokens: 1234,
  data: { before: 1234, after: 1200 },
}

it('says the notes of steps in Chinese with the same numbers, and leaves everything else alone', () => {
  const cut: NewEntry = { type: 'cut', before: null, reason: 'clear', group: 'g' }
  expect(localizeNotes([cut, note], 'en')).toEqual([cut, note])
  expect(localizeNotes([cut, note], 'zh')).toEqual([
    cut,
    { ...note, text: '压缩只会把请求从 1,234 变为 1,200 个 token，收益太小，因此没有改动。' },
  ])
  const strange: NewEntry = { type: 'note', code: 'overflow_rung', text: 'English', data: {} }
  expect(localizeNotes([strange], 'zh')).toEqual([strange])
})
