/** What a person sees of a log: entries and leaf → items on screen. Pure. */
import type { Code } from '../core/errors.ts'
import type { Attachment, CutReason, Entry, GuideLine, Id, SummaryStats, Tombstone } from '../core/log/entry.ts'
import type { StopReason, ToolCall, Usage } from '../core/log/message.ts'

/** An attachment as a chip. `text` is its part of the message as far as the entry holds it (C3.7). */
export type Chip = { name: string; mime: string; bytes: number; blob?: Id; text?: string; whole: boolean }

/** Where an item stands among its siblings; `previous` and `next` are the entries to switch to. */
export type Versions = { index: number /* 1-based */; count: number; previous?: Id; next?: Id }

/** A text of which the entry holds only both ends (C3.7): what lies between is read by `path`. */
export type Gap = { tail: string; bytes: number; lines: number; path: string }

/** What the model is shown of a text that an edit shortened. */
export type Shortened = { keep: number; unit: 'bytes' | 'chars'; path: string }

type Base = {
  readonly key: string        // stable on screen, unique in a transcript
  readonly entry: Id          // the entry that the actions name
  readonly at: number         // ms since epoch
  readonly gone?: Tombstone   // its texts were removed
}

/** A fact that the model may see. `out`: it stands behind a cut and is no longer sent. */
type Seen = { readonly out: boolean; readonly pinned: boolean; readonly versions?: Versions; readonly shortened?: Shortened }

export type UserItem = Base & Seen & { type: 'user'; text: string; whole: string; chips: readonly Chip[]; gap?: Gap }
export type AssistantItem = Base & Seen & {
  type: 'assistant'; text: string; reasoning: string; model: string; local: boolean; stop: StopReason; usage?: Usage; gap?: Gap
  /** Calls follow it: not the end of a turn. */
  calls: number
}
export type ToolResult = { entry: Id; text: string; isError: boolean; at: number; gap?: Gap; gone?: Tombstone }
/** One call and, when it is there, its result. */
export type ToolItem = Base & Seen & { type: 'tool'; call: ToolCall; result?: ToolResult }
export type SummaryItem = Base & {
  type: 'summary'; group: Id; text: string; by: 'model' | 'extractive' | 'person'; guide: readonly GuideLine[]
  covers: { first: Id; last: Id }; stats: SummaryStats
  /** Not undone. */
  standing: boolean
  /** The one that the model is shown: standing, and no newer one or clearing cut took its place. */
  current: boolean
}
export type MarkItem = Base & { type: 'mark'; what: 'cut' | 'strip'; reason?: CutReason; group: Id; count: number /* messages that it took out */; standing: boolean }
export type NoteItem = Base & { type: 'note'; code: Code; text: string; data?: Readonly<Record<string, unknown>> }
export type QuietItem = Base & { type: 'memory' | 'foreign'; text: string }
/** An orphan result of an imported log: shown, so that nothing is hidden. */
export type OrphanItem = Base & Seen & { type: 'orphan'; tool: string; result: ToolResult }

export type TranscriptItem = UserItem | AssistantItem | ToolItem | SummaryItem | MarkItem | NoteItem | QuietItem | OrphanItem

/** The items of a log at once. Never throws: what it does not know it leaves out. */
export function transcript(entries: readonly Entry[], leaf: Id | null): readonly TranscriptItem[] {
  return new TranscriptFold().items(entries, leaf)
}

/**
 * The same, remembering what it did: when entries grew at the end and the leaf lies below the last one, only the new
 * entries are folded, and items that did not change stay the same objects. Anything else folds all anew.
 */
export class TranscriptFold {
  #entries: readonly Entry[] = []
  #leaf: Id | null = null
  #byId = new Map<Id, Entry>()
  #children = new Map<Id | null, Entry[]>()
  #path = new Path()

