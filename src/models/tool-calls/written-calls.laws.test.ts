/** A call cut at random places in random dialects is that call; text that only quotes a call runs nothing (C12). */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../core/text/laws.fixture.ts'
import type { ModelPart } from '../../core/log/message.ts'
import { callNormalizer } from '../../net/model-stream/normalize-calls.ts'
import { callFinder } from './call-finder.ts'
import { plainRequest } from '../model.laws.ts'
import { withTextTools } from './with-text-tools.ts'

type Args = Record<string, unknown>
type Call = { name: string; args: Args }
const names = ['read_file', 'write_file', 'get_time', 'memory_search']
const key = fc.stringMatching(/^[a-z_]{1,8}$/).filter(name => name !== '__proto__')
const anyValue = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom('}{', '"', '\\', '</tool_call>', '```', '<|call|>', '\n'),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.string(), { maxLength: 2 }),
  fc.dictionary(key, fc.string(), { maxKeys: 2 }),
)
/** In markup a text is told from a number only by its look. */
const plainValue = fc.oneof(fc.stringMatching(/^[a-z][a-zé你🎒 .,"'{}()-]{0,20}[a-z]$/u), fc.integer(), fc.boolean())
const argsOf = (value: fc.Arbitrary<unknown>): fc.Arbitrary<Args> =>
  fc.dictionary(key, value, { maxKeys: 4, noNullPrototype: true })
const callsWith = (value: fc.Arbitrary<unknown>): fc.Arbitrary<Call[]> =>
  fc.array(fc.record({ name: fc.constantFrom(...names), args: argsOf(value) }), { minLength: 1, maxLength: 3 })

const json = JSON.stringify
const inMarkup = (value: unknown): string => (typeof value === 'string' ? value : json(value))
const each =
  (write: (call: Call, n: number) => string, between = '\n') =>
  (calls: Call[]) =>
    calls.map(write).join(between)
const pairs = (args: Args, write: (name: string, value: unknown) => string): string =>
  Object.entries(args)
    .map(([name, value]) => write(name, value))
    .join('')

/** As the chat templates of these models write calls. */
const inJson: Record<string, (calls: Call[]) => string> = {
  hermes: each(({ name, args }) => `<tool_call>\n${json({ name, arguments: args })}\n</tool_call>`),
  'mistral list': calls =>
    `[TOOL_CALLS][${calls.map(({ name, args }) => json({ name, arguments: args, id: 'abcdef123' })).join(', ')}]`,
  'mistral 2025': each(({ name, args }) => `[TOOL_CALLS]${name}[ARGS]${json(args)}`, ''),
  'mistral with ids': each(({ name, args }) => `[TOOL_CALLS]${name}[CALL_ID]abcdef123[ARGS]${json(args)}`, ''),
  'llama 3': calls =>
    `<|python_tag|>${calls.map(({ name, args }) => json({ name, parameters: args })).join('; ')}<|eom_id|>`,
  'deepseek v3.1': calls =>
    `<｜tool▁calls▁begin｜>${calls.map(({ name, args }) => `<｜tool▁call▁begin｜>${name}<｜tool▁sep｜>${json(args)}<｜tool▁call▁end｜>`).join('')}<｜tool▁calls▁end｜><｜end▁of▁sentence｜>`,
  'deepseek r1': calls =>
    `<｜tool▁calls▁begin｜>${calls.map(({ name, args }) => `<｜tool▁call▁begin｜>function<｜tool▁sep｜>${name}\n\`\`\`json\n${json(args)}\n\`\`\`<｜tool▁call▁end｜>`).join('\n')}<｜tool▁calls▁end｜>`,
  'dsml with json': calls =>
    `<｜DSML｜function_calls>\n${calls.map(({ name, args }) => `<｜DSML｜invoke name="${name}">\n${json(args)}\n</｜DSML｜invoke>`).join('\n')}\n</｜DSML｜function_calls>`,
  'kimi k2': calls =>
    `<|tool_calls_section_begin|>${calls.map(({ name, args }, n) => `<|tool_call_begin|>functions.${name}:${n}<|tool_call_argument_begin|>${json(args)}<|tool_call_end|>`).join('')}<|tool_calls_section_end|>`,
  harmony: each(
    ({ name, args }) =>
      `<|start|>assistant<|channel|>commentary to=functions.${name} <|constrain|>json<|message|>${json(args)}<|call|>`,
    '',
  ),
  'harmony, channel behind': each(
    ({ name, args }) =>
      `<|start|>assistant to=functions.${name}<|channel|>commentary json<|message|>${json(args)}<|call|>`,
    '',
  ),
  'llama 3.1': each(({ name, args }) => `<function=${name}>${json(args)}</function>`),
}
const inTags: Record<string, (calls: Call[]) => string> = {
  'qwen coder': each(
    ({ name, args }) =>
      `<tool_call>\n<function=${name}>\n${pairs(args, (name, value) => `<parameter=${name}>\n${inMarkup(value)}\n</parameter>\n`)}</function>\n</tool_call>`,
  ),
  'qwen coder without a frame': each(
    ({ name, args }) =>
      `<function=${name}>\n${pairs(args, (name, value) => `<parameter=${name}>\n${inMarkup(value)}\n</parameter>\n`)}</function>`,
  ),
  glm: each(
    ({ name, args }) =>
      `<tool_call>${name}\n${pairs(args, (name, value) => `<arg_key>${name}</arg_key>\n<arg_value>${inMarkup(value)}</arg_value>\n`)}</tool_call>`,
  ),
  dsml: calls =>
    `<｜DSML｜tool_calls>\n${calls.map(({ name, args }) => `<｜DSML｜invoke name="${name}">\n${pairs(args, (name, value) => `<｜DSML｜parameter name="${name}" string="${typeof value === 'string'}">${inMarkup(value)}</｜DSML｜parameter>\n`)}</｜DSML｜invoke>`).join('\n')}\n</｜DSML｜tool_calls>`,
  minimax: calls =>
    `<minimax:tool_call>\n${calls.map(({ name, args }) => `<invoke name="${name}">\n${pairs(args, (name, value) => `<parameter name="${name}">${inMarkup(value)}</parameter>\n`)}</invoke>`).join('\n')}\n</minimax:tool_call>`,
  'kimi k3': calls =>
    `<|open|>tools<|sep|>${calls.map(({ name, args }, n) => `<|open|>call tool="${name}" index="${n}"<|sep|>${pairs(args, (name, value) => `<|open|>argument key="${name}" type="${typeof value}"<|sep|>${inMarkup(value)}<|close|>argument<|sep|>`)}<|close|>call<|sep|>`).join('')}<|close|>tools<|sep|><|end_of_msg|>`,
}
/** Values of JSON dialects whose own marks stand in a string are another matter: their templates escape nothing. */
const clean = (calls: Call[], dialect: string): boolean =>
  !/^(deepseek|dsml|kimi|llama 3.1|harmony)/.test(dialect) || !/[<`]/.test(json(calls))

const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 })
const cut = (text: string, at: readonly number[]): string[] => {
  const places = [0, ...at.map(share => Math.floor(share * text.length)).sort((a, b) => a - b), text.length]
  return places.slice(1).map((to, n) => text.slice(places[n], to))
}
const read = (pieces: readonly string[]): { text: string; calls: Call[] } => {
  const finder = callFinder(names)
  const shown = pieces.map(piece => finder.push(piece)).join('')
  const { text, calls } = finder.end()
  return {
    text: shown + text,
    calls: calls.map(({ name, arguments: args }) => ({ name, args: JSON.parse(args) as Args })),
  }
}
const before = fc.constantFrom(
  '',
  'Let me look.\n\n',
  'I see: a < b && `c`.\n',
  '我来查一下。',
  '```js\nconst a = 1\n```\n',
  'One\n> quoted\n\n',
  '"Yes."\n',
)

