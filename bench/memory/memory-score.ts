/** Scores of a search: how much of the evidence stands among the first passages. Pure. */
import type { Question } from '../chats/conversations.ts'

export const depths = [1, 5, 10, 20] as const
export type Depth = (typeof depths)[number]

/** What one question brought: anchors in order, tokens of the usual answer, time. */
export type Outcome = { question: Question; found: readonly string[]; tokens: number; ms: number }
export type Score = {
  questions: number
  recall: Record<Depth, number> // mean share of a question's evidence
  any: Record<Depth, number> // share of questions with at least one piece of it
  mrr: number // mean of 1 / the place of the first piece; 0 where none comes
  byCategory: Record<string, { questions: number; recall10: number; any10: number }>
  tokensPerQuery: number
  p50ms: number
  p95ms: number
}

/** The means over all questions. */
export function scoreOf(outcomes: readonly Outcome[]): Score {
  const times = outcomes.map(outcome => outcome.ms).sort((a, b) => a - b)
  const at = (share: number): number =>
    rounded(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0)
  const categories = [...new Set(outcomes.map(outcome => outcome.question.category))].sort()
  return {
    questions: outcomes.length,
    recall: perDepth(depth => mean(outcomes.map(outcome => recall(outcome, depth)))),
    any: perDepth(depth => mean(outcomes.map(outcome => Number(recall(outcome, depth) > 0)))),
    mrr: mean(outcomes.map(firstPlace)),
    byCategory: Object.fromEntries(
      categories.map(category => {
        const own = outcomes.filter(outcome => outcome.question.category === category)
        return [
          category,
          {
            questions: own.length,
            recall10: mean(own.map(one => recall(one, 10))),
            any10: mean(own.map(one => Number(recall(one, 10) > 0))),
          },
        ]
      }),
    ),
    tokensPerQuery: Math.round(mean(outcomes.map(outcome => outcome.tokens))),
    p50ms: at(0.5),
    p95ms: at(0.95),
  }
}

function recall({ question, found }: Outcome, depth: Depth): number {
  const seen = new Set(found.slice(0, depth))
  return question.anchors.filter(anchor => seen.has(anchor)).length / question.anchors.length
}

function firstPlace({ question, found }: Outcome): number {
  const at = found.findIndex(anchor => question.anchors.includes(anchor))
  return at < 0 ? 0 : 1 / (at + 1)
}

function perDepth(value: (depth: Depth) => number): Record<Depth, number> {
  return { 1: value(1), 5: value(5), 10: value(10), 20: value(20) }
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : rounded(values.reduce((sum, value) => sum + value, 0) / values.length)
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
