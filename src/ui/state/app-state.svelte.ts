/** UI state of the whole app: lists, choices, what the worker tells. Commands go down, events come up. */
import type { AgentApi, AgentEvent, Language, StorageState } from '../../core/agent/api/api.ts'
import type { StrategyName } from '../../core/context/strategy.ts'
import type { EngineKind, EngineWork } from '../../core/ports/local-engine.ts'
import type { SessionId } from '../../core/log/entry.ts'
import type { Dropped } from '../files/dropped.ts'
import { isCovered, type Notice, type NoticeAction, type NoticeKind } from '../browser/notices.ts'
import type { AppVersionUpdate } from '../browser/app-update.ts'
import { onNotificationClick } from '../browser/notification.ts'
import type { Installation } from '../installed/install.svelte.ts'
import { hashOf, routeOf, type Route } from '../browser/route.ts'
import { tellWhetherSeen } from '../browser/seen-tabs.ts'
import { texts, useLanguage } from '../i18n/texts.ts'
import { AnswerAlerts } from './answer-alerts.svelte.ts'
import { AppNotices } from './app-notices.svelte.ts'
import { failureOf, loadRescueExport } from './library.svelte.ts'
import { Network } from '../browser/network.svelte.ts'
import { InstalledApp } from '../installed/installed-app.svelte.ts'
import { PagePlace } from './page-place.svelte.ts'
import type { PageSettings } from './page-settings.ts'
import type { FileIntent } from './report.ts'
import { chatBeforeReload } from './unsent.ts'

/** Starts the worker's side; the bridge's `connectAgent` in the app, a double on a bench. */
export type ConnectAgent = (hooks: {
  onEvents(events: AgentEvent[]): void
  onRestart(): void
  onGivenUp(startError?: string): void
}) => { api: AgentApi; dispose(): void }

export class AppState extends PagePlace {
  readonly #dispose: () => void
  readonly alerts = new AnswerAlerts(this)
  readonly #notices = new AppNotices(this)
  #chatsChanged = false // the list waits to be read

  failure = $state.raw<ReturnType<typeof failureOf> | null>(null)
  /** What a local engine is doing while the person waits for it; shown in the status line. */
  engineWork = $state.raw<EngineWork | undefined>()
  readonly network: Network
  readonly installed: InstalledApp
  update = $state.raw<AppVersionUpdate>({
    ready: false,
    reload: async () => {
      location.reload()
    },
  })
  started = $state(false)
  /** Counts changes of memory, so that views of it reload. */
  memoryChanges = $state(0)
  /** A proposal for MEMORY.md waits to be decided on. */
  hasMemoryProposal = $state(false)
  /** The language of the screen; components are created again when it changes. */
  language = $state<Language>('en')

  get online(): boolean {
    return this.network.online
  }
  get notices(): readonly Notice[] {
    return this.#notices.shown
  }

  constructor(connect: ConnectAgent, page: PageSettings, installation: Installation) {
    const { api, dispose } = connect({
      onEvents: events => {
        this.receive(events)
      },
      onRestart: () => {
        void this.#restart()
      },
      onGivenUp: startError => {
        this.#notices.gaveUp(startError)
        this.session?.abandon()
      },
    })
    super(api, page)
    this.network = new Network(api, { chats: () => this.library.chats })
    this.installed = new InstalledApp(this, installation)
    this.#dispose = dispose
    this.language = this.settings.language
  }

