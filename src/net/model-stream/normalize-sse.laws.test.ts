/** Whatever comes, in whatever pieces: legal events with an end. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../core/text/laws.fixture.ts'
import { mended, whole, eventsOf, data, choice, done } from './normalize-sse.fixture.ts'

describe('whatever comes, in whatever pieces', () => {
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
      runs(150),
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
      runs(150),
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
      runs(150),
    )
  })
})