describe('a call in the text, cut at random places, is that call', () => {
  const dialects: [string, (calls: Call[]) => string, fc.Arbitrary<Call[]>][] = [
    ...Object.entries(inJson).map(
      ([name, write]) =>
        [name, write, callsWith(anyValue)] as [string, (calls: Call[]) => string, fc.Arbitrary<Call[]>],
    ),
    ...Object.entries(inTags).map(
      ([name, write]) =>
        [name, write, callsWith(plainValue)] as [string, (calls: Call[]) => string, fc.Arbitrary<Call[]>],
    ),
  ]
  it.each(dialects)('%s', (dialect, write, some) => {
    fc.assert(
      fc.property(
        some.filter(calls => clean(calls, dialect)),
        before,
        shares,
        fc.constantFrom('', '\n', ' \n'),
        (calls, prose, at, after) => {
          expect(read(cut(prose + write(calls) + after, at))).toEqual({ text: prose, calls })
        },
      ),
      runs(60),
    )
  })

  it.each(dialects)('%s, quoted, runs nothing and is shown as it is', (_, write, some) => {
    const frames = fc.constantFrom<(call: string) => string>(
      call => `Calls look like this:\n\n\`\`\`\n${call}\n\`\`\``,
      call => `~~~text\n${call}\n~~~\n`,
      call => `\`\`\`xml\n${call}`,
      call => `To call it I write ${call}`,
      call => `“${call}”`,
      call => `It says \`${call.replaceAll('\n', ' ')}\`.`,
      call => `${call}\n\nThat is how a call looks.`,
      call => `> ${call}`,
      call => call.replace(/^/gm, '    '),
      call => call.replace(/^/gm, '> '),
      call => `${call} and then the result comes.`,
    )
    fc.assert(
      fc.property(some, frames, shares, (calls, frame, at) => {
        const text = frame(write(calls))
        expect(read(cut(text, at))).toEqual({ text, calls: [] })
      }),
      runs(60),
    )
  })

  it.each(dialects)('%s, of a tool that nobody has, stays text', (_, write) => {
    const text = write([{ name: 'run_shell', args: {} }])
    expect(read([text])).toEqual({ text, calls: [] })
  })
})

