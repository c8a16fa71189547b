import { describe, expect, it } from 'vitest'
import { auditSummary } from './audit-summary.ts'
import { extract } from './extract.ts'
import { inSections } from './sections.ts'
import { lostStatements } from './statements.ts'
import { summaryAssistant, bytesCounter, summaryResult, summaryUser } from './summarize.fixture.ts'
import type { FactEntry } from '../../log/entry.ts'

const pause = async (): Promise<void> => undefined
const lost = async (facts: readonly FactEntry[], summary: string, previous?: string): Promise<string[]> =>
  (await lostStatements(facts, previous, summary, pause)).map(({ section, text }) => `${section}: ${text}`)

describe('what the person laid down', () => {
  it('is found again where a summary lost it: rules, tasks, decisions, in both languages', async () => {
    const facts = [
      summaryUser(
        '1',
        'Never send the night report to customers before noon. We still need to check the price table with the tax office.',
      ),
      summaryAssistant('2', 'I must look first. We decided to wait.'),
      summaryUser('3', 'We decided to move the archive to the new cluster. 发票清单必须在周五之前完成，不能推迟。'),
    ]
    expect((await lost(facts, '## Goal\nGo on.')).toSorted()).toEqual(
      [
        'Constraints & Preferences: Never send the night report to customers before noon.',
        'Constraints & Preferences: 发票清单必须在周五之前完成，不能推迟。',
        'Key Decisions: We decided to move the archive to the new cluster.',
        'Next Steps: We still need to check the price table with the tax office.',
      ].toSorted(),
    )
  })

  it('is not found where it is told, also shorter, and not where only another thing is told in the same words', async () => {
    const facts = [
      summaryUser('1', 'Never send the night report to customers before noon.'),
      summaryUser('2', 'You must never ship on a Friday, because nobody is there.'),
    ]
    expect(
      await lost(facts, '- Never send the night report to customers before noon.\n- never ship on Friday'),
    ).toEqual([])
    expect(await lost(facts, '- Never send the price table to customers before noon.\n- never ship on Friday')).toEqual(
      ['Constraints & Preferences: Never send the night report to customers before noon.'],
    )
  })

  it('is left out where it was finished or replaced since', async () => {
    expect(
      await lost(
        [
          summaryUser('1', 'We still need to check the price table with the tax office.'),
          summaryAssistant('2', 'Done: the price table is checked with the tax office.'),
        ],
        'x',
      ),
    ).toEqual([])
    expect(
      await lost(
        [
          summaryUser('1', 'We decided to keep the archive in the old database.'),
          summaryUser('2', 'We decided to move the archive out of the old database to the new cluster.'),
        ],
        'x',
      ),
    ).toEqual(['Key Decisions: We decided to move the archive out of the old database to the new cluster.'])
  })

  it('is no question that was answered: of sixty of them the one order is left', async () => {
    const filler = Array.from({ length: 60 }, (_, n) => [
      summaryUser(`u${n}`, `And the next point, number ${n}?`),
      summaryAssistant(`a${n}`, 'It stands in the list.'),
    ]).flat()
    const task = summaryUser('t', 'Next, implement the password reset feature.')
    expect(
      await lost(
        [
          task,
          summaryAssistant('b', 'I look at the table first.'),
          ...filler,
          summaryUser('v', 'And the next point, number 60?'),
        ],
        'x',
      ),
    ).toEqual(['Next Steps: And the next point, number 60?', 'Next Steps: Next, implement the password reset feature.'])
  })

  it('is told once where it comes again and again, cut off a little later each time', async () => {
    const said = 'It must keep working without a network, and then'
    const facts = ['a', 'an', 'and'].map((end, at) =>
      summaryUser(`u${at}`, said.slice(0, said.indexOf('and then')) + end),
    )
    expect(await lost(facts, 'x')).toEqual(['Constraints & Preferences: It must keep working without a network, and'])
    expect(
      await lost([...facts, summaryUser('w', 'It must keep working without a network, and then on.')], 'x'),
    ).toEqual(['Constraints & Preferences: It must keep working without a network, and then on.'])
    expect(
      await lost([summaryUser('1', 'Never call on Friday.'), summaryUser('2', 'Never call on Monday.')], 'x'),
    ).toHaveLength(2)
  })

  it('comes also from the summary before, wherever it stood there', async () => {
    expect(
      await lost(
        [summaryUser('1', 'Go on.')],
        'x',
        '## Goal\nx\n\n## Critical Context\n- Never call the supplier on weekends.',
      ),
    ).toEqual(['Constraints & Preferences: Never call the supplier on weekends.'])
  })
})

