/** UI state of where the page is: its route, the open chat, what lies over it, and where the focus goes. */
import type { AgentApi, CommandReply } from '../../core/agent/api/api.ts'
import type { PutBackPreview } from '../../core/agent/api/context-api.ts'
import type { Id, SessionId } from '../../core/log/entry.ts'
import { idFrom } from '../../core/text/new-id.ts'
import { hashOf, isRouteOf, routeOf, type Route } from '../browser/route.ts'
import { PageWidth, roomFor } from '../browser/page-width.svelte.ts'
import { TypingPause } from '../browser/typing-pause.ts'
import { texts } from '../i18n/texts.ts'
import { ChatMarks } from './chat-marks.svelte.ts'
import { Library } from './library.svelte.ts'
import type { PageSettings } from './page-settings.ts'
import type { FilesReport } from './report.ts'
import { OpenSession } from './session.svelte.ts'
import { Settings } from './settings.svelte.ts'
import { takeUnsent, unsentNewChat } from './unsent.ts'

export type SettingsTab =
  | 'models'
  | 'servers'
  | 'device'
  | 'instructions'
  | 'prompts'
  | 'context'
  | 'memory'
  | 'storage'
  | 'privacy'
  | 'appearance'
  | 'shortcuts'
  | 'about'
export type Dialog =
  /** Without a page it opens at the first one, on narrow screens at the list of pages. */
  | { name: 'settings'; tab?: SettingsTab; preset?: string }
  | { name: 'view'; chat: SessionId }
  | { name: 'preview'; chat: SessionId; of: 'border' | 'next' }
  | { name: 'putBack'; chat: SessionId; group: Id; newest: boolean; found: PutBackPreview }
  | { name: 'path'; path: string; line?: number }
  | { name: 'remove'; session: SessionId }
  | { name: 'export' }
  /** Files that may be exports of other programs. */
  | { name: 'exports'; files: readonly File[] }
  /** `near`: a message of the part that is meant. */
  | { name: 'share'; session: SessionId; near?: Id }

export class PagePlace {
  readonly api: AgentApi
  readonly library: Library
  readonly settings: Settings
  /** What stands beside the chats in the list. */
  readonly marks: ChatMarks
  protected readonly typing = new TypingPause()

  route = $state.raw<Route>({ page: 'start' })
  session = $state.raw<OpenSession | undefined>()
  dialog = $state.raw<Dialog | null>(null)
  /** Sheets of narrow screens. */
  sheet = $state<'library' | 'context' | null>(null)
  /** The report about the files that came last, if there is anything to report. */
  files = $state.raw<FilesReport | null>(null)
  /** The chat whose message box shall take the focus as soon as it can; no other box takes it. */
  focusRequest = $state.raw<SessionId | null>(null)
  /** The search field shall take the focus as soon as it can. */
  searchRequested = $state(false)
  /** The message box, while there is one on the screen. */
  messageBox: HTMLElement | undefined
  /** Drafts that could not be stored, by chat: they are nowhere else once another chat is opened. */
  readonly unsavedDrafts = new Map<SessionId, string>()

