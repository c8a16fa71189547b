import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../text/laws.fixture.ts'
import { chatFile } from '../../log/file-format/foreign-export.ts'
import {
  changed,
  countedIn,
  faultsOf,
  pathInView,
  piecesOf,
  readLines,
  readPieces,
  said,
  samplesFolder,
  someChanges,
} from './agent-formats.fixture.ts'
import { claudeCode } from './claude-code/claude-code.ts'
import { codex } from './codex/codex.ts'
import { llamaCppUi } from './llama-cpp-ui.ts'
import { openaiMessages } from './openai-messages.ts'
import { pi } from './pi.ts'

const formats = [claudeCode, codex, llamaCppUi, openaiMessages, pi]

const samples = formats.flatMap(format =>
  readdirSync(samplesFolder(format.app)).map(name => {
    const text = readFileSync(`${samplesFolder(format.app)}/${name}`, 'utf8')
    return { format, name: `${format.app}/${name}`, text, ...piecesOf(text, name) }
  }),
)

/** What must come out, and how many messages are in view. */
const expected: Record<string, [Record<string, number>, number]> = {
  'llama-cpp-ui/1-simple.jsonl': [{ chats: 1, messages: 2, branches: 1 }, 2],
  'llama-cpp-ui/2-tree-legacy.json': [
    { chats: 1, messages: 3, branches: 2, toolCalls: 1, results: 1, reasoning: 1, attachments: 3, system: 1 },
    2,
  ],
  // `unknown`: the record that nobody knows, and the calls that are no JSON
  'llama-cpp-ui/3-nasty.jsonl': [{ chats: 2, messages: 3, branches: 2, unknown: 2 }, 2],
  'pi/1-simple.jsonl': [{ chats: 1, messages: 2, branches: 1 }, 2],
  // `unknown`: the label, and what the model was told of the branch that was left
  'pi/2-tree-compaction.jsonl': [
    {
      chats: 1,
      messages: 4,
      branches: 2,
      toolCalls: 2,
      results: 3,
      reasoning: 1,
      attachments: 1,
      summaries: 1,
      unknown: 2,
    },
    3,
  ],
  'claude-code/1-simple.jsonl': [{ chats: 1, messages: 2, branches: 1 }, 2],
  'claude-code/2-split-compact.jsonl': [
    { chats: 1, messages: 5, branches: 1, toolCalls: 2, results: 2, reasoning: 1, summaries: 1, sidechains: 1 },
    5,
  ],
  'codex/1-simple.jsonl': [{ chats: 1, messages: 2, branches: 1, injected: 2 }, 2],
  'codex/2-tools-compacted.jsonl': [
    { chats: 1, messages: 4, branches: 1, toolCalls: 2, results: 2, reasoning: 1, summaries: 1 },
    4,
  ],
  'openai-messages/1-fine-tune.jsonl': [{ chats: 2, messages: 4, branches: 2, system: 1 }, 2],
  'openai-messages/2-tools.json': [
    { chats: 1, messages: 2, branches: 1, toolCalls: 2, results: 2, reasoning: 1, attachments: 2, system: 1 },
    2,
  ],
}

/** Formats that may have several chats in a file, and one that is right. */
const beside = [
  {
    format: claudeCode,
    whole: [
      { type: 'user', uuid: 'w1', parentUuid: null, sessionId: 'whole', message: { content: 'hello' } },
      { type: 'assistant', uuid: 'w2', parentUuid: 'w1', sessionId: 'whole', message: { id: 'wm', content: 'hi' } },
    ],
  },
  { format: llamaCppUi, whole: [{ conv: { id: 'whole' }, messages: [{ id: 'a', role: 'user', content: 'hello' }] }] },
  { format: openaiMessages, whole: [{ id: 'whole', messages: [{ role: 'user', content: 'hello' }] }] },
  {
    format: pi,
    whole: [
      { type: 'session', id: 'whole', version: 3 },
      { type: 'message', id: 'a1', parentId: null, message: { role: 'user', content: 'hello' } },
    ],
  },
]

describe('each sample', () => {
  it.each(samples)('$name comes in whole', ({ format, name, text, pieces, shape }) => {
    expect(chatFile(text)).toEqual({ of: format.app })
    const { chats } = readPieces(format, pieces, shape)
    const [counts, inView] = expected[name]!
    expect(countedIn(chats)).toEqual(counts)
    expect(
      pathInView(chats[0]!).filter(item => item.kind === 'user' || (item.kind === 'assistant' && item.text)),
    ).toHaveLength(inView)
    expect(chats.flatMap(faultsOf)).toEqual([])
  })

  it.each(samples)('$name comes again as the same', ({ format, pieces, shape }) => {
    const again = readPieces(format, structuredClone(pieces), shape)
    expect(readPieces(format, pieces, shape)).toEqual(again)
  })

  it('is expected', () => {
    expect(Object.keys(expected).sort()).toEqual(samples.map(({ name }) => name).sort())
  })
})

