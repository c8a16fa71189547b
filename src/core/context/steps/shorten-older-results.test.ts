import { describe, expect, it } from 'vitest'
import type { Fact, NewEntry } from '../../log/entry.ts'
import { modelView } from '../../log/model-view/model-view.ts'
import { testEnv, testLog } from '../context.fixture.ts'
import { runPipeline } from '../run-pipeline.ts'
import { shortenOlderResults } from './shorten-older-results.ts'

const step = shortenOlderResults({
  from: () => 0,
  gain: () => 100,
  whole: () => 400,
  keep: () => ({ repeated: 300, edited: 1_000, unused: 2_000, used: 4_000 }),
})
const env = testEnv({ moment: 'onCall' })

let calls = 0
/** A call with its result; `words` fill it up to this many characters. */
function called(tool: string, args: object, text: string, more: { isError?: true; words?: number } = {}): Fact[] {
  const id = `call-${++calls}`
  const filling = `${'some words of it '.repeat(600)}`.slice(0, Math.max(0, (more.words ?? 6_000) - text.length))
  return [
    {
      type: 'assistant',
      text: '',
      calls: [{ id, name: tool, arguments: JSON.stringify(args) }],
      model: 'm',
      stop: 'calls',
    },
    { type: 'result', callId: id, tool, text: `${text}\n${filling}`, isError: more.isError === true },
  ] as Fact[]
}
const said = (text: string): Fact => ({ type: 'assistant', text, calls: [], model: 'm', stop: 'stop', local: true })
const asked: Fact = { type: 'user', text: 'Mend it' }
/** Newest messages that stay whole, and answer what stands before them. */
const newest = [said('so far '.repeat(300))]

async function reasons(facts: readonly Fact[]): Promise<Record<string, string>> {
  const log = testLog([asked, ...facts, ...newest])
  const added = await runPipeline(log, [step], env)
  const found: Record<string, string> = {}
  for (const edit of added)
    if (edit.type === 'shorten') {
      const fact = log.find(({ id }) => id === edit.target)
      found[(fact as { text: string }).text.split('\n')[0]!] = `${edit.reason} ${edit.keep}`
    }
  expect(await runPipeline([...log, ...added], [step], env), 'run again it adds nothing').toEqual([])
  return found
}

describe('older results show less, by their worth', () => {
  it('also a large one right behind the newest messages, which it would not fit among', async () => {
    const log = testLog([asked, ...called('grep', { pattern: 'p' }, 'large', { words: 9_000 }), said('Done')])
    expect(await runPipeline(log, [step], env)).toMatchObject([{ target: log[2]!.id, reason: 'unused' }])
  })

  it('of the same call made again the older, also among the newest messages, and the model is told', async () => {
    const again = [
      ...called('read_file', { path: 'a.ts' }, 'first'),
      ...called('read_file', { path: 'a.ts' }, 'second'),
    ]
    const log = testLog([asked, ...again, said('Done')])
    const whole = shortenOlderResults({
      from: () => 0,
      gain: () => 100,
      whole: () => 100_000,
      keep: () => ({ repeated: 300, edited: 1_000, unused: 2_000, used: 4_000 }),
    })
    const added = await runPipeline(log, [whole], env)
    expect(added).toMatchObject([{ type: 'shorten', target: log[2]!.id, keep: 300, reason: 'repeated' }])
    const [, , shown] = modelView([...log, ...added]).map(({ message }) => message.content)
    expect(shown).toMatch(/The same call was made again later: see there\. Read on with read_file/)
  })

  it('not where the same call failed later, or other arguments were given', async () => {
    expect(
      await reasons([
        ...called('run', { command: 'npm test' }, 'first'),
        ...called('run', { command: 'npm test' }, 'second', { isError: true }),
        ...called('run', { command: 'npm run lint' }, 'third'),
      ]),
    ).toEqual({ first: 'unused 2000', second: 'unused 2000', third: 'unused 2000' })
  })

  it('what a file held before it was changed', async () => {
    expect(
      await reasons([
        ...called('read_file', { path: 'a.ts' }, 'before'),
        ...called('read_file', { path: 'b.ts' }, 'other'),
        ...called('edit_file', { path: 'b.ts', old_text: 'x', new_text: 'y' }, 'failed', { isError: true, words: 20 }),
        ...called('edit_file', { path: 'a.ts', old_text: 'x', new_text: 'y' }, 'changed', { words: 20 }),
        ...called('read_file', { path: 'a.ts', start_line: 3 }, 'after'),
      ]),
    ).toEqual({ before: 'edited 1000', other: 'unused 2000', after: 'unused 2000' })
  })

  it('more of what the model wrote names from, in words or in calls; one name alone is chance', async () => {
    expect(
      await reasons([
        ...called('grep', { pattern: 'p' }, 'readConfig in src/read-config.ts'),
        ...called('grep', { pattern: 'q' }, 'writeConfig in src/write-config.ts'),
        ...called('grep', { pattern: 'r' }, 'dropConfig in src/drop-config.ts'),
        said('I begin with readConfig of src/read-config.ts, then dropConfig'),
        ...called(
          'write_file',
          { path: 'src/new.ts', content: "import { writeConfig } from 'src/write-config.ts'" },
          'written',
          {
            words: 20,
          },
        ),
      ]),
    ).toEqual({
      'readConfig in src/read-config.ts': 'used 4000',
      'writeConfig in src/write-config.ts': 'used 4000',
      'dropConfig in src/drop-config.ts': 'unused 2000',
    })
  })

  it('nothing below the size, for too little, of what is pinned or not answered, or again what was undone', async () => {
    const one = called('grep', { pattern: 'p' }, 'one')
    const log = testLog([asked, ...one, ...newest])
    const result = log[2]!.id
    const nothing = async (
      over: Partial<Parameters<typeof shortenOlderResults>[0]>,
      more: readonly NewEntry[] = [],
    ) => {
      const numbers = {
        from: () => 0,
        gain: () => 100,
        whole: () => 400,
        keep: () => ({ repeated: 300, edited: 1_000, unused: 2_000, used: 4_000 }),
        ...over,
      }
      const grown = more.length === 0 ? log : testLog(more, log)
      return runPipeline(grown, [shortenOlderResults(numbers)], env)
    }
    expect(await nothing({})).toHaveLength(1)
    expect(await nothing({ from: () => 100_000 })).toEqual([])
    expect(await nothing({ gain: () => 3_000 })).toEqual([])
    expect(await nothing({}, [{ type: 'pin', group: 'g', target: result, on: true }])).toEqual([])
    const added = await nothing({})
    const undone = testLog(
      [{ type: 'undo', group: 'u', target: added[0]!.type === 'shorten' ? added[0]!.group : '' }],
      [...log, ...added],
    )
    expect(await runPipeline(undone, [step], env)).toEqual([])
    expect(await runPipeline(testLog([asked, ...one]), [step], env), 'not answered yet').toEqual([])
  })
})
