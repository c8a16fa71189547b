/**
 * What was allowed, reckoned anew from what the person did and answered: which secret stands where, and whether it may
 * be in what was sent.
 */
import type { Id, SessionId } from '../../log/entry.ts'
import type { EgressMark } from '../../log/egress-mark.ts'
import type { LogStore } from '../../ports/ports.ts'
import { dayOf } from '../../text/day.ts'
import { tokensOf, type EgressAct, type PlannedCall } from './egress-acts.fixture.ts'
import type { SentElsewhere } from './egress-device.fixture.ts'

/**
 * What is known of a chat: its mark, its yeses, what of its log was rightly in it, and what of that it has from what
 * stays.
 */
export type LivedChat = {
  id: SessionId
  day: number
  mark?: EgressMark
  yes: Set<string>
  model?: string
  summariser?: string
  own: Set<string>
  fromStaying: Set<string>
  removed?: true
}
export type LivedFile = { path: string; mark?: EgressMark; revision: number }
/** Where a token stands now. */
export type Holder = { chat?: LivedChat; file?: LivedFile; tokens: ReadonlySet<string> }
/** Before an act: where each token stands, what MEMORY.md has, and every token that is known at all. */
export type KnownTokens = { before: readonly Holder[]; memory: ReadonlySet<string>; known: ReadonlySet<string> }

/**
 * What all lives together have sent, and what of it was others': a law over lives in which nothing happens would say
 * nothing.
 */
export const sentInAll = { chats: 0, summaries: 0, merges: 0, vectors: 0, ofOthers: 0, ofStaying: 0, files: 0, days: 0 }

export class EgressReckoning {
  readonly chats: LivedChat[] = []
  readonly files: LivedFile[] = []
  /** The model of chats that have chosen none. */
  defaultModel: string | undefined
  readonly #store: LogStore
  /** An entry of each chat, for paths that name one. */
  readonly #entryOf = new Map<SessionId, Id>()

  constructor(store: LogStore) {
    this.#store = store
  }

