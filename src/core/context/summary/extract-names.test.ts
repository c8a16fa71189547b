/** What a summary by rule names, in which order and beside what (C6.5). */
import { describe, expect, it } from 'vitest'
import type { FactEntry } from '../../log/entry.ts'
import { extract } from './extract.ts'
import { itemsOf, parseSections } from './sections.ts'
import { bytesCounter, summaryAssistant, summaryResult, summaryUser } from './summarize.fixture.ts'

const count = bytesCounter.text
const summaryOf = (facts: readonly FactEntry[], cap = 1_000, previous?: string): Promise<string> =>
  extract({ facts, cap, count, ...(previous !== undefined && { previous }) })
const lineOf = (summary: string, label: string): string =>
  itemsOf(parseSections(summary).found.get('Critical Context') ?? '').find(item => item.startsWith(`${label}: `)) ?? ''

let calls = 0
/** A call and its result. */
const called = (name: string, args: object, result = 'ok', isError = false): FactEntry[] => {
  const id = `c${calls++}`
  return [
    summaryAssistant(`a${id}`, '', [{ id, name, arguments: JSON.stringify(args) }]),
    summaryResult(`r${id}`, id, name, result, isError),
  ]
}

describe('files', () => {
  it('stand with what was done to them, a failed change not counted', async () => {
    const summary = await summaryOf([
      summaryUser('u', 'Please mend the login.'),
      ...called('read_file', { path: 'src/read-only.ts' }),
      ...called('read_file', { path: 'src/login.ts' }),
      ...called('edit_file', { path: 'src/login.ts', old_text: 'a', new_text: 'b' }),
      ...called('write_file', { path: 'src/new-part.ts', content: 'export const x = 1' }),
      ...called('edit_file', { path: 'src/new-part.ts', edits: [{ old_text: '1', new_text: '2' }] }),
      ...called('edit_file', { path: 'src/locked.ts', old_text: 'a', new_text: 'b' }, 'Error: not found', true),
    ])
    expect(lineOf(summary, 'Files written')).toBe('Files written: src/new-part.ts')
    expect(lineOf(summary, 'Files edited')).toBe('Files edited: src/login.ts')
    expect(lineOf(summary, 'Files read')).toBe('Files read: src/read-only.ts')
    const again = await summaryOf([summaryUser('v', 'Go on.')], 1_000, summary)
    expect(lineOf(again, 'Files edited')).toBe('Files edited: src/login.ts')
  })

  it('that were touched stand before those that were only listed, however often, and after a merge too', async () => {
    const listing = Array.from({ length: 60 }, (_, n) => `lib/seen/part-${n}.ts`).join('\n')
    const facts = [
      summaryUser('u', 'Please mend it.'),
      ...Array.from({ length: 4 }, () => called('list_files', {}, listing)).flat(),
      ...called('edit_file', { path: 'src/mended.ts', old_text: 'a', new_text: 'mendedPart()' }),
      ...Array.from({ length: 4 }, () => called('list_files', {}, listing)).flat(),
    ]
    let summary = await summaryOf(facts, 160)
    for (let round = 0; round < 3; round++) {
      expect(summary).toContain('src/mended.ts')
      expect(summary).toContain('mendedPart()')
      expect(count(summary)).toBeLessThanOrEqual(160)
      summary = await summaryOf([...called('list_files', {}, listing)], 160, summary)
    }
  })

  it('of long ago give way to those of now, also where an older summary held them', async () => {
    const edits = (from: number): FactEntry[] =>
      Array.from({ length: 40 }, (_, n) =>
        called('edit_file', { path: `src/area/file-${from + n}.ts`, old_text: 'a', new_text: 'b' }),
      ).flat()
    let summary: string | undefined
    for (let round = 0; round < 6; round++) summary = await summaryOf(edits(round * 40), 200, summary)
    const names = lineOf(summary ?? '', 'Files edited')
    expect(names).toContain('file-239.ts')
    expect(names).not.toContain('file-0.ts')
    expect(names.split(' · ').length).toBeGreaterThan(8)
  })
})

it('a name that stands within a longer one is not told again', async () => {
  const summary = await summaryOf([
    summaryUser('u', 'Look at /home/me/app/src/login.ts, that is src/login.ts, and at Session.readAll, readAll() too.'),
    summaryAssistant('a', 'login.ts calls Session.readAll.'),
  ])
  const listed = itemsOf(parseSections(summary).found.get('Critical Context') ?? '').filter(item =>
    /^(?:Files|Code)/.test(item),
  )
  expect(listed.join('\n').match(/login\.ts/g) ?? []).toHaveLength(0) // the goal says it
  expect(summary).toContain('/home/me/app/src/login.ts')
})

