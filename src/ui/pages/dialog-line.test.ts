import { expect, it } from 'vitest'
import { parseDialogLine } from './dialog-line.ts'

it('reads a message of the archive', () => {
  expect(
    parseDialogLine(
      '{"type":"message","id":"a","timestamp":5,"message":{"role":"tool","content":"hello","name":"read_file"}}',
    ),
  ).toEqual({ id: 'a', role: 'tool', name: 'read_file', text: 'hello', at: 5, calls: [] })
  expect(
    parseDialogLine(
      '{"type":"message","id":"a","message":{"role":"assistant","content":"","toolCalls":[{"id":"1","function":{"name":"f","arguments":"{}"}},7]}}',
    )?.calls,
  ).toEqual(['f {}'])
})

it('leaves everything else to be shown as it is', () => {
  for (const line of ['', 'no json', '{"type":"message"', '[]', 'null', '{"message":{"role":7}}', '{"message":[]}'])
    expect(parseDialogLine(line)).toBeUndefined()
})
