/**
 * `npm run bench -- memory-ablation [FILE]`: what each part of the ranking brings, by leaving it out of the real tool's
 * search.
 */
import { SearchIndex } from '../../src/core/agent/search/search-index.ts'
import { memorySearch } from '../../src/core/agent/tools/memory-search.ts'
import { rankParts, type RankPart } from '../../src/core/text/search/rank-passages.ts'
import { MemoryStore } from '../../src/storage/memory-store.ts'
import { readConversations, type Conversation } from '../chats/conversations.ts'
import type { Bench } from '../shared/machine.ts'
import { anchorsIn, contextOf, ingest, ordinary } from './memory.ts'
import { scoreOf, type Outcome } from './memory-score.ts'

type Row = { without: RankPart | 'nothing' | 'all but own'; conversations1to5: number[]; conversations6to10: number[] }

export const memoryAblation: Bench = async file => {
  const conversations = readConversations(file ?? ordinary)
  const searched = await Promise.all(conversations.map(searchOf))
  const rows: Row[] = []
  for (const without of ['nothing', ...rankParts, 'all but own'] as const) {
    const leaveOut =
      without === 'nothing' ? [] : without === 'all but own' ? rankParts.filter(part => part !== 'own') : [without]
    const halves: Outcome[][] = [[], []]
    for (const [n, ask] of searched.entries())
      halves[n < conversations.length / 2 ? 0 : 1]!.push(...(await ask(leaveOut)))
    const [first, second] = halves.map(outcomes => {
      const { recall, any } = scoreOf(outcomes)
      return [recall[10], any[10]]
    })
    rows.push({ without, conversations1to5: first!, conversations6to10: second! })
    console.error(`without ${without}: ${JSON.stringify(rows.at(-1))}`)
  }
  return {
    note: 'recall@10 and any@10 of one memory_search with its ordinary budget; the weights of what is left stay as they are',
    rows,
  }
}

async function searchOf({
  turns,
  questions,
}: Conversation): Promise<(leaveOut: readonly RankPart[]) => Promise<Outcome[]>> {
  const store = new MemoryStore()
  const anchors = await ingest(store, turns)
  const index = new SearchIndex(store)
  const now = turns.at(-1)?.at ?? 0
  return async leaveOut => {
    const context = contextOf(
      store,
      { find: (query, options) => index.find(query, { ...options, disabledParts: leaveOut }) },
      now,
    )
    const outcomes: Outcome[] = []
    for (const question of questions) {
      const answer = await memorySearch.run({ query: question.text }, { ...context, givenPassages: new Set() })
      outcomes.push({ question, found: anchorsIn(answer, anchors), tokens: 0, ms: 0 })
    }
    return outcomes
  }
}
