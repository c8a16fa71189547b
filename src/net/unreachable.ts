/** Why a request failed before any response, as far as a page can tell. */
import { AgentError } from '../core/errors.ts'

type Place = { location?: { protocol: string }; navigator?: { onLine?: boolean } }

/**
 * A browser says only "failed". What can be known without asking again: there is no network at all, or the page is
 * https and the address is not. `data.why` is then set. The message never holds the path, which may carry secrets.
 */
export function unreachable(url: URL, thrown: unknown, here: Place = globalThis as Place): AgentError {
  const local = isThisMachine(url.hostname)
  if (here.navigator?.onLine === false && !local) {
    return new AgentError('network', `${url.host} could not be reached: this device is offline.`, {
      data: { host: url.host, why: 'offline' },
    })
  }
  if (here.location?.protocol === 'https:' && url.protocol === 'http:' && !local) {
    return new AgentError(
      'network',
      `${url.host} could not be reached: this page is https, and browsers block requests from it to http addresses. Use https there, or open this app over http in your network.`,
      { data: { host: url.host, why: 'mixed content' } },
    )
  }
  const cause = detail(thrown)
  return new AgentError(
    'network',
    `${url.host} could not be reached${cause ? ` (${cause})` : ''}: it is off, the address is wrong, or it does not allow this page to ask it (CORS).${local ? ' Is the server running on this machine?' : ''}`,
    { data: { host: url.host } },
  )
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/** Node names the cause; browsers do not. */
function detail(thrown: unknown): string | undefined {
  const cause = thrown instanceof Error ? thrown.cause : undefined
  const code = typeof cause === 'object' && cause !== null ? (cause as Record<string, unknown>)['code'] : undefined
  return typeof code === 'string' ? code : undefined
}
