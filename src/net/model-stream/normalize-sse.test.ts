/** A stream of a server, in any of its shapes, becomes the plain one. */
import { describe, expect, it } from 'vitest'
import { brokenOffError, normalizeSse, notAStreamError, sseNormalizer } from './normalize-sse.ts'
import { eventsOf, events, textIn, data, choice, done } from './normalize-sse.fixture.ts'

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
