import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { publishedConfigs } from '../../src/core/context/config/published-configs.fixture.ts'
import { run } from './replay.ts'

const folder = fileURLToPath(new URL('./vectors/', import.meta.url))
const names = readdirSync(folder)
  .filter(name => name.endsWith('.expected.json'))
  .map(name => name.replace('.expected.json', ''))

/** By vector, as commit 3cafae8 printed it; `refused` where it ended with an error. Never made again. */
const oldOutput = JSON.parse(
  gunzipSync(readFileSync(new URL('./old-output.json.gz', import.meta.url))).toString('utf8'),
) as Record<string, string>
/**
 * Since then the counts of a summary are those of the whole request, CoPaw says once why nothing is compacted, and a
 * question that stays is not counted as summarised.
 */
const countedAnew = new Set([
  'copaw-unmatched-log',
  'cowagent-half',
  'cowagent-summary-from-the-next-turn',
  'cowagent-trim-turns',
  'qwenpaw-inside-a-turn',
])

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Expected = {
  why: string
  run: { strategy?: string; window?: number; system?: string; args?: string[] }
  expect: { [key: string]: Json }
}
type Line = { type: string; message?: { content: string; toolCalls?: Json } }

describe('replay', () => {
  for (const name of names) {
    const { why, run: how, expect: wanted } = JSON.parse(read(`${name}.expected.json`)) as Expected
    it(`${name}: ${why}`, async () => {
      const args = argumentsFor(name, how)
      if (wanted['exit'] === 2) {
        await expect(run(args)).rejects.toThrow(/./)
        return
      }
      const facts = read(`${name}.jsonl`)
        .split('\n')
        .filter(line => line !== '')
        .map(line => JSON.parse(line) as Line)
        .filter(line => line.type === 'message')
      const got = JSON.parse(await run(args)) as { [key: string]: Json }
      expect(differences(got, wanted, facts)).toEqual([])
      expect(JSON.parse(await run(args))).toEqual(got)
    })
  }

  it.each(Object.keys(oldOutput).filter(name => oldOutput[name] !== 'refused'))(
    'prints of %s what commit 3cafae8 printed',
    async name => {
      const { run: how } = JSON.parse(read(`${name}.expected.json`)) as Expected
      const [now, then] = [await run(argumentsFor(name, how)), oldOutput[name]!]
      if (countedAnew.has(name)) expect(withoutCounts(now)).toEqual(withoutCounts(then))
      else expect(now).toBe(then)
    },
  )

  it('ends with 2 and one line on stderr for bad usage', () => {
    const file = `${folder}unknown-strategy.jsonl`
    const tsx = fileURLToPath(new URL('../../node_modules/.bin/tsx', import.meta.url))
    const main = fileURLToPath(new URL('./replay.ts', import.meta.url))
    const { status, stdout, stderr } = spawnSync(tsx, [main, file, '--strategy', 'nosuchstrategy'], {
      encoding: 'utf8',
    })
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  it.each(publishedConfigs)(
    'takes the strategy of a file, as /config does: $strategy',
    async ({ strategy, because, file }) => {
      const config = join(mkdtempSync(join(tmpdir(), 'replay-')), 'config.json')
      writeFileSync(config, file)
      const said: string[] = []
      const chat = `${folder}qwenpaw-chinese.jsonl`
      const told = (line: string): void => {
        said.push(line.replace(`${config}: `, ''))
      }
      expect(JSON.parse(await run([chat, '--config', config], told))).toMatchObject({
        strategy,
        window: strategy === 'cowagent' ? 131_072 : 128_000,
      })
      expect(said[0]).toContain(`${strategy}, because the file `)
      expect(said[0]).toContain(because)
      expect(said.slice(1)).toEqual([])
      // a strategy that is named wins, and then the lines that it does not read are told
      said.length = 0
      expect(JSON.parse(await run([chat, '--config', config, '--strategy', 'balanced'], told))).toMatchObject({
        strategy: 'balanced',
      })
      expect(said.filter(line => line.includes(`(only ${strategy} reads it)`)).length).toBeGreaterThanOrEqual(2)
    },
  )

  it('shows how to read on under a page that was fetched, as the app does, and not under a call that failed', async () => {
    const chat = join(mkdtempSync(join(tmpdir(), 'replay-')), 'chat.jsonl')
    const call = (id: string) => ({
      role: 'assistant',
      content: '',
      toolCalls: [{ id, function: { name: 'fetch_url', arguments: '{"url":"https://example.org/"}' } }],
    })
    const messages = [
      { role: 'user', content: 'Read it' },
      call('c1'),
      { role: 'tool', content: '# A page', toolCallId: 'c1', name: 'fetch_url' },
      call('c2'),
      { role: 'tool', content: 'It could not be read', toolCallId: 'c2', name: 'fetch_url', isError: true },
      { role: 'assistant', content: 'Done' },
    ]
    writeFileSync(
      chat,
      messages.map((message, at) => JSON.stringify({ type: 'message', id: `m${at}`, message })).join('\n'),
    )
    const { view } = JSON.parse(await run([chat, '--strategy', 'qwenpaw'])) as { view: { content: string }[] }
    expect(view[2]?.content).toMatch(/^# A page\n\[.*tool_result\/m2\.txt.*\]\n$/)
    expect(view[4]?.content).toBe('It could not be read')
  })

  it.each([
    [[]],
    [['missing.jsonl']],
    [[`${folder}unknown-strategy.jsonl`, '--window', 'wide']],
    [[`${folder}unknown-strategy.jsonl`, '--colour']],
    [[`${folder}unknown-strategy.jsonl`, '--config', 'missing.json']],
    [[fileURLToPath(import.meta.url)]],
  ])('refuses %j', async args => {
    await expect(run(args)).rejects.toThrow(/./)
  })
})

/** What `replay` is called with for a vector. */
function argumentsFor(name: string, { strategy, window, system, args = [] }: Expected['run']): string[] {
  return [
    `${folder}${name}.jsonl`,
    ...(strategy === undefined ? [] : ['--strategy', strategy]),
    ...(window === undefined ? [] : ['--window', String(window)]),
    ...(system === undefined ? [] : ['--system', system]),
    ...args,
    ...['config', 'script'].flatMap(kind =>
      existsSync(`${folder}${name}.${kind}.json`) ? [`--${kind}`, `${folder}${name}.${kind}.json`] : [],
    ),
  ]
}

/** Without the notes and the numbers of summaries, whose names stay. */
function withoutCounts(output: string): unknown {
  return JSON.parse(output, (key, value: unknown) => {
    if (key === 'notes') return []
    return key === 'stats' ? Object.keys(value as object) : value
  })
}

function read(name: string): string {
  return readFileSync(`${folder}${name}`, 'utf8')
}

/** What is not as expected, each with its path. A field that is not expected is not compared. */
function differences(got: { [key: string]: Json }, wanted: { [key: string]: Json }, facts: readonly Line[]): string[] {
  return Object.entries(wanted).flatMap(([key, value]) => {
    if (key === 'edits') return differ(sorted(got[key] ?? null), sorted(value), key, facts)
    return differ(got[key] ?? null, value, key, facts)
  })
}

function differ(got: Json, wanted: Json, path: string, facts: readonly Line[], seq?: number): string[] {
  const wrong = (text: string) => [`${path}: ${text}`]
  if (Array.isArray(wanted)) {
    if (!Array.isArray(got)) return wrong('no list')
    if (got.length !== wanted.length)
      return wrong(`${got.length} items, not ${wanted.length}: ${JSON.stringify(got).slice(0, 500)}`)
    return wanted.flatMap((item, at) => differ(got[at] ?? null, item, `${path}[${at}]`, facts))
  }
  if (typeof wanted !== 'object' || wanted === null)
    return got === wanted ? [] : wrong(`${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`)
  if ('min' in wanted && 'max' in wanted)
    return Number(got) >= Number(wanted['min']) && Number(got) <= Number(wanted['max'])
      ? []
      : wrong(`${JSON.stringify(got)} is not within ${JSON.stringify(wanted)}`)
  if ('atLeast' in wanted)
    return Array.isArray(got) && got.length >= Number(wanted['atLeast']) ? [] : wrong(`not ${JSON.stringify(wanted)}`)
  if (isCondition(wanted))
    return meets(got, wanted, seq === undefined ? undefined : facts[seq])
      ? []
      : wrong(`${JSON.stringify(got)?.slice(0, 300)} does not meet ${JSON.stringify(wanted).slice(0, 200)}`)
  if (typeof got !== 'object' || got === null || Array.isArray(got)) return wrong('no object')
  const own = typeof wanted['seq'] === 'number' ? wanted['seq'] : undefined
  return Object.entries(wanted).flatMap(([key, value]) => differ(got[key] ?? null, value, `${path}.${key}`, facts, own))
}

const conditions = [
  'startsWith',
  'endsWith',
  'contains',
  'inOrder',
  'asInFact',
  'startsWithFact',
  'endsWithFact',
  'firstBytes',
  'lastBytes',
  'firstChars',
  'lastChars',
]

function isCondition(wanted: { [key: string]: Json }): boolean {
  return Object.keys(wanted).length > 0 && Object.keys(wanted).every(key => conditions.includes(key))
}

function meets(got: Json, wanted: { [key: string]: Json }, line: Line | undefined): boolean {
  if (typeof got !== 'string')
    return wanted['asInFact'] === true && JSON.stringify(got) === JSON.stringify(line?.message?.toolCalls)
  const fact = line?.message?.content ?? '\0'
  return Object.entries(wanted).every(([key, value]) => {
    const parts = Array.isArray(value) ? value.map(String) : [String(value)]
    switch (key) {
      case 'startsWith':
        return got.startsWith(String(value))
      case 'endsWith':
        return got.endsWith(String(value))
      case 'contains':
        return parts.every(part => got.includes(part))
      case 'inOrder': {
        let at = 0
        return parts.every(part => {
          const found = got.indexOf(part, at)
          at = found + part.length
          return found >= 0
        })
      }
      case 'asInFact':
        return got === fact
      case 'startsWithFact':
        return got.startsWith(fact) && got.length > fact.length
      case 'endsWithFact':
        return got.endsWith(fact) && got.length > fact.length
      case 'firstBytes':
        return got.startsWith(Buffer.from(fact).subarray(0, Number(value)).toString())
      case 'lastBytes':
        return got.endsWith(Buffer.from(fact).subarray(-Number(value)).toString())
      case 'firstChars':
        return got.startsWith([...fact].slice(0, Number(value)).join(''))
      case 'lastChars':
        return got.endsWith([...fact].slice(-Number(value)).join(''))
      default:
        return false
    }
  })
}

/** Several `shorten` in a row may come in any order. */
function sorted(edits: Json): Json {
  if (!Array.isArray(edits)) return edits
  const runs: Json[][] = []
  for (const edit of edits) {
    const isShorten = typeof edit === 'object' && edit !== null && !Array.isArray(edit) && edit['type'] === 'shorten'
    const run = runs.at(-1)
    const last = run?.at(-1)
    if (isShorten && typeof last === 'object' && last !== null && !Array.isArray(last) && last['type'] === 'shorten')
      run?.push(edit)
    else runs.push([edit])
  }
  return runs.flatMap(items => items.toSorted((a, b) => keyOf(a) - keyOf(b)))
}

function keyOf(edit: Json): number {
  return typeof edit === 'object' && edit !== null && !Array.isArray(edit)
    ? Number(edit['target'] ?? 0) * 1e6 - Number(edit['keep'] ?? 0)
    : 0
}