describe('whatever stands in a file', () => {
  const nonsense = [
    null,
    undefined,
    0,
    -1,
    NaN,
    true,
    '',
    'x',
    [],
    {},
    [null],
    [[]],
    [{}],
    { type: null },
    { messages: null },
  ]

  it.each(formats)('$app takes it without a fault', format => {
    for (const value of nonsense)
      for (const shape of ['list', 'lines', 'object'] as const) {
        const { chats } = readPieces(
          format,
          [
            { value, at: 1 },
            { value, at: 2 },
          ],
          shape,
        )
        expect(chats.flatMap(faultsOf), JSON.stringify(value)).toEqual([])
      }
    expect(readPieces(format, [], 'lines')).toEqual({
      chats: [],
      findings: { skipped: [], bad: [], kept: [], merged: [] },
    })
  })

  it.each(samples)('$name survives nesting that no stack can hold', ({ format, pieces, shape, text }) => {
    const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as unknown
    const names = new Set(text.match(/"[A-Za-z_]+"(?=:)/g)?.map(one => one.slice(1, -1)))
    for (const name of names) {
      const values = JSON.parse(JSON.stringify(pieces), (key, value: unknown) => (key === name ? deep : value))
      const { chats } = readPieces(format, values as typeof pieces, shape)
      expect(chats.flatMap(faultsOf), name).toEqual([])
    }
  })

  it.each(samples)('$name without any one field, or with null there, stays a chat without a fault', sample => {
    const { format, pieces, shape } = sample
    const values = pieces.map(({ value }) => value)
    const names = new Set(sample.text.match(/"[A-Za-z_]+"(?=:)/g)?.map(one => one.slice(1, -1)))
    for (const name of names)
      for (const to of [undefined, null, 7, 'x', [], {}]) {
        const text = JSON.stringify(values, (key, value: unknown) => (key === name ? to : value))
        const without = (JSON.parse(text) as unknown[]).map((value, i) => ({ value, at: pieces[i]!.at }))
        const { chats } = readPieces(format, without, shape)
        expect(chats.flatMap(faultsOf), `${name} → ${JSON.stringify(to)}`).toEqual([])
      }
  })

  it.each(formats)('$app reads changed samples without a fault', format => {
    const own = samples.filter(sample => sample.format === format)
    fc.assert(
      fc.property(fc.constantFrom(...own), someChanges, ({ pieces, shape }, changes) => {
        const values = changed(
          pieces.map(({ value }) => value),
          changes,
        )
        const { chats } = readPieces(
          format,
          values.map((value, at) => ({ value, at: at + 1 })),
          shape,
        )
        expect(chats.flatMap(faultsOf)).toEqual([])
        expect(new Set(chats.map(({ id }) => id)).size).toBe(chats.length)
      }),
      runs(400),
    )
  })

  it.each(beside)('a chat of $format.app stays whole, whatever stands before it', ({ format, whole }) => {
    const those = samples.filter(sample => sample.format === format)
    const [alone] = readLines(format, ...whole).chats
    fc.assert(
      fc.property(fc.constantFrom(...those), someChanges, ({ pieces }, changes) => {
        const values = changed(
          pieces.map(({ value }) => value),
          changes,
        )
        const { chats } = readLines(format, ...values, ...structuredClone(whole))
        const found = chats.find(({ id }) => id === alone!.id)
        // A row of Claude Code that has lost its session stands before the next one that comes.
        const own = new Set(alone!.items.map(({ id }) => id))
        expect(said(found!.items.filter(({ id }) => own.has(id)))).toEqual(said(alone!.items))
        if (format !== claudeCode) expect(found).toEqual(alone)
      }),
      runs(200),
    )
  })

  it.each(formats)('$app reads any JSON without a fault', format => {
    const keys = samples.flatMap(({ format: of, text }) => (of === format ? (text.match(/"[^"\\]{1,24}"/g) ?? []) : []))
    const words = [...new Set(keys)].map(one => one.slice(1, -1))
    const word = fc.constantFrom(...words)
    const { value } = fc.letrec(tie => ({
      value: fc.oneof({ depthSize: 'small' }, word, fc.constant(null), fc.nat(), tie('list'), tie('object')),
      list: fc.array(tie('value'), { maxLength: 4 }),
      object: fc.dictionary(word, tie('value'), { maxKeys: 6 }),
    }))
    fc.assert(
      fc.property(fc.array(value, { maxLength: 5 }), fc.constantFrom('list', 'lines', 'object'), (values, shape) => {
        const { chats } = readPieces(
          format,
          values.map((one, at) => ({ value: one, at })),
          shape,
        )
        expect(chats.flatMap(faultsOf)).toEqual([])
      }),
      runs(300),
    )
  })
})
