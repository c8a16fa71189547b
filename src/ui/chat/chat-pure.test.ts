import { describe, expect, it } from 'vitest'
import { syntheticResultTexts } from '../../core/agent/turn/synthetic-results.ts'
import { commandStart, composeMessage, splitMessage, readLine } from '../state/draft/compose.ts'
import { standsAlone } from '../composer/command-list.ts'
import { matchingCommands } from '../composer/matching-commands.ts'
import { newestFor, rowOf, rowsOf, type RowsState } from '../transcript/rows.ts'
import { inWords, shownSections } from '../transcript/shown-sections.ts'
import { argumentRows, shortArguments, shortPath } from '../transcript/short-arguments.ts'
import { resultBytes, toolState } from '../transcript/tool-state.ts'
import { transcript } from '../transcript/transcript.ts'
import type { ToolItem } from '../transcript/transcript-items.ts'
import { codes, type Code } from '../../core/errors.ts'
import type { AssistantFact, Entry, NewEntry } from '../../core/log/entry.ts'
import { helpFor } from './help-for.ts'

describe('composed', () => {
  it('puts attached texts behind the typed words, and the screen takes them off again', () => {
    const { text, attachments } = composeMessage('look', [
      { name: 'a.txt', mime: 'text/plain', bytes: 3, text: 'abc' },
      { name: 'b.md', mime: 'text/markdown', bytes: 1, text: 'x' },
    ])
    expect(text).toBe('look\n\n[a.txt]\nabc\n\n[b.md]\nx')
    const [item] = transcript([{ id: 'u', parent: null, at: 0, type: 'user', text, attachments }], 'u')
    expect(item).toMatchObject({ text: 'look', chips: [{ text: '\n\n[a.txt]\nabc' }, { text: '\n\n[b.md]\nx' }] })
  })
})

it('what was composed comes apart again: the words as they were typed, and what was attached', () => {
  for (const typed of ['look', '', '//compact', '/etc/passwd is a file', ' /x', 'two\n\nlines']) {
    for (const attached of [
      [],
      [
        { name: 'a.txt', mime: 'text/plain', bytes: 3, text: 'abc\n' },
        { name: 'b\u200f.md', mime: 'text/markdown', bytes: 1, text: '' },
      ],
    ]) {
      const line = readLine(typed)
      const { text, attachments } = composeMessage('words' in line ? line.words : typed, attached)
      expect(splitMessage(text, attachments)).toEqual({ typed, attached })
    }
  }
})

describe('readLine', () => {
  it('knows commands, literal slashes and paths apart', () => {
    expect(readLine('/compact keep\nall')).toEqual({ command: '/compact keep\nall' })
    expect(readLine('/HELP')).toEqual({ command: '/HELP' })
    expect(readLine('//compact')).toEqual({ words: '/compact' })
    expect(readLine('/etc/passwd is a file')).toEqual({ words: '/etc/passwd is a file' })
    expect(readLine('/ no')).toEqual({ words: '/ no' })
    expect(readLine(' /help')).toEqual({ words: ' /help' })
  })
  it('offers commands while the name is being typed', () => {
    expect(commandStart('/')).toBe('')
    expect(commandStart('/Co')).toBe('co')
    expect(commandStart('/config x')).toBeUndefined()
    expect(matchingCommands('co').map(({ name }) => name)).toEqual(['context', 'compact', 'config'])
    expect(matchingCommands('xyz')).toEqual([])
    expect(
      matchingCommands('')
        .filter(command => !standsAlone(command))
        .map(({ name }) => name),
    ).toEqual(['search'])
  })
})

