/** Reads facts one by one and collects what a summary by rule may say, with how much each thing matters. */
import type { FactEntry } from '../../log/entry.ts'
import type { ToolCall } from '../../log/message.ts'
import { cuesOf, isQuestion, isOnlyQuestion, isOrder, sentencesOf } from './cues.ts'
import type { Cue } from './cues.ts'
import { contentWords, shareOfWords } from './content-words.ts'
import { NameCollector, type CollectedName, type NameGroup } from './name-collector.ts'
import { itemsOf, progressItems, parseSections } from './sections.ts'

export type SummaryPart =
  | 'goal'
  | 'constraint'
  | 'done'
  | 'running'
  | 'blocked'
  | 'decision'
  | 'next'
  | 'note'
  | 'failure'
/** `weight` says what stays when not all fits; `order` is its place among its like. */
export type CollectedItem = { part: SummaryPart; text: string; weight: number; order: number }

/** As it is while facts are read: what comes again may weigh more. */
type Growing = { -readonly [key in keyof CollectedItem]: CollectedItem[key] }

export type Collected = { items: readonly CollectedItem[]; names: readonly CollectedName[] }

/** Longest item, UTF-16 units. */
const LONGEST = 260
/** Failed calls that are told at most. Source: C6.5 and its models. */
const mostFailures = 8
/** More of one part than any cap can hold is not kept while reading: the oldest and least go. */
const mostOfPart = 600

/**
 * Weight of the parts; the newest thing of a part gets up to `recency` more. Requests and demands of the person come
 * first.
 */
const weights: Record<SummaryPart, { base: number; recency: number }> = {
  goal: { base: 480, recency: 240 },
  constraint: { base: 800, recency: 40 },
  decision: { base: 700, recency: 80 },
  next: { base: 560, recency: 200 },
  blocked: { base: 620, recency: 120 },
  running: { base: 480, recency: 200 },
  failure: { base: 540, recency: 120 },
  done: { base: 400, recency: 160 },
  note: { base: 430, recency: 120 },
}

/** What a person ordered as a next step weighs more than what anybody else named as one. */
const ordered = { base: 640, recency: 120 }
/**
 * An answered question: it says what the conversation was about, and nothing is left to do. Ranks below everything that
 * may still matter.
 */
const answered = { base: 240, recency: 40 }

/** Starts a collection with what the previous summary says. */
export function collect(previous?: string): Collection {
  const collection = new Collection()
  if (previous !== undefined && previous.trim() !== '') collection.readPrevious(previous)
  return collection
}

export class Collection {
  readonly #items = new Map<SummaryPart, Map<string, Growing>>()
  readonly #names = new NameCollector(() => this.#order++)
  readonly #calls = new Map<string, ToolCall>()
  #failures: CollectedItem[] = []
  #order = 0
  #first: string | undefined
  #last: string | undefined
  #asked: string[] = []
  /** Questions of the newest message that order nothing; `#answered`: something was said behind it. */
  #questions: { text: string; recency: number }[] = []
  #answered = false

