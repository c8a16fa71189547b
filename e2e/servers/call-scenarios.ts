/** Tool calls, in the shapes that servers stream them. */
import { refusalScenarios } from './refusal-scenarios.ts'
import { tell, usageOf, type Scenario, type Scene } from './fake-scene.ts'
import { chunk, end, finish, stream } from './fake-wire.ts'

export const callScenarios: Record<string, Scenario> = {
  call(scene) {
    const [, name = 'read_file', args = path] = /^(\S+)\s*(\{[^]*\})?$/.exec(scene.argument) ?? []
    const half = Math.floor(args.length / 2)
    return calling(scene, [
      first({ function: { name, arguments: '' } }),
      rest(args.slice(0, half)),
      rest(args.slice(half)),
    ])
  },
  calls: scene =>
    calling(scene, [
      first(),
      { index: 1, id: 'call_a2', type: 'function', function: { name: 'get_time', arguments: '' } },
      rest('{"pa'),
      rest('{}', { index: 1 }),
      rest('th":"MEMORY.md"}'),
    ]),
  /** As OpenRouter tells the reasoning of others: in pieces, and sealed. */
  'call-details': scene =>
    calling(scene, [], {
      pieces: [
        { reasoning: 'I ', reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'I ', format: 'x' }] },
        { reasoning: 'look.', reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'look.' }] },
        {
          reasoning_details: [
            { type: 'reasoning.text', index: 0, signature: 'c2ln' },
            { type: 'reasoning.encrypted', index: 1, data: 'b3BhcXVl' },
          ],
        },
        { tool_calls: [first({ function: { name: 'read_file', arguments: path } })] },
      ],
    }),
  'call-signed': scene =>
    calling(scene, [
      first({
        function: { name: 'read_file', arguments: path },
        extra_content: { google: { thought_signature: 'c2lnbmVk' } },
      }),
    ]),
  'call-thoughtless': scene =>
    scene.messages.some(message => message.role === 'assistant')
      ? refusalScenarios['refuse-thoughtless']?.(scene)
      : callScenarios['call-thought']?.(scene),
  'call-thought': scene =>
    calling(scene, [], {
      pieces: [
        { reasoning_content: 'I look.' },
        { tool_calls: [first({ function: { name: 'read_file', arguments: path } })] },
      ],
    }),

  'call-no-index': scene =>
    calling(scene, [
      { id: 'call_a1', type: 'function', function: { name: 'read_file', arguments: '{"path"' } },
      rest(':"MEMORY.md"}', {}),
    ]),
  'call-ids-repeat': scene =>
    calling(scene, [
      first(),
      rest('{"path":', { index: 0, id: 'call_a1' }),
      rest('"MEMORY.md"}', { index: 0, id: 'call_a1' }),
    ]),
  'call-ids-change': scene =>
    calling(scene, [
      first(),
      rest('{"path":', { index: 0, id: 'call_b2' }),
      rest('"MEMORY.md"}', { index: 0, id: 'call_c3' }),
    ]),
  'call-index-zero': scene =>
    calling(scene, [
      first({ function: { name: 'read_file', arguments: path } }),
      { index: 0, id: 'call_a2', type: 'function', function: { name: 'get_time', arguments: '{}' } },
    ]),
  'call-whole': scene => calling(scene, [first({ function: { name: 'read_file', arguments: path } })]),
  'call-object': scene =>
    calling(scene, [first({ function: { name: 'read_file', arguments: { path: 'MEMORY.md' } } })]),
  'call-empty': scene => calling(scene, [first({ function: { name: 'get_time' } })]),
  'call-legacy': scene =>
    calling(scene, [], { whole: { function_call: { name: 'read_file', arguments: path } }, finish: 'function_call' }),
  'call-stop': scene =>
    calling(scene, [first({ function: { name: 'read_file', arguments: path } })], { finish: 'stop' }),
}

/** One call to `name`, told by pieces of tool-call deltas; after the result an answer that quotes it. */
function calling(
  scene: Scene,
  deltas: readonly Record<string, unknown>[],
  options: { finish?: string; whole?: Record<string, unknown>; pieces?: readonly Record<string, unknown>[] } = {},
): Promise<void> {
  if (scene.last?.role === 'tool') return tell(scene, `The tool said: ${String(scene.last.content).slice(0, 200)}`)
  const told = options.pieces
    ? options.pieces.map(piece => chunk(piece))
    : options.whole
      ? [chunk(options.whole)]
      : deltas.map(delta => chunk({ tool_calls: [delta] }))
  return stream(scene.play.response, [
    chunk({ role: 'assistant', content: null }),
    chunk({ content: 'I look. ' }),
    ...told,
    finish(options.finish ?? 'tool_calls'),
    usageOf(scene),
    end,
  ])
}

const path = '{"path":"MEMORY.md"}'
const first = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  index: 0,
  id: 'call_a1',
  type: 'function',
  function: { name: 'read_file', arguments: '' },
  ...more,
})
const rest = (text: string, more: Record<string, unknown> = { index: 0 }): Record<string, unknown> => ({
  ...more,
  function: { arguments: text },
})
