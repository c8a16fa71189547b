/** Reads facts one by one and collects what a summary by rule may say, with how much each thing matters. */
import type { FactEntry } from '../../log/entry.ts'
import type { ToolCall } from '../../log/message.ts'
import { cuesOf, isQuestion, isOnlyQuestion, isOrder, sentencesOf } from './cues.ts'
import type { Cue } from './cues.ts'
import { contentWords, shareOfWords } from './content-words.ts'
import { clipped } from './clipped.ts'
import { answeredQuestion, itemsOfPrevious, namesOfPrevious, ordered, weights } from './extract-previous.ts'
import { listedNames, mostListed, type ListedName } from './listed-names.ts'
import { readCallNames, readNames } from './named-facts.ts'
import { NameRanking } from './name-ranking.ts'
import { valuesIn, withoutValues, type StatedValue } from './values.ts'
import type { CollectedItem, SummaryPart } from './summary-part.ts'
import { WorkState } from './work-state.ts'

/** As it is while facts are read: what comes again may weigh more. */
type Growing = { -readonly [key in keyof CollectedItem]: CollectedItem[key] }

export type Collected = { items: readonly CollectedItem[]; names: readonly ListedName[] }

/** Longest item, UTF-16 units. */
const LONGEST = 260
/** A longer result is a file or a listing: what looks like a value in it is code. UTF-16 units. */
const shortAnswer = 1_500
/** More of one part than any cap can hold is not kept while reading: the oldest and least go. */
const mostOfPart = 600

/** Starts a collection with what the previous summary says. */
export function collect(previous?: string): Collection {
  const collection = new Collection()
  if (previous !== undefined && previous.trim() !== '') collection.readPrevious(previous)
  return collection
}

export class Collection {
  readonly #items = new Map<SummaryPart, Map<string, Growing>>()
  readonly #names = new NameRanking()
  readonly #work = new WorkState()
  /** Number of the fact that is read. */
  #at = -1
  #order = 0
  #first: string | undefined
  #last: string | undefined
  #asked: string[] = []
  /** Questions of the newest message that order nothing; `#answered`: something was said behind it. */
  #questions: { text: string; recency: number }[] = []
  #answered = false

