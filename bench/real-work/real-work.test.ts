import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import { ledger, type LedgerMean, type LedgerRow } from './ledger.ts'
import { traces, type TracesSet } from './traces.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {}) // their progress
})

const messages = [
  { role: 'user', content: 'Mend the reader' },
  {
    role: 'assistant',
    content: 'I look at it',
    toolCalls: [{ id: 'c1', function: { name: 'read', arguments: '{"path":"src/read-config.ts"}' } }],
  },
  { role: 'tool', content: 'export function readConfig() { return parseArgs(argv) }', toolCallId: 'c1', name: 'read' },
]
const fileOf = (lines: readonly object[]): string => lines.map(line => JSON.stringify(line)).join('\n')
const ours = fileOf(
  messages.map((message, at) => ({ type: 'message', id: `m${at}`, timestamp: 1_770_000_000_000 + at, message })),
)

it('says that it was skipped where the data is not there', async () => {
  expect(await traces('/nowhere/traces')).toMatchObject({
    skipped: expect.stringContaining('/nowhere/traces') as string,
  })
  expect(await ledger('/nowhere/ledger')).toMatchObject({
    skipped: expect.stringContaining('/nowhere/ledger') as string,
  })
})

it('measures each session under each strategy, window and counter, and sessions of pi beside them as a set of their own', async () => {
  const root = mkdtempSync(join(tmpdir(), 'traces-'))
  for (const folder of ['traces', 'sessions']) mkdirSync(join(root, folder))
  writeFileSync(join(root, 'traces/a.jsonl'), ours)
  writeFileSync(
    join(root, 'traces/a.needed.json'),
    JSON.stringify({
      needed: ['readConfig', 'src/read-config.ts', 'never_said'],
      peer: { name: 'its own summary', found: 1, tokens: 40 },
    }),
  )
  const pi = [
    { type: 'session', id: 's', cwd: '/home/user' },
    { type: 'message', timestamp: '2026-01-02T03:04:05.000Z', message: { role: 'user', content: 'See readConfig' } },
    { type: 'compaction', summary: 'about readConfig' },
    { type: 'message', message: { role: 'assistant', content: [{ type: 'text', text: 'readConfig is mended' }] } },
  ]
  writeFileSync(join(root, 'sessions/pi-b.jsonl'), fileOf(pi))
  const { sets } = (await traces(join(root, 'traces'))) as { sets: TracesSet[] }
  expect(sets.map(({ set, identifiers }) => [set, identifiers])).toEqual([
    ['sessions of Claude Code', 3],
    ['sessions of pi', 1],
  ])
  expect(sets[0]?.peer).toMatchObject({ found: 1, of: 3, tokens: 40 })
  expect(sets[1]?.peer).toMatchObject({ name: 'pi, its own summary', found: 1, of: 1 })
  const rows = sets[0]?.rows ?? []
  expect(rows).toHaveLength(15)
  expect(new Set(rows.map(({ strategy, counter }) => `${strategy} ${counter}`))).toContain('balanced bpe')
  for (const row of rows)
    expect(row).toMatchObject({
      inView: { found: 2, of: 3 },
      inSummary: { found: 0 },
      withinTwo: { found: 2 },
      notWithinTwo: ['never_said'],
      refused: 0,
    })
})

it('says of records which answers are in the view, by kind of question, and which are out of reach', async () => {
  const root = mkdtempSync(join(tmpdir(), 'ledger-'))
  writeFileSync(join(root, 'a.jsonl'), ours)
  const question = (id: string, category: string, expected: string) => ({ id, category, question: 'Who?', expected })
  writeFileSync(
    join(root, 'a.questions.json'),
    JSON.stringify([question('q1', 'exact', 'parseArgs(argv)'), question('q2', 'order', 'nobody-said-it')]),
  )
  const { rows, means } = (await ledger(root)) as { rows: LedgerRow[]; means: LedgerMean[] }
  expect(rows).toHaveLength(20)
  for (const row of rows)
    expect(row).toMatchObject({
      inView: { found: 1, of: 2 },
      byCategory: { exact: { found: 1, of: 1 }, order: { found: 0, of: 1 } },
      withinTwo: { found: 1 },
      notWithinTwo: ['q2'],
    })
  expect(means).toHaveLength(5)
  expect(means[0]).toMatchObject({ inView: 0.5, withinTwo: 0.5 })
})
