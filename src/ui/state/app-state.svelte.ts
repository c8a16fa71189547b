/** UI state of the whole app: route, open chat, notices. Commands go down, events come up. */
import { MediaQuery } from 'svelte/reactivity'
import type { AgentApi, AgentEvent, CommandReply, StorageState } from '../../core/agent/api/api.ts'
import type { StrategyName } from '../../core/context/strategy.ts'
import type { EngineKind, EngineWork } from '../../core/ports/local-engine.ts'
import type { Id, SessionId } from '../../core/log/entry.ts'
import { idFrom } from '../../core/text/new-id.ts'
import type { Dropped } from '../files/dropped.ts'
import type { FilesReport, FileIntent } from './report.ts'
import { chatBeforeReload, takeUnsent, unsentNewChat } from './unsent.ts'
import { failureOf, Library, loadRescueExport } from './library.svelte.ts'
import { noticesOf, type Notice, type NoticeAction, type NoticeKind } from '../browser/notices.ts'
import { storesNothing, type PageSettings } from './page-settings.ts'
import { wasPausedByDevice } from '../browser/paused-by-device.ts'
import { hashOf, routeOf, isRouteOf, type Route } from '../browser/route.ts'
import { OpenSession } from './session.svelte.ts'
import { Settings } from './settings.svelte.ts'
import { TypingPause } from '../browser/typing-pause.ts'
import type { Language } from '../../core/agent/api/api.ts'
import { useLanguage, texts } from '../i18n/texts.ts'

/** Starts the worker's side; the bridge's `connectAgent` in the app, a double on a bench. */
export type ConnectAgent = (hooks: {
  onEvents(events: AgentEvent[]): void
  onRestart(): void
  onGivenUp(startError?: string): void
}) => { api: AgentApi; dispose(): void }
export type SettingsTab = 'models' | 'context' | 'memory' | 'storage' | 'appearance' | 'about'
export type Dialog =
  | { name: 'settings'; tab: SettingsTab; preset?: string }
  | { name: 'view' | 'preview'; chat: SessionId }
  | { name: 'path'; path: string; line?: number }
  | { name: 'remove'; session: SessionId }
  | { name: 'export' }

/** A new version, as the service worker's side tells it. */
export interface AppVersionUpdate {
  readonly ready: boolean
  reload(): Promise<void>
}

export class AppState {
  readonly api: AgentApi
  readonly library: Library
  readonly settings: Settings
  readonly #dispose: () => void
  readonly #typing = new TypingPause()
  #chatsChanged = false // the list waits to be read

  route = $state.raw<Route>({ page: 'start' })
  session = $state.raw<OpenSession | undefined>()
  dialog = $state.raw<Dialog | null>(null)
  /** Sheets of narrow screens. */
  sheet = $state<'library' | 'context' | null>(null)
  failure = $state.raw<ReturnType<typeof failureOf> | null>(null)
  /** The report about the files that came last, if there is anything to report. */
  files = $state.raw<FilesReport | null>(null)
  /** What a local engine is doing while the person waits for it; shown in the status line. */
  engineWork = $state.raw<EngineWork | undefined>()
  online = $state(navigator.onLine)
  update = $state.raw<AppVersionUpdate>({
    ready: false,
    reload: async () => {
      location.reload()
    },
  })
  started = $state(false)
  /** The chat whose message box shall take the focus as soon as it can; no other box takes it. */
  focusRequest = $state.raw<SessionId | null>(null)
  /** The message box, while there is one on the screen. */
  messageBox: HTMLElement | undefined
  /** Counts changes of memory, so that views of it reload. */
  memoryChanges = $state(0)
  /** A proposal for MEMORY.md waits to be decided on. */
  hasMemoryProposal = $state(false)
  /** The language of the screen; components are created again when it changes. */
  language = $state<Language>('en')
  #restarted = $state(false)
  #gaveUp = $state(false)
  #startError = $state<string | undefined>()
  #chunkLost = $state(false)
  #paused = $state(false)
  #siteCleared = $state(false)
  #rescueCopySaved = false
  /** Drafts that could not be stored, by chat: they are nowhere else once another chat is opened. */
  readonly #unsavedDrafts = new Map<SessionId, string>()
  #dismissed = $state.raw<ReadonlySet<NoticeKind>>(new Set())

