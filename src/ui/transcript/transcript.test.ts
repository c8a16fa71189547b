import { describe, expect, it } from 'vitest'
import type { Entry, Id, NewEntry } from '../../core/log/entry.ts'
import { TranscriptFold, transcript } from './transcript.ts'

/** A log built line by line: each entry hangs below the one before, unless told otherwise. */
class Book {
  entries: Entry[] = []
  leaf: Id | null = null
  add(entry: NewEntry, options: { id?: Id; parent?: Id | null } = {}): Id {
    const id = options.id ?? `e${this.entries.length}`
    const parent = options.parent === undefined ? this.leaf : options.parent
    this.entries.push({ id, parent, at: 1_000 + this.entries.length, ...entry })
    this.leaf = id
    return id
  }
  user(text: string, parent?: Id | null): Id {
    return this.add({ type: 'user', text }, parent === undefined ? {} : { parent })
  }
  says(text: string, calls: { id: string; name: string; arguments: string }[] = [], parent?: Id | null): Id {
    const entry: NewEntry = {
      type: 'assistant',
      text,
      calls,
      model: 'm',
      local: true,
      stop: calls.length > 0 ? 'calls' : 'stop',
    }
    return this.add(entry, parent === undefined ? {} : { parent })
  }
  result(callId: string, text: string): Id {
    return this.add({ type: 'result', callId, tool: 'read_file', text, isError: false })
  }
  get items() {
    return transcript(this.entries, this.leaf)
  }
}

const call = (id: string) => ({ id, name: 'read_file', arguments: '{"path":"a.txt"}' })
const summary = (of: Id, group: Id, covers: { first: Id; last: Id }): NewEntry => ({
  type: 'summary',
  group,
  of,
  text: '## Goal\nx',
  by: 'model',
  place: 'own message',
  guide: [],
  covers,
  stats: { entries: 2, before: 100, after: 10, ms: 5 },
})

