/** Translates everything that can go wrong with a request to a server into our errors. */
import type { APICallError } from '@ai-sdk/provider'
import { AgentError, codeOf } from '../../core/errors.ts'
import type { Server } from '../../core/ports/ports.ts'
import { isolated } from '../../core/text/display/isolate.ts'
import { redacted, refusalError } from './server-errors.ts'

type Asked = { server: Server; name: string; contextWindow: number /* tokens */ }

/** Anything that the SDK or the network throws, as ours. Never carries the request, its headers, or the key. */
export function translated(thrown: unknown, options: Asked): AgentError {
  if (thrown instanceof AgentError) return thrown
  const { server, name, contextWindow } = options
  const base = { server, model: name, window: contextWindow }
  if (!(thrown instanceof Error)) return eventError(thrown, options)
  const { statusCode: status, responseBody, responseHeaders: headers } = thrown as Partial<APICallError>
  if (status !== undefined && status >= 400)
    return refusalError({ ...base, status, body: responseBody ?? '', ...(headers ? { headers } : {}) })
  const message = redacted(thrown.message, server).slice(0, 300)
  if (codeOf(thrown) === 'new_version') return new AgentError('new_version', thrown.message, { cause: thrown })
  if (thrown instanceof TypeError || thrown.name === 'AbortError')
    return new AgentError('network', `The connection to ${isolated(server.name)} broke off (${message}).`)
  if (thrown.cause instanceof Error) return translated(thrown.cause, options) // the SDK wraps what broke the reading
  return new AgentError('model_protocol', `${isolated(server.name)} answered in a shape that is not known: ${message}`)
}

/** An error that came inside the stream: the server's own, or the mender's. */
function eventError(error: unknown, { server, name, contextWindow }: Asked): AgentError {
  const fields = (typeof error === 'object' && error !== null ? error : { message: String(error) }) as Record<
    string,
    unknown
  >
  const said = redacted(String(fields['message'] ?? ''), server).slice(0, 400)
  if (fields['type'] === 'haversack_broken_off')
    return new AgentError('network', `The answer of ${isolated(server.name)} broke off before its end.`)
  if (fields['type'] === 'haversack_not_a_stream') {
    return new AgentError(
      'model_protocol',
      `${isolated(server.name)} did not answer as an OpenAI-compatible server does: ${said}. Check the address in Settings.`,
      { data: { body: said } },
    )
  }
  return refusalError({
    server,
    model: name,
    window: contextWindow,
    body: JSON.stringify({ error: fields }),
    ...statusIn(fields),
  })
}

function statusIn(error: Record<string, unknown>): { status?: number } {
  const code = Number(error['code'] ?? error['status'])
  return code >= 400 && code < 600 ? { status: code } : {}
}