  // the widths at which Context and Library become sheets
  readonly #wide = new MediaQuery('min-width: 900px', true)
  readonly #middle = new MediaQuery('min-width: 640px', true)
  readonly contextIsSheet: boolean = $derived(!this.#wide.current)
  readonly libraryIsSheet: boolean = $derived(!this.#middle.current)
  readonly showsLibrary: boolean = $derived.by(() =>
    this.libraryIsSheet ? this.sheet === 'library' : this.settings.page.panes.library,
  )
  readonly showsContext: boolean = $derived.by(() =>
    this.contextIsSheet ? this.sheet === 'context' : this.settings.page.panes.context,
  )

  readonly notices: readonly Notice[] = $derived.by(() =>
    noticesOf({
      online: this.online,
      secure: globalThis.isSecureContext,
      storage: this.settings.storage,
      siteCleared: this.#siteCleared,
      update: this.update.ready,
      chunkLost: this.#chunkLost,
      answering: this.session?.busy ?? false,
      attached: (this.session?.draft.attached.length ?? 0) > 0,
      chats: this.library.chats?.length,
      hadChats: this.settings.page.hadChats,
      hasStoredChat: this.library.chats?.some(({ leaf }) => leaf !== null) ?? false,
      paused: this.#paused,
      restarted: this.#restarted,
      gaveUp: this.#gaveUp,
      startError: this.#startError,
      persistAnswer: this.settings.persistAnswer,
      asksToForget: this.#needsRetentionConsent(),
      dismissed: this.#dismissed,
    }),
  )

  constructor(connect: ConnectAgent, page: PageSettings) {
    const { api, dispose } = connect({
      onEvents: events => {
        this.receive(events)
      },
      onRestart: () => {
        void this.#restart()
      },
      onGivenUp: startError => {
        this.#gaveUp = startError === undefined
        this.#startError = startError
        this.session?.abandon()
      },
    })
    this.api = api
    this.#dispose = dispose
    this.library = new Library(api)
    this.settings = new Settings(api, page)
    this.language = this.settings.language
  }

  /** Listens to the window, reads the lists, and opens what the address names. Answers with how to end it. */
  start(): () => void {
    const on = new AbortController()
    const listen = (target: EventTarget, type: string, hear: (event: Event) => void) => {
      target.addEventListener(type, hear, { signal: on.signal })
    }
    listen(window, 'hashchange', () => {
      this.#go(routeOf(location.hash))
    })
    listen(window, 'online', () => {
      this.online = true
    })
    listen(window, 'offline', () => {
      this.online = false
    })
    listen(window, 'input', () => {
      this.#typing.typed()
    })
    listen(window, 'vite:preloadError', event => {
      event.preventDefault()
      this.#chunkLost = navigator.onLine
    })
    listen(window, 'beforeunload', event => {
      if (this.settings.storage.state === 'gone' && !this.#rescueCopySaved && this.session !== undefined)
        event.preventDefault() // what is open is nowhere else
    })
    this.#watchPauses(listen)
    void this.#watchForUpdate()
    void this.#begin()
    return () => {
      on.abort()
      this.session?.dispose()
      this.#dispose()
    }
  }

  /** Takes a batch of events from the worker. */
  receive(events: readonly AgentEvent[]): void {
    this.session?.receive(events)
    if (this.session !== undefined) this.#rememberOpenChat(this.session)
    const types = new Set(events.map(({ type }) => type))
    if (types.has('sessions')) void this.#refreshChatsLater()
    if (types.has('models')) void this.#report(this.settings.refreshModels())
    if (types.has('memory')) void this.#report(this.#lookAtMemory())
    for (const event of events) {
      if (event.type === 'storage') this.#onStorage(event.storage)
      // The agent wants an engine of this device: only now does its part of the page come.
      if (event.type === 'engine') void this.#report(this.#handOver(event.kind))
    }
  }

  async #watchForUpdate(): Promise<void> {
    try {
      const part = await import('../browser/app-update.ts')
      await part.watchForUpdate(update => {
        this.update = update
      })
    } catch {
      // Without it the app works: as it is, and not without a network.
    }
  }

  async #handOver(kind: EngineKind): Promise<void> {
    const { enginesOf } = await import('./engines.svelte.ts')
    await enginesOf(this).handOver(kind)
  }

  async #lookAtMemory(): Promise<void> {
    this.memoryChanges++
    this.hasMemoryProposal = (await this.api.proposal()) !== null
  }