describe('shortArguments', () => {
  it('names what the call is about', () => {
    expect(shortArguments('{"path":"workspace/a.ts","start_line":3}')).toBe('workspace/a.ts · start_line 3')
    expect(shortArguments('{"query":"SIGNING_KEY"}')).toBe('SIGNING_KEY')
    expect(shortArguments('{}')).toBe('')
    expect(shortArguments('{"half": "a')).toBe('{"half": "a')
    expect(shortArguments('{"text":"a\\n b"}')).toBe('a b')
    expect(shortArguments(`{"text":"${'x'.repeat(300)}"}`)).toHaveLength(80)
  })
  it('cuts the id in a path short', () => {
    expect(shortPath('tool_result/09yb67an0s8d7f6g5h4j3k2l1.txt')).toBe('tool_result/09yb….txt')
    expect(shortPath('tool_result/e6.txt')).toBe('tool_result/e6.txt')
  })
  it('cannot be turned around by what it names', () => {
    expect(shortArguments('{"url":"http://gіthub.com/login"}')).toBe('http://xn--gthub-n2e.com/login')
    expect(shortArguments('{"path":"workspace/\u202egpj.exe"}')).toBe('workspace/‹U+202E›gpj.exe')
  })
  it('lays arguments out by name, texts as they are', () => {
    expect(argumentRows('{"path":"a","content":"one\\ntwo","n":1,"of":{"a":[]}}')).toEqual([
      { name: 'path', text: 'a' },
      { name: 'content', text: 'one\ntwo' },
      { name: 'n', text: '1' },
      { name: 'of', text: '{\n  "a": []\n}' },
    ])
    expect(argumentRows('not json')).toBeUndefined()
    expect(argumentRows('[1]')).toBeUndefined()
    expect(
      argumentRows(JSON.stringify(Object.fromEntries(Array.from({ length: 41 }, (_, n) => [`k${n}`, n])))),
    ).toBeUndefined()
  })
})

describe('toolState', () => {
  const item: ToolItem = {
    key: 'k',
    entry: 'e',
    at: 0,
    type: 'tool',
    call: { id: '1', name: 'read_file', arguments: '{}' },
    outOfContext: false,
    pinned: false,
  }
  const result = { entry: 'r', text: 'ä', isError: false, at: 0 }
  it('reads it from result and status', () => {
    expect(toolState(item, { state: 'idle' })).toBe('open')
    expect(toolState(item, { state: 'running', call: item.call })).toBe('running')
    expect(toolState(item, { state: 'asking', question: { call: item.call, tool: 'read_file' } })).toBe('asking')
    expect(toolState({ ...item, result }, { state: 'running', call: item.call })).toBe('done')
    expect(toolState({ ...item, result: { ...result, isError: true } }, { state: 'idle' })).toBe('error')
    expect(
      toolState(
        { ...item, result: { ...result, isError: true, text: syntheticResultTexts.denied } },
        { state: 'idle' },
      ),
    ).toBe('denied')
  })
  it('tells the size of the whole', () => {
    expect(resultBytes(result)).toBe(2)
    expect(resultBytes({ ...result, gap: { tail: '', bytes: 200_000, lines: 3, path: 'p' } })).toBe(200_000)
  })
})

describe('sectionsOf', () => {
  it('takes a summary apart, without what is empty', () => {
    expect(shownSections('## Goal\nBuild it.\n## Progress\n### Done\n- a\n## Next Steps\n(none)\n')).toEqual([
      { key: 'goal', title: 'Goal', text: 'Build it.' },
      { key: 'progress', title: 'Progress', text: '### Done\n- a' },
    ])
    expect(
      shownSections(
        '## Progress\n### Done\n- a\n### Blocked\n- (none)\n\n### Next\n（无）\n## Critical Context\n- (none)\n- b',
      ),
    ).toEqual([
      { key: 'progress', title: 'Progress', text: '### Done\n- a' },
      { key: 'critical', title: 'Critical Context', text: '- b' },
    ])
    expect(shownSections('just words')).toEqual([{ key: undefined, title: '', text: 'just words' }])
  })
  it('says of a sentence that was cut off at several lengths the longest only, and keeps points that are short', () => {
    const cut = 'It must keep working without a network, a'
    expect(
      shownSections(
        `## Constraints & Preferences\n- ${cut}\n- ${cut}n\n- ${cut}nd nothing may be lost.\n- ${cut}…\n- Tests\n- Tests of the login`,
      ),
    ).toEqual([
      {
        key: 'constraints',
        title: 'Constraints & Preferences',
        text: `- ${cut}nd nothing may be lost.\n- Tests\n- Tests of the login`,
      },
    ])
  })
})