  /** The path that a plan means. */
  pathOf({ of, n, form }: NonNullable<PlannedCall['path']>): string {
    if (of === 'file') return this.files[n % this.files.length]!.path
    const chat = this.chats[n % this.chats.length]!
    return form
      .replace('DAY', dayOf(chat.day))
      .replace('ID', chat.id)
      .replace('ENTRY', this.#entryOf.get(chat.id) ?? 'none')
  }

  /** Where each token of a chat or a file stands now. */
  async holders(): Promise<Holder[]> {
    const holders: Holder[] = []
    for (const chat of this.chats) {
      const rows = await this.#store.read(chat.id)
      const info = await this.#store.session(chat.id)
      const fact = rows.findLast(
        ({ entry }) => entry.type === 'user' || entry.type === 'assistant' || entry.type === 'result',
      )
      if (fact) this.#entryOf.set(chat.id, fact.entry.id)
      const tokens = tokensOf(`${JSON.stringify(rows)} ${info?.title ?? ''} ${chat.id}`)
      for (const { day } of rows) if (tokensOf(day).size > 0) tokens.add(day)
      holders.push({ chat, tokens })
    }
    for (const file of this.files) {
      const tokens = new Set<string>()
      const { revision = 0 } = (await this.#store.document(file.path)) ?? {}
      for (let n = 1; n <= revision; n++) {
        const document = (await this.#store.document(file.path, n))!
        for (const token of tokensOf(`${file.path} ${document.text} ${dayOf(document.at)}`)) tokens.add(token)
      }
      if (revision > 0) holders.push({ file, tokens })
    }
    return holders
  }

  /** The tokens of MEMORY.md, in any of its texts. */
  async memory(): Promise<Set<string>> {
    const { revision = 0 } = (await this.#store.document('MEMORY.md')) ?? {}
    const tokens = new Set<string>()
    for (let n = 1; n <= revision; n++) {
      const document = (await this.#store.document('MEMORY.md', n))!
      for (const token of tokensOf(`${document.text} ${dayOf(document.at)}`)) tokens.add(token)
    }
    return tokens
  }

  #modelOf = (chat: LivedChat): string => chat.model ?? this.defaultModel ?? 'here'

  /** Whether what this chat reads would go to a model elsewhere without another question about the chat. */
  goesOut(chat: LivedChat): boolean {
    return (
      chat.mark === 'asks' ||
      chat.yes.has('this chat') ||
      this.#modelOf(chat) !== 'here' ||
      (chat.summariser ?? 'here') !== 'here'
    )
  }

  /** What the yeses of this chat let it read, beside its own. */
  #allowed(chat: LivedChat | undefined, { before, memory, known }: KnownTokens): Set<string> {
    const allowed = new Set(memory)
    if (chat && !chat.yes.has('other chats')) return allowed
    if (chat?.yes.has('chats of this device')) return new Set(known)
    for (const { chat: other, file, tokens } of before)
      if ((other && !other.removed && other.mark === 'asks') || (file && file.mark === 'asks'))
        for (const token of tokens) allowed.add(token)
    return allowed
  }

  /** Throws where something was sent in the act that was not allowed. */
  check(act: EgressAct, chat: LivedChat | undefined, sent: readonly SentElsewhere[], known: KnownTokens): void {
    const reads = act.do === 'embed' || act.do === 'dream' ? undefined : chat
    const others = this.#allowed(reads, known)
    for (const { to, body, asks } of sent) {
      const tokens = tokensOf(body)
      const mine = reads && (this.#mayGo(reads) || reads.summariser === to) ? reads.own : new Set<string>()
      const mayRead = reads && mine.size === 0 ? known.memory : others
      // Vectors of a question are asked for only where a model elsewhere asks it.
      const isQuestion = to === 'there' && reads !== undefined
      const leaked = [...tokens].filter(
        token =>
          known.known.has(token) &&
          ((!mine.has(token) && !mayRead.has(token)) ||
            (isQuestion && this.#modelOf(reads) === 'here' && !known.memory.has(token))),
      )
      if (leaked.length > 0) {
        const where = leaked.map(
          token =>
            `${token} of ${known.before
              .filter(({ tokens }) => tokens.has(token))
              .map(({ chat, file }) =>
                chat
                  ? `chat ${this.chats.indexOf(chat)} (${chat.mark ?? 'fresh'})`
                  : `file ${file!.path} (${file!.mark})`,
              )
              .join(', ')}`,
        )
        throw new Error(`Sent to ${to} in ${JSON.stringify(act)}: ${where.join('; ')}\n${body.slice(-3_000)}`)
      }
      sentInAll[to === 'there' ? 'vectors' : asks === 'chat' ? 'chats' : act.do === 'dream' ? 'merges' : 'summaries']++
      this.#count(tokens, { ...known, mine })
    }
  }

  #count(
    tokens: ReadonlySet<string>,
    { before, mine }: { before: readonly Holder[]; mine: ReadonlySet<string> },
  ): void {
    const got = (of: (holder: Holder) => boolean): boolean =>
      before.some(holder => of(holder) && [...holder.tokens].some(token => tokens.has(token) && !mine.has(token)))
    if (got(({ chat }) => chat?.mark === 'asks')) sentInAll.ofOthers++
    if (got(({ chat, file }) => (chat ?? file)?.mark === 'stays')) sentInAll.ofStaying++
    if (got(({ file }) => file !== undefined)) sentInAll.files++
    if ([...tokens].some(token => token.startsWith('20') && !mine.has(token))) sentInAll.days++
  }

  /** Whether the log of the chat may be sent: the person chose to, or it has been already. */
  #mayGo(chat: LivedChat): boolean {
    return chat.mark === 'asks' || chat.mark === undefined || chat.yes.has('this chat')
  }

  /** After an act: what is in the chat now, and the marks of it and of the files that it wrote. */
  async learn(
    act: EgressAct,
    chat: LivedChat,
    { before, memory, known, count, goes }: KnownTokens & { count: number; goes: boolean },
  ): Promise<void> {
    const rows = await this.#store.read(chat.id)
    const tokens = tokensOf(JSON.stringify(rows))
    const may = goes ? this.#allowed(chat, { before, memory, known }) : known
    for (const token of tokens) {
      if (chat.own.has(token)) continue
      // must not have come in: where it goes on, that is found
      if (known.has(token) && !may.has(token) && !memory.has(token)) continue
      chat.own.add(token)
      const holders = before.filter(holder => holder.chat !== chat && holder.tokens.has(token))
      if (
        holders.length > 0 &&
        !memory.has(token) &&
        holders.every(holder => (holder.chat ?? holder.file)?.mark !== 'asks')
      )
        chat.fromStaying.add(token)
    }
    if (act.do !== 'import') {
      const answers = rows.slice(count).flatMap(({ entry }) => (entry.type === 'assistant' ? [entry] : []))
      if (answers.some(({ local }) => !local)) chat.mark = 'asks'
      else if (answers.length > 0) chat.mark ??= 'stays'
    }
    for (const file of this.files) {
      const document = await this.#store.document(file.path)
      if (!document || document.revision === file.revision || act.do === 'write file' || act.do === 'import') continue
      const isStaying = chat.mark !== 'asks' || [...tokensOf(document.text)].some(token => chat.fromStaying.has(token))
      file.mark = file.mark === 'stays' || isStaying ? 'stays' : 'asks'
      file.revision = document.revision
    }
  }
}
