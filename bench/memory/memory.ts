/**
 * `npm run bench -- memory [FILE]`: how much of what a question needs is found by the real tool, and by the peers
 * (C14).
 */
import { fileURLToPath } from 'node:url'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { fullArchive } from '../../src/core/agent/archive/readable-archive.ts'
import { SearchIndex } from '../../src/core/agent/search/search-index.ts'
import { memorySearch } from '../../src/core/agent/tools/memory-search.ts'
import type { ToolContext } from '../../src/core/agent/tools/tool.ts'
import { toolLimits } from '../../src/core/agent/request/window-limits.ts'
import { AgentError } from '../../src/core/errors.ts'
import type { Entry } from '../../src/core/log/entry.ts'
import type { LogStore } from '../../src/core/ports/ports.ts'
import { bytesTokens } from '../../src/core/text/tokens.ts'
import { Connection } from '../../src/storage/indexeddb/connection.ts'
import { DexieStore } from '../../src/storage/indexeddb/dexie-store.ts'
import { readConversations, type Conversation, type Question, type Turn, textOf } from '../chats/conversations.ts'
import type { Bench } from '../shared/machine.ts'
import { peersOf, type SearchPeer } from '../peers/peers.ts'
import { plainBm25 } from '../peers/plain-bm25.ts'
import { scoreOf, type Outcome, type Score } from './memory-score.ts'
import { linearPattern } from '../../src/net/linear-pattern.ts'

/** Beside the project, never in it: its licence does not allow that. */
export const ordinary = fileURLToPath(new URL('../../../shared/data/locomo10.json', import.meta.url))

type Asked = { outcomes: Outcome[]; indexMs: number }
type Side = Score & { indexMs: number; conversations1to5?: Score; conversations6to10?: Score }

export const memory: Bench = async file => {
  const conversations = readConversations(file ?? ordinary)
  const peers = await (await peersOf('memory')).loadPeers()
  const asked: Record<'haversack' | 'bm25' | 'minisearch' | 'orama', Asked[]> = {
    haversack: [],
    bm25: [],
    minisearch: [],
    orama: [],
  }
  for (const conversation of conversations) {
    asked.haversack.push(await askTool(conversation))
    asked.bm25.push(await askPeer(plainBm25, conversation))
    asked.minisearch.push(await askPeer(peers.minisearch, conversation))
    asked.orama.push(await askPeer(peers.orama, conversation))
    console.error(
      `${conversation.name}: ${conversation.turns.length} turns, ${conversation.questions.length} questions, recall@10 ${scoreOf(asked.haversack.at(-1)?.outcomes ?? []).recall[10]}`,
    )
  }
  return {
    conversations: conversations.length,
    note: 'recall: mean share of the evidence of a question; any: share of questions with some of it. Only the anchor of a passage counts, never its neighbours. Our 20 are two calls in one turn.',
    haversack: sideOf(asked.haversack),
    bm25: sideOf(asked.bm25),
    minisearch: { ...sideOf(asked.minisearch), version: peers.minisearch.version },
    orama: { ...sideOf(asked.orama), version: peers.orama.version },
  }
}

function sideOf(asked: readonly Asked[]): Side {
  const all = (part: readonly Asked[]): Score => scoreOf(part.flatMap(one => one.outcomes))
  return {
    ...all(asked),
    indexMs: Math.round(asked.reduce((sum, one) => sum + one.indexMs, 0)),
    ...(asked.length === 10
      ? { conversations1to5: all(asked.slice(0, 5)), conversations6to10: all(asked.slice(5)) }
      : {}),
  }
}

