import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { brokenOffError, normalizeSse, notAStreamError, sseNormalizer } from './normalize-sse.ts'

type Event = {
  choices?: { delta: Record<string, unknown>; finish_reason: string | null }[]
  usage?: Record<string, unknown>
  error?: Record<string, unknown>
}

/** Runs bytes through the stream, in pieces. Ids are counted, so that runs can be compared. */
async function mended(pieces: readonly Uint8Array[]): Promise<string> {
  let ids = 0
  const source = new ReadableStream<Uint8Array>({
    start(controller) {
      pieces.forEach(piece => controller.enqueue(piece))
      controller.close()
    },
  })
  return new Response(source.pipeThrough(normalizeSse({ newId: () => `id${++ids}` }))).text()
}
const whole = (text: string): Promise<string> => mended([new TextEncoder().encode(text)])
const eventsOf = (text: string): Event[] => {
  const events = text.split('\n\n').filter(event => event !== '')
  expect(events.at(-1)).toBe('data: [DONE]')
  expect(events.every(event => event.startsWith('data: ') && !event.includes('\n'))).toBe(true)
  return events.slice(0, -1).map(event => JSON.parse(event.slice(6)) as Event)
}
const events = async (text: string): Promise<Event[]> => eventsOf(await whole(text))
const textIn = (list: readonly Event[]): string =>
  list.map(event => event.choices?.[0]?.delta['content'] ?? '').join('')
const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
const choice = (delta: unknown, finish_reason: unknown = null): string =>
  data({ choices: [{ index: 0, delta, finish_reason }] })
const done = 'data: [DONE]\n\n'

describe('the shape of a stream', () => {
  it('leaves a plain one as it is', async () => {
    expect(await events(choice({ content: 'Hi' }) + choice({}, 'stop') + done)).toEqual([
      { choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: null }] },
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    ])
  })
  it('adds the end that is missing', async () => {
    expect((await events(choice({ content: 'Hi' }) + done)).at(-1)).toEqual({
      choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
    })
    expect(await events(choice({ content: 'Hi' }, 'stop').trimEnd())).toHaveLength(1)
  })
  it('takes an orderly end behind the count of tokens for the end', async () => {
    const usage = { prompt_tokens: 900, completion_tokens: 5 }
    const list = await events(choice({ content: 'Hello.' }) + data({ choices: [], usage }))
    expect(list.at(-1)).toEqual({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
    expect(list.find(event => event.usage)?.usage).toEqual(usage)
    const call = { index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }
    expect(
      (await events(choice({ tool_calls: [call] }) + data({ choices: [], usage }))).at(-1)?.choices?.[0]?.finish_reason,
    ).toBe('stop')
    // A count that stands beside pieces, as some send it with each, is no end; nor is one before anything came.
    expect(
      (await events(choice({ content: 'He' }) + data({ choices: [], usage }) + choice({ content: 'llo' }))).at(-1)
        ?.error,
    ).toMatchObject({ type: brokenOffError })
    expect(
      (await events(data({ choices: [{ index: 0, delta: { content: 'Hi' } }], usage }))).at(-1)?.error,
    ).toMatchObject({ type: brokenOffError })
    expect((await events(data({ choices: [], usage }))).at(-1)?.error).toMatchObject({ type: brokenOffError })
  })
  it('keeps what an answer leans on, once, under it', async () => {
    const perplexity = {
      citations: ['https://a.example/x', 'https://b.example/'],
      search_results: [{ title: 'About [A]', url: 'https://a.example/x', date: '2026-01-01' }],
    }
    const told = await events(
      data({ choices: [{ index: 0, delta: { content: 'See [1].' } }], ...perplexity }) +
        data({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], ...perplexity }) +
        done,
    )
    expect(textIn(told)).toBe('See [1].\n\n[1] [About A](<https://a.example/x>)  \n[2] <https://b.example/>')
    const openRouter = {
      annotations: [
        {
          type: 'url_citation',
          url_citation: { url: 'https://a.example/x', title: 'A', content: '…', start_index: 0, end_index: 3 },
        },
      ],
    }
    expect(
      textIn(await events(choice({ content: 'So it is.' }) + choice(openRouter) + choice({}, 'stop') + done)),
    ).toBe('So it is.\n\n[1] [A](<https://a.example/x>)')
    expect(
      textIn(
        await events(
          choice({ content: 'So [it](https://a.example/x) is.' }) + choice(openRouter) + choice({}, 'stop') + done,
        ),
      ),
    ).toBe('So [it](https://a.example/x) is.')
    expect(
      textIn(
        await events(
          choice({ content: 'So.' }, 'stop') +
            data({ choices: [], citations: ['https://x.ai/'], usage: { prompt_tokens: 1 } }),
        ),
      ),
    ).toBe('So.\n\n[1] <https://x.ai/>')
    const anthropic = [
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'So.' } },
      {
        type: 'content_block_delta',
        index: 0,
        delta: {
          type: 'citations_delta',
          citation: { type: 'web_search_result_location', url: 'https://a.example/x', title: 'A', cited_text: '…' },
        },
      },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    ]
    expect(textIn(await events(anthropic.map(data).join('')))).toBe('So.\n\n[1] [A](<https://a.example/x>)')
    const hostile = [
      'javascript:alert(1)',
      'https://a.example/>[x](https://b.example/',
      'https://a.example/ )[x](javascript:alert(1))',
      7,
      null,
      { url: {} },
    ]
    expect(
      textIn(await events(choice({ content: 'So.' }, 'stop') + data({ choices: [], citations: hostile }) + done)),
    ).toBe('So.')
  })
  it('says when a stream broke off', async () => {
    expect((await events(choice({ content: 'Hi' }))).at(-1)?.error).toMatchObject({ type: brokenOffError })
    expect((await events('')).at(-1)?.error).toMatchObject({ type: brokenOffError })
  })
  it.each([
    ['<!doctype html><title>Sign in</title>', /Sign in/],
    ['  \n<html>', /web page/],
    ['upstream is warming up', /warming up/],
    ['data: {"choices"\n\n', /no JSON/],
    ['data: \u0000\n\n', /no JSON/],
  ])('says when it is none: %j', async (text, words) => {
    const error = (await events(text)).at(-1)?.error
    expect(error).toMatchObject({ type: notAStreamError })
    expect(error?.['message']).toMatch(words)
  })
  it('takes one JSON object and JSON lines', async () => {
    const body = {
      choices: [
        {
          message: {
            role: 'assistant',
            content: 'Hi',
            tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{}' } }],
          },
        },
      ],
      usage: { prompt_tokens: 3, completion_tokens: 1 },
    }
    for (const text of [JSON.stringify(body), JSON.stringify(body, null, 2)]) {
      const list = await events(text)
      expect(textIn(list)).toBe('Hi')
      expect(list[0]?.usage).toEqual({ prompt_tokens: 3, completion_tokens: 1 })
      expect(list.at(-1)?.choices?.[0]?.finish_reason).toBe('stop')
    }
    expect(
      textIn(await events('{"message":{"content":"H"},"done":false}\n{"message":{"content":"i"},"done":true}\n')),
    ).toBe('Hi')
  })
  it('ends at [DONE], though the server says more', async () => {
    expect(textIn(await events(choice({ content: 'a' }, 'stop') + done + choice({ content: 'b' })))).toBe('a')
  })
  it('does not wait for a server that keeps the connection open after [DONE]', async () => {
    const source = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(choice({ content: 'a' }, 'stop') + done))
      },
    })
    expect(textIn(eventsOf(await new Response(source.pipeThrough(normalizeSse())).text()))).toBe('a')
  })
  it('does not hold an endless line', () => {
    const mender = sseNormalizer()
    const line = 'x'.repeat(1_000_000)
    const out: string[] = mender.push('data: "')
    for (let i = 0; i < 20 && !mender.ended; i++) out.push(...mender.push(line))
    expect(mender.ended).toBe(true)
    expect(out.join('')).toContain('too long')
  })
})