  // Context and Library become sheets where there is no room beside the talk.
  readonly #width = new PageWidth()
  readonly contextIsSheet: boolean = $derived(this.#width.rem < roomFor.context)
  readonly libraryIsSheet: boolean = $derived(this.#width.rem < roomFor.library)
  readonly showsLibrary: boolean = $derived.by(() =>
    this.libraryIsSheet ? this.sheet === 'library' : this.settings.page.panes.library,
  )
  /** The context pane speaks of the chat that is on the screen: beside another page it is not there. */
  readonly hasContext: boolean = $derived.by(() => this.route.page !== 'archive' && this.route.page !== 'memory')
  readonly showsContext: boolean = $derived.by(
    () => this.hasContext && (this.contextIsSheet ? this.sheet === 'context' : this.settings.page.panes.context),
  )

  constructor(api: AgentApi, page: PageSettings) {
    this.api = api
    this.library = new Library(api)
    this.settings = new Settings(api, page)
    this.marks = new ChatMarks(page.marks ?? {}, marks => {
      this.settings.setPage({ marks })
    })
  }

  open(id: SessionId): void {
    this.visit({ page: 'chat', id })
  }

  /** Goes where an address points, by what stands behind its "#". */
  openPlace(hash: string): void {
    this.dialog = null
    this.visit(routeOf(hash))
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
    if (this.session !== undefined) this.rememberOpenChat(this.session) // Back leads to it
    if (location.hash !== hashOf(route)) history.pushState(null, '', hashOf(route))
    this.go(route)
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

  togglePane(pane: 'library' | 'context'): void {
    if (pane === 'context' && !this.hasContext) return
    if (pane === 'library' ? this.libraryIsSheet : this.contextIsSheet) this.sheet = this.sheet === pane ? null : pane
    else this.settings.setPage({ panes: { ...this.settings.page.panes, [pane]: !this.settings.page.panes[pane] } })
  }

  /** The chat that the person looks at. */
  protected get shownChat(): SessionId | undefined {
    return this.route.page === 'chat' && document.visibilityState === 'visible' ? this.route.id : undefined
  }

  /** Goes there in place of where the page is now. */
  protected replace(route: Route): void {
    history.replaceState(null, '', hashOf(route))
    this.go(route)
  }

  /** Shows what the address names already. */
  protected go(route: Route): void {
    if (route.page === 'reset') location.reload() // main.ts sees to it, before there is an app
    if (route.page === 'search') {
      this.searchRequested = true
      history.replaceState(null, '', hashOf(this.route))
    } else if (route.page === 'chat') this.#openChat(route.id)
    else if (route.page === 'new') {
      this.typing.typed() // the first letter is about to come
      // a reload may still go by the address from before it was stored
      this.#openChat(this.session?.isUnstored ? this.session.id : (unsentNewChat() ?? this.#newId()), true)
    } else this.route = route
  }

  /** The address and the next start name the open chat as soon as something of it is stored. */
  protected rememberOpenChat({ id, isUnstored }: OpenSession): void {
    if (this.route.page !== 'chat' || this.route.id !== id) return
    const hash = hashOf(isUnstored ? { page: 'new' } : this.route)
    if (location.hash !== hash && isRouteOf(location.hash, id)) history.replaceState(null, '', hash)
    if (!isUnstored && this.settings.page.lastChat !== id) this.settings.setPage({ lastChat: id })
  }

  #openChat(id: SessionId, begins = false): void {
    this.route = { page: 'chat', id }
    this.marks.seen(id)
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
      whenIdle: () => this.typing.over(),
      typed: takeUnsent(id) || (this.unsavedDrafts.get(id) ?? ''),
      onUnsavedDraft: typed => {
        if (typed === undefined) this.unsavedDrafts.delete(id)
        else this.unsavedDrafts.set(id, typed)
        // The chat was opened again before the store reported the failure.
        if (typed !== undefined && this.session?.id === id && this.session !== session && this.session.draft.empty)
          this.session.draft.typed = typed
      },
      ...(begins ? { newChat: { id, title: texts().app.untitled, createdAt: now, updatedAt: now, leaf: null } } : {}),
    })
    this.session = session
    this.rememberOpenChat(session)
    void session.open().then(() => {
      // What stood beside it may be from before a reload.
      if (session.state === 'open') this.marks.take(id, session.status, this.route.page === 'chat')
    })
  }

  #newId(): SessionId {
    return idFrom(crypto.getRandomValues(new Uint8Array(16)))
  }

  #reply(reply: CommandReply): void {
    if (reply.memory === true) this.visit({ page: 'memory' })
    if (reply.export !== undefined) void this.library.export(reply.export)
  }
}