  /** Entries in order of appending (they may begin in the middle of a session), leaf of the path in view. */
  items(entries: readonly Entry[], leaf: Id | null): readonly TranscriptItem[] {
    if (entries === this.#entries && leaf === this.#leaf) return this.#path.items
    let anew = !extendsList(entries, this.#entries)
    if (anew) {
      this.#byId = new Map()
      this.#children = new Map()
    }
    for (let i = anew ? 0 : this.#entries.length; i < entries.length; i++) {
      const entry = entries[i]!
      this.#byId.set(entry.id, entry)
      const siblings = this.#children.get(entry.parent)
      if (siblings === undefined) this.#children.set(entry.parent, [entry])
      else {
        siblings.push(entry)
        anew = true // a new version somewhere: the switches of the old ones change
      }
    }
    const added = anew ? undefined : this.#above(leaf, this.#leaf)
    if (added === undefined) this.#path = new Path()
    for (const entry of added ?? this.#above(leaf, null)!) this.#path.add(entry, this.#children)
    this.#path.settle()
    this.#entries = entries
    this.#leaf = leaf
    return this.#path.items
  }

  /** The entries from below `top` down to `leaf`, oldest first; undefined when `top` is not above `leaf`. */
  #above(leaf: Id | null, top: Id | null): Entry[] | undefined {
    const found: Entry[] = []
    const seen = new Set<Id>() // an imported file may hold a ring
    for (let at = leaf; at !== top;) {
      const entry = at === null || seen.has(at) ? undefined : this.#byId.get(at)
      if (entry === undefined) return top === null ? found.toReversed() : undefined
      seen.add(entry.id)
      found.push(entry)
      at = entry.parent
    }
    return found.toReversed()
  }
}

/** What all edits together say of the items. `border`: facts before this order are out; `current`: the summary in use. */
type Said = { lifted: ReadonlySet<Id>; pinned: ReadonlySet<Id>; shortened: ReadonlyMap<Id, Shortened>; border: number; current: Id | undefined }

/** One path from the first entry to the leaf, folded. */
class Path {
  items: readonly TranscriptItem[] = []
  #items: TranscriptItem[] = []
  #open: { call: string; index: number }[] = []           // calls without result, by position of their item
  #facts = new Map<Id, { order: number; index: number | null }>() // facts by position on the path; item that shows them
  #factsAt = new Map<number, { order: number; id: Id }[]>() // the same, by the item that shows them
  #touched = new Set<number>()                            // items that are new or have a new fact since the last settling
  #edits: Extract<Entry, { group: Id }>[] = []
  #settledEdits = 0                                       // as many of them are known to the items
  #said: Said = { lifted: new Set(), pinned: new Set(), shortened: new Map(), border: 0, current: undefined }
  #cutItems = new Map<Id, number>()                        // cut entry → its mark
  #branch: { type: string; versions: Versions } | undefined // waits for the first fact behind the fork
  #grown = false

  add(entry: Entry, children: ReadonlyMap<Id | null, readonly Entry[]>): void {
    this.#grown = true
    this.#fork(entry, children)
    switch (entry.type) {
      case 'user': {
        const { text, chips } = splitAttachments(entry)
        this.#fact(entry, { ...base(entry), ...this.#seen('user'), type: 'user', text, whole: entry.text, chips, ...gapOf(entry, 'user_text', 'txt') })
        return
      }
      case 'assistant': return this.#assistant(entry)
      case 'result': return this.#result(entry)
      case 'note': {
        const data = entry.data === undefined ? {} : { data: entry.data }
        this.#items.push({ ...base(entry), type: 'note', code: entry.code, text: entry.text, ...data })
        return
      }
      case 'memory': this.#items.push({ ...base(entry), type: 'memory', text: entry.text }); return
      case 'foreign': this.#items.push({ ...base(entry), type: 'foreign', text: entry.raw }); return
      case 'cut':
        this.#cutItems.set(entry.id, this.#items.length)
        this.#mark(entry, { what: 'cut', reason: entry.reason, count: this.#count(entry.before) })
        break
      case 'strip':
        this.#mark(entry, { what: 'strip', count: this.#count(entry.before) })
        break
      case 'summary':
        this.#items.push({
          ...base(entry), type: 'summary', group: entry.group, text: entry.text, by: entry.by, guide: entry.guide,
          covers: entry.covers, stats: entry.stats, standing: true, current: true,
        })
        break
      case 'shorten': case 'pin': case 'undo': break
      default: return entry satisfies never
    }
    this.#edits.push(entry)
  }

