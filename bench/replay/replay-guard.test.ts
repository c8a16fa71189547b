import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from './replay.ts'

type Message = { role: string; content: string; toolCalls?: object[]; toolCallId?: string; name?: string }
type Printed = {
  calls: { beforeSeq: number; tokens: number; refused?: true }[]
  edits: { atSeq: number; type: string }[]
  view: { content: string; shortened?: { bytes: number } }[]
  notes: { code: string; text: string }[]
}

const fileOf = (messages: readonly Message[]): string => {
  const file = join(mkdtempSync(join(tmpdir(), 'replay-')), 'chat.jsonl')
  writeFileSync(
    file,
    messages.map((message, at) => JSON.stringify({ type: 'message', id: `m${at}`, message })).join('\n'),
  )
  return file
}
const replayed = async (messages: readonly Message[], ...args: string[]): Promise<Printed> =>
  JSON.parse(await run([fileOf(messages), ...args])) as Printed

const step = (id: string, name: string, content: string): Message[] => [
  {
    role: 'assistant',
    content: `Step ${id}`,
    toolCalls: [{ id, function: { name, arguments: `{"path":"src/part-${id}.ts"}` } }],
  },
  { role: 'tool', content, toolCallId: id, name },
]
/** One request of the person that takes many steps: the ordinary shape of an agent's work. */
const longTurn: Message[] = [
  { role: 'user', content: 'Mend the parts one after the other.' },
  ...Array.from({ length: 40 }, (_, at) =>
    step(`c${at}`, 'bash', `part ${at}: ${'the quick brown fox jumps over it, '.repeat(30 + (at % 7) * 20)}`),
  ).flat(),
  { role: 'assistant', content: 'All parts are mended.' },
]
/** A system prompt of five quarters so many tokens; of a window of 1 000, 200 are kept for the answer. */
const rules = (count: number): string => 'rule '.repeat(count)
const window = 8_192
const most = window - Math.floor(window / 5)

describe('replay --guard', () => {
  it.each(['cowagent', 'copaw', 'qwenpaw', 'balanced'])('sends nothing under %s that does not fit', async strategy => {
    const { calls, notes } = await replayed(longTurn, '--strategy', strategy, '--window', String(window), '--guard')
    expect(calls).toHaveLength(41)
    expect(Math.max(...calls.map(({ tokens }) => tokens))).toBeLessThanOrEqual(most)
    expect(calls.filter(({ refused }) => refused)).toEqual([])
    expect(notes.filter(({ code }) => code === 'model_overflow')).toEqual([])
  })

  it('shows in its edits what the fallback took out, which happens with the option alone', async () => {
    const args = ['--strategy', 'cowagent', '--window', String(window)]
    const plain = await replayed(longTurn, ...args)
    const guarded = await replayed(longTurn, ...args, '--guard')
    expect(plain.calls.filter(({ tokens }) => tokens > most).length).toBeGreaterThan(10)
    expect(plain.edits).toEqual([])
    expect(guarded.edits.length).toBeGreaterThan(0)
    expect(guarded.notes.map(({ code }) => code)).toContain('overflow_rung')
  })

  it('refuses a request that cannot be made to fit, says so, takes nothing out for it, and goes on', async () => {
    const chat: Message[] = [
      { role: 'user', content: 'word '.repeat(2_000) },
      { role: 'assistant', content: 'Too long for me.' },
      { role: 'user', content: 'And this?' },
      { role: 'assistant', content: 'That is short.' },
    ]
    const { calls, edits, notes } = await replayed(chat, '--window', '1000', '--system', rules(610), '--guard')
    expect(calls.map(({ beforeSeq, refused }) => [beforeSeq, refused])).toEqual([
      [1, true],
      [3, undefined],
    ])
    expect(calls[0]?.tokens).toBeGreaterThan(2_000)
    expect(calls[1]?.tokens).toBeLessThanOrEqual(800)
    expect(notes.filter(({ code }) => code === 'model_overflow')).toHaveLength(1)
    expect(edits.filter(({ atSeq }) => atSeq < 2)).toEqual([])
  })

  it('refuses what would fit only beside a smaller answer than the reserve', async () => {
    const chat: Message[] = [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hello.' },
    ]
    const { calls, notes } = await replayed(chat, '--window', '1000', '--system', rules(700), '--guard')
    expect(calls).toMatchObject([{ beforeSeq: 1, refused: true }])
    expect(notes.map(({ code }) => code)).toContain('model_overflow')
  })
})

it('shows of a page no more than the app shows, the rest by path', async () => {
  const page = 'A line of a long page.\n'.repeat(4_000)
  const chat = [{ role: 'user', content: 'Read it' }, ...step('c1', 'fetch_url', page)]
  const { view } = await replayed(chat, '--strategy', 'cowagent', '--window', '32768')
  expect(view[2]?.shortened?.bytes).toBe(page.length)
  expect(view[2]?.content.length).toBeLessThan(40_500) // 0.3 of the window, four bytes a token, and how to read on
  const other = [{ role: 'user', content: 'Read it' }, ...step('c1', 'bash', page)]
  expect((await replayed(other, '--strategy', 'cowagent', '--window', '32768')).view[2]?.shortened).toBeUndefined()
})
