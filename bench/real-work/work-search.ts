/**
 * `npm run bench -- work [FOLDER]`: what an agent wrote from memory later in its own session, searched for in what came
 * before by the real tool and by the peers (C14).
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Entry } from '../../src/core/log/entry.ts'
import { memorySearch } from '../../src/core/agent/tools/memory-search.ts'
import { MemoryStore } from '../../src/storage/memory-store.ts'
import { peersOf, type SearchPeer } from '../peers/peers.ts'
import { plainBm25 } from '../peers/plain-bm25.ts'
import { readConversation, type FiledFact } from '../replay/replay-file.ts'
import type { Bench } from '../shared/machine.ts'
import { searchIn, toolContext } from '../shared/two-calls.ts'
import { momentsOf, textsOf } from './needed-names.ts'
import { piCompactions } from './pi-session.ts'

type Session = { name: string; facts: FiledFact[] }
/** `name` was written at `seq`, and stood in `holding` before. */
type Needed = { name: string; seq: number; query: string; holding: ReadonlySet<number> }

/** Tokens. */
const window = 65_536
/** Longest query by words, UTF-16 units: what an agent would type. */
const longestQuery = 160
/** Places that a search gives. */
const most = 10

export const work: Bench = async (folder = fileURLToPath(new URL('../../../shared/data/traces', import.meta.url))) => {
  if (!existsSync(folder)) return { skipped: `there is no folder ${folder}; name one with sessions as .jsonl` }
  const peers = await (await peersOf('memory')).loadPeers()
  const rows: object[] = []
  for (const session of sessionsIn(folder)) {
    const questions = questionsOf(session.facts)
    if (questions.length === 0) continue
    const row = {
      session: session.name,
      messages: session.facts.length,
      questions: questions.length,
      haversack: await askTool(session, questions),
      bm25: await askPeer(plainBm25, session, questions),
      minisearch: await askPeer(peers.minisearch, session, questions),
    }
    rows.push(row)
    console.error(JSON.stringify(row))
  }
  return {
    rows,
    note:
      'Questions by rule: each identifier that the agent wrote from memory at a moment of the session, asked for by the other words of the line in which it wrote it. ' +
      'found: share of questions of whose ten hits one is of a message before that moment that holds the identifier whole; shown (ours): it stands in what the tool gave.',
  }
}

function sessionsIn(folder: string): Session[] {
  return readdirSync(folder)
    .filter(file => file.endsWith('.jsonl'))
    .toSorted()
    .flatMap((file): Session[] => {
      const text = readFileSync(join(folder, file), 'utf8')
      const name = basename(file, '.jsonl')
      const last = file.startsWith('pi-') ? piCompactions(text, name).at(-1) : undefined
      return [{ name, facts: last?.facts ?? readConversation(text, file) }]
    })
}

/** What was needed at each moment, with a query that does not have it. */
export function questionsOf(facts: readonly FiledFact[]): Needed[] {
  const texts = facts.map(textsOf)
  return [...momentsOf(facts)].flatMap(([seq, names]) =>
    names.flatMap((name): Needed[] => {
      const at = facts.findIndex(
        (one, n) => one.seq >= seq && one.fact.type === 'assistant' && texts[n]!.includes(name),
      )
      const line = texts[at]?.split('\n').find(one => one.includes(name)) ?? ''
      const query = withoutName(line, name)
      const holding = new Set(texts.flatMap((text, n) => (n < seq && text.includes(name) ? [n] : [])))
      return /\p{L}{3,}.*\s.*\p{L}{3,}/su.test(query) && holding.size > 0 ? [{ name, seq, query, holding }] : []
    }),
  )
}

/** What stands around a name in its line, the nearest of it. */
function withoutName(line: string, name: string): string {
  const at = line.indexOf(name)
  const before = line.slice(Math.max(0, at - longestQuery / 2), at)
  const after = line.slice(at + name.length, at + name.length + longestQuery / 2)
  return `${before} ${after}`
    .replaceAll(name, ' ')
    .replace(/[^\p{L}\p{N}_./-]+/gu, ' ')
    .trim()
}

/** As the session stood at the moment: nothing later is searched. */
async function askTool({ facts }: Session, questions: readonly Needed[]): Promise<object> {
  let found = 0
  let shown = 0
  for (const seq of new Set(questions.map(one => one.seq))) {
    const store = new MemoryStore()
    await store.createSession({ id: 's', title: '', createdAt: 0, updatedAt: 0, leaf: null })
    const entries = facts.slice(0, seq).map(({ fact, at }, n): Entry => ({ ...fact, id: `e${n}`, parent: null, at }))
    const rows = await store.append('s', entries)
    const numbers = new Map(
      rows.flatMap(({ day, line, entry }, n) =>
        [
          `dialog/${day}.jsonl:${line}`,
          `tool_result/${entry.id}.txt`,
          `user_text/${entry.id}.txt`,
          `answer/${entry.id}.txt`,
        ].map(place => [place, n] as const),
      ),
    )
    const search = searchIn(store)
    for (const { name, query, holding } of questions.filter(one => one.seq === seq)) {
      const answer = await memorySearch.run({ query }, toolContext(store, { session: 's', window, search }))
      const places = [...answer.matchAll(/^\d+\. (\S+?\.jsonl:\d+|\S+?\.txt)/gm)].map(match =>
        numbers.get(match[1] ?? ''),
      )
      if (places.some(place => place !== undefined && holding.has(place))) found++
      if (answer.includes(name)) shown++
    }
  }
  return { found: shareOfAll(found, questions), shown: shareOfAll(shown, questions) }
}

async function askPeer(peer: SearchPeer, { facts }: Session, questions: readonly Needed[]): Promise<object> {
  let found = 0
  for (const seq of new Set(questions.map(one => one.seq))) {
    const before = facts.slice(0, seq)
    const searcher = await peer.index(
      before.map(({ fact, at }, n) => ({ anchor: String(n), speaker: fact.type, text: fact.text, at })),
    )
    for (const { query, holding } of questions.filter(one => one.seq === seq))
      if ((await searcher.search(query, most)).some(hit => holding.has(hit))) found++
  }
  return { found: shareOfAll(found, questions) }
}

function shareOfAll(count: number, questions: readonly Needed[]): number {
  return Math.round((count / questions.length) * 1_000) / 1_000
}
