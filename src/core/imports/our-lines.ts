/** A chat of another app as the lines of an export of ours (C9.4), which the import reads (C16). Pure. */
import type { EgressMark } from '../log/egress-mark.ts'
import type { Attachment, Entry, Id, NewEntry } from '../log/entry.ts'
import type { ForeignApp } from '../log/file-format/foreign-export.ts'
import { blobLines, entryLine, sessionLine } from '../log/file-format/jsonl.ts'
import { derivedId } from '../log/file-format/new-ids.ts'
import { fromBase64 } from '../text/base64.ts'
import { titleOf } from '../text/display/title.ts'
import { utf8Bytes } from '../text/bytes.ts'
import type { ForeignAttachment, ForeignChat, ForeignItem } from './shape/foreign-chat.ts'

/** Characters of a token, where no tokenizer is at hand: what a summary of another agent saved is not told by it. */
const charactersOfToken = 4
/** Moments beyond these are mistakes of the source. Unit: ms since epoch. */
const [earliest, latest] = [Date.UTC(1990), Date.UTC(2100)]
/** Where an export tells no time at all: the same at each import, and older than all that is said here. */
const unknownTime = Date.UTC(2020)

/** The files that lie beside an export; undefined where there is none of this name. */
export type FileBeside = (ref: string) => { bytes: Uint8Array; mime?: string } | undefined

const isMoment = (at: number | undefined): at is number => at !== undefined && at >= earliest && at <= latest

export type LinesOptions = {
  /** Finds what an attachment names. */
  beside?: FileBeside
  /** An ordinary yes is enough for a model elsewhere; else what is imported stays on this device. */
  leaves?: EgressMark
}

/**
 * The lines of the chat, the header first. Ids are made of the source's own: the same chat gives the same lines again.
 * An item without a time, or older than the one it follows, gets the time of that one.
 */
export function ourLines(app: ForeignApp, chat: ForeignChat, options: LinesOptions = {}): string[] {
  return [...new ChatLines(app, chat, options).lines()]
}

class ChatLines {
  readonly #chat: ForeignChat
  readonly #beside: FileBeside
  readonly #leaves: EgressMark | undefined
  readonly #id: Id
  /** The entry that an item's children hang on. */
  readonly #ends = new Map<string, Id>()
  readonly #items: ReadonlyMap<string, ForeignItem>
  readonly #times = new Map<string, number>()
  readonly #createdAt: number
  #seq = 0

  constructor(app: ForeignApp, chat: ForeignChat, { beside = () => undefined, leaves }: LinesOptions) {
    this.#chat = chat
    this.#beside = beside
    this.#leaves = leaves
    this.#id = derivedId(app, chat.id)
    this.#items = new Map(chat.items.map(item => [item.id, item]))
    const times = [chat.createdAt, ...chat.items.map(({ at }) => at)].filter(isMoment)
    const first = times.reduce((least, at) => Math.min(least, at), Infinity)
    this.#createdAt = Math.round(first < Infinity ? first : isMoment(chat.updatedAt) ? chat.updatedAt : unknownTime)
  }

  *lines(): Generator<string> {
    const { system, items } = this.#chat
    const leaf = this.#leaf()
    yield sessionLine({
      id: this.#id,
      name: this.#name(),
      createdAt: this.#createdAt,
      ...(leaf === undefined ? {} : { leaf: this.#endOf(leaf) }),
      ...(this.#leaves === undefined ? {} : { leaves: this.#leaves }),
    })
    const root = system === undefined ? null : this.#idOf('system')
    if (system !== undefined)
      yield this.#line(root!, null, this.#createdAt, {
        type: 'foreign',
        raw: JSON.stringify({ type: 'system', content: system }),
      })
    for (const item of items) {
      const parent = item.parent === null ? root : (this.#ends.get(item.parent) ?? root)
      const at = this.#timeOf(item)
      yield* this.#entries(item, parent, at)
      this.#ends.set(item.id, this.#endOf(item))
    }
  }

  #name(): string {
    const { title, items } = this.#chat
    const first = items.find(item => item.kind === 'user')
    return title ?? (first?.kind === 'user' ? (titleOf(first.text) ?? '') : '')
  }

  /** What the source shows; else the newest item of talk. */
  #leaf(): ForeignItem | undefined {
    const { leaf, items } = this.#chat
    const named = leaf === undefined ? undefined : this.#items.get(leaf)
    return named ?? items.findLast(({ kind }) => kind !== 'foreign') ?? items.at(-1)
  }

  #idOf(item: string, part = ''): Id {
    return derivedId(this.#id, `${item}\n${part}`)
  }