describe('a chunk', () => {
  it.each(['reasoning_content', 'reasoning', 'reasoning_text', 'thinking'])(
    'has its reasoning under one name: %s',
    async name => {
      expect((await events(choice({ [name]: 'hm', content: '' }) + done))[0]?.choices?.[0]?.delta).toEqual({
        reasoning_content: 'hm',
      })
    },
  )
  it('has the reasoning once where two fields carry it', async () => {
    expect(
      (await events(choice({ reasoning: 'hm', reasoning_content: 'hm', reasoning_text: '' }) + done))[0]?.choices?.[0]
        ?.delta,
    ).toEqual({ reasoning_content: 'hm' })
  })
  it.each([
    [{ choices: [], usage: { prompt_tokens: 9, completion_tokens: 1 } }],
    [{ choices: [{ delta: {}, usage: { prompt_tokens: 9, completion_tokens: 1 } }] }],
    [{ usage: { prompt_tokens: 9, completion_tokens: 1, prompt_tokens_details: null } }],
    [{ choices: [], x_groq: { usage: { prompt_tokens: 9, completion_tokens: 1 } } }],
  ])('finds usage: %j', async value => {
    const list = await events(choice({ content: 'a' }, 'stop') + data(value) + done)
    expect(list.find(event => event.usage)?.usage).toEqual({ prompt_tokens: 9, completion_tokens: 1 })
  })
  it('drops usage that is no count', async () => {
    for (const prompt_tokens of [-1, 1.5, '12', null, 1e300]) {
      expect(
        (await events(choice({ content: 'a' }, 'stop') + data({ choices: [], usage: { prompt_tokens } }) + done)).some(
          event => event.usage,
        ),
      ).toBe(false)
    }
  })
  it('passes over pings and fields of any type', async () => {
    const odd = [null, 1, 'x', [], {}, [[]], { a: 1 }, true]
    for (const value of odd) {
      const list = await events(
        choice({
          content: 'a',
          role: value,
          tool_calls: value,
          function_call: value,
          reasoning: value === 'x' ? '' : value,
          refusal: value === 'x' ? '' : value,
        }) +
          data({ id: value, choices: [{ delta: value, finish_reason: '' }] }) +
          choice({}, 'stop') +
          data(value === 'x' ? {} : value) +
          done,
      )
      expect(textIn(list)).toBe('a')
      expect(list.some(event => event.error)).toBe(false)
    }
  })
  it('reads content in parts', async () => {
    const list = await events(
      choice({
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
          { type: 'text', text: 'a' },
        ],
      }) + done,
    )
    expect(list[0]?.choices?.[0]?.delta).toEqual({ content: 'a', reasoning_content: 'hm' })
  })
  it.each([
    ['data: {"error":"boom"}\n\n'],
    ['event: error\ndata: boom\n\n'],
    ['event: error\ndata: {"message":"boom"}\n\n'],
    ['data: {"error":{"message":"boom","code":500}}\n\n'],
    ['data: {"object":"error","message":"boom"}\n\n'],
    ['data: {"type":"error","error":{"message":"boom"}}\n\n'],
    ['data: {"detail":"boom"}\n\n'],
    ['{"error":{"message":"boom"}}'],
    ['{"error":"boom"}'],
  ])('is an error in any form: %j', async text => {
    const list = await events(text)
    expect(list).toHaveLength(1)
    expect(list[0]?.error?.['message']).toBe('boom')
  })
  it('is no error where the field is empty', async () => {
    expect(
      textIn(await events(data({ error: null, choices: [{ delta: { content: 'a' }, finish_reason: 'stop' }] }) + done)),
    ).toBe('a')
  })
})

