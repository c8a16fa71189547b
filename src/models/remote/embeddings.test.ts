import { describe, expect, it } from 'vitest'
import { codeOf } from '../../core/errors.ts'
import { embeddings } from './embeddings.ts'

const server = { id: 's', name: 'S', baseUrl: 'http://localhost:1/v1/', key: 'secret', models: [] }
const never = new AbortController().signal

function answering(status: number, body: unknown) {
  const asked: { url: string; headers: Record<string, string> | undefined; body: unknown }[] = []
  const embedder = embeddings(server, 'm', async (url, { headers, body: sent }) => {
    asked.push({ url, headers, body: JSON.parse(sent ?? '{}') })
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status })
  })
  return { embedder, asked }
}

describe('embeddings of a server', () => {
  it('asks for all texts at once and gives the vectors in their order', async () => {
    const { embedder, asked } = answering(200, {
      data: [
        { index: 1, embedding: [3, 4] },
        { index: 0, embedding: [1, 2] },
      ],
    })
    expect(await embedder.embed(['a', 'b'], never)).toEqual([
      [1, 2],
      [3, 4],
    ])
    expect(asked).toEqual([
      {
        url: 'http://localhost:1/v1/embeddings',
        headers: expect.objectContaining({ authorization: 'Bearer secret' }) as object,
        body: { model: 'm', input: ['a', 'b'], encoding_format: 'float' },
      },
    ])
    expect(embedder.id).toBe('s/m')
  })

  it.each([
    ['no JSON', '<html>'],
    ['no data', {}],
    ['one too few', { data: [{ index: 0, embedding: [1] }] }],
    ['different lengths', { data: [{ embedding: [1] }, { embedding: [1, 2] }] }],
    ['words', { data: [{ embedding: ['x'] }, { embedding: [1] }] }],
    ['empty vectors', { data: [{ embedding: [] }, { embedding: [] }] }],
  ])('refuses an answer with %s', async (_what, body) => {
    expect(await answering(200, body).embedder.embed(['a', 'b'], never).catch(codeOf)).toBe('model_protocol')
  })

  it('says what the server said, without the key', async () => {
    const error = await answering(401, { error: { message: 'bad key secret' } })
      .embedder.embed(['a'], never)
      .catch((thrown: unknown) => thrown)
    expect(codeOf(error)).toBe('model_auth')
    expect(String(error)).not.toContain('secret')
  })
})
