import { expect, it } from 'vitest'
import { piCompactions } from './pi-session.ts'

const text = (value: string) => [{ type: 'text', text: value }]
const message = (given: object) => ({ type: 'message', timestamp: '2026-01-02T03:04:05.000Z', message: given })
const called = (id: string, args: object) =>
  message({
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'hm' },
      ...text('Now'),
      { type: 'toolCall', id, name: 'bash', arguments: args },
    ],
  })
const result = (id: string, value: string) =>
  message({ role: 'toolResult', toolCallId: id, toolName: 'bash', content: text(value), isError: false })
const fileOf = (...lines: object[]): string => lines.map(line => JSON.stringify(line)).join('\n')

const session = [
  { type: 'session', id: 's', cwd: '/home/user' },
  message({ role: 'user', content: text('Mend src/read-config.ts') }),
  { type: 'model_change', modelId: 'a' },
  called('c1', { command: 'cat src/read-config.ts' }),
  result('c1', 'export function readConfig() { return parseArgs(argv) }'),
  message({ role: 'assistant', content: [], stopReason: 'aborted' }),
  message({ role: 'bashExecution', command: 'ls', output: 'README.md' }),
  { type: 'compaction', summary: 'parseArgs was looked at' },
  message({ role: 'user', content: 'Go on with README.md' }),
  called('c2', { edits: [{ text: 'first\nreadConfig' }], path: 'src/new-file.ts' }),
  result('c2', 'src/read-config.ts was changed'),
  message({ role: 'assistant', content: text('src/read-config.ts and README.md are done') }),
]

it('gives what was said before each compaction, as replay reads it', () => {
  const [compacted, ...more] = piCompactions(fileOf(...session), 'a')
  expect(more).toEqual([])
  expect(compacted?.name).toBe('a, compaction 1')
  expect(compacted?.summary).toBe('parseArgs was looked at')
  expect(compacted?.facts.map(({ fact: { type, text: said } }) => [type, said])).toEqual([
    ['user', 'Mend src/read-config.ts'],
    ['assistant', 'Now'],
    ['result', 'export function readConfig() { return parseArgs(argv) }'],
    ['user', 'I ran: ls\nREADME.md'],
  ])
  expect(compacted?.facts[1]?.fact).toMatchObject({ calls: [{ id: 'c1', name: 'bash' }] })
  expect(compacted?.facts[2]?.fact).toMatchObject({ callId: 'c1', tool: 'bash' })
})

it('finds what the agent needed: names of before, written before a tool or the person showed them', () => {
  expect(piCompactions(fileOf(...session), 'a')[0]?.needed).toEqual(['readConfig'])
})

it('ends what was needed with the next compaction, and knows none where there was none', () => {
  const twice = [...session, { type: 'compaction', summary: 'second' }, called('c3', { command: 'run parseArgs' })]
  expect(piCompactions(fileOf(...twice), 'a').map(({ needed }) => needed)).toEqual([['readConfig'], ['parseArgs']])
  expect(piCompactions(fileOf(...session.slice(0, 5)), 'a')).toEqual([])
})
