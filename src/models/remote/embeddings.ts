/** Vectors of meaning from a server's `/v1/embeddings`. Loaded only when the person switched that on. */
import { AgentError } from '../../core/errors.ts'
import type { Embedder, Server } from '../../core/ports/ports.ts'
import { cleanBaseUrl, isLocalAddress } from '../catalogue/catalog.ts'
import { headersFor } from '../catalogue/dialects.ts'
import type { ModelFetch } from '../shared/model-fetch.ts'
import { refusalError } from '../server-errors/server-errors.ts'

/** Makes the embedder; asks nothing yet. */
export function embeddings(server: Server, model: string, fetch: ModelFetch): Embedder {
  return {
    id: `${server.id}/${model}`,
    local: isLocalAddress(server.baseUrl),
    async embed(texts, signal) {
      const response = await fetch(
        `${cleanBaseUrl(server.baseUrl)}/embeddings`,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headersFor(server) },
          signal,
          body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
        },
        { whole: true },
      )
      const body = await response.text()
      if (!response.ok)
        throw refusalError({ server, status: response.status, body, headers: Object.fromEntries(response.headers) })
      return vectorsIn(body, texts.length)
    },
  }
}

/**
 * The vectors of an answer in the order of the texts. Throws `model_protocol` where they are not all there, of one
 * length, and numbers.
 */
function vectorsIn(body: string, count: number): number[][] {
  const vectors: number[][] = []
  try {
    const { data } = JSON.parse(body) as { data?: { index?: unknown; embedding?: unknown }[] }
    for (const [at, { index = at, embedding }] of (data ?? []).entries()) {
      if (
        typeof index === 'number' &&
        Array.isArray(embedding) &&
        embedding.every(value => typeof value === 'number' && Number.isFinite(value))
      )
        vectors[index] = embedding as number[]
    }
  } catch (cause) {
    throw new AgentError(
      'model_protocol',
      'The server answered a question for embeddings with something else than JSON',
      { cause },
    )
  }
  const dimension = vectors[0]?.length ?? 0
  const isWhole =
    dimension > 0 && vectors.length === count && Array.from(vectors).every(vector => vector?.length === dimension)
  if (!isWhole)
    throw new AgentError(
      'model_protocol',
      `The server gave no ${count} vectors of one length; is this a model for embeddings?`,
    )
  return vectors
}
