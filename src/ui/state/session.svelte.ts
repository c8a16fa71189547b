/** UI state of the open chat: what the worker says of it, kept as the screen wants it. */
import type { AgentApi, AgentEvent, CommandReply, OpenedSession, Status } from '../../core/agent/api/api.ts'
import type { ContextInfo, IdleTrim } from '../../core/agent/api/context-api.ts'
import { codeOf } from '../../core/errors.ts'
import type { Entry, Id, SessionId } from '../../core/log/entry.ts'
import type { QueuedMessage, SessionInfo } from '../../core/ports/ports.ts'
import { beforeNextPaint, soon } from '../browser/before-next-paint.ts'
import { CutBorder } from './cut-border.svelte.ts'
import { LiveContext } from './live-context.svelte.ts'
import { LiveReply, type ReplySoFar } from './live-reply.svelte.ts'
import { LoadedLog } from './loaded-log.svelte.ts'
import type { OpenChatSnapshot } from './draft/rescue-lines.ts'
import type { MessageDraft } from './draft/message-draft.svelte.ts'
import { SessionActions } from './session-actions.svelte.ts'
import { StoredDraft } from './draft/stored-draft.ts'
import type { TranscriptItem } from '../transcript/transcript-items.ts'

type SessionEvent = Exclude<Extract<AgentEvent, { session: SessionId }>, { type: 'stop' }>

/** What the open chat needs of its surroundings; tests bring their own clockwork. */
export type OpenSessionHooks = {
  /** A new chat, which is on the screen before any thread has answered: what it is until then. */
  newChat?: SessionInfo
  /** What was in the message box when the page was left: newer than the stored draft. */
  typed?: string
  /** What is typed could not be stored; undefined: it is, or nothing is typed. */
  onUnsavedDraft?(typed: string | undefined): void
  /** A command that opens a chat or saves an export. */
  onReply?(reply: CommandReply): void
  /** Runs a task before the next paint, or soon where nothing is painted. */
  nextFrame?(task: () => void): void
  /** Resolves when the page has had time for other things. */
  yieldToMain?(): Promise<void>
  /** Resolves when nobody types: work that only updates the view waits for it. */
  whenIdle?(): Promise<void>
}

const contextDelayMs = 150 // a turn changes the window many times a second; the pane need not follow each

export class OpenSession extends SessionActions {
  readonly #hooks: Required<Pick<OpenSessionHooks, 'nextFrame' | 'yieldToMain' | 'whenIdle'>>
  readonly #begunHere: boolean
  readonly #log: LoadedLog
  readonly #live: LiveReply
  readonly #context: LiveContext
  readonly #draft: StoredDraft

  /** Whether the newest entries are here; `gone`: there is no such chat. */
  state = $state<'loading' | 'open' | 'gone'>('loading')
  info = $state.raw<SessionInfo | undefined>()
  /** A message that the screen shall scroll to; a new object each time. */
  jump = $state.raw<{ entry: Id } | null>(null)
  /** Nothing of it is stored yet. */
  isUnstored = $state(false)
  /** Where the next compaction cuts. */
  readonly border = new CutBorder(() => this.context?.reserve)

  get draft(): MessageDraft {
    return this.#draft.draft
  }
  /** What the next request would be; undefined until it is known. */
  get context(): ContextInfo | undefined {
    return this.#context.info
  }
  /** What the next message takes out of the window first; null: nothing, or not known yet. */
  get idleTrim(): IdleTrim | null {
    return this.#context.idleTrim
  }
  /** What waits until the answer is done, in order. */
  get queued(): readonly QueuedMessage[] {
    return this.info?.queued ?? []
  }
  /** The message box holds something that was not sent. */
  get drafting(): boolean {
    return !this.draft.empty
  }
  get entries(): readonly Entry[] {
    return this.#log.entries
  }
  get items(): readonly TranscriptItem[] {
    return this.#log.items
  }
  get leaf(): Id | null {
    return this.#log.leaf
  }
  /** Older entries are still being fetched. */
  get loadingOlder(): boolean {
    return this.#log.loadingOlder
  }
  /** The answer that is being written; null for none. */
  get reply(): ReplySoFar | null {
    return this.#live.current
  }

