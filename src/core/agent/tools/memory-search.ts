/** The tool that searches everything that is kept, by words. */
import { AgentError } from '../../errors.ts'
import { bytesTokens } from '../../text/tokens.ts'
import { dayOf } from '../../text/day.ts'
import type { Found } from '../search-index.ts'
import type { Tool } from '../tool.ts'
import { textOf } from './arguments.ts'

/** Most passages of one search, and the length of each. Units: passages; UTF-16 units. */
const mostPassages = 10
const longestPassage = 800

export const memorySearch: Tool = {
  kind: 'reads',
  name: 'memory_search',
  description: 'Searches earlier messages of all chats, tool results, notes and files for the words of a query. Gives passages with path and lines; read on with read_file. Passages that were given in this turn do not come again.',
  parameters: {
    type: 'object',
    properties: { query: { type: 'string', description: 'the words to look for, as they may have been said' } },
    required: ['query'],
    additionalProperties: false,
  },
  async run(args, { search, given, maxSearchTokens }) {
    const query = textOf(args, 'query')
    if (query.trim() === '') throw new AgentError('bad_input', 'The query is empty.')
    const found = await search.find(query, { most: mostPassages, longest: Math.min(longestPassage, 3 * maxSearchTokens), without: given, filter: { kinds: ['message', 'result', 'memory', 'document'] } })
    const lines: string[] = []
    let tokens = 0
    for (const hit of found) {
      const text = passageText(hit, lines.length + 1)
      const cost = bytesTokens(text, 4)
      if (tokens + cost > maxSearchTokens && lines.length > 0) break
      tokens += cost
      lines.push(text)
      given.add(hit.passage)
    }
    return lines.length > 0 ? lines.join('\n\n') : `Nothing was found for "${query.slice(0, 200)}". Try other words.`
  },
}

/** Place first, so that a reader finds it; then where it was said; then the words. */
function passageText({ path, from, to, title, at, text }: Found, n: number): string {
  const place = from === to ? `${path}:${from}` : `${path}:${from}-${to}`
  const said = [title, dayOf(at)].filter(part => part !== '').join(', ')
  return `${n}. ${place} (${said})\n${text}`
}
