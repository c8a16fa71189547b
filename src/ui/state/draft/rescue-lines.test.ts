import { expect, it } from 'vitest'
import type { SessionSnapshot } from '../../../core/agent/api/api.ts'
import type { Entry } from '../../../core/log/entry.ts'
import { parseLine } from '../../../core/log/file-format/jsonl.ts'
import type { SessionInfo } from '../../../core/ports/ports.ts'
import { rescueLines, type OpenChatSnapshot } from './rescue-lines.ts'

const info = (id: string, more: Partial<SessionInfo> = {}): SessionInfo => ({
  id,
  title: `Chat ${id}`,
  createdAt: id.charCodeAt(0),
  updatedAt: 9,
  leaf: null,
  ...more,
})
const asked = (id: string, parent: string | null = null): Entry => ({
  type: 'user',
  id,
  parent,
  at: 5,
  text: `text ${id}`,
})
const screen = (id: string, more: Partial<OpenChatSnapshot> = {}): OpenChatSnapshot => ({
  info: info(id),
  entries: [],
  leaf: null,
  partial: null,
  draft: { typed: '', attached: [] },
  ...more,
})

/** The lines in short: a header with its leaf and draft, an entry with its text. */
function lines(
  worker: SessionSnapshot[],
  chats: SessionInfo[],
  onScreen?: OpenChatSnapshot,
  drafts: [string, string][] = [],
): string[] {
  let next = 0
  return rescueLines({
    worker,
    chats,
    drafts: new Map(drafts),
    screen: onScreen,
    newId: () => `n${++next}`,
    now: 7,
  }).map(line => {
    const read = parseLine(line, { ours: true })
    if (read.kind === 'session') return `= ${read.name} leaf ${read.leaf ?? '-'} draft ${read.draft ?? '-'}`
    if (read.kind !== 'entry' || !('text' in read.entry)) return line
    return `${read.id} after ${read.parent}: ${read.entry.text}${read.entry.type === 'assistant' ? ` (${read.entry.stop})` : ''}`
  })
}

it('joins the chats that the worker holds, the drafts that the list knows, and what is on the screen', () => {
  const worker: SessionSnapshot[] = [
    { info: info('b', { leaf: 'b1' }), entries: [asked('b1')] },
    { info: info('a', { leaf: 'a1', draft: 'old' }), entries: [asked('a1')] },
  ]
  const chats = [
    info('a', { draft: 'of the list', title: 'Renamed' }),
    info('c', { draft: 'only a draft', leaf: 'c9' }),
    info('d', { leaf: 'd1' }),
  ]
  expect(
    lines(
      worker,
      chats,
      screen('b', {
        entries: [asked('b1')],
        leaf: 'b1',
        draft: { typed: 'typed', attached: [{ name: 'x.txt', mime: 'text/plain', bytes: 3, text: 'abc' }] },
      }),
    ),
  ).toEqual([
    '= Renamed leaf a1 draft of the list',
    'a1 after null: text a1',
    '= Chat b leaf b1 draft typed\n\n[x.txt]\nabc',
    'b1 after null: text b1',
    '= Chat c leaf - draft only a draft',
  ])
})

it('takes what the screen shows where the worker was started anew and knows less, with the answer that is being written', () => {
  const shown = screen('a', {
    entries: [asked('a1'), asked('a2', 'a1')],
    leaf: 'a2',
    partial: { text: 'half an ans', reasoning: '', calls: [] },
  })
  const expected = [
    '= Chat a leaf n1 draft -',
    'a1 after null: text a1',
    'a2 after a1: text a2',
    'n1 after a2: half an ans (interrupted)',
  ]
  expect(lines([], [], shown)).toEqual(expected)
  expect(lines([{ info: info('a'), entries: [asked('a1')] }], [], shown)).toEqual(expected)
})

it('writes an answer once that both of them hold, as the worker has it', () => {
  const writing = { parent: 'a1', text: 'half an answer', reasoning: '', calls: [], model: 'm', local: true }
  const shown = screen('a', {
    entries: [asked('a1')],
    leaf: 'a1',
    partial: { text: 'half an', reasoning: '', calls: [] },
  })
  expect(lines([{ info: info('a', { leaf: 'a1' }), entries: [asked('a1')], reply: writing }], [], shown)).toEqual([
    '= Chat a leaf n1 draft -',
    'a1 after null: text a1',
    'n1 after a1: half an answer (interrupted)',
  ])
})

it('takes drafts that could not be stored before older ones, also of a chat that nobody has heard of', () => {
  const worker: SessionSnapshot[] = [{ info: info('a', { leaf: 'a1', draft: 'old' }), entries: [asked('a1')] }]
  expect(
    lines(worker, [info('a', { draft: 'old' }), info('b', { draft: 'old', leaf: 'b9' })], undefined, [
      ['a', 'new'],
      ['b', 'newer'],
      ['!', 'newest'],
    ]),
  ).toEqual([
    '=  leaf - draft newest',
    '= Chat a leaf a1 draft new',
    'a1 after null: text a1',
    '= Chat b leaf - draft newer',
  ])
})

it('leaves out what has nothing in it, and a draft that was sent meanwhile', () => {
  expect(lines([{ info: info('a'), entries: [] }], [info('b', { draft: 'sent' })], screen('b'))).toEqual([])
})