  /** Makes what edits say visible on the items, once for all entries that were added: on all items only if there are new edits. */
  settle(): void {
    if (!this.#grown) return
    const news = this.#edits.length > this.#settledEdits
    if (news) this.#readEdits()
    if (this.#edits.length > 0) this.#applyEdits(news ? this.#items.keys() : this.#touched)
    this.#settledEdits = this.#edits.length
    this.#touched.clear()
    this.items = this.#items.filter(item => !(item.type === 'mark' && this.#hidden.has(item.entry)))
    this.#grown = false
  }

  #hidden = new Set<Id>()

  #assistant(entry: Extract<Entry, { type: 'assistant' }>): void {
    const seen = this.#seen('assistant')
    const reasoning = entry.reasoning ?? ''
    const silent = entry.text === '' && reasoning === '' && entry.calls.length > 0
    if (!silent || seen.versions !== undefined || entry.gone !== undefined) {
      this.#fact(entry, {
        ...base(entry), ...seen, type: 'assistant', text: entry.text, reasoning, model: entry.model, local: entry.local,
        stop: entry.stop, calls: entry.calls.length, ...(entry.usage ? { usage: entry.usage } : {}), ...gapOf(entry, 'answer', 'txt'),
      })
    } else this.#place(entry, null)
    for (const [position, call] of entry.calls.entries()) {
      this.#open.push({ call: call.id, index: this.#items.length })
      this.#touched.add(this.#items.length)
      this.#items.push({
        key: `${entry.id}/${position}`, entry: entry.id, at: entry.at, type: 'tool', call, out: false, pinned: false,
        ...(entry.gone === undefined ? {} : { gone: entry.gone }),
      })
    }
  }

  #result(entry: Extract<Entry, { type: 'result' }>): void {
    const result: ToolResult = {
      entry: entry.id, text: entry.text, isError: entry.isError, at: entry.at, ...gapOf(entry, 'tool_result', 'txt'),
      ...(entry.gone === undefined ? {} : { gone: entry.gone }),
    }
    // C2.2: the nearest unanswered call with its id before it
    const nearest = this.#open.findLastIndex(open => open.call === entry.callId)
    const open = this.#open[nearest]
    const item = open && this.#items[open.index]
    if (open === undefined || item?.type !== 'tool') {
      this.#fact(entry, { ...base(entry), ...this.#seen('result'), type: 'orphan', tool: entry.tool, result })
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

  #mark(entry: Entry & { group: Id }, mark: Pick<MarkItem, 'what' | 'reason' | 'count'>): void {
    this.#items.push({ ...base(entry), type: 'mark', group: entry.group, standing: true, ...mark })
  }

  /** How many facts stand before this one (null: all so far). */
  #count(before: Id | null): number {
    return before === null ? this.#facts.size : this.#facts.get(before)?.order ?? 0
  }

  #seen(type: string): Seen {
    const versions = this.#branch?.type === type ? this.#branch.versions : undefined
    this.#branch = undefined
    return { out: false, pinned: false, ...(versions === undefined ? {} : { versions }) }
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
    this.#branch = { type, versions: { index: index + 1, count: versions.length, ...(previous === undefined ? {} : { previous }), ...(next === undefined ? {} : { next }) } }
  }

  #readEdits(): void {
    const lifted = liftedGroups(this.#edits)
    const pinned = new Set<Id>()
    const shortened = new Map<Id, Shortened>()
    const summarised = new Set<Id>()
    let border = 0          // facts before this order are out
    let clear = 0           // the same, by cuts that hide older summaries
    let current: Id | undefined
    for (const edit of this.#edits) {
      if (edit.type === 'summary') summarised.add(edit.of)
      if (lifted.has(edit.group)) continue
      if (edit.type === 'pin') pinned[edit.on ? 'add' : 'delete'](edit.target)
      if (edit.type === 'shorten' && edit.part !== 'arguments') shortened.set(edit.target, { keep: edit.keep, unit: edit.unit, path: edit.path })
      if (edit.type === 'cut') {
        const at = this.#orderOf(edit)
        border = Math.max(border, at)
        if (edit.reason === 'clear') {
          clear = Math.max(clear, at)
          current = undefined
        }
      }
      if (edit.type === 'summary') {
        const cut = this.#edits.find(other => other.id === edit.of)
        const hidden = cut?.type === 'cut' && (lifted.has(cut.group) || this.#orderOf(cut) < clear)
        if (!hidden) current = edit.id
      }
    }
    // a cut that has its summary is told by the summary's card
    this.#hidden = new Set([...this.#cutItems.keys()].filter(cut => summarised.has(cut)))
    this.#said = { lifted, pinned, shortened, border, current }
  }

  #applyEdits(indexes: Iterable<number>): void {
    const { lifted, pinned, shortened, border, current } = this.#said
    for (const index of indexes) {
      const item = this.#items[index]!
      if (item.type === 'summary') {
        this.#change(index, item, { standing: !lifted.has(item.group), current: item.entry === current })
      } else if (item.type === 'mark') this.#change(index, item, { standing: !lifted.has(item.group) })
      else if (item.type === 'user' || item.type === 'assistant' || item.type === 'tool' || item.type === 'orphan') {
        const facts = this.#factsAt.get(index) ?? []
        const isPinned = facts.some(fact => pinned.has(fact.id)) || pinned.has(item.entry)
        const last = facts.at(-1)
        const out = !isPinned && last !== undefined && last.order < border
        this.#change(index, item, { pinned: isPinned, out, shortened: last && shortened.get(last.id) })
      }
    }
  }

  #orderOf(cut: Extract<Entry, { type: 'cut' }>): number {
    const mark = this.#cutItems.get(cut.id)
    const item = mark === undefined ? undefined : this.#items[mark]
    return item?.type === 'mark' ? item.count : 0
  }

  /** Replaces an item only when something differs, so that unchanged ones stay the same objects. */
  #change<T extends TranscriptItem>(index: number, item: T, changes: { [K in keyof T]?: T[K] | undefined }): void {
    const keys = Object.keys(changes) as (keyof T)[]
    const same = keys.every(key => item[key] === changes[key] || JSON.stringify(item[key]) === JSON.stringify(changes[key]))
    if (!same) this.#items[index] = { ...item, ...changes } as T
  }
}

