/** One path through a log as items: facts, calls with their results, and what edits say of them. Pure. */
import { continuesAnswer } from '../../core/log/answer-parts.ts'
import type { Entry, Id } from '../../core/log/entry.ts'
import type { Usage } from '../../core/log/message.ts'
import { endsTurn } from '../../core/log/query.ts'
import { joinedText } from '../../core/text/continuation.ts'
import { firstFact } from '../../core/log/first-fact.ts'
import { summariesAtBorders } from './summary-places.ts'
import { summarizeEdits, type EditOf, type EditSummary } from './transcript-edits.ts'
import {
  itemBase,
  gapOf,
  splitAttachments,
  type MarkItem,
  type ViewMarks,
  type ToolResult,
  type TranscriptItem,
  type Versions,
} from './transcript-items.ts'

/** One path from the first entry to the leaf, folded. */
export class TranscriptPath {
  items: readonly TranscriptItem[] = []
  #items: TranscriptItem[] = []
  #open: { call: string; index: number }[] = [] // calls without result, by position of their item
  #facts = new Map<Id, { order: number; index: number | null }>() // facts by position on the path; item that shows them
  #factsAt = new Map<number, { order: number; id: Id }[]>() // the same, by the item that shows them
  #touched = new Set<number>() // items that are new or have a new fact since the last settling
  #edits: EditOf[] = []
  #settledEdits = 0 // as many of them are known to the items
  #editSummary: EditSummary = {
    undone: new Set(),
    pinned: new Set(),
    shortened: new Map(),
    border: 0,
    current: undefined,
    summarised: new Set(),
  }
  #cutItems = new Map<Id, number>() // cut entry → its mark
  #borders = new Map<Id, Id | null>() // cut entry → the first message that it keeps
  #isWhole = false // the first entry of the chat is on it
  #branch: { type: string; versions: Versions } | undefined // waits for the first fact behind the fork
  #grown = false
  // the newest fact, where it is an answer of its own item
  #answer: { fact: Extract<Entry, { type: 'assistant' }>; index: number } | undefined
  #overtaken = new Set<Id>() // notes that said of an answer that it was cut off, which went on since

  add(entry: Entry, children: ReadonlyMap<Id | null, readonly Entry[]>): void {
    this.#grown = true
    if (entry.parent === null) this.#isWhole = true
    this.#fork(entry, children)
    switch (entry.type) {
      case 'user': {
        this.#answer = undefined
        const { text, chips } = splitAttachments(entry)
        this.#fact(entry, {
          ...itemBase(entry),
          ...this.#seen('user'),
          type: 'user',
          text,
          whole: entry.text,
          chips,
          ...gapOf(entry, 'user_text', 'txt'),
        })
        return
      }
      case 'assistant':
        return this.#assistant(entry)
      case 'result':
        return this.#result(entry)
      case 'note': {
        const data = entry.data === undefined ? {} : { data: entry.data }
        this.#items.push({ ...itemBase(entry), type: 'note', code: entry.code, text: entry.text, ...data })
        return
      }
      case 'memory':
        this.#items.push({ ...itemBase(entry), type: 'memory', text: entry.text })
        return
      case 'foreign':
        this.#items.push({ ...itemBase(entry), type: 'foreign', text: entry.raw })
        return
      case 'cut':
        this.#cutItems.set(entry.id, this.#items.length)
        this.#borders.set(entry.id, entry.before)
        this.#mark(entry, { what: 'cut', reason: entry.reason, order: this.#count(entry.before) })
        break
      case 'strip':
        this.#mark(entry, { what: 'strip', order: this.#count(entry.before) })
        break
      case 'summary':
        this.#items.push({
          ...itemBase(entry),
          type: 'summary',
          group: entry.group,
          of: entry.of,
          text: entry.text,
          by: entry.by,
          guide: entry.guide,
          covers: entry.covers,
          stats: entry.stats,
          effective: true,
          current: true,
        })
        break
      case 'shorten':
      case 'pin':
      case 'undo':
        break
      default:
        return entry satisfies never
    }
    this.#edits.push(entry)
  }

  /**
   * Makes what edits say visible on the items, once for all entries that were added: on all items only if there are new
   * edits.
   */
  settle(): void {
    if (!this.#grown) return
    const news = this.#edits.length > this.#settledEdits
    if (news) this.#readEdits()
    if (this.#edits.length > 0) this.#applyEdits(news ? this.#items.keys() : this.#touched)
    this.#settledEdits = this.#edits.length
    this.#touched.clear()
    const shown = this.#items.filter(
      item =>
        !(
          (item.type === 'mark' && this.#hidden.has(item.entry)) ||
          (item.type === 'note' && this.#overtaken.has(item.entry))
        ),
    )
    this.items = summariesAtBorders(shown, ({ of }) => this.#borders.get(of), this.#isWhole)
    this.#grown = false
  }

  #hidden = new Set<Id>()

  #assistant(entry: Extract<Entry, { type: 'assistant' }>): void {
    const seen = this.#seen('assistant')
    const whole = this.#answer
    if (
      whole !== undefined &&
      seen.versions === undefined &&
      entry.rest === undefined &&
      continuesAnswer(whole.fact, entry)
    )
      this.#continueAnswer(entry, whole.index)
    else this.#ownAnswer(entry, seen)
    for (const [position, call] of entry.calls.entries()) {
      this.#open.push({ call: call.id, index: this.#items.length })
      this.#touched.add(this.#items.length)
      this.#items.push({
        key: `${entry.id}/${position}`,
        entry: entry.id,
        at: entry.at,
        type: 'tool',
        call,
        outOfContext: false,
        pinned: false,
        ...(entry.gone === undefined ? {} : { gone: entry.gone }),
        ...(entry.imported ? { imported: true as const } : {}),
        ...(entry.model === 'recall' && lookups.has(call.name) ? { looksUp: true as const } : {}),
      })
    }
  }

  /** The answer before goes on: it grows, and what said that it was cut off is past. */
  #continueAnswer(entry: Extract<Entry, { type: 'assistant' }>, index: number): void {
    const item = this.#items[index]
    if (item?.type !== 'assistant') return
    const { usage: _usage, ...before } = item
    const usage = sumOf(item.usage, entry.usage)
    this.#items[index] = {
      ...before,
      text: joinedText(item.text, entry.text),
      reasoning: [item.reasoning, entry.reasoning ?? ''].filter(text => text !== '').join('\n\n'),
      model: entry.model,
      local: entry.local,
      stop: entry.stop,
      calls: entry.calls.length,
      parts: [...(item.parts ?? [item.entry]), entry.id],
      ...(usage ? { usage } : {}),
    }
    for (const note of this.#items.slice(index + 1))
      if (note.type === 'note' && (endsTurn(note) || note.code === 'thought_limit' || note.code === 'retry'))
        this.#overtaken.add(note.entry)
    this.#place(entry, index)
    this.#answer = { fact: entry, index }
  }

  #ownAnswer(entry: Extract<Entry, { type: 'assistant' }>, seen: ViewMarks): void {
    const reasoning = entry.reasoning ?? ''
    this.#answer = entry.rest === undefined ? { fact: entry, index: this.#items.length } : undefined
    const silent = entry.text === '' && reasoning === '' && entry.calls.length > 0
    if (!silent || seen.versions !== undefined || entry.gone !== undefined) {
      this.#fact(entry, {
        ...itemBase(entry),
        ...seen,
        type: 'assistant',
        text: entry.text,
        reasoning,
        model: entry.model,
        local: entry.local,
        stop: entry.stop,
        calls: entry.calls.length,
        ...(entry.usage ? { usage: entry.usage } : {}),
        ...gapOf(entry, 'answer', 'txt'),
      })
    } else this.#place(entry, null)
  }

  #result(entry: Extract<Entry, { type: 'result' }>): void {
    this.#answer = undefined
    const result: ToolResult = {
      entry: entry.id,
      text: entry.text,
      isError: entry.isError,
      at: entry.at,
      ...gapOf(entry, 'tool_result', 'txt'),
      ...(entry.gone === undefined ? {} : { gone: entry.gone }),
    }
    // C2.2: the nearest unanswered call with its id before it
    const nearest = this.#open.findLastIndex(open => open.call === entry.callId)
    const open = this.#open[nearest]
    const item = open && this.#items[open.index]
    if (open === undefined || item?.type !== 'tool') {
      this.#fact(entry, { ...itemBase(entry), ...this.#seen('result'), type: 'orphan', tool: entry.tool, result })
      return
    }
    this.#open.splice(nearest, 1)
    this.#items[open.index] = { ...item, result }
    this.#place(entry, open.index)
  }

  #fact(entry: Entry, item: TranscriptItem): void {
    this.#place(entry, this.#items.length)
    this.#items.push(item)
  }

  /** The next fact, and the item that shows it. */
  #place({ id }: Entry, index: number | null): void {
    const order = this.#facts.size
    this.#facts.set(id, { order, index })
    if (index === null) return
    const others = this.#factsAt.get(index)
    if (others === undefined) this.#factsAt.set(index, [{ order, id }])
    else others.push({ order, id })
    this.#touched.add(index)
  }

  #mark(entry: Entry & { group: Id }, mark: Pick<MarkItem, 'what' | 'reason' | 'order'>): void {
    this.#items.push({ ...itemBase(entry), type: 'mark', group: entry.group, effective: true, ...mark })
  }

  /** How many facts stand before this one (null: all so far). */
  #count(before: Id | null): number {
    return before === null ? this.#facts.size : (this.#facts.get(before)?.order ?? 0)
  }

  #seen(type: string): ViewMarks {
    const versions = this.#branch?.type === type ? this.#branch.versions : undefined
    this.#branch = undefined
    return { outOfContext: false, pinned: false, ...(versions === undefined ? {} : { versions }) }
  }

  /** A fork above this entry: each branch that begins with the same kind of fact is a version of it. */
  #fork(entry: Entry, children: ReadonlyMap<Id | null, readonly Entry[]>): void {
    const siblings = children.get(entry.parent) ?? []
    if (siblings.length < 2) return
    const type = firstFact(entry, children)
    if (type === undefined || type === 'result') return
    const versions = siblings.filter(sibling => sibling === entry || firstFact(sibling, children) === type)
    const index = versions.indexOf(entry)
    if (versions.length < 2) return
    const previous = versions[index - 1]?.id
    const next = versions[index + 1]?.id
    this.#branch = {
      type,
      versions: {
        index: index + 1,
        count: versions.length,
        ...(previous === undefined ? {} : { previous }),
        ...(next === undefined ? {} : { next }),
      },
    }
  }

  #readEdits(): void {
    this.#editSummary = summarizeEdits(this.#edits, cut => this.#orderOf(cut))
    // a cut with a summary is shown by the summary's card
    this.#hidden = new Set([...this.#cutItems.keys()].filter(cut => this.#editSummary.summarised.has(cut)))
  }

  #applyEdits(indexes: Iterable<number>): void {
    const { undone, pinned, shortened, border, current } = this.#editSummary
    for (const index of indexes) {
      const item = this.#items[index]!
      if (item.type === 'summary') {
        this.#change(index, item, { effective: !undone.has(item.group), current: item.entry === current })
      } else if (item.type === 'mark') this.#change(index, item, { effective: !undone.has(item.group) })
      else if (item.type === 'user' || item.type === 'assistant' || item.type === 'tool' || item.type === 'orphan') {
        const facts = this.#factsAt.get(index) ?? []
        const isPinned = facts.some(fact => pinned.has(fact.id)) || pinned.has(item.entry)
        const last = facts.at(-1)
        const out = !isPinned && last !== undefined && last.order < border
        this.#change(index, item, { pinned: isPinned, outOfContext: out, shortened: last && shortened.get(last.id) })
      }
    }
  }

  #orderOf(cut: Extract<Entry, { type: 'cut' }>): number {
    const mark = this.#cutItems.get(cut.id)
    const item = mark === undefined ? undefined : this.#items[mark]
    return item?.type === 'mark' ? item.order : 0
  }

  /** Replaces an item only when something differs, so that unchanged ones stay the same objects. */
  #change<T extends TranscriptItem>(index: number, item: T, changes: { [K in keyof T]?: T[K] | undefined }): void {
    const keys = Object.keys(changes) as (keyof T)[]
    const same = keys.every(
      key => item[key] === changes[key] || JSON.stringify(item[key]) === JSON.stringify(changes[key]),
    )
    if (!same) this.#items[index] = { ...item, ...changes } as T
  }
}

/** Tools by which the built-in model looks up what is kept. */
const lookups: ReadonlySet<string> = new Set(['memory_search', 'read_file', 'list_files', 'get_time'])

/** What both parts of an answer took. */
function sumOf(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (a === undefined || b === undefined) return a ?? b
  const sum: Usage = { input: a.input + b.input }
  for (const key of ['cacheRead', 'cacheWrite', 'output', 'cost'] as const)
    if (a[key] !== undefined || b[key] !== undefined) sum[key] = (a[key] ?? 0) + (b[key] ?? 0)
  return sum
}