  /** Listens to the window, reads the lists, and opens what the address names. Answers with how to end it. */
  start(): () => void {
    const on = new AbortController()
    const listen = (target: EventTarget, type: string, hear: (event: Event) => void) => {
      target.addEventListener(type, hear, { signal: on.signal })
    }
    listen(window, 'hashchange', () => {
      this.go(routeOf(location.hash))
    })
    this.network.watch(listen)
    listen(window, 'input', () => {
      this.typing.typed()
    })
    listen(window, 'vite:preloadError', event => {
      event.preventDefault()
      this.#notices.chunkLost()
    })
    listen(window, 'beforeunload', event => {
      if (this.settings.storage.state === 'gone' && !this.#notices.rescueCopySaved && this.session !== undefined)
        event.preventDefault() // what is open is nowhere else
    })
    this.#notices.watchPauses(listen)
    onNotificationClick(hash => this.openPlace(hash), listen)
    tellWhetherSeen(listen)
    listen(document, 'visibilitychange', () => {
      if (document.visibilityState === 'visible' && this.session !== undefined) this.alerts.seen(this.session.id)
    })
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
    this.marks.receive(events, this.shownChat)
    this.alerts.receive(events)
    if (this.session !== undefined) this.rememberOpenChat(this.session)
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
    if (storage.state === 'gone' && before !== 'gone') this.#notices.databaseGone()
    if (storage.state !== 'kept' || before === 'kept' || before === 'full') return
    this.failure = null
    void Promise.all([this.session?.open(), this.#refreshChats(), this.#report(this.settings.refreshModels())])
  }

  /** The first choice of a person who has chosen nothing yet, and a chat to talk in. */
  async startWith(model: string): Promise<void> {
    this.newChat()
    this.#tellUsed(model)
    await this.#report(this.settings.setDefaults({ model }))
  }

  /** For the open chat; where nothing was ever chosen, for all that follow too. Without a chat it begins one. */
  async chooseModel(model: string): Promise<void> {
    const { session } = this
    if (session === undefined || this.route.page !== 'chat') return this.startWith(model)
    this.#tellUsed(model)
    await session.choose({ model })
    if (this.settings.defaults?.model === undefined) await this.#report(this.settings.setDefaults({ model }))
    await this.#refreshChats()
  }

  /** Says in the open chat what answers from now on; what comes next is typed. */
  #tellUsed(model: string): void {
    const { session } = this
    if (session === undefined) return
    const name = this.settings.models.find(({ id }) => id === model)?.name
    if (name !== undefined) session.draft.hint = texts().app.usedNow(name)
    this.focusMessageBox(session.id)
  }

  /** A model that was just connected: for the open chat and all new ones; the first one brings a first chat. */
  async useModel(model: string): Promise<void> {
    const { session } = this
    this.dialog = null
    if (session === undefined || this.route.page !== 'chat') this.newChat()
    this.#tellUsed(model)
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

  lookIntoExports(files: readonly File[]): void {
    this.sheet = null
    this.dialog = { name: 'exports', files }
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

  /** What a notice's button does. Import is the page's, which owns the file picker. */
  act(action: Exclude<NoticeAction, 'import'>, kind: NoticeKind): Promise<void> {
    const told = this.notices.filter(one => one.kind === kind)
    if (action === 'dismiss' && this.failure !== null && isCovered(this.failure.code, told)) this.failure = null
    return this.#notices.act(action, kind)
  }

  async #begin(): Promise<void> {
    void this.#report(this.api.setLanguage(this.language))
    const wanted = routeOf(location.hash)
    // Not every browser reloads by the address that a chat got when it was stored.
    const before = wanted.page === 'new' ? chatBeforeReload() : undefined
    if (before !== undefined) this.replace({ page: 'chat', id: before })
    else if (wanted.page === 'chat' || wanted.page === 'new') this.go(wanted) // need not wait for the lists
    await Promise.all([
      this.#refreshChats(),
      this.#report(this.settings.refreshModels()),
      this.#report(this.settings.refreshStorage()),
    ])
    this.started = true
    this.network.sendAwaiting()
    const route = routeOf(location.hash)
    const last = this.library.chats?.find(({ id }) => id === this.settings.page.lastChat) ?? this.library.chats?.[0]
    this.searchRequested ||= route.page === 'search'
    // What is open stays as it is: the person may have gone there meanwhile, and on to something in it.
    if (this.route.page === 'start') {
      if (route.page !== 'start' && route.page !== 'search') this.go(route)
      else if (last !== undefined) this.replace({ page: 'chat', id: last.id })
      else if (this.settings.defaults?.model !== undefined) this.replace({ page: 'new' })
    }
    void this.#report(this.installed.start(this.library.chats ?? []))
    // Looking through old chats can wait until the person has found theirs.
    setTimeout(() => {
      void this.#report(this.settings.refreshRetention())
      loadRescueExport().catch(() => undefined) // tried again when it is needed
    }, 10_000)
  }

  protected override go(route: Route): void {
    if (route.page === 'shared') void this.#report(this.#openShared(route.kept))
    else super.go(route)
  }

  async #openShared(kept: boolean): Promise<void> {
    history.replaceState(null, '', hashOf({ page: 'new' })) // Back shall not open it again
    if (!(await this.installed.takeShares(this.library.chats ?? []))) this.go({ page: 'new' })
    if (!kept) this.failure = { code: 'storage_full', message: texts().app.sharedLost }
  }

  /** The list changes with each saved draft: it is redrawn when nobody types. */
  async #refreshChatsLater(): Promise<void> {
    if (this.#chatsChanged) return
    this.#chatsChanged = true
    await this.typing.over()
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
      this.rememberOpenChat(this.session)
    }
    this.marks.keepOnly(chats)
    // At the first look nothing may overwrite the marker: it tells whether the browser removed the chats.
    if (chats.length > 0 || !first) this.settings.setPage({ hadChats: chats.length })
  }

  async #restart(): Promise<void> {
    this.#notices.restarted()
    await this.#report(this.settings.refreshStorage())
    await Promise.all([this.session?.open(), this.#refreshChats(), this.#report(this.settings.refreshModels())])
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