describe('a checked summary', () => {
  const rules = Array.from({ length: 12 }, (_, n) =>
    summaryUser(`u${n}`, `Never show the list of customer${n} to anybody outside.`),
  )
  const results = Array.from({ length: 200 }, (_, n) =>
    summaryResult(`r${n}`, 'c', 'run_command', `id 0x${(n + 4_096).toString(16)}f`),
  )
  const full = inSections(
    `## Goal\nGo on.\n\n## Next Steps\n1. more\n\n## Critical Context\n- The plan is the plan.\n${results.map(({ text }) => `- ${text}`).join('\n')}`,
  )
  const check = (text: string, cap: number): Promise<string> =>
    auditSummary({
      text,
      facts: [...rules, ...results, ...Array.from({ length: 10 }, (_, n) => summaryAssistant(`a${n}`, 'I go on.'))],
      previous: undefined,
      instruction: undefined,
      cap,
      count: bytesCounter.text,
      pause,
    })

  it('has them in their sections, within the cap', async () => {
    const text = await check('## Goal\nGo on.\n\n## Next Steps\n1. more', 4_000)
    for (const { text: rule } of rules) expect(text).toContain(`- ${rule}`)
    expect(text.indexOf('customer3 ')).toBeLessThan(text.indexOf('## Progress'))
    expect(bytesCounter.text(text)).toBeLessThanOrEqual(4_000)
  })

  it('gives them room where it is full: what one result said once is read again by its path', async () => {
    const cap = bytesCounter.text(full) + 5
    const text = await check(full, cap)
    expect(bytesCounter.text(text)).toBeLessThanOrEqual(cap)
    expect(rules.filter(({ text: rule }) => text.includes(rule)).length).toBeGreaterThanOrEqual(4)
    expect(text).toContain('The plan is the plan.')
    const left = results.filter(one => text.includes(one.text)).length
    expect(left).toBeLessThan(200)
    expect(left).toBeGreaterThan(150)
  })
})

describe('the names that a checked summary gets', () => {
  const named = (facts: readonly FactEntry[], cap: number): Promise<string> =>
    auditSummary({
      text: inSections('## Goal\nGo on.\n\n## Next Steps\n1. more'),
      facts,
      previous: undefined,
      instruction: undefined,
      cap,
      count: bytesCounter.text,
      pause,
    })
  const call = (id: string, args: object) => [{ id, name: 'edit_file', arguments: JSON.stringify(args) }]
  const facts = [
    summaryUser('u', 'Please mend it.'),
    ...Array.from({ length: 6 }, (_, at) =>
      summaryResult(
        `l${at}`,
        'c',
        'list_files',
        Array.from({ length: 80 }, (_, n) => `lib/seen/part${n}.ts`).join('\n'),
      ),
    ),
    summaryAssistant(
      'a',
      'mendedPart is done.',
      call('c', { path: 'src/mended.ts', old_text: 'a', new_text: 'mendedPart()' }),
    ),
    summaryResult('r', 'c', 'edit_file', 'edited'),
  ]

  it('are those that a summary by rule would name first: what was touched, names from code too', async () => {
    const names = (text: string): string[] => /^- Also mentioned: (.*)$/m.exec(text)?.[1]?.split(' · ') ?? []
    const few = names(await named(facts, 75))
    expect(few).toEqual(expect.arrayContaining(['src/mended.ts', 'mendedPart']))
    expect(few[0]).toBe('src/mended.ts')
    const byRule = await extract({ facts, cap: 200, count: bytesCounter.text })
    for (const name of few) expect(byRule).toContain(name)
  })

  it('are beside values with their keys, as the person said them last', async () => {
    const text = await named(
      [summaryUser('u', 'Limits: a-1=x7; a-2=x8; a-3=x9.'), summaryUser('v', 'Now a-2=y8.')],
      400,
    )
    expect(text).toContain('- Values: a-2=y8 · a-3=x9 · a-1=x7')
    expect(text).not.toContain('x8')
  })
})
