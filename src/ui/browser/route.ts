/** Where the page is: the part of the address behind "#", so that links are links and Back goes back. Pure. */
import type { SessionId } from '../../core/log/entry.ts'

export type Route =
  | { page: 'start' }
  | { page: 'new' } // a shortcut of the installed app: a new chat at once
  | { page: 'chat'; id: SessionId }
  | { page: 'archive'; path?: string; line?: number }
  | { page: 'memory' }
  | { page: 'search' } // of the installed app: the search field at once
  | { page: 'shared'; kept: boolean } // another program has shared something; not kept: it could not be stored
  | { page: 'reset' } // drops the files of the app; chats stay (reset.ts)

export function routeOf(hash: string): Route {
  const [page, ...rest] = hash.replace(/^#\/?/, '').split('/')
  const tail = rest.join('/')
  if (page === 'chat' && tail !== '') return { page, id: decoded(tail) }
  if (page === 'shared') return { page, kept: tail !== 'lost' }
  if (page === 'memory' || page === 'new' || page === 'search' || page === 'reset') return { page }
  if (page !== 'archive') return { page: 'start' }
  if (tail === '') return { page }
  const [, path, line] = /^(.*?)(?::(\d+))?$/.exec(tail) ?? []
  return { page, path: decoded(path ?? tail), ...(line === undefined ? {} : { line: Number(line) }) }
}

export function hashOf(route: Route): string {
  if (route.page === 'chat') return `#/chat/${encodeURIComponent(route.id)}`
  if (route.page === 'memory') return '#/memory'
  if (route.page === 'start') return '#/'
  if (route.page === 'shared') return route.kept ? '#/shared' : '#/shared/lost'
  if (route.page === 'new' || route.page === 'search' || route.page === 'reset') return `#/${route.page}`
  if (route.path === undefined) return '#/archive'
  const path = route.path.split('/').map(encodeURIComponent).join('/')
  return `#/archive/${path}${route.line === undefined ? '' : `:${route.line}`}`
}

/**
 * Whether the URL is that of this chat, by its id or as the new chat. Any other URL means that the person has just
 * followed a link.
 */
export function isRouteOf(hash: string, id: SessionId): boolean {
  const route = routeOf(hash)
  return route.page === 'new' || (route.page === 'chat' && route.id === id)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // a stray % in an address that somebody typed
  }
}
