/**
 * Statements of the person that a summary must not lose: rules and negations, decisions, open tasks. Found by rule;
 * pure.
 */
import type { FactEntry } from '../../log/entry.ts'
import { cuesOf, isOnlyQuestion, sentencesOf } from './cues.ts'
import { shareOfWords, contentWords } from './content-words.ts'
import { clipped } from './clipped.ts'
import { itemsOf, type SectionName } from './sections.ts'

export type Statement = { section: SectionName; text: string }

/** UTF-16 units of text read between two pauses, and at most: what is older than that was in a summary before. */
const slice = 60_000
const readAtMost = 500_000
/** Of one kind, the newest: more than any cap holds. */
const mostOfKind = 200
/** What a comparison costs, as UTF-16 units read. */
const comparisonWork = 1_000
/** At most this many are compared with the summary: each with every line. */
const mostCompared = 1_500
/** A longer text was pasted, not said; sentences. */
const mostSentences = 400
/** Longest statement, UTF-16 units. */
const maxStatementLength = 260
/** Finished things that open tasks are compared with. */
const mostDone = 300
/**
 * A line that has so many of the words of a statement says the same, and so does a short one whose words are nearly all
 * from it.
 */
const same = 0.85
const condensed = 0.9
/**
 * An open task that shares so many words with a later finished thing is finished, a decision with a later one is
 * replaced.
 */
const finished = 0.6
const replaced = 0.8

/** Rules that hold on, among all that sounds like a wish: "keep it short" is for one answer. */
const lasting =
  /\b(?:must|mustn't|never|always|do not|don'?t|should (?:not|never|always)|may not|cannot|forbidden|at (?:most|least)|no more than|avoid|without|deadline|budget|allerg|prefer|rules?|only)\b|必须|不要|不能|不可|不得|务必|只能|禁止|避免|预算|截止|最多|至少|不超过|不许|过敏|偏好/i

/**
 * Statements of the facts, and of the summary before, that no line of `summary` tells; rules, open tasks and decisions
 * in turn, each newest first. An open task that was finished later, or a decision that another one replaced, is not
 * among them.
 */
export async function lostStatements(
  facts: readonly FactEntry[],
  previous: string | undefined,
  summary: string,
  pause: () => Promise<void>,
): Promise<Statement[]> {
  const told = new SummaryLines(summary)
  const kinds = {
    rules: new Map<string, Statement>(),
    tasks: new Map<string, Statement>(),
    decisions: new Map<string, Statement>(),
  }
  let compared = 0
  let work = 0
  const add = (kind: keyof typeof kinds, section: SectionName, sentence: string): void => {
    const text = clipped(sentence.replace(/\s+/g, ' ').trim(), maxStatementLength)
    if (kinds[kind].size >= mostOfKind || kinds[kind].has(text) || compared++ >= mostCompared) return
    work += comparisonWork
    if (!told.holds(text)) kinds[kind].set(text, { section, text })
  }
  const done: ReadonlySet<string>[] = []
  const decided: ReadonlySet<string>[] = []
  // Read from the end: what was said behind the question that comes next, and whether the person went on.
  let answer: string | undefined
  let wentOn = false
  const isAnswered = (sentence: string): boolean =>
    answer !== undefined &&
    isOnlyQuestion(sentence) &&
    (wentOn || shareOfWords(contentWords(sentence), contentWords(answer)) > 0)
  const weigh = (sentence: string): void => {
    const cues = cuesOf(sentence)
    if (cues.has('constraint') && lasting.test(sentence)) add('rules', 'Constraints & Preferences', sentence)
    if (cues.has('next') && !isAnswered(sentence) && !isNear(sentence, done, finished))
      add('tasks', 'Next Steps', sentence)
    if (!cues.has('decision')) return
    if (!isNear(sentence, decided, replaced)) add('decisions', 'Key Decisions', sentence)
    if (decided.length < mostOfKind) decided.push(contentWords(sentence))
  }
  let read = 0
  for (let index = facts.length - 1; index >= 0 && read < readAtMost; index--) {
    const fact = facts[index]
    if (fact === undefined || fact.type === 'result' || fact.gone) continue
    read += fact.text.length
    work += fact.text.length
    const sentences = [...firstOf(sentencesOf(fact.text), mostSentences)].toReversed()
    for (const sentence of sentences) {
      if (done.length < mostDone && cuesOf(sentence).has('done')) done.push(contentWords(sentence))
      if (fact.type === 'user') weigh(sentence)
    }
    if (fact.type === 'assistant' && fact.text.trim() !== '') answer ??= fact.text
    if (fact.type === 'user') {
      answer = undefined
      wentOn = true
    }
    if (work < slice) continue
    work = 0
    await pause()
  }
  answer = undefined // what the summary before still names as open is open
  if (previous !== undefined) for (const item of itemsOf(previous).toReversed()) weigh(item)
  return inTurn([...kinds.rules.values()], [...kinds.tasks.values()], [...kinds.decisions.values()])
}

/** The lines of a summary, by their words. */
class SummaryLines {
  readonly #text: string
  readonly #sizes: number[] = [] // words of each line
  readonly #linesOf = new Map<string, number[]>()
  readonly #shared: Uint16Array

  constructor(summary: string) {
    this.#text = summary
    for (const [at, line] of summary.split('\n').entries()) {
      const words = contentWords(line)
      this.#sizes.push(words.size)
      for (const word of words) {
        const known = this.#linesOf.get(word)
        if (known === undefined) this.#linesOf.set(word, [at])
        else known.push(at)
      }
    }
    this.#shared = new Uint16Array(this.#sizes.length)
  }

  /** Whether a line says the same, or the same in short. */
  holds(statement: string): boolean {
    if (this.#text.includes(statement)) return true
    const words = contentWords(statement)
    if (words.size < 2) return false
    this.#shared.fill(0)
    for (const word of words) for (const at of this.#linesOf.get(word) ?? []) this.#shared[at]! += 1
    return this.#shared.some(
      (both, at) => both >= same * words.size || (both >= 2 && both >= condensed * (this.#sizes[at] ?? 0)),
    )
  }
}

/** Whether one of the later things has such a share of the words. */
function isNear(sentence: string, later: readonly ReadonlySet<string>[], share: number): boolean {
  const words = contentWords(sentence)
  return words.size >= 2 && later.some(thing => shareOfWords(words, thing) >= share)
}

function* firstOf<T>(items: Iterable<T>, count: number): Generator<T> {
  let at = 0
  for (const item of items) {
    if (at++ >= count) return
    yield item
  }
}

/**
 * Without those that another one only says further: a text that was cut off says the same with less, whole or in the
 * middle of a word.
 */
function withoutBeginnings(statements: readonly Statement[]): Statement[] {
  const texts = statements.map(({ text }) => text.replace(/…$/, '')).toSorted()
  const longer = new Set(
    texts.flatMap((text, at) =>
      at + 1 < texts.length && texts[at + 1] !== text && texts[at + 1]!.startsWith(text) ? [text] : [],
    ),
  )
  return statements.filter(({ text }) => !longer.has(text.replace(/…$/, '')))
}

/** One of each list after the other, until all are empty; of one text the first counts. */
function inTurn(...lists: readonly Statement[][]): Statement[] {
  const all = new Map<string, Statement>()
  const most = Math.max(...lists.map(list => list.length))
  for (let at = 0; at < most; at++)
    for (const list of lists) {
      const statement = list[at]
      if (statement !== undefined && !all.has(statement.text)) all.set(statement.text, statement)
    }
  return withoutBeginnings([...all.values()])
}
