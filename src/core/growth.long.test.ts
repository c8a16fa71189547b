/**
 * What has to stay linear, also where a text is hostile. Runs in a process of its own: the memory that other tests hold
 * would be swept on its time.
 */
import { describe, expect, it } from 'vitest'
import { cutPoint, type WeighedFact } from './context/size/cut-point.ts'
import { auditSummary } from './context/summary/audit-summary.ts'
import { extract } from './context/summary/extract.ts'
import { identifiersIn } from './context/summary/identifiers.ts'
import { classify } from './context/overflow/overflow.ts'
import { summaryAssistant, bytesCounter, summaryResult, summaryUser } from './context/summary/summarize.fixture.ts'
import { excerpt } from './text/excerpt.ts'
import { secretsIn } from './text/redaction/find-secrets.ts'
import { SecretScan } from './text/redaction/secret-scan.ts'

const linear = 1.5

describe('four times the input costs about four times as much', { timeout: 120_000 }, () => {
  it('in an excerpt of one long line', async () => {
    const limits = { limit: 3_000, unit: 'bytes', headShare: 70 } as const
    expect(excerpt('x'.repeat(10_000_000), limits)).toMatchObject({ omitted: 9_997_000 })
    expect(
      await growth(
        size => 'x'.repeat(size),
        text => excerpt(text, limits),
        1_000_000,
        20_000_000,
      ),
    ).toBeLessThan(linear)
  })

  it('in where a cut may fall (C4.6)', async () => {
    const turn: WeighedFact[] = [
      { type: 'user', tokens: 20 },
      { type: 'assistant', tokens: 20, calls: ['c'] },
      { type: 'result', tokens: 50, callId: 'c' },
      { type: 'assistant', tokens: 10, calls: [] },
    ]
    const given = (turns: number): WeighedFact[] => Array.from({ length: turns }, () => turn).flat()
    expect(await growth(given, facts => cutPoint(facts, 60_000), 5_000, 400_000)).toBeLessThan(linear)
  })

  it.each([
    'a',
    '1',
    '1,',
    '1.',
    '"',
    '`a',
    'a/',
    'a@',
    'a.',
    'a-1-',
    'Error',
    'XError: a ',
    'E',
    '\n',
    ' ',
    'A1-',
    '1 ',
    '$1',
    '错误失败',
    '\ud800',
    'a.ts ',
    'https://',
    'C:\\',
    '0x',
    'a_',
    'aB',
    '/',
    '..',
    '“',
    '{"',
    'error ',
  ])('in identifiers of %j', async unit => {
    expect(
      await growth(size => unit.repeat(Math.ceil(size / unit.length)), identifiersIn, 25_000, 800_000),
    ).toBeLessThan(linear)
  })

  it.each(['a', '1,', '. ', '"', 'must ', '决定', '\n', '```\n', 'a/', '# ', 'e.g. ', '- [x] ', 'Error: '])(
    'in a summary by rule of %j',
    async unit => {
      const facts = (size: number) => {
        const text = unit.repeat(Math.ceil(size / unit.length))
        return {
          previous: text,
          facts: [summaryUser('u', text), summaryAssistant('a', text), summaryResult('r', 'c', 'tool', text, true)],
        }
      }
      expect(
        await growth(
          facts,
          given => extract({ ...given, cap: 1_000, count: text => bytesCounter.text(text) }),
          50_000,
          800_000,
        ),
      ).toBeLessThan(linear)
    },
  )

  it.each([
    ['a = b = c = ', ' '],
    ['a = b = c = ', ';'],
    ['', 'a=1'],
    ['', 'a=1 '],
    ['k: v; k: v; ', 'k : '],
    ['| a | b |\n| c9d8e7f6 | ', '| '],
    ['1 failed\n1) ', 'a'],
    ['FAIL ', ' .'],
    ['', ': '],
    ['', 'c9d8e7f6'],
  ])('in a summary by rule, and its check, of values that begin with %j and go on with %j', async (start, unit) => {
    const facts = (size: number) => {
      const text = start + unit.repeat(Math.ceil(size / unit.length))
      const args = JSON.stringify({ path: text, command: text, content: text })
      return [
        summaryUser('u', text),
        summaryAssistant('a', text, [{ id: 'c', name: 'run', arguments: args }]),
        summaryResult('r', 'c', 'run', text),
      ]
    }
    const count = (text: string): number => bytesCounter.text(text)
    const made = async (given: ReturnType<typeof facts>): Promise<void> => {
      await extract({ facts: given, cap: 1_000, count })
      const rest = { previous: undefined, instruction: undefined, pause: () => Promise.resolve() }
      await auditSummary({ ...rest, text: '## Goal\nGo on.', facts: given, cap: 1_000, count })
    }
    expect(await growth(facts, made, 10_000, 400_000)).toBeLessThan(linear)
  })

  it.each([
    'a',
    '0',
    '4',
    '@',
    'a@',
    'a.',
    '/home/',
    '://a:',
    'password=',
    'key: "',
    'sk-a1',
    'eyJ-',
    '-----BEGIN PRIVATE KEY-----\n',
    '-----END PRIVATE KEY-----\n',
    '+1 ',
    'a\n',
    '"\n"',
    '\\u0041',
    '\\\\',
    '%41',
    '.local',
    'cohere ',
    ' -p ',
    'cGFzc3dvcmQ9',
  ])('in the finding of secrets in %j', async unit => {
    expect(await growth(size => unit.repeat(Math.ceil(size / unit.length)), secretsIn, 10_000, 100_000)).toBeLessThan(
      linear,
    )
  })

  it('in the spreading of many findings over many texts', async () => {
    const texts = (size: number): string[] =>
      Array.from(
        { length: size },
        (_, i) => `password: "tulip${i}garden", then tulip${i - 1}garden and me${i}@mail.example`,
      )
    const spread = (all: readonly string[]): void => {
      const scan = new SecretScan()
      for (const text of all) scan.add(text)
      for (const index of all.keys()) scan.spread(index)
    }
    expect(await growth(texts, spread, 100, 3_000)).toBeLessThan(linear)
  })

  it.each([
    '{"a":',
    '[',
    '\\"',
    'prompt ',
    'context length ',
    '1,000 ',
    'token exceeds ',
    '上下文',
    "'",
    'max_tokens ',
  ])('in the reading of a refusal of %j', async unit => {
    expect(
      await growth(
        size => unit.repeat(size / unit.length),
        body => classify({ status: 400, body }),
        100_000,
        800_000,
      ),
    ).toBeLessThan(linear)
  })
})