describe('a call in pieces, cut at random places, is that call', () => {
  const args = argsOf(anyValue)
  const dialects: Record<string, (whole: string, at: readonly number[]) => unknown[]> = {
    increments: (whole, at) =>
      cut(whole, at).map((text, n) => ({
        index: 0,
        ...(n === 0 ? { id: 'a', function: { name: 'f', arguments: text } } : { function: { arguments: text } }),
      })),
    'a placeholder first': (whole, at) => [
      { index: 0, id: 'a', function: { name: 'f', arguments: '{}' } },
      ...cut(whole, at).map(text => ({ index: 0, function: { arguments: text } })),
    ],
    'the whole at the end': (whole, at) => [
      ...cut(whole, at).map((text, n) => ({
        index: 0,
        id: n === 0 ? 'a' : '',
        function: { ...(n === 0 ? { name: 'f' } : {}), arguments: text },
      })),
      { index: 0, id: 'a', function: { arguments: whole } },
    ],
    snapshots: (whole, at) =>
      cut(whole, at).map((_, n, all) => ({
        index: 0,
        id: 'a',
        function: { ...(n === 0 ? { name: 'f' } : {}), arguments: all.slice(0, n + 1).join('') },
      })),
    objects: whole => [{ index: 0, id: 'a', function: { name: 'f', arguments: JSON.parse(whole) as unknown } }],
    'the name with each piece': (whole, at) => [
      { index: 0, id: 'a', function: { name: 'f', arguments: '' } },
      ...cut(whole, at)
        .filter(text => text !== '')
        .map(text => ({ index: 0, id: 'a', function: { name: 'f', arguments: text } })),
    ],
    'the name last': (whole, at) => [
      ...cut(whole, at).map(text => ({ index: 0, id: 'a', function: { arguments: text } })),
      { index: 0, function: { name: 'f<|channel|>commentary' } },
    ],
    'no index, no id': (whole, at) =>
      cut(whole, at).map((text, n) => ({ function: n === 0 ? { name: 'f', arguments: text } : { arguments: text } })),
  }
  it.each(Object.entries(dialects))('%s', (_, write) => {
    fc.assert(
      fc.property(args, shares, (given, at) => {
        const mender = callNormalizer(() => 'id')
        for (const piece of write(json(given), at)) mender.add(piece as Record<string, unknown>)
        const calls = mender.end()
        expect(calls.map(call => [call.function.name, JSON.parse(call.function.arguments) as unknown])).toEqual([
          ['f', given],
        ])
      }),
      runs(60),
    )
  })
})

describe('an answer of a model that has calls of its own', () => {
  const tools = names.map(name => ({ name, description: '', parameters: { type: 'object', properties: {} } }))
  const answer = async (...given: ModelPart[]): Promise<ModelPart[]> => {
    const parts: ModelPart[] = []
    const model = withTextTools({
      id: 'm',
      name: 'm',
      contextWindow: 8_192,
      maxOutput: 512,
      local: false,
      reportsWholePrompt: true,
      can: { tools: true, images: false, schema: false },
      async *generate() {
        yield* given
      },
    })
    for await (const part of model.generate({ ...plainRequest, tools }, new AbortController().signal)) parts.push(part)
    return parts
  }
  const finish = { type: 'finish', stop: 'stop' } as const
  const written = inJson['hermes']!([{ name: 'get_time', args: {} }])

  it('is read for calls in its text, which are calls then', async () => {
    expect(await answer({ type: 'text', text: 'I look.\n' }, { type: 'text', text: written }, finish)).toEqual([
      { type: 'text', text: 'I look.\n' },
      { type: 'call', call: { id: 'call_1', name: 'get_time', arguments: '{}' } },
      { type: 'finish', stop: 'calls' },
    ])
  })

  it('has no others where it has its own, and none in its thoughts', async () => {
    const own = { type: 'call', call: { id: 'c', name: 'read_file', arguments: '{}' } } as const
    expect(await answer({ type: 'text', text: written }, own, finish)).toEqual([
      { type: 'text', text: written },
      own,
      finish,
    ])
    expect(await answer(own, { type: 'text', text: written }, finish)).toEqual([
      own,
      { type: 'text', text: written },
      finish,
    ])
    expect(await answer({ type: 'reasoning', text: written }, finish)).toEqual([
      { type: 'reasoning', text: written },
      finish,
    ])
  })
})

it('hostile text is read in time, and no text is lost', () => {
  const hostile = [
    '<tool_call>'.repeat(20_000),
    '<|tool_call_begin|>'.repeat(10_000),
    '[TOOL_CALLS]'.repeat(10_000),
    '<｜DSML｜invoke name="get_time">'.repeat(5_000),
    '`'.repeat(50_000),
    '<'.repeat(50_000),
    'x\n'.repeat(50_000) + '<tool_call>{' + '{"a":'.repeat(20_000),
    '<|open|>tools<|sep|>' + '<|open|>call tool="get_time"<|sep|>'.repeat(5_000),
  ]
  for (const text of hostile) {
    const from = performance.now()
    expect(read(text.match(/[^]{1,97}/g)!)).toEqual({ text, calls: [] })
    expect(performance.now() - from, text.slice(0, 40)).toBeLessThan(10_000)
  }
})