  readPrevious(text: string): void {
    const { found } = parseSections(text)
    const progress = progressItems(found.get('Progress') ?? '')
    const old = (part: SummaryPart, items: readonly string[]): void => {
      for (const item of items) this.#add(part, item, weights[part].base - 10)
    }
    const goals = itemsOf(found.get('Goal') ?? '')
    // The person has gone on since: a question among them had its answer.
    for (const [index, item] of goals.entries())
      this.#add('goal', item, index === 0 ? 900 : isOnlyQuestion(item) ? answered.base : 640)
    this.#first = goals[0]
    old('constraint', itemsOf(found.get('Constraints & Preferences') ?? ''))
    old('done', progress.done)
    old('running', progress.running)
    old('blocked', progress.blocked)
    old('decision', itemsOf(found.get('Key Decisions') ?? ''))
    // A question that still stood open yields to what was named since: the person has gone on without it.
    for (const item of itemsOf(found.get('Next Steps') ?? ''))
      this.#add(
        'next',
        item,
        isOnlyQuestion(item) ? weights.note.base : isOrder(item) ? ordered.base - 10 : weights.next.base - 10,
      )
    for (const item of itemsOf(found.get('Critical Context') ?? '')) {
      const group = /^(Files|Addresses|Hashes|Numbers|Errors|Code|Commands): (.*)$/.exec(item)
      if (group?.[1] === undefined || group[2] === undefined)
        this.#add(item.startsWith('Failed: ') ? 'failure' : 'note', item.replace(/^Failed: /, ''), 590)
      else for (const name of group[2].split(' · ')) this.#names.add(group[1] as NameGroup, name.trim(), 600)
    }
  }

  /**
   * Takes in one fact; `recency` is 0 for the oldest and towards 1 for the newest; `search`: a result or an answer is
   * searched for names.
   */
  read(fact: FactEntry, recency: number, search = true): void {
    if (fact.gone) return
    const text = fact.tail === undefined ? fact.text : `${fact.text}\n${fact.tail}`
    if (fact.type === 'user') this.#readUser(text, recency)
    else if (fact.type === 'assistant') this.#readAssistant(text, fact.calls, recency, search)
    else this.#readResult(text, fact, recency, search)
  }

  end(): Collected {
    this.#settle(question => this.#asked.includes(question))
    if (this.#first !== undefined) this.#add('goal', this.#first, 900)
    if (this.#last !== undefined) this.#add('goal', this.#last, 1_000)
    // A question that nobody answered is an open item, whoever asked it.
    for (const question of this.#asked.slice(-6)) this.#add('next', question, 780)
    const failures = this.#failures.slice(-mostFailures)
    for (const [index, failure] of failures.entries()) {
      // Where work stopped matters more than where it stumbled.
      this.#of('failure').set(`${failure.order}`, index === failures.length - 1 ? { ...failure, weight: 730 } : failure)
    }
    return {
      items: closed([...this.#items.values()].flatMap(items => [...items.values()])),
      names: this.#names.collected(),
    }
  }

  #readUser(text: string, recency: number): void {
    this.#settle(() => false)
    this.#asked = []
    let order: string | undefined
    this.#names.read(text, 610 + 60 * recency)
    let request: string | undefined
    let lines = 0
    for (const sentence of sentencesOf(text)) {
      if (++lines > 400) break // a pasted text, not a message
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
          if (item !== undefined) item.weight = answered.base + answered.recency * recency
        }
      }
    this.#questions = []
    this.#answered = false
  }

  #readAssistant(text: string, calls: readonly ToolCall[], recency: number, search: boolean): void {
    if (text.trim() !== '') this.#answered = true
    if (this.#asked.length > 0 && text.trim() !== '') {
      // An answer that shares no word with the question was about something else.
      const words = contentWords(text)
      this.#asked = this.#asked.filter(question => shareOfWords(contentWords(question), words) === 0)
    }
    let last: string | undefined
    for (const sentence of sentencesOf(text)) {
      last = sentence
      const cues = cuesOf(sentence)
      if (cues.size === 0) continue
      const order: readonly Cue[] = ['decision', 'done', 'blocked', 'running', 'next']
      const cue = order.find(name => cues.has(name))
      if (cue !== undefined && isPart(cue)) this.#cue(cue, sentence, recency)
      else if (cues.has('finding') && /[\d/`"]/.test(sentence)) this.#cue('note', sentence, recency)
    }
    if (last !== undefined && /[?？]$/.test(last)) this.#asked.push(last)
    if (search) this.#names.read(text, 440 + 60 * recency)
    for (const call of calls) {
      this.#calls.set(call.id, call)
      for (const [key, value] of stringsOf(call.arguments)) {
        if (/^(?:file_?path|path|file|filename|target|source|destination)$/i.test(key))
          this.#names.add('Files', value, 560 + 60 * recency)
        else if (/^(?:command|cmd|script|shell)$/i.test(key))
          this.#names.add('Commands', value.split('\n', 1)[0] ?? '', 400 + 120 * recency)
        else if (/^(?:url|uri|href)$/i.test(key)) this.#names.add('Addresses', value, 480 + 60 * recency)
      }
    }
  }

  #readResult(text: string, fact: FactEntry & { type: 'result' }, recency: number, search: boolean): void {
    const failed = fact.isError || /^(?:error|traceback|fatal|exit code [1-9])/i.test(text.slice(0, 40))
    if (failed) {
      const call = this.#calls.get(fact.callId)
      const line = firstTelling(text)
      if (line !== undefined) {
        const what = call === undefined ? fact.tool : `${fact.tool} ${clipped(call.arguments.replace(/\s+/g, ' '), 80)}`
        const weight = weights.failure
        this.#failures.push({
          part: 'failure',
          text: clipped(`${what}: ${line}`, LONGEST),
          weight: weight.base + weight.recency * recency,
          order: this.#order++,
        })
        if (this.#failures.length > 64) this.#failures = this.#failures.slice(-mostFailures)
      }
    }
    if (search) this.#names.read(text, 300 + 60 * recency)
  }

  #cue(part: SummaryPart, text: string, recency: number): void {
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

function isPart(cue: Cue): cue is Cue & SummaryPart {
  return cue !== 'finding' && cue !== 'personal'
}

function itemText(text: string): string {
  return clipped(/[\t\n\r]| {2}/.test(text) ? text.replace(/\s+/g, ' ').trim() : text, LONGEST)
}

/** Of two items that begin alike the first stands. */
function keyOf(item: string): string {
  return item.length > 100 ? item.slice(0, 100) : item
}

/** Text of at most `limit` units, ended at a blank where there is one, never inside a pair of surrogates. */
export function clipped(text: string, limit: number): string {
  if (text.length <= limit) return text
  const blank = text.lastIndexOf(' ', limit)
  const end = blank > limit * 0.7 ? blank : limit - 1
  const unit = text.charCodeAt(end - 1)
  return `${text.slice(0, unit >= 0xd800 && unit <= 0xdbff ? end - 1 : end)}…`
}

/** The strings of an object of arguments, one level deep; nothing where it is no JSON. */
function stringsOf(json: string): [string, string][] {
  if (json.length > 200_000) return []
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value !== 'object' || value === null) return []
    return Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === 'string')
  } catch {
    return [] // arguments that are no JSON got an error result, which is told on its own
  }
}

/**
 * The line of a failure that says what failed: the last one that names an error, else the first of a few or the last of
 * many.
 */
function firstTelling(text: string): string | undefined {
  const lines = text
    .slice(0, 4_000)
    .split('\n')
    .concat(text.length > 4_000 ? text.slice(-2_000).split('\n') : [])
    .map(line => line.trim())
    .filter(line => line !== '')
  const telling =
    lines.findLast(line => /^(?:[\w.]{0,60}(?:Error|Exception)|error|fatal|panic)\b/i.test(line)) ??
    lines.findLast(line => /\b(?:error|failed|denied|refused|cannot|not found|no such)\b|错误|失败|无法/i.test(line))
  const line = telling ?? (lines.length <= 3 ? lines[0] : lines.at(-1))
  return line === undefined ? undefined : clipped(line, 200)
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