  /** Once the database can be had after all, what could not be read is read. */
  #onStorage(storage: StorageState): void {
    const before = this.settings.storage.state
    this.settings.storage = storage
    if (storage.state === 'gone' && before !== 'gone') {
      // Each store is cleared by itself: this one may be next.
      const look = (): void => {
        this.#siteCleared ||= storesNothing()
      }
      look()
      setTimeout(look, 1_000)
    }
    if (storage.state !== 'kept' || before === 'kept' || before === 'full') return
    this.failure = null
    void Promise.all([this.session?.open(), this.#refreshChats(), this.#report(this.settings.refreshModels())])
  }

  open(id: SessionId): void {
    this.visit({ page: 'chat', id })
  }

  /** Opens a chat and shows an entry of it. */
  openAt(id: SessionId, entry: Id): void {
    this.open(id)
    this.focusRequest = null // the entry is what the person looks for
    void this.session?.jumpTo(entry)
  }

  /** Goes there at once. The address follows without an event of its own, so nothing happens twice or late. */
  visit(route: Route): void {
    this.sheet = null
    this.session?.saveBeforeLeaving()
    if (this.session !== undefined) this.#rememberOpenChat(this.session) // Back leads to it
    if (location.hash !== hashOf(route)) history.pushState(null, '', hashOf(route))
    this.#go(route)
  }

  /**
   * A new chat, on the screen before any thread has answered. Nothing of it is stored before something is in it, but a
   * title is.
   */
  newChat(title?: string): void {
    this.visit({ page: 'new' })
    if (title !== undefined) void this.session?.rename(title)
  }

  /**
   * What comes next is typed in this chat: its message box takes the focus. Not on a touch screen, where the keyboard
   * would jump up unasked.
   */
  focusMessageBox(chat: SessionId): void {
    if (!matchMedia('(pointer: fine)').matches) return
    // At once, while nothing on the page has changed yet: later the browser would lay out all of it for that.
    this.messageBox?.focus()
    this.focusRequest = document.activeElement === this.messageBox ? null : chat
  }

  /** The first choice of a person who has chosen nothing yet, and a chat to talk in. */
  async startWith(model: string): Promise<void> {
    this.newChat()
    await this.#report(this.settings.setDefaults({ model }))
  }

  /** For the open chat; where there is none, or nothing was ever chosen, for all that follow. */
  async chooseModel(model: string): Promise<void> {
    if (this.session !== undefined) await this.session.choose({ model })
    if (this.session === undefined || this.settings.defaults?.model === undefined)
      await this.#report(this.settings.setDefaults({ model }))
    await this.#refreshChats()
  }

  /** A model that was just connected: for the open chat and all new ones; the first one brings a first chat. */
  async useModel(model: string): Promise<void> {
    const { session } = this
    if (session === undefined) this.newChat()
    await this.#report(this.settings.setDefaults({ model }))
    if (session !== undefined && !session.isUnstored) await session.choose({ model })
    await this.#refreshChats()
  }

  /** Takes what was dropped, pasted or chosen, as far as it can be taken. */
  async takeFiles(dropped: Dropped, wish: FileIntent): Promise<void> {
    try {
      const { takeFiles } = await import('./take-files.ts')
      await takeFiles(this, dropped, wish)
    } catch (error) {
      this.failure = failureOf(error)
    }
  }

  async chooseStrategy(strategy: StrategyName): Promise<void> {
    await (this.session === undefined
      ? this.#report(this.settings.setDefaults({ strategy }))
      : this.session.choose({ strategy }))
    await this.#refreshChats()
  }

  /** How much the model thinks: in this chat, or in new ones where none is open. */
  async chooseEffort(effort: string): Promise<void> {
    await this.#report(this.api.setConfig(this.session?.id ?? null, { reasoning_effort: effort }))
    await this.#refreshChats()
  }

  async removeChat(id: SessionId): Promise<void> {
    await this.library.remove(id)
    if (this.library.failure !== null) return
    await this.#refreshChats()
    if (this.session?.id !== id) return
    if (this.settings.defaults?.model === undefined) this.visit({ page: 'start' })
    else this.newChat()
  }

  async setLanguage(choice: PageSettings['language']): Promise<void> {
    this.settings.setPage({ language: choice })
    await this.#report(
      useLanguage(this.settings.language).then(() => {
        this.language = this.settings.language
        return this.api.setLanguage(this.language)
      }),
    )
  }

