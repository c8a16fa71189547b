/** The verdict over a refusal, on what providers really answered and on what no case holds. */
import fc from 'fast-check'
import { runs } from '../../text/laws.fixture.ts'
import { describe, expect, it } from 'vitest'
import { classify, isOverflow, windowFromRefusal } from './overflow.ts'
import type { ProviderRefusal, Verdict } from './verdict.ts'
import { seenRefusals, refusalOf, numbersOf } from './overflow.fixture.ts'

describe('classify, on what providers really answered', () => {
  it.each(seenRefusals.map((one, index) => ({ index, one })))('case $index: $one.provider $one.kind', ({ one }) => {
    const verdict = classify(refusalOf(one))
    expect({ overflow: isOverflow(verdict.kind), kind: verdict.kind, ...numbersOf(verdict) }).toEqual({
      overflow: one.overflow,
      kind: one.kind,
      ...numbersOf(one),
    })
    if (one.kind === 'single_string_cap') expect(verdict.characters).toBe(one.characters)
    if (one.bytes !== undefined || one.images !== undefined)
      expect({ bytes: verdict.bytes, images: verdict.images }).toEqual({ bytes: one.bytes, images: one.images })
  })
})

describe('classify, on answers that no case holds', () => {
  it.each<[string, ProviderRefusal, Partial<Verdict>]>([
    [
      'n_keep of LM Studio',
      {
        status: 400,
        body: 'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 5000>= n_ctx: 4096).',
      },
      { kind: 'overflow_prompt', limit: 4096, actual: 5000 },
    ],
    [
      'Copilot',
      {
        status: 400,
        body: '{"error":{"message":"prompt token count of 130123 exceeds the limit of 128000","code":"model_max_prompt_tokens_exceeded"}}',
      },
      { kind: 'overflow_prompt', limit: 128_000, actual: 130_123 },
    ],
    [
      'shares of an old completion',
      {
        status: 400,
        body: "This model's maximum context length is 4097 tokens, however you requested 5000 tokens (4000 in your prompt; 1000 for the completion).",
      },
      { kind: 'overflow_total', limit: 4097, actual: 4000, maxOutput: 1000 },
    ],
    [
      'a body in tokens after all',
      {
        status: 413,
        body: '{"error":{"code":"tokens_limit_reached","message":"Request body too large for gpt-4o model. Max size: 8000 tokens."}}',
      },
      { kind: 'overflow_prompt', limit: 8000 },
    ],
    [
      'only supports up to',
      {
        status: 400,
        body: 'Unable to submit request because the input token count is 40000 but model only supports up to 32768.',
      },
      { kind: 'overflow_prompt', limit: 32_768, actual: 40_000 },
    ],
    [
      'the browser model',
      { thrown: { name: 'QuotaExceededError', message: 'The input is too large.', requested: 9000, quota: 6144 } },
      { kind: 'overflow_prompt', limit: 6144, actual: 9000, structured: true },
    ],
    [
      'a Chinese gateway',
      { status: 400, body: '{"error":{"message":"输入长度 150000 超过最大上下文长度 131072"}}' },
      { kind: 'overflow_prompt', limit: 131_072, actual: 150_000 },
    ],
    [
      'an HTML 413',
      { status: 413, body: '<html><head><title>413 Request Entity Too Large</title></head></html>' },
      { kind: 'payload_too_large' },
    ],
    [
      'nothing, at Cerebras',
      { provider: 'cerebras', status: 400, body: '400 status code (no body)' },
      { kind: 'overflow_prompt' },
    ],
    ['nothing, elsewhere', { provider: 'openai', status: 400, body: '400 status code (no body)' }, { kind: 'empty' }],
    [
      'a 500 that is specific',
      { status: 500, body: '{"error":{"message":"Context size has been exceeded."}}' },
      { kind: 'overflow_prompt' },
    ],
    [
      'a 500 that is vague, near the window',
      { status: 500, body: 'input is too long', estimate: 7000, window: 8192 },
      { kind: 'overflow_prompt' },
    ],
    [
      'a 500 that is vague',
      { status: 500, body: 'the input is too long', estimate: 700, window: 8192 },
      { kind: 'server_error' },
    ],
    [
      'an output cap of Gemini',
      {
        status: 400,
        body: 'Unable to submit request because it has a maxOutputTokens value of 339835 but the supported range is from 1 (inclusive) to 65537 (exclusive).',
      },
      { kind: 'output_cap', limit: 65_536, maxOutput: 339_835 },
    ],
    [
      'an output cap of DeepSeek',
      { status: 400, body: 'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]' },
      { kind: 'output_cap', limit: 8192 },
    ],
    [
      'one request over the throughput',
      { status: 429, body: 'Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 45000.' },
      { kind: 'tpm_single_request', limit: 30_000, actual: 45_000 },
    ],
    [
      'MiniMax, a pair',
      { provider: 'minimax', status: 400, body: "invalid params, tool result's tool id(call_1) not found (2013)" },
      { kind: 'tool_pair' },
    ],
    [
      'prose that names the error',
      { body: 'The prompt is too long error happens when the history grows; we should add a test.' },
      { kind: 'prose' },
    ],
    [
      'a log that a tool printed',
      { body: 'grep: logs/app.log:12: prompt is too long: 213462 tokens > 200000 maximum' },
      { kind: 'tool_text' },
    ],
    [
      'a quotation inside another error',
      {
        status: 400,
        body: '{"error":{"message":"Invalid value for name: \\"the prompt is too long for this model\\" is no identifier"}}',
      },
      { kind: 'bad_request' },
    ],
    [
      'an abort that quotes an overflow',
      { thrown: new DOMException('prompt is too long', 'AbortError') },
      { kind: 'cancelled' },
    ],
    [
      'a full disk',
      {
        thrown: new DOMException(
          'Encountered full disk while opening backing store for indexedDB.open.',
          'QuotaExceededError',
        ),
      },
      { kind: 'storage' },
    ],
  ])('%s', (_, refusal, expected) => {
    expect(classify(refusal)).toMatchObject(expected)
  })

  it('looks past the conversation that a library keeps in its error', () => {
    const thrown = Object.assign(new Error('Invalid JSON'), {
      statusCode: 400,
      requestBodyValues: { messages: [{ role: 'user', content: 'prompt is too long: 5 tokens > 4 maximum' }] },
    })
    expect(isOverflow(classify({ thrown }).kind)).toBe(false)
  })

  it('never throws, whatever comes', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (body, thrown) => {
        expect(classify({ body, thrown }).kind).toBeTypeOf('string')
      }),
      runs(300),
    )
  })
})

