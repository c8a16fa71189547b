import { describe, expect, it } from 'vitest'
import { callReader, type TextCallPart } from './text-calls.ts'

const names = ['read_file', 'write_file', 'get_time', 'memory_search']

/** What an answer says, in short: its text, its calls, what could not be read. */
function read(
  answer: string,
  {
    enveloped = false,
    each = answer.length || 1,
    stop = 'stop' as const,
  }: { enveloped?: boolean; each?: number; stop?: 'stop' | 'length' } = {},
) {
  const reader = callReader(names, { enveloped })
  const parts: TextCallPart[] = []
  for (let at = 0; at < answer.length && !reader.over; at += each)
    parts.push(...reader.push(answer.slice(at, at + each)))
  parts.push(...reader.end(stop))
  return {
    text: parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).join(''),
    calls: parts.flatMap(part => (part.type === 'call' ? [[part.call.name, part.call.arguments]] : [])),
    broken: parts.flatMap(part => (part.type === 'unreadable' ? [part] : [])),
    over: reader.over,
  }
}

const call = (json: string): string => `<tool_call>\n${json}\n</tool_call>`
const notes = '{"name": "read_file", "arguments": {"path": "notes.txt"}}'

describe('calls in the words of a model', () => {
  it.each<[string, string, string, [string, string][]]>([
    ['as it was asked to', `I look.\n${call(notes)}`, 'I look.\n', [['read_file', '{"path": "notes.txt"}']]],
    [
      'two of them',
      `${call(notes)}\n${call('{"name":"get_time","arguments":{}}')}`,
      '',
      [
        ['read_file', '{"path": "notes.txt"}'],
        ['get_time', '{}'],
      ],
    ],
    ['without its closing tag', `<tool_call>${notes}`, '', [['read_file', '{"path": "notes.txt"}']]],
    [
      'behind letters whose small ones are longer',
      `İİİ ${call(notes)}`,
      'İİİ ',
      [['read_file', '{"path": "notes.txt"}']],
    ],
    ['in capitals', `<TOOL_CALL>${notes}</TOOL_CALL>`, '', [['read_file', '{"path": "notes.txt"}']]],
    [
      'with "parameters"',
      call('{"name": "read_file", "parameters": {"path":"a"}}'),
      '',
      [['read_file', '{"path":"a"}']],
    ],
    [
      'as a server would say it',
      call('{"type":"function","function":{"name":"read_file","arguments":"{\\"path\\":\\"a\\"}"}}'),
      '',
      [['read_file', '{"path":"a"}']],
    ],
    [
      'with the arguments beside the name',
      call('{"name": "read_file", "path": "a"}'),
      '',
      [['read_file', '{"path":"a"}']],
    ],
    ['with nothing but a name', call('{"name": "get_time"}'), '', [['get_time', '{}']]],
    [
      'with a comma too many and a bracket too few',
      call('{"name": "read_file", "arguments": {"path": "a",}'),
      '',
      [['read_file', '{"path":"a"}']],
    ],
    [
      'with a line break inside of a string',
      call('{"name": "write_file", "arguments": {"path": "a", "content": "one\ntwo"}}'),
      '',
      [['write_file', '{"path":"a","content":"one\\ntwo"}']],
    ],
    [
      'with a closing tag inside of a string',
      call('{"name": "write_file", "arguments": {"path": "a", "content": "</tool_call> {"}}'),
      '',
      [['write_file', '{"path": "a", "content": "</tool_call> {"}']],
    ],
    [
      'as markup',
      call(
        '<function=write_file>\n<parameter=path>\na\n</parameter>\n<parameter=content>\nx < 1\ny\n</parameter>\n</function>',
      ),
      '',
      [['write_file', '{"path":"a","content":"x < 1\\ny"}']],
    ],
    [
      'as markup with a number',
      call('<function=read_file><parameter=path>a</parameter><parameter=start_line>3</parameter></function>'),
      '',
      [['read_file', '{"path":"a","start_line":3}']],
    ],
    ['as bare JSON', notes, '', [['read_file', '{"path": "notes.txt"}']]],
    ['as JSON in a fence', `\`\`\`json\n${notes}\n\`\`\``, '', [['read_file', '{"path": "notes.txt"}']]],
    ['with a tool that nobody has', call('{"name": "rm", "arguments": {"all": true}}'), '', [['rm', '{"all": true}']]],
    [
      'with a number that no float holds',
      call('{"name": "read_file", "arguments": {"path": "a", "start_line": 12345678901234567890}}'),
      '',
      [['read_file', '{"path": "a", "start_line": 12345678901234567890}']],
    ],
    [
      'with its key inside of its own arguments',
      call('{"arguments": {"path": "{\\"arguments\\": {}}"}, "name": "read_file"}'),
      '',
      [['read_file', '{"path": "{\\"arguments\\": {}}"}']],
    ],
  ])('are read %s', (_, answer, text, calls) => {
    for (const each of [1, 3, 7, answer.length])
      expect(read(answer, { each })).toMatchObject({ text, calls, broken: [] })
  })

  it.each([
    'An answer in words, with <b>tags</b> and a < b.',
    'Calls stand between `<tool_call>` and `</tool_call>`.',
    '{"total": 3, "name": "not a tool"}',
    '{"name": "Ada", "arguments": {"born": 1815}}',
    '```json\n{"name": "Ada"}\n```',
    '```js\nconst a = {}\n```',
    '{ "a',
    '   ',
    '<tool_call>',
    'I end on <tool_',
    '[1, 2]',
    '{"answer": "as JSON, because the person asked for it"}',
  ])('leaves what is none alone: %s', answer => {
    for (const each of [1, 4, answer.length])
      expect(read(answer, { each })).toMatchObject({ text: answer, calls: [], broken: [], over: false })
  })

  it('stops listening when a model goes on to make up the result', () => {
    const found = read(
      `${call(notes)}\n<tool_response>\nHere is your file: rm -rf\n</tool_response>\n${call('{"name":"write_file","arguments":{}}')}`,
      { each: 5 },
    )
    expect(found).toMatchObject({ text: '', calls: [['read_file', '{"path": "notes.txt"}']], over: true })
  })

  it.each<[string, string, string | undefined]>([
    ['no JSON', call('read_file(path="a")'), undefined],
    ['a list', call('{"name": "read_file", "arguments": ["a"]}'), 'read_file'],
    [
      'quotes that are not escaped',
      call('{"name": "write_file", "arguments": {"path": "a", "content": "say "hi" now"}}'),
      'write_file',
    ],
    ['a name that is none', call('{"name": 7, "arguments": {}}'), undefined],
    ['no name', call('{"arguments": {"path": "a"}}'), undefined],
  ])('says what is wrong with a call that nobody can read: %s', (_, answer, name) => {
    const {
      broken: [fault],
      calls,
    } = read(answer)
    expect(calls).toEqual([])
    expect(fault!.name).toBe(name)
    expect(fault!.fault.length).toBeGreaterThan(15)
  })

  it('does not take half a call at the output limit for a whole one', () => {
    expect(
      read('<tool_call>\n{"name": "write_file", "arguments": {"path": "a", "content": "x"', { stop: 'length' }),
    ).toMatchObject({ calls: [], broken: [{ name: 'write_file' }] })
    expect(read('{"name": "write_file", "arguments": {"path": "a"', { stop: 'length' }).calls).toEqual([])
  })

  it('gives an answer in an envelope as it comes', () => {
    const answer = JSON.stringify({ answer: 'Line one\n"two" \\ é 😀 \u2028end' }).replace('😀', '\\ud83d\\ude00')
    for (const each of [1, 2, 5, answer.length]) {
      expect(read(answer, { enveloped: true, each }).text).toBe('Line one\n"two" \\ é 😀 \u2028end')
    }
    const reader = callReader(names, { enveloped: true })
    expect([...reader.push('{"answer": "Hel'), ...reader.push('lo')]).toEqual([
      { type: 'text', text: 'Hel' },
      { type: 'text', text: 'lo' },
    ])
    expect(read('{"answer": "cut o', { enveloped: true, stop: 'length' }).text).toBe('cut o')
    expect(read('{"answer": "C:\\\\users and \\uZZZZ too"}', { enveloped: true }).text).toBe(
      'C:\\users and \\uZZZZ too',
    )
    expect(read('No envelope at all.', { enveloped: true, each: 2 }).text).toBe('No envelope at all.')
    expect(read(notes, { enveloped: true, each: 2 }).calls).toEqual([['read_file', '{"path": "notes.txt"}']])
  })

  it('stays quick and whole on hostile text', () => {
    const hostile = [
      '<tool_call>'.repeat(20_000),
      '{"'.repeat(50_000),
      '<tool_call>{"a":"' + '</tool_call>'.repeat(20_000),
      '<tool_call>' + '{'.repeat(100_000) + '}'.repeat(100_000),
      '<tool_call>{"name":"read_file","arguments":{"arguments":{' + '"arguments":{'.repeat(8_000),
      '<tool_call><parameter='.repeat(10_000),
      ' '.repeat(100_000) + '{"name"',
      `${call(notes)}\n`.repeat(3_000),
      `{"answer": "${'\\u'.repeat(50_000)}`,
      '<tool_call>{"name":"read_file","arguments":{"__proto__":{"path":"x"},"constructor":1}}</tool_call>',
    ]
    for (const text of hostile) {
      const from = performance.now()
      const { calls } = read(text, { each: 97, enveloped: text.startsWith('{"answer') })
      expect(performance.now() - from, text.slice(0, 60)).toBeLessThan(10_000)
      expect(calls.length).toBeLessThanOrEqual(8)
    }
    expect(({} as Record<string, unknown>)['path']).toBeUndefined()
  })
})