  togglePane(pane: 'library' | 'context'): void {
    if (pane === 'library' ? this.libraryIsSheet : this.contextIsSheet) this.sheet = this.sheet === pane ? null : pane
    else this.settings.setPage({ panes: { ...this.settings.page.panes, [pane]: !this.settings.page.panes[pane] } })
  }

  dismiss(kind: NoticeKind): void {
    if (kind === 'paused') this.#paused = false
    if (kind === 'restarted') this.#restarted = false
    if (kind === 'evicted') this.settings.setPage({ hadChats: 0 })
    this.#dismissed = new Set([...this.#dismissed, kind])
  }

  /** What a notice's button does. Import is the page's, which owns the file picker. */
  async act(action: Exclude<NoticeAction, 'import'>, kind: NoticeKind): Promise<void> {
    switch (action) {
      case 'reload':
        this.session?.flushDraft()
        await (this.update.ready ? this.update.reload() : Promise.resolve(location.reload()))
        break
      case 'save':
        if (await this.library.saveRescueCopy(this.session, this.#unsavedDrafts)) this.#rescueCopySaved = true
        break
      case 'export':
        await this.library.export({ kind: 'all' })
        break
      case 'keep':
        await this.settings.requestPersistence()
        break
      case 'continue':
        this.dismiss(kind)
        await this.session?.resume()
        break
      case 'storage':
        this.dialog = { name: 'settings', tab: 'storage' }
        break
      case 'dismiss':
        this.dismiss(kind)
        break
      default:
        action satisfies never
    }
  }

  async #begin(): Promise<void> {
    void this.#report(this.api.setLanguage(this.language))
    const wanted = routeOf(location.hash)
    // Not every browser reloads by the address that a chat got when it was stored.
    const before = wanted.page === 'new' ? chatBeforeReload() : undefined
    if (before !== undefined) this.#replace({ page: 'chat', id: before })
    else if (wanted.page === 'chat' || wanted.page === 'new') this.#go(wanted) // need not wait for the lists
    await Promise.all([
      this.#refreshChats(),
      this.#report(this.settings.refreshModels()),
      this.#report(this.settings.refreshStorage()),
    ])
    this.started = true
    const route = routeOf(location.hash) // the person may have gone elsewhere meanwhile
    const last = this.library.chats?.find(({ id }) => id === this.settings.page.lastChat) ?? this.library.chats?.[0]
    if (route.page !== 'start') this.#go(route)
    else if (last !== undefined) this.#replace({ page: 'chat', id: last.id })
    else if (this.settings.defaults?.model !== undefined) this.#replace({ page: 'new' })
    // Looking through old chats can wait until the person has found theirs.
    setTimeout(() => {
      void this.#report(this.settings.refreshRetention())
      loadRescueExport().catch(() => undefined) // tried again when it is needed
    }, 10_000)
  }

  #needsRetentionConsent(): boolean {
    const plan = this.settings.retention
    return plan !== undefined && plan.agreed === undefined && plan.results + plan.sessions > 0
  }

  /** The list changes with each saved draft: it is redrawn when nobody types. */
  async #refreshChatsLater(): Promise<void> {
    if (this.#chatsChanged) return
    this.#chatsChanged = true
    await this.#typing.over()
    this.#chatsChanged = false
    await this.#refreshChats()
  }

