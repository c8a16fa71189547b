/**
 * `npm run bench -- languages`: facts planted in Chinese, Japanese and Korean talk, found by the real tool with a
 * question in other words.
 */
import { memorySearch } from '../../src/core/agent/tools/memory-search.ts'
import { fullArchive } from '../../src/core/agent/archive/readable-archive.ts'
import { SearchIndex } from '../../src/core/agent/search/search-index.ts'
import { toolLimits } from '../../src/core/agent/request/window-limits.ts'
import { AgentError } from '../../src/core/errors.ts'
import type { Entry } from '../../src/core/log/entry.ts'
import { MemoryStore } from '../../src/storage/memory-store.ts'
import { dice } from '../shared/dice.ts'
import type { Bench } from '../shared/machine.ts'
import type { ChatLanguage } from '../chats/chat-language.ts'
import { chineseChats } from '../chats/chinese-chats.ts'
import { japaneseAndKoreanChats } from '../chats/japanese-korean-chats.ts'
import { linearPattern } from '../../src/net/linear-pattern.ts'

const languages: Record<string, ChatLanguage> = { ...chineseChats, ...japaneseAndKoreanChats }
const turns = 2_000
/** Sentences of a long answer. */
const sentencesOfAnswer = 20
const now = new Date(2026, 5, 1).getTime()

export const planted: Bench = async () => {
  const result: Record<string, object> = {}
  for (const [name, language] of Object.entries(languages)) {
    result[name] = await measure(language, false)
    result[`${name}LongAnswers`] = await measure(language, true)
  }
  return {
    note: 'at10: share of questions whose planted fact is among the ten passages of one memory_search',
    turns,
    ...result,
  }
}

/** `long`: the assistant answers with many sentences about the same people and things; the person tells the facts. */
async function measure({ people, things, places, facts, asks, talk }: ChatLanguage, long: boolean): Promise<object> {
  const pick = dice(20_260_601)
  const of = <T>(list: readonly T[]): T => list[Math.floor(pick() * list.length)]!
  const store = new MemoryStore()
  await store.createSession({ id: 'talk', title: '', createdAt: 0, updatedAt: 0, leaf: null })
  const pairs = people.flatMap(who => things.map(thing => ({ who, thing, id: '' })))
  const questions = pairs.filter(() => pick() < 0.9)
  // The person speaks at even places.
  const spacing = long ? 2 * Math.floor(turns / 2 / questions.length) : Math.floor(turns / questions.length)
  let asked = 0
  const entries = Array.from({ length: turns }, (_, i): Entry => {
    const fact = i % spacing === (long ? 2 : 3) && asked < questions.length ? questions[asked++] : undefined
    const id = `e${i}`
    if (fact) fact.id = id
    const said = fact ? of(facts)(fact.who, fact.thing, of(places)) : of(talk)(of(people), of(things))
    const answer = (): string =>
      Array.from({ length: sentencesOfAnswer }, () => of(talk)(of(people), of(things))).join('\n')
    const text = long && i % 2 === 1 ? answer() : said
    const base = { id, parent: i === 0 ? null : `e${i - 1}`, at: now - (turns - i) * 900_000, text }
    return i % 2 === 0
      ? { ...base, type: 'user' }
      : { ...base, type: 'assistant', calls: [], model: 'bench', local: true, stop: 'stop' }
  })
  const rows = await store.append('talk', entries)
  const anchors = new Map(
    rows.map(({ entry, day, line }) => [entry.id, `(?:dialog/${day}\\.jsonl:${line} |answer/${entry.id}\\.txt:)`]),
  )
  const search = new SearchIndex(store)
  const times: number[] = []
  let found = 0
  for (const { who, thing, id } of questions.slice(0, asked)) {
    const started = performance.now()
    const answer = await memorySearch.run(
      { query: of(asks)(who, thing) },
      {
        session: 'other',
        archive: fullArchive(store),
        search,
        signal: new AbortController().signal,
        givenPassages: new Set(),
        ...toolLimits(65_536),
        world: { now: () => now, newId: () => 'x', sleep: () => Promise.resolve() },
        compilePattern: linearPattern,
        readPage: () => Promise.reject(new AgentError('tool_failed', 'no network here')),
      },
    )
    times.push(performance.now() - started)
    if (new RegExp(`^\\d+\\. ${anchors.get(id)}`, 'm').test(answer)) found++
  }
  times.sort((a, b) => a - b)
  return {
    questions: asked,
    at10: Math.round((found / asked) * 10_000) / 10_000,
    p95ms: Math.round(times[Math.floor(times.length * 0.95)]! * 100) / 100,
  }
}