/** The real store over a database in memory, the real tool with its ordinary budget. */
async function askTool({ turns, questions }: Conversation): Promise<Asked> {
  const connection = new Connection({
    name: 'bench',
    from: { indexedDB: new IDBFactory(), IDBKeyRange },
    onState: () => {},
  })
  await connection.open(60_000) // a busy machine is slow, and nobody else holds this database
  const store = new DexieStore(connection)
  const anchors = await ingest(store, turns)
  const started = performance.now()
  const search = new SearchIndex(store)
  await search.find('ready', { limit: 1, maxLength: 100 })
  const indexMs = performance.now() - started
  const outcomes: Outcome[] = []
  const now = turns.at(-1)?.at ?? 0
  for (const question of questions) outcomes.push(await ask(question, contextOf(store, search, now), anchors))
  await connection.close()
  return { outcomes, indexMs }
}

/** One session, one fact per turn; answers with the anchor of each place. */
export async function ingest(store: LogStore, turns: readonly Turn[]): Promise<Map<string, string>> {
  const at = turns[0]?.at ?? 0
  await store.createSession({ id: 'bench', title: '', createdAt: at, updatedAt: at, leaf: null })
  const first = turns[0]?.speaker
  const entries = turns.map((turn, index): Entry => {
    const base = { id: `t${index}`, parent: index === 0 ? null : `t${index - 1}`, at: turn.at, text: textOf(turn) }
    return turn.speaker === first
      ? { ...base, type: 'user' }
      : { ...base, type: 'assistant', calls: [], model: 'bench', local: true, stop: 'stop' }
  })
  const anchors = new Map<string, string>()
  for (const entry of entries) {
    const [row] = await store.append('bench', [entry])
    const anchor = turns[Number(entry.id.slice(1))]?.anchor
    if (row && anchor !== undefined)
      for (const place of [
        `dialog/${row.day}.jsonl:${row.line}`,
        `user_text/${entry.id}.txt`,
        `answer/${entry.id}.txt`,
      ])
        anchors.set(place, anchor)
  }
  return anchors
}

async function ask(question: Question, context: ToolContext, anchors: ReadonlyMap<string, string>): Promise<Outcome> {
  const started = performance.now()
  const first = await memorySearch.run({ query: question.text }, context)
  const ms = performance.now() - started
  // The doubled budget of recall@20: the same question again in the same turn brings what comes next.
  const second = await memorySearch.run({ query: question.text }, context)
  return {
    question,
    found: [...anchorsIn(first, anchors), ...anchorsIn(second, anchors)],
    tokens: bytesTokens(first, 4),
    ms,
  }
}

/** The anchors of the passages of an answer, in order; neighbours have no place of their own. */
export function anchorsIn(answer: string, anchors: ReadonlyMap<string, string>): string[] {
  const places = [...answer.matchAll(/^\d+\. (\S+?\.jsonl:\d+|\S+?\.txt)/gm)].map(match => anchors.get(match[1] ?? ''))
  return [...new Set(places.filter(anchor => anchor !== undefined))]
}

async function askPeer(peer: SearchPeer, { turns, questions }: Conversation): Promise<Asked> {
  const started = performance.now()
  const searcher = await peer.index(turns)
  const indexMs = performance.now() - started
  const outcomes: Outcome[] = []
  for (const question of questions) {
    const began = performance.now()
    const hits = await searcher.search(question.text, 20)
    const ms = performance.now() - began
    const found = hits.flatMap(hit => {
      const turn = turns[hit]
      return turn ? [turn.anchor] : []
    })
    const tokens = hits.slice(0, 10).reduce((sum, hit) => {
      const turn = turns[hit]
      return turn ? sum + bytesTokens(textOf(turn), 4) : sum
    }, 0)
    outcomes.push({ question, found, tokens, ms })
  }
  return { outcomes, indexMs }
}

export function contextOf(store: LogStore, search: ToolContext['search'], now: number): ToolContext {
  return {
    session: 'bench',
    archive: fullArchive(store),
    search,
    signal: new AbortController().signal,
    givenPassages: new Set(),
    ...toolLimits(65_536),
    world: { now: () => now, newId: () => 'x', sleep: () => Promise.resolve() },
    compilePattern: linearPattern,
    readPage: () => Promise.reject(new AgentError('tool_failed', 'no network here')),
  }
}