describe('commands', () => {
  it('that worked stand apart from those that failed; what failed and works now failed no more', async () => {
    const summary = await summaryOf([
      summaryUser('u', 'Please build it.'),
      ...called('run_command', { command: 'npm run build' }, 'Error: no such file', true),
      ...called('run_command', { command: 'npm run lint' }, 'clean'),
      ...called('run_command', { command: 'npm run deploy' }, 'denied: no key\nexit code 3', false),
      ...called('run_command', { command: 'npm run build' }, 'built'),
    ])
    expect(lineOf(summary, 'Worked')).toBe('Worked: npm run build · npm run lint')
    expect(summary.match(/^- Failed: .*$/gm)).toEqual(['- Failed: run_command npm run deploy: denied: no key'])
    const worked = await summaryOf(called('run_command', { command: 'npm run deploy' }, 'deployed'), 1_000, summary)
    expect(worked).not.toContain('Failed:')
    expect(lineOf(worked, 'Worked')).toContain('npm run deploy')
  })

  it('of tests tell which failed and why, until they pass', async () => {
    const run = (output: string): FactEntry[] => called('run_command', { command: 'npx vitest run src/login' }, output)
    const failing = await summaryOf([
      summaryUser('u', 'Please mend it.'),
      ...run(
        ' ✓ src/other.test.ts\n FAIL  src/login.test.ts > keeps the session\nAssertionError: expected 2 to be 3\n\n Tests  1 failed | 3 passed',
      ),
    ])
    expect(failing).toContain('FAIL  src/login.test.ts > keeps the session — AssertionError: expected 2 to be 3')
    expect(lineOf(failing, 'Worked')).toBe('')
    const passing = await summaryOf(run(' Tests  4 passed'), 1_000, failing)
    expect(passing).not.toContain('AssertionError')
  })
})

describe('values', () => {
  const ledger = (from: number, end: string): FactEntry =>
    summaryUser(
      `u${from}${end}`,
      `Limits, part ${from}: ${Array.from({ length: 12 }, (_, n) => `limit-${from + n}=max-${(from + n) * 7_919}${end}`).join('; ')}. Keep them all.`,
    )

  it('stand with their keys, whole, and the last said counts', async () => {
    const first = await summaryOf([ledger(100, 'a'), summaryAssistant('a', 'Kept.')], 600)
    for (let n = 100; n < 112; n++) expect(first).toContain(`limit-${n}=max-${n * 7_919}a`)
    const second = await summaryOf([ledger(100, 'b'), summaryAssistant('b', 'Kept.')], 600, first)
    for (let n = 100; n < 112; n++) {
      expect(second).toContain(`limit-${n}=max-${n * 7_919}b`)
      expect(second).not.toContain(`max-${n * 7_919}a`)
    }
  })

  it('are never cut inside one, however little room there is', async () => {
    const summary = await summaryOf([ledger(100, 'a'), summaryAssistant('a', 'Kept.')], 130)
    const kept = summary.match(/limit-\d+=\S*/g) ?? []
    expect(kept.length).toBeGreaterThan(2)
    for (const one of kept) expect(one).toMatch(/^limit-(\d+)=max-\d+a$/)
  })

  it('in a table stand with their row and the header of their column, a hash with its owner', async () => {
    const summary = await summaryOf([
      summaryUser('u', 'How large are they?'),
      summaryAssistant(
        'a',
        'Measured:\n\n| page | first load | after |\n|---|---|---|\n| start | 169 kB | 212 kB |\n| editor | 88 kB | 140 kB |',
      ),
      ...called('run_command', { command: 'git log --oneline -1' }, '4be81d0c Mend the login of guests'),
      summaryAssistant('b', 'I go on.'),
    ])
    expect(summary).toContain('start: after 212 kB')
    expect(summary).toContain('editor: first load 88 kB')
    expect(lineOf(summary, 'Hashes')).toBe('Hashes: 4be81d0c Mend the login of guests')
  })

  it('and names of errors that tell nothing alone are left out', async () => {
    const summary = await summaryOf([
      summaryUser('u', 'EXACT EPOCH\n\n4be81d0c\n\n169 kB'),
      summaryAssistant('a', 'connect ECONNREFUSED at port 5432 of the archive'),
    ])
    expect(lineOf(summary, 'Errors')).toBe('Errors: connect ECONNREFUSED at port 5432 of the archive')
    expect(lineOf(summary, 'Numbers')).toBe('')
  })
})

it('a rule stands once where another one only says it further', async () => {
  const summary = await summaryOf([
    summaryUser('u', 'Never deploy on Friday'),
    summaryAssistant('a', 'Good.'),
    summaryUser('v', 'Never deploy on Friday, because nobody is there to look after it.'),
  ])
  expect(itemsOf(parseSections(summary).found.get('Constraints & Preferences') ?? '')).toEqual([
    'Never deploy on Friday, because nobody is there to look after it.',
  ])
})