describe('transcript', () => {
  it('folds a call and its result into one item', () => {
    const book = new Book()
    book.user('read it')
    book.says('Reading.', [call('1')])
    book.result('1', 'content')
    book.says('Done.')
    expect(book.items.map(item => item.type)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    expect(book.items[2]).toMatchObject({ type: 'tool', result: { text: 'content', entry: 'e2' } })
  })

  it('shows no empty bubble for an answer that only calls', () => {
    const book = new Book()
    book.user('read it')
    book.says('', [call('1'), call('2')])
    expect(book.items.map(item => [item.type, item.key])).toEqual([
      ['user', 'e0'],
      ['tool', 'e1/0'],
      ['tool', 'e1/1'],
    ])
  })

  it('gives a result to the nearest unanswered call when servers use an id again', () => {
    const book = new Book()
    book.user('twice')
    book.says('', [call('0')])
    book.result('0', 'first')
    book.says('', [call('0')])
    book.result('0', 'second')
    expect(book.items.flatMap(item => (item.type === 'tool' ? [item.result?.text] : []))).toEqual(['first', 'second'])
  })

  it('keeps an orphan result visible', () => {
    const book = new Book()
    book.user('hm')
    book.result('nobody', 'lost and found')
    expect(book.items[1]).toMatchObject({ type: 'orphan', result: { text: 'lost and found' } })
  })

  it('shows the typed words, and attached texts as chips', () => {
    const book = new Book()
    book.add({
      type: 'user',
      text: 'look:BODYplease',
      attachments: [{ name: 'a.txt', mime: 'text/plain', bytes: 4, span: [5, 9] }],
    })
    expect(book.items[0]).toMatchObject({ text: 'look:please', chips: [{ name: 'a.txt', text: 'BODY', whole: true }] })
  })

  it('says so when only the beginning of an attached text is here', () => {
    const book = new Book()
    book.add({
      type: 'user',
      text: 'abcdef',
      tail: 'xyz',
      rest: { bytes: 200_000, lines: 9 },
      attachments: [{ name: 'a', mime: 'text/plain', bytes: 199_999, span: [1, 200_000] }],
    })
    expect(book.items[0]).toMatchObject({
      text: 'a',
      chips: [{ whole: false, text: 'bcdef' }],
      gap: { path: 'user_text/e0.txt', bytes: 200_000 },
    })
  })

  it('numbers the versions of a question and of an answer', () => {
    const book = new Book()
    const question = book.user('one')
    const first = book.says('answer one')
    const second = book.says('answer two', [], question)
    expect(book.items[1]).toMatchObject({ text: 'answer two', versions: { index: 2, count: 2, previous: first } })
    expect(transcript(book.entries, first)[1]).toMatchObject({ versions: { index: 1, count: 2, next: second } })
    const edited = book.user('other', null)
    expect(book.items).toHaveLength(1)
    expect(book.items[0]).toMatchObject({ text: 'other', versions: { index: 2, count: 2, previous: question } })
    expect(edited).toBe('e3')
  })

  it('finds the version when an edit stands between the fork and the answer', () => {
    const book = new Book()
    const question = book.user('one')
    book.says('answer one')
    book.add({ type: 'pin', group: 'g', target: question, on: true }, { parent: question })
    book.says('answer two')
    expect(book.items.at(-1)).toMatchObject({ text: 'answer two', versions: { index: 2, count: 2, previous: 'e1' } })
  })

  it('tells a cut by its summary card once there is one, and what it took out of the window', () => {
    const book = new Book()
    const first = book.user('old')
    const last = book.says('old answer')
    const kept = book.user('new')
    const cut = book.add({ type: 'cut', group: 'g', before: kept, reason: 'compact' })
    expect(book.items.at(-1)).toMatchObject({ type: 'mark', order: 2, effective: true })
    book.add(summary(cut, 'g', { first, last }))
    expect(book.items.map(item => item.type)).toEqual(['user', 'assistant', 'summary', 'user'])
    expect(book.items.map(item => 'outOfContext' in item && item.outOfContext)).toEqual([true, true, false, false])
    expect(book.items[2]).toMatchObject({ effective: true, current: true })
  })

  it('lifts what was undone, and puts it back when the undo is undone', () => {
    const book = new Book()
    const first = book.user('old')
    const last = book.says('old answer')
    const kept = book.user('new')
    const cut = book.add({ type: 'cut', group: 'g', before: kept, reason: 'compact' })
    book.add(summary(cut, 'g', { first, last }))
    book.add({ type: 'undo', group: 'u', target: 'g' })
    expect(book.items[0]).toMatchObject({ outOfContext: false })
    expect(book.items[2]).toMatchObject({ effective: false, current: false })
    book.add({ type: 'undo', group: 'u2', target: 'u' })
    expect(book.items[0]).toMatchObject({ outOfContext: true })
    expect(book.items[2]).toMatchObject({ effective: true, current: true })
  })

  it('keeps a pinned message in the window', () => {
    const book = new Book()
    const first = book.user('the rule')
    book.says('ok')
    book.add({ type: 'pin', group: 'p', target: first, on: true })
    book.add({ type: 'cut', group: 'g', before: null, reason: 'clear' })
    expect(book.items.map(item => 'outOfContext' in item && item.outOfContext)).toEqual([false, true, false])
    expect(book.items[0]).toMatchObject({ pinned: true })
    expect(book.items[2]).toMatchObject({ type: 'mark', reason: 'clear', order: 2 })
  })

  it('hides an older summary behind a clearing cut', () => {
    const book = new Book()
    const first = book.user('old')
    const last = book.says('answer')
    const cut = book.add({ type: 'cut', group: 'g', before: null, reason: 'turns' })
    book.user('more')
    book.add({ type: 'cut', group: 'c', before: null, reason: 'clear' })
    book.add(summary(cut, 'g', { first, last })) // it arrives late
    expect(book.items.at(-1)).toMatchObject({ type: 'summary', effective: true, current: false })
  })

  it('says of a shortened result what the model is shown', () => {
    const book = new Book()
    book.user('read')
    book.says('', [call('1')])
    const result = book.result('1', 'x'.repeat(9_000))
    book.add({
      type: 'shorten',
      group: 'g',
      target: result,
      keep: 3_000,
      unit: 'bytes',
      headShare: 70,
      path: `tool_result/${result}.txt`,
    })
    expect(book.items[1]).toMatchObject({ shortened: { keep: 3_000, unit: 'bytes' } })
    book.add({ type: 'undo', group: 'u', target: 'g' })
    expect('shortened' in book.items[1]! && book.items[1].shortened).toBeFalsy()
  })

  it('shows a tombstone where a text was removed', () => {
    const book = new Book()
    book.add({ type: 'user', text: '' })
    book.entries[0] = { ...book.entries[0]!, gone: { bytes: 12, day: '2026-01-31', why: 'deleted' } }
    expect(book.items[0]).toMatchObject({ gone: { day: '2026-01-31' } })
  })

  it('survives a ring of parents and a leaf that is not there', () => {
    const ring: Entry[] = [
      { id: 'a', parent: 'b', at: 1, type: 'user', text: 'a' },
      { id: 'b', parent: 'a', at: 2, type: 'user', text: 'b' },
    ]
    expect(transcript(ring, 'b')).toHaveLength(2)
    expect(transcript(ring, 'nowhere')).toEqual([])
  })
})

describe('TranscriptFold', () => {
  /** A random session with forks, edits and late results; the seed makes it repeatable. */
  function story(seed: number): { book: Book; leaves: (Id | null)[] } {
    const book = new Book()
    const leaves: (Id | null)[] = []
    let state = seed
    const chance = (sides: number) => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) % sides
    for (let i = 0; i < 60; i++) {
      const any = () => book.entries[chance(book.entries.length)]!.id
      switch (book.entries.length === 0 ? 0 : chance(9)) {
        case 0:
          book.user(`q${i}`)
          break
        case 1:
          book.says(`a${i}`)
          break
        case 2:
          book.says('', [call(`c${chance(3)}`)])
          break
        case 3:
          book.result(`c${chance(3)}`, `r${i}`)
          break
        case 4:
          book.add({ type: 'cut', group: `g${i}`, before: any(), reason: 'compact' })
          break
        case 5:
          book.add({ type: 'undo', group: `g${i}`, target: `g${chance(i)}` })
          break
        case 6:
          book.add({ type: 'pin', group: `g${i}`, target: any(), on: chance(2) === 0 })
          break
        case 7:
          book.add({
            type: 'shorten',
            group: `g${i}`,
            target: any(),
            keep: 10,
            unit: 'bytes',
            headShare: 70,
            path: 'p',
          })
          break
        case 8:
          if (chance(3) === 0) book.user(`fork${i}`, any())
          else book.add({ type: 'note', code: 'retry', text: 'again' })
      }
      leaves.push(book.leaf)
    }
    return { book, leaves }
  }

  it('grown step by step it equals the transcript made at once', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const { book, leaves } = story(seed)
      const fold = new TranscriptFold()
      for (const [i, leaf] of leaves.entries()) {
        const entries = book.entries.slice(0, i + 1)
        expect(fold.items(entries, leaf), `seed ${seed}, step ${i}`).toEqual(transcript(entries, leaf))
      }
    }
  })

  it('leaves unchanged items the same objects', () => {
    const book = new Book()
    book.user('one')
    book.says('two')
    const fold = new TranscriptFold()
    const before = fold.items([...book.entries], book.leaf)
    book.user('three')
    const after = fold.items([...book.entries], book.leaf)
    expect(after[0]).toBe(before[0])
    expect(after[1]).toBe(before[1])
    expect(after).toHaveLength(3)
  })

  it('folds older entries in front when they come later', () => {
    const book = new Book()
    for (let i = 0; i < 10; i++) book.user(`q${i}`)
    const fold = new TranscriptFold()
    expect(fold.items(book.entries.slice(5), book.leaf)).toHaveLength(5)
    expect(fold.items(book.entries, book.leaf)).toHaveLength(10)
  })

  it('costs little when 10 000 entries grow by one', () => {
    const book = new Book()
    for (let i = 0; i < 2_500; i++) {
      book.user('x'.repeat(800))
      book.says('', [call('1')])
      book.result('1', 'y'.repeat(800))
      book.says('z'.repeat(800))
    }
    // ms of processor time, the best of several: neither counts what else the machine does. Measured 2026-11: 60 ms and
    // 1 ms
    const best = (times: number, run: () => void) =>
      Math.min(
        ...Array.from({ length: times }, () => {
          const from = process.cpuUsage()
          run()
          return process.cpuUsage(from).user / 1_000
        }),
      )
    const atOnce = best(5, () => {
      transcript(book.entries, book.leaf)
    })
    const fold = new TranscriptFold()
    fold.items([...book.entries], book.leaf)
    const growth = best(20, () => {
      book.user('more')
      fold.items([...book.entries], book.leaf)
    })
    expect(atOnce).toBeLessThan(600)
    expect(growth).toBeLessThan(40)
    if (process.env.HAVERSACK_FIGURES)
      process.stderr.write(`10 000 at once ${atOnce.toFixed(1)} ms, grow by one ${growth.toFixed(2)} ms\n`)
  })
})