describe('learntWindow', () => {
  it('takes structured numbers always', () => {
    expect(
      windowFromRefusal(
        classify({
          status: 400,
          body: '{"error":{"message":"too long","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":8192}}',
        }),
        4096,
      ),
    ).toBe(8192)
  })
  it('takes words only when they name a smaller window and a prompt above it', () => {
    const verdict = classify({ status: 400, body: 'prompt is too long: 213462 tokens > 200000 maximum' })
    expect(windowFromRefusal(verdict, 1_000_000)).toBe(200_000)
    expect(windowFromRefusal(verdict, 200_000)).toBeUndefined()
    expect(
      windowFromRefusal(
        classify({ status: 400, body: "This endpoint's maximum context length is 65536 tokens." }),
        100_000,
      ),
    ).toBeUndefined()
  })
  it('never takes a lower bound for a size', () => {
    const verdict = classify({
      status: 400,
      body: "This model's maximum context length is 40960 tokens. However, you requested 10 output tokens and your prompt contains at least 40961 input tokens.",
    })
    expect(verdict).toMatchObject({ kind: 'overflow_prompt', atLeast: true })
    expect(windowFromRefusal(verdict, 100_000)).toBeUndefined()
  })
  it('learns nothing from limits of answers or of throughput', () => {
    expect(
      windowFromRefusal(
        classify({
          status: 400,
          body: 'max_tokens: 128000 > 64000, which is the maximum allowed number of output tokens',
        }),
        200_000,
      ),
    ).toBeUndefined()
  })
})