/** Shorter than this nothing can be told; ms of processor time. */
const least = 4
const factor = 4
const attempts = 12

/**
 * The power of its input by which the cost of `run` grows: about 1 where it is linear, about 2 where it is quadratic.
 * `size` is a first guess; it is doubled until `run` takes long enough to be measured, and where it never does within
 * `most` the answer is 0. Inputs of one and of four sizes are measured in turns, which leaves a wide gap between the
 * two answers (4 times, 16 times). The shortest time of each counts: collecting garbage and compiling only make it
 * longer. Where the heap has to grow between the two sizes the answer is too high, so one that is high has to be so
 * from twice and from four times the size on as well: what is quadratic is so there too.
 */
async function growth<T>(
  given: (size: number) => T,
  run: (input: T) => unknown,
  size: number,
  most: number,
): Promise<number> {
  let small = given(size)
  while ((await spent(run, small)) < least) {
    size *= 2
    if (size > most) return 0
    small = given(size)
  }
  let power = await powerBetween(run, small, given(size * factor))
  for (const larger of [size * 2, size * 4])
    if (power >= linear) power = Math.min(power, await powerBetween(run, given(larger), given(larger * factor)))
  return power
}

async function powerBetween<T>(run: (input: T) => unknown, small: T, large: T): Promise<number> {
  let [short, long, power] = [Infinity, Infinity, Infinity]
  for (let attempt = 0; attempt < attempts && (attempt < 3 || power > 1.2); attempt++) {
    short = Math.min(short, await spent(run, small))
    long = Math.min(long, await spent(run, large))
    power = Math.log(long / Math.max(short, 0.1)) / Math.log(factor)
  }
  return power
}

async function spent<T>(run: (input: T) => unknown, input: T): Promise<number> {
  const before = process.cpuUsage()
  await run(input)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