  async #refreshChats(): Promise<void> {
    const first = this.library.chats === undefined
    await this.library.refresh()
    const { chats } = this.library
    if (chats === undefined) return
    if (this.session !== undefined) {
      this.session.setInfo(this.library.find(this.session.id))
      this.#rememberOpenChat(this.session)
    }
    // At the first look nothing may overwrite the marker: it tells whether the browser removed the chats.
    if (chats.length > 0 || !first) this.settings.setPage({ hadChats: chats.length })
  }

  #go(route: Route): void {
    if (route.page === 'reset') location.reload() // main.ts sees to it, before there is an app
    if (route.page === 'chat') this.#openChat(route.id)
    else if (route.page === 'new') {
      this.#typing.typed() // the first letter is about to come
      // a reload may still go by the address from before it was stored
      this.#openChat(this.session?.isUnstored ? this.session.id : (unsentNewChat() ?? this.#newId()), true)
    } else this.route = route
  }

  #openChat(id: SessionId, begins = false): void {
    this.route = { page: 'chat', id }
    this.focusMessageBox(id)
    if (id === this.session?.id) return
    this.files = null
    this.session?.leave()
    this.session?.dispose()
    if (this.dialog !== null && 'chat' in this.dialog) this.dialog = null
    this.sheet = null
    const now = Date.now()
    const session = new OpenSession(this.api, id, {
      onReply: reply => {
        this.#reply(reply)
      },
      whenIdle: () => this.#typing.over(),
      typed: takeUnsent(id) || (this.#unsavedDrafts.get(id) ?? ''),
      onUnsavedDraft: typed => {
        if (typed === undefined) this.#unsavedDrafts.delete(id)
        else this.#unsavedDrafts.set(id, typed)
        // The chat was opened again before the store reported the failure.
        if (typed !== undefined && this.session?.id === id && this.session !== session && this.session.draft.empty)
          this.session.draft.typed = typed
      },
      ...(begins ? { newChat: { id, title: texts().app.untitled, createdAt: now, updatedAt: now, leaf: null } } : {}),
    })
    this.session = session
    this.#rememberOpenChat(session)
    void session.open()
  }

  /** The address and the next start name the open chat as soon as something of it is stored. */
  #rememberOpenChat({ id, isUnstored }: OpenSession): void {
    if (this.route.page !== 'chat' || this.route.id !== id) return
    const hash = hashOf(isUnstored ? { page: 'new' } : this.route)
    if (location.hash !== hash && isRouteOf(location.hash, id)) history.replaceState(null, '', hash)
    if (!isUnstored && this.settings.page.lastChat !== id) this.settings.setPage({ lastChat: id })
  }

  #newId(): SessionId {
    return idFrom(crypto.getRandomValues(new Uint8Array(16)))
  }

  /** Goes there in place of where the page is now. */
  #replace(route: Route): void {
    history.replaceState(null, '', hashOf(route))
    this.#go(route)
  }

  #reply(reply: CommandReply): void {
    if (reply.memory === true) this.visit({ page: 'memory' })
    if (reply.export !== undefined) void this.library.export(reply.export)
  }

  async #restart(): Promise<void> {
    this.#restarted = true
    this.#dismissed = new Set([...this.#dismissed].filter(kind => kind !== 'restarted'))
    await this.#report(this.settings.refreshStorage())
    await Promise.all([this.session?.open(), this.#refreshChats(), this.#report(this.settings.refreshModels())])
  }

  #watchPauses(listen: (target: EventTarget, type: string, hear: () => void) => void): void {
    let hidden: { at: number; busy: boolean } | undefined
    listen(document, 'visibilitychange', () => {
      if (document.visibilityState === 'hidden') {
        hidden = { at: Date.now(), busy: this.session?.busy ?? false }
        return
      }
      const before = hidden
      if (before === undefined) return
      // The failure of a connection that the pause cut comes a moment after waking.
      setTimeout(() => {
        const { session } = this
        if (session === undefined) return
        this.#paused = wasPausedByDevice({
          busyWhenHidden: before.busy,
          hiddenMs: Date.now() - before.at,
          state: session.status.state,
          failure: session.failure?.code,
        })
        if (!this.#paused) return
        session.dismissFailure() // the notice says what it was
        this.#dismissed = new Set([...this.#dismissed].filter(kind => kind !== 'paused'))
      }, 1_500)
    })
  }

  /** Shows what went wrong and goes on. */
  async #report(task: Promise<unknown>): Promise<void> {
    try {
      await task
    } catch (error) {
      this.failure = failureOf(error)
    }
  }
}