describe('newestFor', () => {
  const rows = transcript(
    Array.from({ length: 200 }, (_, i) => ({
      id: `u${i}`,
      parent: i === 0 ? null : `u${i - 1}`,
      at: i,
      type: 'user',
      text: 'x'.repeat(i % 2 === 0 ? 10 : 5_000),
    })),
    'u199',
  )
  it('takes the newest rows, enough for the screen and few beyond', () => {
    const some = newestFor(rows, 800)
    expect(some.at(-1)).toBe(rows.at(-1))
    expect(some.length).toBeGreaterThan(3)
    expect(some.length).toBeLessThan(10)
  })
  it('takes all of a short talk as it is', () => {
    const few = rows.slice(-3)
    expect(newestFor(few, 2_000)).toBe(few)
  })
})

it('has a button for all that can go wrong with a model, an engine of this device, the network or the disk', () => {
  const theirs = codes.filter(code =>
    /^model_|^network$|^blocked_address$|^storage_full$|^worker_lost$|^unknown$/.test(code),
  )
  expect(theirs.length).toBeGreaterThan(14)
  for (const code of theirs) expect(helpFor(code), code).not.toEqual([])
  expect(helpFor('model_protocol')).toEqual(['retry', 'models']) // a damaged model is repaired there
  expect(helpFor('model_overflow')).toEqual(['retry', 'compact'])
  expect(helpFor('storage_full')).toEqual(['storage'])
  expect(helpFor('new_version')).toEqual(['reload'])
  expect(helpFor('busy')).toEqual([])
})