  readPrevious(text: string): void {
    const { items, first } = itemsOfPrevious(text)
    for (const { part, text: item, weight } of items) this.#add(part, item, weight)
    this.#first = first
    namesOfPrevious(text, this.#names, this.#work, (value, weight) => this.#value(value, weight))
  }

  /**
   * Takes in one fact; `recency` is 0 for the oldest and towards 1 for the newest; `search`: its text is searched.
   * Calls, what failed and the first request are told of all.
   */
  read(fact: FactEntry, recency: number, search = true): void {
    this.#at++
    if (fact.gone) return
    const text = fact.tail === undefined ? fact.text : `${fact.text}\n${fact.tail}`
    if (fact.type === 'user') {
      if (search || this.#first === undefined) this.#readUser(text, recency)
    } else if (fact.type === 'assistant') this.#readAssistant(text, fact.calls, recency, search)
    else this.#readResult(text, fact, recency, search)
  }

  /** What was collected; `pause` lets other work run in between. */
  async end(pause?: () => Promise<void>): Promise<Collected> {
    this.#settle(question => this.#asked.includes(question))
    if (this.#first !== undefined) this.#add('goal', this.#first, 900)
    if (this.#last !== undefined) this.#add('goal', this.#last, 1_000)
    // A question that nobody answered is an open item, whoever asked it.
    for (const question of this.#asked.slice(-6)) this.#add('next', question, 780)
    const failures = this.#work.failures()
    const { base, recency } = weights.failure
    for (const [index, { text, order, at }] of failures.entries()) {
      // Where work stopped matters more than where it stumbled.
      const weight = index === failures.length - 1 ? 730 : base + recency * Math.max(0, at / Math.max(1, this.#at))
      this.#of('failure').set(text, { part: 'failure', text, weight, order })
    }
    const items = closed([...this.#items.values()].flatMap(of => [...of.values()]))
    await pause?.()
    const told = withoutRows(withoutBeginnings(items))
    await pause?.()
    const ranked = this.#names.ranked(mostListed)
    await pause?.()
    return { items: told, names: listedNames(ranked, this.#work, this.#at) }
  }

  #readUser(text: string, recency: number): void {
    this.#settle(() => false)
    this.#asked = []
    let order: string | undefined
    readNames(this.#names, 'user', text, this.#at)
    for (const value of valuesIn(text, true)) this.#value(value, 620 + 100 * recency)
    let request: string | undefined
    let lines = 0
    for (const said of sentencesOf(text)) {
      if (++lines > 400) break // a pasted text, not a message
      const sentence = withoutValues(said)
      if (sentence.length < 2) continue
      if (/^<\/?[a-z][\w-]*>/.test(sentence)) continue // nor is a tag one
      request = request === undefined || request.length < 12 ? [request, sentence].filter(Boolean).join(' ') : request
      const asks = isOnlyQuestion(sentence)
      if (isQuestion(sentence)) this.#asked.push(sentence)
      if (asks) this.#questions.push({ text: sentence, recency })
      else if (order === undefined && request !== sentence && isOnlyQuestion(request) && isOrder(sentence))
        order = sentence
      const cues = cuesOf(sentence)
      if (cues.has('constraint')) this.#cue('constraint', sentence, recency)
      if (cues.has('decision')) this.#cue('decision', sentence, recency)
      if (cues.has('next'))
        this.#add(
          'next',
          sentence,
          isOrder(sentence)
            ? ordered.base + ordered.recency * recency
            : weights.next.base + weights.next.recency * recency,
        )
      if (cues.has('done') && !cues.has('constraint')) this.#cue('done', sentence, recency)
      if (cues.has('blocked') && !cues.has('constraint')) this.#cue('blocked', sentence, recency)
      if ((cues.size === 0 && /\d/.test(sentence)) || (cues.size === 1 && cues.has('personal')))
        this.#add('note', sentence, 560 + 80 * recency)
    }
    if (request === undefined) return
    if (this.#first === undefined) this.#first = request
    this.#last = request
    if (request.length >= 12 || /[\u3400-\u9fff]{4}/.test(request)) this.#cue('goal', request, recency)
    if (isOnlyQuestion(request)) this.#questions.push({ text: request, recency })
    if (order !== undefined) this.#cue('goal', order, recency) // what is to be done comes behind a question
  }

  /**
   * Questions that were answered leave Next Steps and weigh little elsewhere, where the person went on, or the answer
   * was about them.
   */
  #settle(isOpen: (question: string) => boolean): void {
    if (this.#answered)
      for (const { text, recency } of this.#questions) {
        if (isOpen(text)) continue
        const key = keyOf(itemText(text))
        this.#of('next').delete(key)
        for (const part of ['goal', 'note'] as const) {
          const item = this.#of(part).get(key)
          if (item !== undefined) item.weight = answeredQuestion.base + answeredQuestion.recency * recency
        }
      }
    this.#questions = []
    this.#answered = false
  }

  #readAssistant(text: string, calls: readonly ToolCall[], recency: number, search: boolean): void {
    for (const call of calls) {
      const texts = this.#work.call(call)
      if (search) readCallNames(this.#names, texts, this.#at)
    }
    if (text.trim() !== '') this.#answered = true
    if (!search) return
    if (this.#asked.length > 0 && text.trim() !== '') {
      // An answer that shares no word with the question was about something else.
      const words = contentWords(text)
      this.#asked = this.#asked.filter(question => shareOfWords(contentWords(question), words) === 0)
    }
    let last: string | undefined
    for (const said of sentencesOf(text)) {
      const sentence = withoutValues(said)
      if (sentence.length < 2) continue
      last = sentence
      const cues = cuesOf(sentence)
      if (cues.size === 0) continue
      const order: readonly Cue[] = ['decision', 'done', 'blocked', 'running', 'next']
      const cue = order.find(name => cues.has(name))
      if (cue !== undefined && isPart(cue)) this.#cue(cue, sentence, recency)
      else if (cues.has('finding') && /[\d/`"]/.test(sentence)) this.#cue('note', sentence, recency)
    }
    if (last !== undefined && /[?？]$/.test(last)) this.#asked.push(last)
    readNames(this.#names, 'assistant', text, this.#at)
    for (const value of valuesIn(text, true)) this.#value(value, 520 + 100 * recency)
  }

  #readResult(text: string, fact: FactEntry & { type: 'result' }, recency: number, search: boolean): void {
    this.#work.result(fact, text, this.#at, () => this.#order++)
    if (!search) return
    readNames(this.#names, 'result', text, this.#at)
    if (text.length <= shortAnswer) for (const value of valuesIn(text, true)) this.#value(value, 500 + 100 * recency)
  }

  /** What was said last about a key counts. */
  #value({ key, text }: StatedValue, weight: number): void {
    const values = this.#of('value')
    values.delete(key)
    values.set(key, { part: 'value', text, weight, order: this.#order++ })
    if (values.size > mostOfPart * 4) values.delete(values.keys().next().value ?? '')
  }

  #cue(part: Exclude<SummaryPart, 'value'>, text: string, recency: number): void {
    const weight = weights[part]
    this.#add(part, text, weight.base + weight.recency * recency)
  }

  #add(part: SummaryPart, text: string, weight: number): void {
    const item = itemText(text)
    if (item.length < 2) return
    const items = this.#of(part)
    const key = keyOf(item)
    const known = items.get(key)
    if (known !== undefined) {
      if (weight > known.weight) known.weight = weight
      return
    }
    if (items.size >= mostOfPart * 2) {
      const mine = [...items].sort(([, a], [, b]) => a.weight - b.weight)
      for (const [least] of mine.slice(0, mostOfPart)) items.delete(least)
    }
    items.set(key, { part, text: item, weight, order: this.#order++ })
  }

  #of(part: SummaryPart): Map<string, Growing> {
    const known = this.#items.get(part)
    if (known !== undefined) return known
    const made = new Map<string, Growing>()
    this.#items.set(part, made)
    return made
  }
}

function isPart(cue: Cue): cue is Cue & Exclude<SummaryPart, 'value'> {
  return cue !== 'finding' && cue !== 'personal'
}

function itemText(text: string): string {
  return clipped(/[\t\n\r]| {2}/.test(text) ? text.replace(/\s+/g, ' ').trim() : text, LONGEST)
}

/** Of two items that begin alike the first stands. */
function keyOf(item: string): string {
  return item.length > 100 ? item.slice(0, 100) : item
}

/** Open things that a later finished thing is about are finished: they leave Next Steps and In Progress. */
function closed(items: readonly CollectedItem[]): CollectedItem[] {
  const done = items
    .filter(item => item.part === 'done')
    .slice(-300)
    .map(item => ({ order: item.order, words: contentWords(item.text) }))
  return items.filter(item => {
    if (item.part !== 'next' && item.part !== 'running') return true
    const words = contentWords(item.text)
    if (words.size < 2) return true
    return !done.some(finished => finished.order > item.order && shareOfWords(words, finished.words) >= 0.6)
  })
}

/** Of two items of one part one of which only says the other further, the longer stands. */
function withoutBeginnings(items: readonly CollectedItem[]): CollectedItem[] {
  const beginnings = new Set<CollectedItem>()
  const inOrder = items.toSorted((a, b) => (a.part < b.part ? -1 : a.part > b.part ? 1 : a.text < b.text ? -1 : 1))
  for (const [at, item] of inOrder.entries()) {
    const next = inOrder[at + 1]
    const text = item.text.replace(/[.…!。！]+$/, '')
    if (next?.part === item.part && item.part !== 'value' && next.text !== item.text && next.text.startsWith(text))
      beginnings.add(item)
  }
  return items.filter(item => !beginnings.has(item))
}

/** Of notes that differ in their numbers only, rows of one list, some are enough. */
const mostAlike = 3

function withoutRows(items: readonly CollectedItem[]): CollectedItem[] {
  const alike = new Map<string, number>()
  const dropped = new Set<CollectedItem>()
  for (const item of items.filter(({ part }) => part === 'note').toSorted((a, b) => b.weight - a.weight)) {
    const shape = item.text.replace(/\d+/g, '#')
    const before = alike.get(shape) ?? 0
    alike.set(shape, before + 1)
    if (before >= mostAlike) dropped.add(item)
  }
  return items.filter(item => !dropped.has(item))
}