  /** The last entry that an item becomes. */
  #endOf({ id, kind, ...item }: ForeignItem): Id {
    if (kind === 'summary') return this.#idOf(id, 'summary')
    const aside = 'attachments' in item && kind !== 'user' && (item.attachments?.length ?? 0) > 0
    return aside ? this.#idOf(id, 'attachments') : this.#idOf(id)
  }

  #timeOf(item: ForeignItem): number {
    const before = (item.parent === null ? undefined : this.#times.get(item.parent)) ?? this.#createdAt
    // Clocks of several machines, and rows that are written late: nothing is older than what it follows.
    const at = isMoment(item.at) ? Math.max(Math.round(item.at), before) : before
    this.#times.set(item.id, at)
    return at
  }

  *#entries(item: ForeignItem, parent: Id | null, at: number): Generator<string> {
    const id = this.#idOf(item.id)
    switch (item.kind) {
      case 'user':
        yield* this.#user(id, parent, at, item)
        return
      case 'assistant': {
        const { text, reasoning, calls, model = '', usage } = item
        const stop = item.stop ?? (calls.length > 0 ? 'calls' : 'stop')
        yield this.#line(id, parent, at, {
          type: 'assistant',
          text,
          ...(reasoning === undefined || reasoning === '' ? {} : { reasoning }),
          calls,
          model,
          local: false,
          stop,
          ...(usage === undefined ? {} : { usage }),
        })
        yield* this.#besideAnswer(item.id, id, at, item.attachments)
        return
      }
      case 'result': {
        const { callId, tool, text, isError } = item
        yield this.#line(id, parent, at, { type: 'result', callId, tool, text, isError })
        yield* this.#besideAnswer(item.id, id, at, item.attachments)
        return
      }
      case 'summary':
        yield* this.#summary(item, parent, at)
        return
      case 'foreign':
        yield this.#line(id, parent, at, { type: 'foreign', raw: item.raw })
        return
      default:
        item satisfies never
    }
  }

  /** Texts go into the message, as those that a person attaches; other files become blobs with their names. */
  *#user(id: Id, parent: Id | null, at: number, item: ForeignItem & { kind: 'user' }): Generator<string> {
    let text = item.text
    const attachments: Attachment[] = []
    const blobs: string[] = []
    for (const [place, attached] of (item.attachments ?? []).entries()) {
      const { name, mime = 'application/octet-stream' } = attached
      const found = this.#bytesOf(attached)
      if (attached.text !== undefined) {
        const from = text.length + (text === '' ? 0 : 2)
        text = `${text}${text === '' ? '' : '\n\n'}${attached.text}`
        const span = [from, text.length] as const
        attachments.push({ name, mime: attached.mime ?? 'text/plain', bytes: utf8Bytes(attached.text), span })
      } else if (found === undefined) attachments.push({ name, mime, bytes: 0 })
      else {
        const blob = this.#idOf(item.id, `blob ${place}`)
        attachments.push({ name, mime: found.mime ?? mime, bytes: found.bytes.length, blob })
        blobs.push(...blobLines(blob, found.mime ?? mime, found.bytes))
      }
    }
    yield* blobs
    yield this.#line(id, parent, at, { type: 'user', text, ...(attachments.length > 0 ? { attachments } : {}) })
  }

  /** Answers and results have no attachments here: their files are kept beside them, as they came. */
  *#besideAnswer(item: string, id: Id, at: number, attachments?: ForeignAttachment[]): Generator<string> {
    if (attachments === undefined || attachments.length === 0) return
    const raw = JSON.stringify({ type: 'attachments', of: id, attachments })
    yield this.#line(this.#idOf(item, 'attachments'), id, at, { type: 'foreign', raw })
  }

  /** A cut with its summary, in one group: one Undo puts back what stood before it. */
  *#summary(item: ForeignItem & { kind: 'summary' }, parent: Id | null, at: number): Generator<string> {
    const cut = this.#idOf(item.id)
    const group = this.#idOf(item.id, 'group')
    const before = this.#talkBefore(item)
    const kept = item.firstKept === undefined ? -1 : before.findIndex(({ id }) => id === item.firstKept)
    const gone = kept < 0 ? before : before.slice(0, kept)
    const [first, last] = [gone[0], gone.at(-1)]
    yield this.#line(cut, parent, at, {
      type: 'cut',
      group,
      before: kept < 0 ? null : this.#idOf(before[kept]!.id),
      reason: 'compact',
    })
    if (first === undefined || last === undefined) {
      // nothing of what it tells is here: it is kept as what it is
      yield this.#line(this.#idOf(item.id, 'summary'), cut, at, {
        type: 'foreign',
        raw: JSON.stringify({ type: 'summary', text: item.text }),
      })
      return
    }
    const characters = gone.reduce((sum, one) => sum + ('text' in one ? one.text.length : 0), 0)
    yield this.#line(this.#idOf(item.id, 'summary'), cut, at, {
      type: 'summary',
      group,
      of: cut,
      text: item.text,
      by: 'model',
      place: 'own message',
      guide: [],
      covers: { first: this.#idOf(first.id), last: this.#idOf(last.id) },
      stats: {
        entries: gone.length,
        before: Math.ceil(characters / charactersOfToken),
        after: Math.ceil(item.text.length / charactersOfToken),
        ms: 0,
      },
    })
  }

  /** The talk of the item's own branch up to it, oldest first. */
  #talkBefore(item: ForeignItem): ForeignItem[] {
    const talk: ForeignItem[] = []
    const seen = new Set<string>()
    for (let at = item.parent; at !== null && !seen.has(at);) {
      seen.add(at)
      const found = this.#items.get(at)
      if (found === undefined) break
      if (found.kind === 'user' || found.kind === 'assistant' || found.kind === 'result') talk.push(found)
      at = found.parent
    }
    return talk.toReversed()
  }

  #bytesOf({ base64, ref }: ForeignAttachment): ReturnType<FileBeside> {
    const bytes = base64 === undefined ? undefined : fromBase64(base64)
    if (bytes !== undefined) return { bytes }
    return ref === undefined ? undefined : this.#beside(ref)
  }

  #line(id: Id, parent: Id | null, at: number, entry: NewEntry): string {
    // Lines that we do not know go as what they are kept as, so that they keep their place and their id.
    const line = { id, parent, at, ...entry } as Entry
    if (line.type !== 'foreign') return entryLine(line, this.#seq++)!
    const kept = { type: 'foreign', raw: line.raw }
    return JSON.stringify({ type: 'aside', id, parent, seq: this.#seq++, timestamp: at, entry: kept })
  }
}
