/** The tool that searches everything that is kept, by words and times. */
import { AgentError } from '../../errors.ts'
import { bytesTokens } from '../../text/tokens.ts'
import { dayOf } from '../../text/day.ts'
import { clip } from '../../text/display/graphemes.ts'
import { saidFrom } from '../../text/search/coverage.ts'
import { questionKind } from '../../text/search/question-kinds.ts'
import { spanOf, timesIn, type Span } from '../../text/search/times-in.ts'
import type { SearchFilter } from '../api/api.ts'
import { passageAround } from '../search/passages.ts'
import type { Neighbour, SearchResult } from '../search/search-result.ts'
import type { Tool, ToolContext } from './tool.ts'
import { unsaidLine } from './search-result-texts.ts'
import { numberArgument, textArgument } from './arguments.ts'

/** Most passages of one search. Source: C7.6. */
const mostPassages = 10
/** Longest and shortest length that a passage is cut to, and the length of a neighbour. Units: UTF-16 units. */
const longestPassage = 800
const shortestPassage = 200
const besideLength = 160
/** Longest part of a standing wish that is told again. UTF-16 units. */
const longestWish = 200
/** Share of the budget that is for the passages themselves; neighbours get what is left. */
const ownShare = 0.8

const places: Record<string, SearchFilter['kinds']> = {
  everything: ['message', 'result', 'memory', 'document'],
  'this chat': ['message', 'result', 'memory'],
  messages: ['message'],
  results: ['result'],
  memory: ['memory', 'document'],
  files: ['document'],
}

export const memorySearch: Tool = {
  kind: 'reads',
  indexed: false,
  inSmallWindows: { description: 'Finds earlier messages by words.', keys: ['query'] },
  name: 'memory_search',
  description:
    'Searches earlier messages of all chats, tool results, notes and files for the words of a query; times in it ("last Tuesday", "in May 2023") count too. Gives passages with path and lines and what stands beside them; read on with read_file. [older] and [newer] mark what was replaced, [still holds] a standing wish of the person. Passages that were given in this turn do not come again.',
  parameters: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'the words to look for, as they may have been said' },
      limit: { type: 'integer', description: `at most ${mostPassages}` },
      from: { type: 'string', description: 'nothing older: 2026-01-31, 2026-01, 2026 or "last week"' },
      to: { type: 'string', description: 'nothing newer' },
      where: { type: 'string', enum: Object.keys(places) },
    },
    required: ['query'],
    additionalProperties: false,
  },
  // Not whether something would be found: that nothing was would tell of what others hold.
  dryRun: async (args, { archive }) =>
    args['where'] === 'this chat' ? undefined : (await import('../archive/read-path.ts')).knownPaths(archive),
  async run(args, { search, givenPassages, maxSearchTokens, world, session }) {
    const query = textArgument(args, 'query')
    if (query.trim() === '') throw new AgentError('bad_input', 'The query is empty.')
    const limit = Math.min(mostPassages, Math.max(1, numberArgument(args, 'limit') ?? mostPassages))
    const now = world.now()
    const found = await search.find(query, {
      limit,
      maxLength: longestPassage,
      exclude: givenPassages,
      now,
      neighbourLength: besideLength,
      distinct: true,
      filter: filterOf(args, now, session),
    })
    if (found.length === 0) return `Nothing was found for "${query.slice(0, 200)}". Try other words.`
    const isSaid = found.some(({ coverage = 0 }) => coverage >= saidFrom)
    if (isSaid) return fitted(found, givenPassages, { budget: maxSearchTokens, limit, query })
    const left = maxSearchTokens - bytesTokens(`${unsaidLine}\n\n`, 4)
    return `${unsaidLine}\n\n${fitted(found, givenPassages, { budget: left, limit, query })}`
  },
}

type Shown = { hit: SearchResult; text: string; before?: string; after?: string }

/**
 * As many passages as the budget holds, then what replaces what and which wishes hold, then as many neighbours as are
 * left room for. What is given is noted. Where the order or a summary is asked for, passages stand in order of time.
 */
