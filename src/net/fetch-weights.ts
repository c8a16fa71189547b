/** Downloads files of models: public data, and nothing of the person is sent along. Runs on the threads of engines. */
import { AgentError } from '../core/errors.ts'

/** `from`: the first byte that is wanted; a server that cannot do that sends the whole with status 200. */
export type WeightsFetch = (url: string, signal: AbortSignal, from?: number) => Promise<Response>

export type ContactCount = { host: string; requests: number; received: number /* bytes */ }

/**
 * Only GET, without cookies and referrer. Hosts of weights send on to their stores, so redirects are followed. Throws
 * AgentError with `data.reason`: offline, blocked, refused (`data.status`), damaged (a web page came), or `stopped`.
 */
export function createWeightsFetch({
  count,
  fetch = globalThis.fetch.bind(globalThis),
  online = () => navigator.onLine,
}: {
  count: (contact: ContactCount) => void
  fetch?: typeof globalThis.fetch
  online?: () => boolean
}): WeightsFetch {
  return async (address, signal, from = 0) => {
    if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
      throw new AgentError('bad_input', `${address} is no web address.`, { data: { reason: 'refused' } })
    const { host } = new URL(address)
    count({ host, requests: 1, received: 0 })
    let response: Response
    try {
      response = await fetch(address, {
        signal,
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        cache: 'no-store',
        ...(from > 0 ? { headers: { range: `bytes=${from}-` } } : {}),
      })
    } catch (thrown) {
      if (signal.aborted) throw new AgentError('stopped', 'Stopped by the user.')
      if (!online())
        throw new AgentError(
          'network',
          'This device is offline. What was downloaded is kept; go on when there is a network.',
          { cause: thrown, data: { reason: 'offline' } },
        )
      throw new AgentError(
        'network',
        `${host} could not be reached: the network failed, or it is blocked here. Try again, or name a mirror.`,
        { cause: thrown, data: { reason: 'blocked', host } },
      )
    }
    if (!response.ok) {
      await response.body?.cancel().catch(() => {}) // its text is of no use, and the connection is freed
      throw new AgentError(
        'network',
        `${host} answers ${response.status}${response.status === 404 ? ': the file is not there' : response.status === 401 || response.status === 403 ? ': it may only be had after signing in there' : ''}.`,
        { data: { reason: 'refused', status: response.status, host } },
      )
    }
    if (/^text\/html/i.test(response.headers.get('content-type') ?? '')) {
      await response.body?.cancel().catch(() => {})
      throw new AgentError(
        'model_protocol',
        `${host} sent a web page instead of a file of the model: often the sign-in page of a network. Nothing of it was kept.`,
        { data: { reason: 'damaged', host } },
      )
    }
    if (!response.body) return response
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, controller) {
        count({ host, requests: 0, received: bytes.length })
        controller.enqueue(bytes)
      },
    })
    return new Response(response.body.pipeThrough(counter), { status: response.status, headers: response.headers })
  }
}
