/** What the fake server plays: the table stands in `fake-server.ts`. */
import { callScenarios } from './call-scenarios.ts'
import {
  pieces,
  question,
  refuse,
  said,
  sample,
  tell,
  usageOf,
  type Play,
  type Scenario,
  type Scene,
  type SceneMessage,
} from './fake-scene.ts'
import { thinkers } from './fake-thinkers.ts'
import { chunk, end, finish, pause, stream } from './fake-wire.ts'
import { overflowBodies } from './overflow-bodies.ts'
import { refusalScenarios } from './refusal-scenarios.ts'

const scenarios: Record<string, Scenario> = {
  chat(scene) {
    if (/Critical Context/.test(JSON.stringify(scene.messages))) return tell(scene, summary)
    if (scene.last?.role === 'tool') return tell(scene, `The tool said: ${String(scene.last.content).slice(0, 200)}`)
    return tell(scene, `You said: ${question(scene)}`)
  },
  say: scene => tell(scene, scene.argument),
  long: scene =>
    tell(
      scene,
      Array.from({ length: Number(scene.argument) || 500 }, (_, i) => `word${i} `),
    ),
  slow: scene =>
    tell(
      scene,
      Array.from({ length: Number(scene.argument) || 60 }, (_, i) => `slow${i} `),
      { delayMs: 100 },
    ),
  waits: scene =>
    tell(
      scene,
      Array.from({ length: 60 }, (_, i) => `slow${i} `),
      { delayMs: 50, until: { at: 30, told: () => scene.play.told() } },
    ),
  fast: scene =>
    tell(
      scene,
      Array.from({ length: Number(scene.argument) || 1_000 }, (_, i) => `fast${i} `),
      { delayMs: 5 },
    ),
  rush: scene => tell(scene, richPieces(Number(scene.argument) || 4_000), { perSecond: 500 }),
  async stamped({ play: { response } }) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(chunk({ role: 'assistant', content: '' }))
    await pause(300)
    response.write(chunk({ content: `sent${Date.now()} ` }))
    await pause(300)
    response.end([chunk({ content: 'and done.' }), finish('stop'), end].join(''))
  },
  async buffered(scene) {
    await pause(1_000)
    return tell(scene, sample)
  },
  /** As a proxy does that waits for the end: one piece on the wire, after 1.6 s. */
  async held(scene) {
    await pause(1_600)
    lumped(scene)
  },
  lump: scene => {
    lumped(scene)
  },
  hang({ play }) {
    play.response.writeHead(200, { 'content-type': 'text/event-stream' })
    play.response.flushHeaders()
  },

  crlf: scene => tell(scene, sample, { eol: '\r\n' }),
  cr: scene => tell(scene, sample, { eol: '\r' }),
  split: scene => tell(scene, sample, { pieceBytes: 7 }),
  'no-done': scene => tell(scene, sample, { done: false }),
  'open-end': scene => tell(scene, sample, { done: false, openEnd: true }),
  comments: scene => tell(scene, sample, { comments: true }),
  'no-blank-lines': scene => tell(scene, sample, { blankLines: false }),
  json({ play }) {
    play.response.writeHead(200, { 'content-type': 'application/json' })
    play.response.end(
      JSON.stringify(
        {
          id: 'x',
          object: 'chat.completion',
          choices: [{ index: 0, message: { role: 'assistant', content: sample }, finish_reason: 'stop' }],
          usage: { prompt_tokens: 40, completion_tokens: 12, total_tokens: 52 },
        },
        null,
        2,
      ),
    )
  },
  'json-lines'({ play }) {
    play.response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    for (const piece of pieces(sample))
      play.response.write(
        `${JSON.stringify({ model: 'x', message: { role: 'assistant', content: piece }, done: false })}\n`,
      )
    play.response.end(
      `${JSON.stringify({ model: 'x', message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop', prompt_eval_count: 40, eval_count: 12 })}\n`,
    )
  },

  reasoning: scene => thinking(scene, piece => ({ reasoning_content: piece })),
  'reasoning-field': scene => thinking(scene, piece => ({ reasoning: piece })),
  'reasoning-text': scene => thinking(scene, piece => ({ reasoning_text: piece })),
  'reasoning-twice': scene => thinking(scene, piece => ({ reasoning: piece, reasoning_content: piece })),
  think: scene => tell(scene, ['<th', 'ink>\nI thi', 'nk.\n</thi', 'nk>\n\nThe ', 'answer.']),
  'think-open': scene => tell(scene, ['<think>', 'I think ', 'and think'], { finish: 'length' }),
  'think-template': scene => tell(scene, ['I think.', '\n</think>\n\n', 'The answer.']),

  ...callScenarios,

  'usage-in-choice': scene =>
    stream(scene.play.response, [
      chunk({ content: sample }),
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage: { prompt_tokens: 40, completion_tokens: 12 } }] })}\n\n`,
      end,
    ]),
  'usage-cached': scene =>
    stream(scene.play.response, [
      chunk({ content: sample }),
      finish('stop'),
      usageOf(scene, { prompt_tokens: 100, prompt_tokens_details: { cached_tokens: 60 } }),
      end,
    ]),
  'no-usage': scene => stream(scene.play.response, [chunk({ content: sample }), finish('stop'), end]),
  ...refusalScenarios,

  ...Object.fromEntries(
    Object.entries(thinkers).map(([name, thinker]) => [
      name,
      (scene: Scene) => thinker(scene.play.body, scene.play.response),
    ]),
  ),

  /**
   * Ends in the middle of its code, as the question says; asked to go on it writes that once more in a fence of its
   * own, as models do.
   */
  async half(scene) {
    if (question(scene).startsWith('Your answer above was cut off'))
      return tell(scene, '```ts\nconst flour = 500\nconst milk = 250\n```\n\n1. Mix\n2. Bake')
    const begun = 'Take this:\n\n```ts\nconst flour = 500\nconst mi'
    if (question(scene).includes('limit')) return tell(scene, begun, { finish: 'length' })
    const { response } = scene.play
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const piece of pieces(begun)) response.write(chunk({ content: piece }))
    if (question(scene).includes('wait')) await scene.play.told()
    else await pause(50)
    response.destroy()
  },
  /** Thinks until its limit, as long as that is small and nobody wants the answer now. */
  ponders(scene) {
    if (Number(scene.play.body['max_tokens']) > 10_000 || /Answer now/.test(question(scene)))
      return tell(scene, 'It is 19.')
    return stream(scene.play.response, [
      ...pieces('It may be 17. Or 19?').map(piece => chunk({ reasoning_content: piece })),
      finish('length'),
      usageOf(scene),
      end,
    ])
  },
  length: scene => tell(scene, 'Cut off at the', { finish: 'length' }),
  filtered: scene => tell(scene, 'I may not', { finish: 'content_filter' }),
  empty: scene => tell(scene, []),
  truncated: scene =>
    stream(scene.play.response, [
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: sample }, finish_reason: null }], ...(scene.argument === 'beside' ? { truncated: true } : { __verbose: { truncated: true, tokens_evaluated: 40 } }) })}\n\n`,
      finish('stop'),
      usageOf(scene),
      end,
    ]),
  'soft-overflow': scene => tell(scene, [], { finish: 'model_context_window_exceeded' }),
  'error-in-stream': scene =>
    stream(scene.play.response, [
      chunk({ content: 'It begins ' }),
      `data: ${JSON.stringify({ error: { message: 'The engine died.', type: 'server_error', code: 500 } })}\n\n`,
    ]),
  'error-text': scene =>
    stream(scene.play.response, [chunk({ content: 'It begins ' }), 'data: {"error":"The engine died."}\n\n']),
  'error-event': scene =>
    stream(scene.play.response, [
      'event: error\ndata: Context window is full: the request has 9000 tokens and exceeds the context window of 8192 tokens\n\n',
    ]),
  async 'broken-off'({ argument, play: { response, told } }) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(chunk({ content: 'It begins ' }))
    response.write(chunk({ content: 'and' }))
    await (argument === 'later' ? told() : pause(50))
    response.destroy()
  },
  garbage: scene =>
    stream(scene.play.response, [chunk({ content: 'It begins ' }), 'data: {"choices": [{"del\n\n', end]),

  overflow(scene) {
    const found =
      overflowBodies.find(({ provider }) => provider === scene.argument) ??
      overflowBodies.find(({ provider }) => provider === 'llama.cpp')
    if (!found) throw new Error('no such overflow')
    if (found.status !== 200) return refuse(scene, found.status, found.body)
    return stream(scene.play.response, [found.body])
  },
  'output-cap': scene =>
    refuse(
      scene,
      400,
      said(
        'max_tokens is too large: 200000. This model supports at most 16384 completion tokens, whereas you provided 200000.',
        { param: 'max_tokens', code: 'invalid_value' },
      ),
    ),
  html: scene =>
    refuse(
      scene,
      200,
      '<!doctype html><html><head><title>Corporate proxy</title></head><body>Please sign in.</body></html>',
    ),
  'html-502': scene =>
    refuse(
      scene,
      502,
      '<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center><hr><center>nginx</center></body></html>',
    ),
  plain: scene => refuse(scene, 200, 'upstream is warming up'),
  redirect: scene => refuse(scene, 307, '', { location: 'https://elsewhere.example/v1/chat/completions' }),
  unauthorised: scene => refuse(scene, 401, said('Incorrect API key provided.', { code: 'invalid_api_key' })),
  credit: scene => refuse(scene, 402, said('Insufficient credits.', { code: 402 })),
  missing: scene => refuse(scene, 404, said('The model `nothing` does not exist', { code: 'model_not_found' })),
  'rate-limited': scene =>
    refuse(scene, 429, said('Rate limit reached for requests.', { code: 'rate_limit_exceeded' }), {
      'retry-after': '2',
      'access-control-expose-headers': 'retry-after',
    }),
  down: scene => refuse(scene, 503, said('The server is overloaded.', { type: 'server_error' })),
  'down-once': scene =>
    scene.play.times('down-once') === 1
      ? refuse(scene, 503, said('Loading model', { type: 'server_error' }))
      : tell(scene, sample),
}

/** All scenarios, as the list of models names them. */
export const names: readonly string[] = Object.keys(scenarios)

/** Plays the scenario that the request asks for. */
export async function play(playing: Play): Promise<void> {
  const messages = (playing.body['messages'] ?? []) as SceneMessage[]
  const scene: Scene = { argument: '', messages, last: messages.at(-1), play: playing }
  const [, named = '', argument = ''] = /\[\[([\w-]+)(?:\s+([^]*?))?\]\]/.exec(question(scene)) ?? []
  const scenario = scenarios[named] ?? scenarios[String(playing.body['model'])] ?? scenarios['chat']
  await scenario?.({ ...scene, argument })
}

function thinking(scene: Scene, field: (piece: string) => Record<string, unknown>): Promise<void> {
  return stream(scene.play.response, [
    ...pieces('I think about it.').map(piece => chunk(field(piece))),
    ...pieces('The answer.').map(piece => chunk({ content: piece })),
    finish('stop'),
    usageOf(scene),
    end,
  ])
}

/** So many tokens of an answer with everything in it: headings, lists, a table, code, and long paragraphs. */
function richPieces(count: number): string[] {
  const prose = (part: number, words: number) =>
    Array.from({ length: words }, (_, i) => `word${part * 1_000 + i}`).join(' ')
  const part = (n: number) =>
    `## Part ${n}\n\n${prose(n, 120)}\n\n- **first** ${prose(n, 12)}\n- second \`code\` ${prose(n, 12)}\n\n\`\`\`ts\n` +
    Array.from({ length: 30 }, (_, i) => `const value${i} = await read('part ${n}', ${i}) // line ${i}\n`).join('') +
    '```\n\n' +
    `| name | value |\n|---|---|\n${Array.from({ length: 8 }, (_, i) => `| row ${i} | ${n * i} |\n`).join('')}\n`
  const found: string[] = []
  for (let n = 1; found.length < count; n++) found.push(...pieces(part(n)))
  return found.slice(0, count)
}

function lumped({ play }: Scene): void {
  play.response.writeHead(200, { 'content-type': 'text/event-stream' })
  play.response.end(
    [...Array.from({ length: 120 }, (_, i) => chunk({ content: `held${i} ` })), finish('stop'), end].join(''),
  )
}

const summary = `## Goal
Talk about what the user asked.

## Constraints & Preferences
- (none)

## Progress
### Done
- The earlier messages were answered.
### In Progress
- (none)
### Blocked
- (none)

## Key Decisions
- **Summary**: written by the fake server.

## Next Steps
1. Go on.

## Critical Context
- (none)`