function fitted(
  found: readonly SearchResult[],
  given: Set<string>,
  { budget, limit, query }: { budget: number; limit: number; query: string },
): string {
  const share = Math.floor((budget * ownShare) / limit)
  const shown: Shown[] = []
  let tokens = 0
  for (const hit of found) {
    const head = headOf(hit, shown.length + 1)
    const text = cutTo(hit, Math.max(shortestPassage / 4, share - bytesTokens(head, 4)))
    const cost = bytesTokens(`${head}\n${text}\n\n`, 4)
    if (tokens + cost > budget && shown.length > 0) break
    tokens += cost
    shown.push({ hit, text })
    given.add(hit.passage)
  }
  const kind = questionKind(query)
  if (kind === 'order' || kind === 'summary') shown.sort(byTime)
  const numbers = new Map(shown.map(({ hit }, n) => [hit.passage, n + 1]))
  const fits = (line: string): boolean => {
    const cost = bytesTokens(line, 4) + 1
    if (line === '' || tokens + cost > budget) return false
    tokens += cost
    return true
  }
  const replaced = shown.map(({ hit }) => [pairLine(hit, shown, numbers)].filter(fits))
  const wishes = shown.map(({ hit }) => wishLine(hit, numbers)).filter(fits)
  const known = new Set(given)
  for (const one of shown) {
    for (const side of ['before', 'after'] as const) {
      const line = besideLine(side, one.hit[side], known)
      if (fits(line)) one[side] = line
    }
  }
  return [
    ...shown.map(({ hit, before, text, after }, n) =>
      [headOf(hit, n + 1), ...replaced[n]!, before, text, after].filter(part => part !== undefined).join('\n'),
    ),
    ...(wishes.length > 0 ? [wishes.join('\n')] : []),
  ].join('\n\n')
}

function byTime({ hit: one }: Shown, { hit: other }: Shown): number {
  return one.at - other.at || (one.session === other.session ? one.nth - other.nth : 0)
}

/** Of a passage that is one of two about the same thing: where the other one stands, and its day. */
function pairLine(
  { replaces, replacedBy }: SearchResult,
  shown: readonly Shown[],
  numbers: ReadonlyMap<string, number>,
): string {
  const placeOf = (passage: string): string | undefined => {
    const other = shown.find(({ hit }) => hit.passage === passage)
    return other && `${numbers.get(passage)} (${dayOf(other.hit.at)})`
  }
  const [older, newer] = [replaces && placeOf(replaces), replacedBy && placeOf(replacedBy)]
  if (newer) return `[older] replaced by ${newer}`
  return older ? `[newer] replaces ${older}` : ''
}

/** A wish is given in full where it is short: a passage may be cut before it. */
function wishLine({ wish, at, passage }: SearchResult, numbers: ReadonlyMap<string, number>): string {
  if (wish === undefined) return ''
  return `[still holds] ${clip(wish.replace(/\s+/g, ' '), longestWish)} (the person, ${dayOf(at)}, passage ${numbers.get(passage)})`
}

/** A neighbour is shown once, and not where it is a passage itself. */
function besideLine(side: 'before' | 'after', beside: Neighbour | undefined, known: Set<string>): string {
  if (!beside || known.has(beside.passage)) return ''
  known.add(beside.passage)
  return `[${side}] ${beside.text}`
}

/** Place first, so that a reader finds it; then where and when it was said. */
function headOf({ path, from, to, title, at, score }: SearchResult, n: number): string {
  const place = from === to ? `${path}:${from}` : `${path}:${from}-${to}`
  const said = [clip(title, 80), dayOf(at), `score ${Math.max(0, score).toFixed(1)}`]
    .filter(part => part !== '')
    .join(', ')
  return `${n}. ${place} (${said})`
}

/** The passage around its words, not above so many tokens. */
function cutTo({ text, marks }: SearchResult, tokens: number): string {
  const cost = bytesTokens(text, 4)
  return cost <= tokens
    ? text
    : passageAround(text, marks, Math.max(20, Math.floor((text.length * tokens) / cost))).text
}

function filterOf(args: Record<string, unknown>, now: number, session: ToolContext['session']): SearchFilter {
  const where =
    args['where'] === undefined || args['where'] === '' || args['where'] === null
      ? 'everything'
      : textArgument(args, 'where')
  const kinds = places[where]
  if (!kinds) throw new AgentError('bad_input', `"where" is one of: ${Object.keys(places).join(', ')}.`)
  const [from, to] = [timeOf(args, 'from', now), timeOf(args, 'to', now)]
  if (from && to && from.from >= to.to) throw new AgentError('bad_input', '"from" is later than "to".')
  return {
    kinds,
    ...(where === 'this chat' ? { session } : {}),
    ...(from ? { from: from.from } : {}),
    ...(to ? { to: to.to - 1 } : {}),
  }
}

function timeOf(args: Record<string, unknown>, name: 'from' | 'to', now: number): Span | undefined {
  const value = args[name]
  if (value === undefined || value === null || value === '') return undefined
  const text = String(value).trim()
  const isMoment = /^\d{4}-\d\d-\d\dT/.test(text)
  const moment = isMoment ? Date.parse(text) : Number.NaN
  const span = isMoment
    ? Number.isNaN(moment)
      ? undefined
      : { from: moment, to: moment + 1 }
    : (spanOf(text) ?? timesIn(text, now).spans[0])
  if (!span)
    throw new AgentError(
      'bad_input',
      `"${name}" is no date that exists: ${text.slice(0, 100)}. Give 2026-01-31, 2026-01, 2026, or words such as "last week".`,
    )
  return span
}