describe('how the talk ends', () => {
  const answer = (changes: Partial<AssistantFact>): NewEntry => ({
    type: 'assistant',
    text: '',
    calls: [],
    model: 'm',
    local: false,
    stop: 'stop',
    ...changes,
  })
  const note = (code: Code, text = `told by ${code}`): NewEntry => ({ type: 'note', code, text })
  const question: NewEntry = { type: 'user', text: 'q' }
  const rowsAfter = (entries: NewEntry[], end: RowsState = { state: 'idle' }) => {
    const log = entries.map((entry, at): Entry => ({
      ...entry,
      id: `e${at}`,
      parent: at === 0 ? null : `e${at - 1}`,
      at,
    }))
    return rowsOf(transcript(log, log.at(-1)!.id), end)
  }
  /** Each row in a word: what it says of the end, and what it offers. */
  const told = (...given: Parameters<typeof rowsAfter>) =>
    rowsAfter(...given).map(row =>
      [
        row.type === 'note' ? row.code : row.type,
        row.type === 'assistant' && row.stop !== 'stop' && row.stop !== 'calls' && !row.quiet ? `says ${row.stop}` : '',
        row.continueOffer ?? '',
      ]
        .filter(word => word !== '')
        .join(', '),
    )

  it.each<[string, NewEntry[], string[]]>([
    ['Stop', [answer({ text: 'half', stop: 'stopped' }), note('stopped')], ['assistant, says stopped, go on']],
    ['Stop before anything came', [note('stopped')], ['stopped, go on']],
    [
      'Stop in a tool call',
      [
        answer({ calls: [{ id: 'c', name: 'get_time', arguments: '{}' }], stop: 'calls' }),
        { type: 'result', callId: 'c', tool: 'get_time', text: 'Stopped.', isError: true },
        note('stopped'),
      ],
      ['tool', 'stopped, go on'],
    ],
    ['the output limit', [answer({ text: 'half', stop: 'length' })], ['assistant, says length, go on']],
    [
      'thoughts alone at the limit',
      [answer({ reasoning: 'Hm.', stop: 'length' }), note('thought_limit')],
      ['assistant', 'thought_limit, thoughts'],
    ],
    ['thoughts alone', [answer({ reasoning: 'Hm.' }), note('thought_limit')], ['assistant', 'thought_limit, thoughts']],
    ['thoughts alone, of another program', [answer({ reasoning: 'Hm.' })], ['assistant, thoughts']],
    ['a circle', [answer({ text: 'I give up.' }), note('loop_ended')], ['assistant', 'loop_ended, go on']],
    ['a broken stream', [answer({ text: 'half', stop: 'failed' }), note('network')], ['assistant', 'network, go on']],
    [
      'a broken stream, and nothing at the second try',
      [answer({ text: 'half', stop: 'failed' }), note('network'), note('network')],
      ['assistant', 'network, go on'],
    ],
    [
      'a restart',
      [answer({ text: 'half', stop: 'interrupted' }), note('restored')],
      ['assistant, says interrupted, go on'],
    ],
    [
      'a restart, and a stop at the second try',
      [answer({ text: 'half', stop: 'interrupted' }), note('restored'), note('stopped')],
      ['assistant, says interrupted, go on'],
    ],
  ])('is said once and can be gone on with after %s', (_, entries, rows) => {
    const broken = entries.some(entry => entry.type === 'note' && ['network', 'restored'].includes(entry.code))
    expect(told([question, ...entries], { state: broken ? 'interrupted' : 'idle' })).toEqual(['user', ...rows])
    expect(told([question, ...entries], { state: 'thinking' }).join()).not.toContain('go on')
    expect(told([question, ...entries, question]).join()).not.toMatch(/go on|thoughts/)
  })

  it('offers nothing where the answer is whole, whatever is told behind it, where it is out of the window, or more is still to come', () => {
    expect(told([question, answer({ text: 'whole', reasoning: 'Hm.' }), note('model_server')])).toEqual([
      'user',
      'assistant',
      'model_server',
    ])
    expect(
      told([
        question,
        answer({ text: 'half', stop: 'length' }),
        { type: 'cut', before: null, reason: 'clear', group: 'g' },
      ]).join(),
    ).not.toContain('go on')
    expect(told([question, answer({ text: 'half', stop: 'filtered' })])).toEqual(['user', 'assistant, says filtered'])
    expect(told([question, answer({ text: 'half', stop: 'length' })], {})).toEqual(['user', 'assistant, says length'])
  })

  it('is the answer, grown, once that was gone on with: the same row, without what was said of its end', () => {
    const parts = [
      question,
      answer({ text: 'The quick bro', reasoning: 'One.', stop: 'stopped', usage: { input: 1, output: 2 } }),
      note('stopped'),
    ]
    const [, before] = rowsAfter(parts)
    const [, writing, ...more] = rowsAfter(parts, { writing: true, state: 'thinking' })
    expect([writing, more]).toMatchObject([
      { type: 'writing', key: before!.key, continues: { text: 'The quick bro' } },
      [],
    ])
    const grown = [
      ...parts,
      answer({ text: 'brown fox', stop: 'length', usage: { input: 10, output: 3 } }),
      answer({ text: ' jumps.', reasoning: 'Two.' }),
    ]
    const rows = rowsAfter(grown)
    expect(rows.slice(1)).toMatchObject([
      {
        type: 'assistant',
        key: before!.key,
        text: 'The quick brown fox jumps.',
        reasoning: 'One.\n\nTwo.',
        stop: 'stop',
        usage: { input: 11, output: 5 },
        parts: ['e1', 'e3', 'e4'],
      },
    ])
    expect(rowOf(rows, 'e4')).toBe(1)
  })

  it('is two answers where one was removed, or stands in another version', () => {
    const log = (gone: number): Entry[] =>
      [question, answer({ text: 'half', stop: 'stopped' }), answer({ text: 'rest' })].map((entry, at) => ({
        ...entry,
        id: `e${at}`,
        parent: at === 0 ? null : `e${at - 1}`,
        at,
        ...(at === gone ? { gone: { bytes: 4, day: '2026-01-01', why: 'deleted' } } : {}),
      }))
    expect(transcript(log(1), 'e2')).toHaveLength(3)
    expect(transcript(log(2), 'e2')).toHaveLength(3)
    const versions = [...log(0), { ...log(0)[2]!, id: 'other' }]
    expect(transcript(versions, 'other')).toHaveLength(3)
  })
})

it('says what the check of a summary added in the words of the person, and leaves all else', () => {
  const words = { unconfirmed: 'Found nowhere:', alsoMentioned: 'Also:' }
  expect(
    inWords('- Unconfirmed (in no source): /login · $& x\n- Also mentioned: 99 GB\n- Unconfirmed by the boss', words),
  ).toBe('- Found nowhere: /login · $& x\n- Also: 99 GB\n- Unconfirmed by the boss')
})