describe('tool calls', () => {
  const callsIn = (list: readonly Event[]): unknown[] => {
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

describe('whatever comes, in whatever pieces', () => {
  const runs = Number(process.env['HAVERSACK_RUNS'] ?? 150)
  const piece = fc.constantFrom(
    choice({ content: '敏捷的🦊 é' }),
    choice({ reasoning: '思' }),
    choice({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{"x":"…"' } }] }),
    choice({ tool_calls: [{ index: 0, function: { arguments: '}' } }] }),
    choice({}, 'stop'),
    data({ choices: [], usage: { prompt_tokens: 3 } }),
    ': ping\n\n',
    done,
    'data: {"choices":[{"delta":{"content":"crlf"}}]}\r\n\r\n',
    'data: {"choices":[{"delta":{"content":"cr"}}]}\r\r',
    'event: error\n',
    'data: boom\n\n',
    'retry: 1\n',
    'stray\n',
    '{"done":true}\n',
    '\r',
    '\n',
    '\uFEFF',
    '\u0000',
    '<',
    '[',
  )
  const cut = (bytes: Uint8Array, at: readonly number[]): Uint8Array[] => {
    const places = [0, ...at.map(share => Math.floor(share * bytes.length)).sort((a, b) => a - b), bytes.length]
    return places.slice(1).map((to, i) => bytes.subarray(places[i], to))
  }
  const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 })

  it('the same bytes give the same events', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), shares, async (texts, at) => {
        const bytes = new TextEncoder().encode(texts.join(''))
        expect(await mended(cut(bytes, at))).toBe(await mended([bytes]))
      }),
      { numRuns: runs },
    )
  })

  it('byte by byte too', async () => {
    const bytes = new TextEncoder().encode(
      choice({ content: '敏捷的🦊' }) +
        'data: {"choices":[{"delta":{"content":"x"}}]}\r\n\r\n' +
        choice({}, 'stop') +
        done,
    )
    expect(await mended(Array.from(bytes, (_, i) => bytes.subarray(i, i + 1)))).toBe(await mended([bytes]))
  })

  it('any bytes end with [DONE] and nothing but legal events', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            piece.map(text => new TextEncoder().encode(text)),
            fc.uint8Array({ maxLength: 40 }),
          ),
          { maxLength: 12 },
        ),
        async pieces => {
          for (const event of eventsOf(await mended(pieces)))
            expect(Boolean(event.error) !== Array.isArray(event.choices)).toBe(true)
        },
      ),
      { numRuns: runs },
    )
  })

  it('any JSON in a chunk is survived', async () => {
    const key = fc.constantFrom(
      'choices',
      'delta',
      'content',
      'tool_calls',
      'function',
      'arguments',
      'name',
      'index',
      'id',
      'usage',
      'error',
      'message',
      'reasoning',
      'finish_reason',
      '__proto__',
      'prompt_tokens',
    )
    const value = fc.letrec(tie => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom(null, true, 0, -1, '', 'x'),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 4 }),
      ),
    })).value
    await fc.assert(
      fc.asyncProperty(fc.array(value, { maxLength: 4 }), async values => {
        eventsOf(await whole(values.map(data).join('') + done))
      }),
      { numRuns: runs },
    )
  })
})
