/** UI state of the open chat: data from the worker, and the actions that are sent to it. */
import type {
  AgentApi,
  AgentEvent,
  CommandReply,
  ContinueMode,
  OpenedSession,
  PathText,
  PermissionRequest,
  ReadRange,
  Status,
} from '../../core/agent/api/api.ts'
import type { ContextInfo, Preview, IdleTrim, ViewedMessage } from '../../core/agent/api/context-api.ts'
import { codeOf, type Code } from '../../core/errors.ts'
import type { Attachment, Entry, Id, SessionId } from '../../core/log/entry.ts'
import type { ToolCall } from '../../core/log/message.ts'
import type { QueuedMessage, SessionInfo } from '../../core/ports/ports.ts'
import type { StrategyName } from '../../core/context/strategy.ts'
import { LiveReply, type ReplySoFar } from './live-reply.svelte.ts'
import { LoadedLog } from './loaded-log.svelte.ts'
import type { OpenChatSnapshot } from './rescue-lines.ts'
import { MessageDraft } from './message-draft.svelte.ts'
import type { TranscriptItem } from '../transcript/transcript-items.ts'

export type SessionFailure = { code: Code; message: string; data?: Readonly<Record<string, unknown>> }

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

const draftDelayMs = 500 // a draft that is being typed is kept this often
const contextDelayMs = 150 // a turn changes the window many times a second; the pane need not follow each

export class OpenSession {
  readonly id: SessionId
  readonly #api: AgentApi
  readonly #hooks: Required<Omit<OpenSessionHooks, 'newChat' | 'typed'>>
  readonly #begunHere: boolean
  readonly #log: LoadedLog
  readonly #live: LiveReply

  /** Whether the newest entries are here; `gone`: there is no such chat. */
  state = $state<'loading' | 'open' | 'gone'>('loading')
  info = $state.raw<SessionInfo | undefined>()
  status = $state.raw<Status>({ state: 'idle' })
  failure = $state.raw<SessionFailure | null>(null)
  /** What the next request would be; undefined until it is known. */
  context = $state.raw<ContextInfo | undefined>()
  /** What the next message takes out of the window first; null: nothing, or not known yet. */
  idleTrim = $state.raw<IdleTrim | null>(null)
  /** A message that the screen shall scroll to; a new object each time. */
  jump = $state.raw<{ entry: Id } | null>(null)
  /** How often the person said something here: who speaks wants to see the answer. */
  sentCount = $state(0)
  /** Nothing of it is stored yet. */
  isUnstored = $state(false)

  readonly draft = new MessageDraft()
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
  /** Something runs that Stop would stop. */
  readonly busy: boolean = $derived(!['idle', 'waiting', 'interrupted'].includes(this.status.state))
  readonly permissionRequest: PermissionRequest | null = $derived(
    this.status.state === 'asking' ? this.status.question : null,
  )

  #waiting: SessionEvent[] | null = [] // events that came while it opens
  #generation = 0 // counts openings; what an older one fetched is thrown away
  #contextTimer: ReturnType<typeof setTimeout> | undefined
  #contextAsked = 0 // only the newest request for it counts
  #draftTimer: ReturnType<typeof setTimeout> | undefined
  #draftRestored = false // what was stored of it stands in the message box
  #unsaved = false // an answer could not be stored: it stays on the screen until another begins
  #draftSent = false // one was sent to the store, which may not have confirmed it yet

