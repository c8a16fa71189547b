/**
 * `npm run bench -- literal`: what is typed word for word, names whole and in parts, and what only the assistant said,
 * searched for by the real tool in a made-up chat with long answers.
 */
import { SearchIndex } from '../../src/core/agent/search/search-index.ts'
import { memorySearch } from '../../src/core/agent/tools/memory-search.ts'
import type { Entry } from '../../src/core/log/entry.ts'
import { MemoryStore } from '../../src/storage/memory-store.ts'
import { assistantChat, type ChatQuery } from '../chats/assistant-chat.ts'
import type { Bench } from '../shared/machine.ts'
import { contextOf } from './memory.ts'

const start = new Date(2026, 5, 1).getTime()

export const literal: Bench = async () => {
  const { messages, queries } = assistantChat()
  const store = new MemoryStore()
  await store.createSession({ id: 'chat', title: '', createdAt: start, updatedAt: start, leaf: null })
  const rows = await store.append(
    'chat',
    messages.map(({ voice, text }, n): Entry => {
      const base = { id: `m${n}`, parent: n === 0 ? null : `m${n - 1}`, at: start + n * 60_000, text }
      return voice === 'person'
        ? { ...base, type: 'user' }
        : { ...base, type: 'assistant', calls: [], model: 'bench', local: true, stop: 'stop' }
    }),
  )
  const placesOf = rows.map(({ day, line, entry }) => [
    `dialog/${day}.jsonl:${line}`,
    `user_text/${entry.id}.txt`,
    `answer/${entry.id}.txt`,
  ])
  const index = new SearchIndex(store)
  const byKind = new Map<ChatQuery['kind'], number[]>() // rank of what was wanted, 0: not among the ten
  for (const { query, kind, message } of queries) {
    const answer = await memorySearch.run({ query }, contextOf(store, index, start + messages.length * 60_000))
    const found = [...answer.matchAll(/^\d+\. (\S+?\.jsonl:\d+|\S+?\.txt)/gm)].map(match => match[1] ?? '')
    const rank = found.findIndex(place => placesOf[message]!.includes(place)) + 1
    byKind.set(kind, [...(byKind.get(kind) ?? []), rank])
  }
  return {
    note: 'recall: share of queries whose message is among the first, or first ten, passages of one memory_search',
    ...Object.fromEntries(
      [...byKind].map(([kind, ranks]) => [
        kind,
        {
          queries: ranks.length,
          recall: {
            1: shareOf(ranks, rank => rank === 1),
            10: shareOf(ranks, rank => rank > 0),
          },
        },
      ]),
    ),
  }
}

function shareOf(ranks: readonly number[], holds: (rank: number) => boolean): number {
  return Math.round((ranks.filter(holds).length / ranks.length) * 10_000) / 10_000
}