/** The groups that a standing undo lifts; an undo may itself be undone by a later one. */
function liftedGroups(edits: readonly Extract<Entry, { group: Id }>[]): Set<Id> {
  const lifted = new Set<Id>()
  for (const edit of edits.toReversed()) if (edit.type === 'undo' && !lifted.has(edit.group)) lifted.add(edit.target)
  return lifted
}

function firstFact(entry: Entry, children: ReadonlyMap<Id | null, readonly Entry[]>): 'user' | 'assistant' | 'result' | undefined {
  const waiting = [entry]
  for (let steps = 0; waiting.length > 0 && steps < 1_000; steps++) { // a bound, because an imported file may hold a ring
    const at = waiting.pop()!
    if (at.type === 'user' || at.type === 'assistant' || at.type === 'result') return at.type
    waiting.push(...(children.get(at.id) ?? []).toReversed())
  }
  return undefined
}

function base(entry: Entry): Base {
  return { key: entry.id, entry: entry.id, at: entry.at, ...(entry.gone === undefined ? {} : { gone: entry.gone }) }
}

function gapOf(fact: { id: Id; tail?: string; rest?: { bytes: number; lines: number } }, folder: string, ending: string): { gap?: Gap } {
  return fact.rest === undefined ? {} : { gap: { tail: fact.tail ?? '', ...fact.rest, path: `${folder}/${fact.id}.${ending}` } }
}

/** The typed words without the attached texts, and these as chips. */
function splitAttachments(fact: Extract<Entry, { type: 'user' }>): { text: string; chips: Chip[] } {
  const chips = (fact.attachments ?? []).map(attachment => chipOf(attachment, fact.text))
  const spans = (fact.attachments ?? []).flatMap(({ span }) => span === undefined ? [] : [span]).sort((a, b) => a[0] - b[0])
  let text = ''
  let at = 0
  for (const [from, to] of spans) {
    if (from > at) text += fact.text.slice(at, from)
    at = Math.max(at, to)
  }
  return { text: text + fact.text.slice(at), chips }
}

function chipOf({ name, mime, bytes, blob, span }: Attachment, text: string): Chip {
  return {
    name, mime, bytes, whole: span === undefined || span[1] <= text.length,
    ...(blob === undefined ? {} : { blob }), ...(span === undefined ? {} : { text: text.slice(span[0], span[1]) }),
  }
}

/** True when `list` begins with all of `start`, the same objects. */
function extendsList(list: readonly Entry[], start: readonly Entry[]): boolean {
  return start.length <= list.length && start.every((entry, i) => entry === list[i])
}