  #waiting: SessionEvent[] | null = [] // events that came while it opens
  #generation = 0 // counts openings; what an older one fetched is thrown away
  #unsaved = false // an answer could not be stored: it stays on the screen until another begins

  constructor(api: AgentApi, id: SessionId, { newChat, typed = '', ...hooks }: OpenSessionHooks = {}) {
    super(api, id, hooks.onReply ?? (() => {}))
    this.#begunHere = newChat !== undefined
    this.#hooks = { nextFrame: beforeNextPaint, yieldToMain: soon, whenIdle: async () => {}, ...hooks }
    this.#draft = new StoredDraft({
      store: typed => api.saveDraft(id, typed),
      onUnsaved: hooks.onUnsavedDraft ?? (() => {}),
      isUnstored: () => this.isUnstored,
    })
    this.#context = new LiveContext({
      info: () => api.context(id),
      idleTrim: () => api.idleTrim(id),
      whenIdle: () => this.#hooks.whenIdle(),
    })
    this.#log = new LoadedLog({
      fetch: (from, to) => api.entries(id, from, to),
      yieldToMain: () => this.#hooks.yieldToMain(),
      whenIdle: () => this.#hooks.whenIdle(),
      fail: error => {
        this.fail(error)
      },
    })
    this.#live = new LiveReply(
      task => {
        this.#hooks.nextFrame(task)
      },
      async () => (await api.open(id)).partial,
    )
    if (newChat !== undefined) {
      this.#takeInfo(newChat)
      this.isUnstored = true
      this.state = 'open'
      this.#waiting = null
    }
    if (typed !== '') this.#draft.begin(typed)
  }

  /** Reads the chat, newest entries first; again after a restart of the worker. Stores nothing. */
  async open(): Promise<void> {
    const life = ++this.#generation
    this.#context.begin()
    this.#log.stop()
    const begin = this.isUnstored
    if (!begin) this.#waiting ??= []
    try {
      const opened = await this.api.open(this.id, begin ? { begin } : undefined)
      if (life !== this.#generation) return
      if (!begin) this.#accept(opened)
      else
        void this.#hooks.whenIdle().then(() => {
          if (life === this.#generation && this.isUnstored) this.#takeInfo(opened.info)
        }) // a person who begins a chat is typing: the header can wait
    } catch (error) {
      if (life !== this.#generation) return
      this.#waiting = null
      if (codeOf(error) === 'not_found') this.state = 'gone'
      else this.fail(error)
      return
    }
    const waiting = this.#waiting ?? []
    this.#waiting = null
    this.#receive(waiting)
    this.#context.fetch(0)
    await this.#log.fetchOlder()
  }

  /** The worker is gone for good: nothing runs any more, what was shown stays. */
  abandon(): void {
    this.status = { state: 'idle' }
    this.failure = null
  }

  /** Ends its timers; later events are ignored. */
  dispose(): void {
    this.#draft.dispose()
    this.#generation++
    this.#log.stop()
    this.#live.dispose()
    this.#context.dispose()
  }

  /** Takes the events of this chat, in order. */
  receive(events: readonly AgentEvent[]): void {
    const mine = events.filter(
      (event): event is SessionEvent => 'session' in event && event.type !== 'stop' && event.session === this.id,
    )
    if (this.#waiting !== null) this.#waiting.push(...mine)
    else if (mine.length > 0) this.#receive(mine)
  }

  /** Compacts where the border stands; the next one begins where the strategy puts it. */
  async compactAtBorder(): Promise<boolean> {
    const { tokens } = this.border
    const done = tokens !== undefined && (await this.compact({ keep: tokens }))
    if (done) this.border.keep = undefined
    return done
  }

  override skipIdleTrim(): Promise<boolean> {
    this.#context.idleTrim = null
    return super.skipIdleTrim()
  }

  /** Keeps what is typed: each half a second while the person types, at once with `now`. */
  saveDraft(now = false): void {
    this.#draft.save(now)
  }

  /**
   * Saves a pending draft at once, and writes nothing else: a page that is suspended during a write can block the next
   * page.
   */
  flushDraft(): void {
    this.#draft.flush()
  }

  /** The person has opened something else: an empty chat is not stored. */
  leave(): void {
    if (this.#draft.leavesNothing || this.state !== 'open' || this.leaf !== null || this.drafting) return
    this.saveDraft(true)
    this.api.leave(this.id).catch(() => undefined) // one that stays is not listed
  }

  /**
   * The person opens something else: saves the draft at once, so that the chat can be found again even before the list
   * shows it.
   */
  saveBeforeLeaving(): void {
    if (this.draft.typed === '') return
    this.flushDraft()
    this.isUnstored = false
  }

  /**
   * Asks the screen to show this entry; one that is not here yet is waited for, one of another version brings that into
   * view.
   */
  async jumpTo(entry: Id): Promise<void> {
    const life = this.#generation
    while (life === this.#generation && (this.state === 'loading' || this.loadingOlder) && !this.#isHere(entry))
      await this.#hooks.yieldToMain()
    if (
      life === this.#generation &&
      !this.#isInView(entry) &&
      this.entries.some(({ id }) => id === entry) &&
      (await this.switchVersion(entry))
    ) {
      for (let tries = 0; tries < 100 && life === this.#generation && !this.#isInView(entry); tries++)
        await this.#hooks.yieldToMain()
    }
    if (life === this.#generation) this.jump = { entry }
  }

  /** Whether the entry is loaded and has its place: a summary's card comes with the message at its border. */
  #isHere(entry: Id): boolean {
    const found = this.entries.find(({ id }) => id === entry)
    return found?.type === 'summary' ? this.items.some(item => item.entry === entry) : found !== undefined
  }

  /** Whether the entry is on the path that is shown, and not in another version. */
  #isInView(entry: Id): boolean {
    const parents = new Map(this.entries.map(({ id, parent }) => [id, parent]))
    const seen = new Set<Id>()
    for (let at = this.leaf; at !== null && !seen.has(at); at = parents.get(at) ?? null) {
      if (at === entry) return true
      seen.add(at)
    }
    return false
  }

  /** What of the chat is here, stored or not; undefined: nothing yet. */
  get snapshot(): OpenChatSnapshot | undefined {
    const { info, entries, leaf, reply, draft } = this
    return info && { info, entries, leaf, partial: reply, draft }
  }

  /** The list of chats says something new about this one; undefined: it is not there. */
  setInfo(info: SessionInfo | undefined): void {
    if (info !== undefined) this.#takeInfo(info)
    if (this.#begunHere) this.isUnstored = info === undefined && this.leaf === null
  }

  #takeInfo(info: SessionInfo): void {
    this.info = info
    this.#draft.restore(info.draft)
  }

  #accept(opened: OpenedSession): void {
    this.#takeInfo(opened.info)
    this.#log.begin(opened)
    this.status = opened.status
    this.#live.begin(opened.partial)
    this.state = 'open'
  }

  #receive(events: readonly SessionEvent[]): void {
    for (const event of events) {
      switch (event.type) {
        case 'appended':
          if (event.entries.some(({ type }) => type === 'assistant')) this.#live.end()
          this.#log.append(event.from, event.entries)
          this.isUnstored = false
          this.#log.leaf = event.leaf
          if (event.entries.some(({ type }) => type === 'user')) this.#context.idleTrim = null // said: it goes on
          break
        case 'delta':
          this.#live.take(event)
          break
        case 'status':
          this.#setStatus(event.status)
          break
        case 'context':
          this.#context.fetch(contextDelayMs)
          break
        case 'leaf':
          this.#log.leaf = event.leaf
          this.#log.readAgain()
          break
        case 'queued':
          if (this.info !== undefined) this.info = { ...this.info, queued: event.queued }
          break
        case 'failed':
          this.failure = {
            code: event.code,
            message: event.message,
            ...(event.data === undefined ? {} : { data: event.data }),
          }
          this.#unsaved = event.code.startsWith('storage_') // the answer that ends with it is nowhere but here
          break
        default:
          event satisfies never
      }
    }
  }

  #setStatus(status: Status): void {
    this.status = status
    // A new attempt starts its answer again; at rest nothing is being written.
    const rests = ['idle', 'interrupted'].includes(status.state)
    if (['thinking', 'retrying'].includes(status.state) || (rests && !this.#unsaved)) this.#live.end()
    if (!rests) this.#unsaved = false
    if (status.state === 'thinking') this.failure = null
  }
}
