/** Summaries of summaries: what stood in the first stands in the tenth, unless somebody replaced it (C6.5). */
import { describe, expect, it } from 'vitest'
import type { FactEntry } from '../../log/entry.ts'
import { extract } from './extract.ts'
import { groupOfLine } from './listed-names.ts'
import { itemsOf, parseSections } from './sections.ts'
import { summarize, summaryCap } from './summarize.ts'
import { bytesCounter, stepEnv, summaryAssistant, summaryResult, summaryUser } from './summarize.fixture.ts'

const count = bytesCounter.text
const rounds = 10

const rules = [
  'Never touch the tables of the archive.',
  'The page must stay below 170 kB.',
  'Always answer within 200 ms, at most 300 ms on the old server.',
  'Do not add a new dependency.',
]
const decisions = [
  'We decided to keep sessions in SQLite instead of Redis.',
  "Let's go with signed cookies for guests.",
]
const limits = Array.from({ length: 15 }, (_, n) => `quota-${n + 40}=gold-${(n + 40) * 104_729}`)

let number = 0
/** A call, its result and what the agent says of it. */
function step(name: string, args: object, result: string, says = ''): FactEntry[] {
  const id = `s${number++}`
  return [
    summaryAssistant(`a${id}`, says, [{ id, name, arguments: JSON.stringify(args) }]),
    summaryResult(`r${id}`, id, name, result),
  ]
}

const listing = (of: string): string =>
  Array.from({ length: 40 }, (_, n) => `${of}/shown-only/part${n}.ts: export function seenPart${n}In${of}() {}`).join(
    '\n',
  )

/** What one round does: it looks around, changes files, runs tests. */
const work = (round: number, files: number): FactEntry[] =>
  Array.from({ length: files }, (_, n) => [
    ...step('list_files', { path: `area${round}` }, listing(`area${round}`)),
    ...step('read_file', { path: `src/area${round}/file${n}.ts` }, listing(`area${round}`)),
    ...step(
      'edit_file',
      { path: `src/area${round}/file${n}.ts`, old_text: 'a', new_text: `export const changedPart${n}Of${round} = 1` },
      'edited',
      `I changed changedPart${n}Of${round}.`,
    ),
    ...step('run_command', { command: `npm test -- area${round}/file${n}` }, 'ok'),
  ]).flat()

const opening: FactEntry[] = [
  summaryUser('u0', `Rework how people sign in. ${rules.join(' ')}`),
  summaryAssistant('a0', 'I look at it first.'),
  summaryUser('u1', `${decisions.join(' ')}\nQuotas: ${limits.join('; ')}.`),
  ...work(0, 4),
]

const itemsIn = (summary: string): string[] =>
  [...parseSections(summary).found].flatMap(([, body]) =>
    itemsOf(body).flatMap(item => groupOfLine(item)?.members ?? [item]),
  )

describe('ten summaries, each of the one before it', () => {
  it('by rule lose nothing that the first had, as long as all fits', async () => {
    const cap = 40_000
    let text = await extract({ facts: opening, cap, count })
    const first = itemsIn(text)
    for (let round = 1; round <= rounds; round++)
      text = await extract({ facts: work(round, 4), previous: text, cap, count })
    expect(first.length).toBeGreaterThan(60)
    expect(first.filter(item => !text.includes(item))).toEqual([])
  })

  it.each([16_384, 32_768])(
    'by rule in a window of %i keep what the person laid down and the files that were changed before what was only seen',
    async window => {
      const cap = summaryCap(window)
      let text = await extract({ facts: opening, cap, count })
      const first = text
      for (let round = 1; round <= rounds; round++) {
        text = await extract({ facts: work(round, 6), previous: text, cap, count })
        expect(count(text)).toBeLessThanOrEqual(cap)
      }
      const laidDown = [...rules, ...decisions, ...limits, 'Rework how people sign in.']
      expect(laidDown.filter(one => !first.includes(one))).toEqual([])
      expect(laidDown.filter(one => !text.includes(one))).toEqual([])
      expect(text).toContain(`changedPart5Of${rounds}`)
      for (let file = 0; file < 6; file++) expect(text).toContain(`src/area${rounds}/file${file}.ts`)
    },
  )

  it('by rule let go of what somebody replaced', async () => {
    const cap = summaryCap(16_384)
    let text = await extract({ facts: opening, cap, count })
    for (let round = 1; round <= rounds; round++)
      text = await extract({
        facts: [
          summaryUser(
            `n${round}`,
            `Quotas: ${limits
              .slice(0, 3)
              .map(one => `${one}-${round}`)
              .join('; ')}.`,
          ),
        ],
        previous: text,
        cap,
        count,
      })
    for (const limit of limits.slice(0, 3)) expect(text.match(new RegExp(`${limit}\\S*`, 'g'))).toEqual([`${limit}-10`])
    for (const limit of limits.slice(3)) expect(text).toContain(limit)
  })

  it('by a model that forgets everything keep what the person laid down, by the check', async () => {
    const window = 16_384
    let previous: string | undefined
    for (let round = 0; round <= rounds; round++) {
      const summary = await summarize(
        {
          facts: round === 0 ? opening : work(round, 2),
          ...(previous !== undefined && { previous }),
          replaces: 12_000,
          useModel: true,
        },
        stepEnv(() => Promise.resolve({ text: `## Goal\nRound ${round}\n\n## Next Steps\n1. Go on`, finish: 'stop' }), {
          contextWindow: window,
        }),
      )
      expect(summary.by).toBe('model')
      expect(count(summary.text)).toBeLessThanOrEqual(summaryCap(window))
      previous = summary.text
    }
    expect([...rules, ...decisions, ...limits].filter(one => previous?.includes(one) !== true)).toEqual([])
    expect(previous).toContain(`src/area${rounds}/file1.ts`)
  })
})
