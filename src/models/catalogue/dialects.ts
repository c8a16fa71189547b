/** The routes and headers of a server's API. Nearly all speak OpenAI's dialect; Anthropic has its own. */
import type { Server } from '../../core/ports/ports.ts'

/** What a request to a server needs to know of it. */
export type ServerAddress = Pick<Server, 'baseUrl' | 'key' | 'headers' | 'dialect'>

/** As chosen, else by the host. */
export function dialectOf({ dialect, baseUrl }: Pick<Server, 'dialect' | 'baseUrl'>): 'openai' | 'anthropic' {
  return (
    dialect ?? (URL.canParse(baseUrl) && new URL(baseUrl).hostname === 'api.anthropic.com' ? 'anthropic' : 'openai')
  )
}

/** Key and typed headers; `bare`: what the dialect itself needs and no more. */
export function headersFor(server: ServerAddress, { bare = false } = {}): Record<string, string> {
  const { key, headers = {} } = bare ? {} : server
  switch (dialectOf(server)) {
    case 'openai':
      return { ...(key ? { authorization: `Bearer ${key}` } : {}), ...headers }
    // The last header is Anthropic's condition for requests from a page: the person knows that the key lies in a
    // browser.
    case 'anthropic':
      return {
        ...(key ? { 'x-api-key': key } : {}),
        'anthropic-version': '2023-06-01',
        'anthropic-dangerous-direct-browser-access': 'true',
        ...headers,
      }
  }
}

/** Where a question is sent. */
export function chatRoute(server: ServerAddress, baseUrl = server.baseUrl): string {
  return `${baseUrl.replace(/\/+$/, '')}/${dialectOf(server) === 'anthropic' ? 'messages' : 'chat/completions'}`
}

/** Where the models are listed: all of them at once, Anthropic gives 20 by itself. */
export function listRoute(server: ServerAddress, baseUrl = server.baseUrl): string {
  return `${baseUrl}/models${dialectOf(server) === 'anthropic' ? '?limit=1000' : ''}`
}

/**
 * Fields of the body that a provider wants beside those of the dialect. MiniMax puts its reasoning into the text unless
 * it is asked to part them.
 */
export function extraFields({ baseUrl }: Pick<Server, 'baseUrl'>): Record<string, unknown> {
  return /^https:\/\/([\w-]+\.)*minimaxi?\.(io|com)\//.test(`${baseUrl}/`) ? { reasoning_split: true } : {}
}