  constructor(api: AgentApi, id: SessionId, { newChat, typed = '', ...hooks }: OpenSessionHooks = {}) {
    this.id = id
    this.#api = api
    this.#begunHere = newChat !== undefined
    if (newChat !== undefined) {
      this.#takeInfo(newChat)
      this.isUnstored = true
      this.state = 'open'
      this.#waiting = null
    }
    this.#hooks = {
      onReply: () => {},
      onUnsavedDraft: () => {},
      nextFrame: beforeNextPaint,
      yieldToMain: soon,
      whenIdle: async () => {},
      ...hooks,
    }
    this.#log = new LoadedLog({
      fetch: (from, to) => api.entries(id, from, to),
      yieldToMain: () => this.#hooks.yieldToMain(),
      whenIdle: () => this.#hooks.whenIdle(),
      fail: error => {
        this.#fail(error)
      },
    })
    this.#live = new LiveReply(
      task => {
        this.#hooks.nextFrame(task)
      },
      async () => (await api.open(id)).partial,
    )
    if (typed !== '') {
      this.draft.typed = typed
      this.#draftRestored = true
      this.saveDraft() // not yet: the worker must know the chat first
    }
  }

  /** Reads the chat, newest entries first; again after a restart of the worker. Stores nothing. */
  async open(): Promise<void> {
    const life = ++this.#generation
    this.#log.stop()
    const begin = this.isUnstored
    if (!begin) this.#waiting ??= []
    try {
      const opened = await this.#api.open(this.id, begin ? { begin } : undefined)
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
      else this.#fail(error)
      return
    }
    const waiting = this.#waiting ?? []
    this.#waiting = null
    this.#receive(waiting)
    this.#refetchContext(0)
    await this.#log.fetchOlder()
  }

  /** The worker is gone for good: nothing runs any more, what was shown stays. */
  abandon(): void {
    this.status = { state: 'idle' }
    this.failure = null
  }

  /** Ends its timers; later events are ignored. */
  dispose(): void {
    this.flushDraft()
    this.#generation++
    this.#log.stop()
    this.#live.dispose()
    clearTimeout(this.#contextTimer)
    clearTimeout(this.#draftTimer)
  }

  /** Takes the events of this chat, in order. */
  receive(events: readonly AgentEvent[]): void {
    const mine = events.filter(
      (event): event is SessionEvent => 'session' in event && event.type !== 'stop' && event.session === this.id,
    )
    if (this.#waiting !== null) this.#waiting.push(...mine)
    else if (mine.length > 0) this.#receive(mine)
  }

  // verbs: true when it was done; what went wrong stands in `failure`

  send(text: string, attachments?: Attachment[]): Promise<boolean> {
    this.sentCount += 1
    return this.#begin(() => this.#api.send(this.id, text, attachments))
  }
  /** Sent when the answer is done. Where nothing is being answered, what waits already goes first, at once. */
  async enqueue(text: string, attachments?: Attachment[]): Promise<boolean> {
    const isKept = await this.#do(() => this.#api.enqueue(this.id, text, attachments))
    if (isKept && !this.busy) await this.sendQueued()
    return isKept
  }
  sendQueued(): Promise<boolean> {
    this.sentCount += 1
    return this.#begin(() => this.#api.sendQueued(this.id))
  }
  /** The whole of a message that waited; undefined where it could not be had back. */
  async withdrawQueued(queued: Id): Promise<QueuedMessage | undefined> {
    let taken: QueuedMessage | undefined
    await this.#do(async () => {
      taken = await this.#api.withdrawQueued(this.id, queued)
    })
    return taken
  }
  stop(): Promise<boolean> {
    return this.#do(() => this.#api.stop(this.id))
  }
  resume(how?: ContinueMode): Promise<boolean> {
    return this.#begin(() => (how === undefined ? this.#api.resume(this.id) : this.#api.resume(this.id, how)))
  }
  regenerate(entry: Id): Promise<boolean> {
    return this.#begin(() => this.#api.regenerate(this.id, entry))
  }
  editMessage(entry: Id, text: string): Promise<boolean> {
    return this.#begin(() => this.#api.editMessage(this.id, entry, text))
  }
  switchVersion(entry: Id): Promise<boolean> {
    return this.#do(() => this.#api.switchLeaf(this.id, entry))
  }
  deleteMessage(entry: Id): Promise<boolean> {
    return this.#do(() => this.#api.deleteMessage(this.id, entry))
  }
  resolvePermission(call: ToolCall, resolvePermission: Parameters<AgentApi['resolvePermission']>[2]): Promise<boolean> {
    return this.#do(() => this.#api.resolvePermission(this.id, call, resolvePermission))
  }
  compact(instruction?: string): Promise<boolean> {
    return this.#do(() => this.#api.compact(this.id, instruction))
  }
  undo(group?: Id): Promise<boolean> {
    return this.#do(() => this.#api.undo(this.id, group))
  }
  redo(): Promise<boolean> {
    return this.#do(() => this.#api.redo(this.id))
  }
  skipIdleTrim(): Promise<boolean> {
    this.idleTrim = null
    return this.#do(() => this.#api.skipIdleTrim(this.id))
  }
  pin(entry: Id, on: boolean): Promise<boolean> {
    return this.#do(() => this.#api.pin(this.id, entry, on))
  }
  editSummary(entry: Id, text: string): Promise<boolean> {
    return this.#do(() => this.#api.editSummary(this.id, entry, text))
  }
  choose(choice: { strategy?: StrategyName; model?: string; summariser?: string | null }): Promise<boolean> {
    return this.#do(() => this.#api.choose(this.id, choice))
  }
  rename(title: string): Promise<boolean> {
    return this.#do(() => this.#api.rename(this.id, title))
  }

  /** Runs a line that begins with "/"; undefined when it failed. What the page must do goes to `onReply`. */
  async command(line: string): Promise<CommandReply | undefined> {
    this.sentCount += 1
    let reply: CommandReply | undefined
    await this.#do(async () => {
      reply = await this.#api.command(this.id, line)
    })
    if (reply !== undefined && reply.error === undefined) this.#hooks.onReply(reply)
    return reply
  }

  // reading: these throw AgentError

  preview(strategy?: StrategyName): Promise<Preview> {
    return this.#api.preview(this.id, strategy)
  }
  view(): Promise<ViewedMessage[]> {
    return this.#api.view(this.id)
  }
  readPath(path: string, range?: ReadRange): Promise<PathText> {
    return this.#api.readPath(path, range)
  }

  /** Keeps what is typed: each half a second while the person types, at once with `now`. */
  saveDraft(now = false): void {
    const save = (): void => {
      clearTimeout(this.#draftTimer)
      this.#draftTimer = undefined
      const { typed } = this.draft
      if (this.#leavesNothing && typed === '') return
      this.#draftSent ||= typed !== ''
      // A draft that could not be saved is no reason to disturb somebody who types: the next save will report it.
      this.#api.saveDraft(this.id, typed).then(
        () => {
          this.#hooks.onUnsavedDraft(undefined)
        },
        () => {
          this.#hooks.onUnsavedDraft(typed === '' ? undefined : typed)
        },
      )
    }
    if (now) save()
    else this.#draftTimer ??= setTimeout(save, draftDelayMs)
  }

  /**
   * Saves a pending draft at once, and writes nothing else: a page that is suspended during a write can block the next
   * page.
   */
  flushDraft(): void {
    if (this.#draftTimer !== undefined) this.saveDraft(true)
  }

  /** The person has opened something else: an empty chat is not stored. */
  leave(): void {
    if (this.#leavesNothing || this.state !== 'open' || this.leaf !== null || this.drafting) return
    this.saveDraft(true)
    this.#api.leave(this.id).catch(() => undefined) // one that stays is not listed
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

  get #leavesNothing(): boolean {
    return this.isUnstored && !this.#draftSent
  }

  /**
   * Asks the screen to show this entry; one that is not here yet is waited for, one of another version brings that into
   * view.
   */
  async jumpTo(entry: Id): Promise<void> {
    const life = this.#generation
    while (
      life === this.#generation &&
      (this.state === 'loading' || this.loadingOlder) &&
      !this.entries.some(({ id }) => id === entry)
    )
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

  dismissFailure(): void {
    this.failure = null
  }

  /** The list of chats says something new about this one; undefined: it is not there. */
  setInfo(info: SessionInfo | undefined): void {
    if (info !== undefined) this.#takeInfo(info)
    if (this.#begunHere) this.isUnstored = info === undefined && this.leaf === null
  }

  /** The stored draft comes into the box once; what was typed meanwhile goes behind it. */
  #takeInfo(info: SessionInfo): void {
    this.info = info
    if (this.#draftRestored) return
    this.#draftRestored = true
    this.draft.typed = (info.draft ?? '') + this.draft.typed
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
          if (event.entries.some(({ type }) => type === 'user')) this.idleTrim = null // said: it goes on
          break
        case 'delta':
          this.#live.take(event)
          break
        case 'status':
          this.#setStatus(event.status)
          break
        case 'context':
          this.#refetchContext(contextDelayMs)
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

  #refetchContext(delayMs: number): void {
    clearTimeout(this.#contextTimer)
    const asked = ++this.#contextAsked
    this.#contextTimer = setTimeout(() => {
      void this.#fetchContext(asked)
    }, delayMs)
  }

  async #fetchContext(asked: number): Promise<void> {
    const life = this.#generation
    await this.#hooks.whenIdle()
    if (life !== this.#generation || asked !== this.#contextAsked) return
    try {
      const info = await this.#api.context(this.id)
      if (life === this.#generation) this.context = info
      const restart = await this.#api.idleTrim(this.id)
      if (life === this.#generation) this.idleTrim = restart
    } catch {
      // The pane keeps its last numbers; a failing worker is reported by the actions and by the bridge.
    }
  }

  /** Starts an answer. The status changes at once, even if the worker needs a while to confirm it. */
  async #begin(task: () => Promise<void>): Promise<boolean> {
    const before = this.status
    const begun: Status = { state: 'thinking' }
    this.status = begun
    const done = await this.#do(task)
    if (!done && this.status === begun) this.status = before
    return done
  }

  async #do(task: () => Promise<void>): Promise<boolean> {
    this.failure = null
    try {
      await task()
      return true
    } catch (error) {
      this.#fail(error)
      return false
    }
  }

  #fail(error: unknown): void {
    const code = codeOf(error)
    if (code !== 'stopped') this.failure = { code, message: error instanceof Error ? error.message : String(error) }
  }
}

/** In a hidden page no frame comes; the text must still be there when it is shown again. */
function beforeNextPaint(task: () => void): void {
  if (document.visibilityState === 'hidden') setTimeout(task, 200)
  else requestAnimationFrame(task)
}

function soon(): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, 16)
  })
}
