/** Tool calls as servers tell them: named late, without ids, twice, mixed. */
import { describe, expect, it } from 'vitest'
import { type StreamEvent, events, choice, done } from './normalize-sse.fixture.ts'

describe('tool calls', () => {
  const callsIn = (list: readonly StreamEvent[]): unknown[] => {
    const calls: { id?: unknown; name?: unknown; arguments: string }[] = []
    for (const event of list) {
      for (const delta of (event.choices?.[0]?.delta['tool_calls'] ?? []) as {
        index: number
        id?: string
        function: { name?: string; arguments: string }
      }[]) {
        const call = (calls[delta.index] ??= { arguments: '' })
        if (delta.id) call.id = delta.id
        if (delta.function.name) call.name = delta.function.name
        call.arguments += delta.function.arguments
      }
    }
    return calls
  }
  const told = async (...deltas: unknown[]): Promise<unknown[]> =>
    callsIn(
      await events(deltas.map(delta => choice({ tool_calls: [delta] })).join('') + choice({}, 'tool_calls') + done),
    )

  it('whose name comes late, or never', async () => {
    expect(
      await told(
        { index: 0, id: 'a', function: { arguments: '{"x"' } },
        { index: 0, function: { name: 'f', arguments: ':1}' } },
      ),
    ).toEqual([{ id: 'a', name: 'f', arguments: '{"x":1}' }])
    expect(await told({ index: 0, id: 'a', function: { arguments: '{}' } })).toEqual([
      { id: 'a', name: 'unnamed_tool', arguments: '{}' },
    ])
  })
  it('that come whole without index and id', async () => {
    expect(
      await told(
        { function: { name: 'f', arguments: '{"x":1}' } },
        { function: { name: 'f', arguments: '{"x":2}' } },
        { function: { name: 'g', arguments: {} } },
      ),
    ).toEqual([
      { id: 'id1', name: 'f', arguments: '{"x":1}' },
      { id: 'id2', name: 'f', arguments: '{"x":2}' },
      { id: 'id3', name: 'g', arguments: '{}' },
    ])
  })
  it('with one id for two, and one call told twice', async () => {
    expect(
      await told(
        { index: 0, id: 'a', function: { name: 'f', arguments: '{}' } },
        { index: 1, id: 'a', function: { name: 'g', arguments: '{}' } },
      ),
    ).toEqual([
      { id: 'a', name: 'f', arguments: '{}' },
      { id: 'id1', name: 'g', arguments: '{}' },
    ])
    expect(
      await told(
        { index: 0, id: 'a', function: { name: 'f', arguments: '{"x":1}' } },
        { index: 0, id: 'a', function: { name: 'f', arguments: '{"x":1}' } },
      ),
    ).toEqual([{ id: 'a', name: 'f', arguments: '{"x":1}' }])
  })
  it('whose name is repeated with each piece', async () => {
    const piece = (text: string): unknown => ({ index: 0, id: 'a', function: { name: 'f', arguments: text } })
    expect(await told(piece(''), piece('{"x"'), piece(':'), piece('1}'))).toEqual([
      { id: 'a', name: 'f', arguments: '{"x":1}' },
    ])
  })
  it('in pieces that come mixed', async () => {
    expect(
      await told(
        { index: 1, id: 'b', function: { name: 'g', arguments: '{' } },
        { index: 0, id: 'a', function: { name: 'f', arguments: '[' } },
        { index: 1, function: { arguments: '}' } },
        { index: 0, function: { arguments: ']' } },
      ),
    ).toEqual([
      { id: 'b', name: 'g', arguments: '{}' },
      { id: 'a', name: 'f', arguments: '[]' },
    ])
  })
})
