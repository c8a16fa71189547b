/**
 * `npm run bench -- answerable`: whether a search tells what was said from what was never said, by the coverage of its
 * best passage; and the threshold, fitted on one half of the questions, checked on the other.
 */
import { SearchIndex } from '../../src/core/agent/search/search-index.ts'
import { memorySearch } from '../../src/core/agent/tools/memory-search.ts'
import { saidFrom } from '../../src/core/text/search/coverage.ts'
import type { Entry } from '../../src/core/log/entry.ts'
import { MemoryStore } from '../../src/storage/memory-store.ts'
import { answerableChat, type Answerable, type AnswerableLanguage } from '../chats/answerable-chats.ts'
import { answerableChinese } from '../chats/answerable-chinese.ts'
import { answerableEnglish } from '../chats/answerable-english.ts'
import { otherChatsToCheck, otherChatsToFit } from '../chats/answerable-others.ts'
import type { Bench } from '../shared/machine.ts'
import { contextOf } from './memory.ts'

const start = new Date(2026, 5, 1).getTime()
/** What is asked for. Unit: shares of the questions with, and without, an answer. */
const wanted = { answered: 0.95, unanswered: 0.9 }

type Shares = typeof wanted & { questions: number }
type Kind = Answerable['questions'][number]['kind']
/** `coverage`: of the best passage of one search; `isFound`: what answers is among the ten. */
type Outcome = { language: string; kind: Kind; coverage: number; isFound: boolean }

export const answerable: Bench = () => answerableWith(20)

/** The same with so many questions of each sort in each language. */
export async function answerableWith(
  asked: number,
): Promise<{ note: string; threshold: number; bestThreshold: number; fitted: Shares; checked: Shares }> {
  const own = { english: answerableEnglish, chinese: answerableChinese }
  const fitted = await outcomesOf({ ...own, ...otherChatsToFit }, { half: 0, asked })
  const checked = await outcomesOf({ ...own, ...otherChatsToCheck }, { half: 1, asked })
  return {
    note: 'answered: share of the questions with an answer in the chat for which a search has it among its ten passages and says so; unanswered: share of those without one for which it says that nothing says it',
    threshold: saidFrom,
    bestThreshold: bestThreshold(fitted),
    fitted: sharesOf(fitted),
    checked: sharesOf(checked),
  }
}

async function outcomesOf(
  languages: Record<string, AnswerableLanguage>,
  form: { half: 0 | 1; asked: number },
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const [language, texts] of Object.entries(languages))
    outcomes.push(...(await ask(language, answerableChat(texts, form))))
  return outcomes
}

async function ask(language: string, { messages, questions }: Answerable): Promise<Outcome[]> {
  const store = new MemoryStore()
  await store.createSession({ id: 'chat', title: '', createdAt: start, updatedAt: start, leaf: null })
  await store.append(
    'chat',
    messages.map(({ voice, text }, n): Entry => {
      const base = { id: `m${n}`, parent: n === 0 ? null : `m${n - 1}`, at: start + n * 60_000, text }
      return voice === 'person'
        ? { ...base, type: 'user' }
        : { ...base, type: 'assistant', calls: [], model: 'bench', local: true, stop: 'stop' }
    }),
  )
  const index = new SearchIndex(store)
  const outcomes: Outcome[] = []
  for (const { text, answer, kind } of questions) {
    let coverage = 0
    let isFound = false
    const search = {
      find: async (...args: Parameters<SearchIndex['find']>) => {
        const hits = await index.find(...args)
        coverage = Math.max(0, ...hits.map(hit => hit.coverage ?? 0))
        isFound = hits.some(({ entry }) => entry === `m${answer}`)
        return hits
      },
    }
    await memorySearch.run({ query: text }, contextOf(store, search, start + messages.length * 60_000))
    outcomes.push({ language, kind, coverage, isFound })
  }
  return outcomes
}

function sharesOf(outcomes: readonly Outcome[]): Shares & { byLanguage: object; unansweredByKind: object } {
  const languages = [...new Set(outcomes.map(({ language }) => language))]
  const kinds: Kind[] = ['other', 'stranger', 'world']
  return {
    ...sharesAt(outcomes, saidFrom),
    byLanguage: Object.fromEntries(
      languages.map(name => [
        name,
        sharesAt(
          outcomes.filter(({ language }) => language === name),
          saidFrom,
        ),
      ]),
    ),
    unansweredByKind: Object.fromEntries(
      kinds.map(name => [
        name,
        sharesAt(
          outcomes.filter(({ kind }) => kind === name),
          saidFrom,
        ).unanswered,
      ]),
    ),
  }
}

function sharesAt(outcomes: readonly Outcome[], threshold: number): Shares {
  const answered = outcomes.filter(({ kind }) => kind === 'answered')
  const unanswered = outcomes.filter(({ kind }) => kind !== 'answered')
  const share = (part: number, all: readonly Outcome[]): number => Math.round((part / all.length) * 1000) / 1000
  return {
    questions: outcomes.length,
    answered: share(answered.filter(one => one.isFound && one.coverage >= threshold).length, answered),
    unanswered: share(unanswered.filter(one => one.coverage < threshold).length, unanswered),
  }
}

/** The threshold whose weaker side is furthest above what is wanted; in the middle where several are alike. */
function bestThreshold(outcomes: readonly Outcome[]): number {
  const tried = Array.from({ length: 100 }, (_, n) => n / 100).map(threshold => {
    const { answered, unanswered } = sharesAt(outcomes, threshold)
    return { threshold, above: Math.min(answered - wanted.answered, unanswered - wanted.unanswered) }
  })
  const most = Math.max(...tried.map(({ above }) => above))
  const alike = tried.filter(({ above }) => above === most)
  return alike[Math.floor(alike.length / 2)]!.threshold
}
