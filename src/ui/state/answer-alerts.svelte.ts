/**
 * UI state of the notifications that an answer is ready, or that a tool asks, while nobody looks at the page. A line in
 * the page asks the person at the first answer that takes long, and never again after a no.
 */
import type { AgentEvent, Status } from '../../core/agent/api/api.ts'
import type { SessionId } from '../../core/log/entry.ts'
import type { SessionInfo } from '../../core/ports/ports.ts'
import { browserNotifications, type Notifications } from '../browser/notification.ts'
import { hashOf } from '../browser/route.ts'
import { shownTitle } from '../i18n/shown-title.ts'
import { texts } from '../i18n/texts.ts'
import type { PageSettings } from './page-settings.ts'

/**
 * An answer that takes as long as this is a long one. Unit: ms. About the limit up to which people keep their attention
 * on what they wait for (Nielsen, Usability Engineering, 1993, chapter 5): after it they turn to something else.
 */
const longMs = 10_000

type Surroundings = {
  readonly session: { readonly id: SessionId; readonly info: SessionInfo | undefined } | undefined
  readonly library: { find(id: SessionId): SessionInfo | undefined }
  readonly settings: { readonly page: PageSettings; setPage(changes: Partial<PageSettings>): void }
  /** Goes to a place of the app. */
  openPlace(hash: string): void
}

export class AnswerAlerts {
  readonly #app: Surroundings
  readonly #notifications: Notifications
  readonly #isHidden: () => boolean
  /** The chats that this tab works on, and whether anything of an answer has come. Other tabs tell of theirs. */
  #working = new Map<SessionId, { wrote: boolean }>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #wasLong = $state(false)
  #refused = $state(false)

  constructor(
    app: Surroundings,
    notifications: Notifications = browserNotifications,
    isHidden = () => document.visibilityState === 'hidden',
  ) {
    this.#app = app
    this.#notifications = notifications
    this.#isHidden = isHidden
  }

  /** Whether the page shall offer notifications: an answer took long, and the person has not said yes or no. */
  get asks(): boolean {
    return this.#wasLong && this.#app.settings.page.notify === undefined && this.isAvailable
  }
  /** The person said yes and the browser no, just now. */
  get refused(): boolean {
    return this.#refused
  }
  /** Whether this browser has notifications and does not block them. */
  get isAvailable(): boolean {
    return ['default', 'granted'].includes(this.#notifications.permission())
  }
  /** Whether it has them at all. */
  get exists(): boolean {
    return this.#notifications.permission() !== 'missing'
  }
  get isOn(): boolean {
    return this.#app.settings.page.notify === true && this.#notifications.permission() === 'granted'
  }

  /** By a click: browsers ask the person only then. */
  async allow(): Promise<void> {
    const answer = await this.#notifications.request().catch(() => 'denied' as const)
    this.#refused = answer === 'denied'
    // Closed without an answer it is no yes, and it is not asked again by itself.
    this.#app.settings.setPage({ notify: answer === 'granted' })
  }

  /** No, or not any more; Settings can switch it on again. */
  decline(): void {
    this.#refused = false
    this.#app.settings.setPage({ notify: false })
  }

  receive(events: readonly AgentEvent[]): void {
    for (const event of events) {
      if (event.type === 'status') this.#follow(event.session, event.status)
      // What went wrong ends the answer too; its status follows.
      if (event.type === 'failed' && this.#working.delete(event.session)) this.#tell(event.session, 'failed')
    }
  }

  /** The person looks at a chat: what told of it has done its work. */
  seen(id: SessionId): void {
    if (this.isOn) void this.#notifications.close(tagOf(id)).catch(() => {}) // it goes away by itself some time
  }

  #follow(id: SessionId, { state }: Status): void {
    switch (state) {
      case 'thinking':
      case 'writing':
      case 'running':
      case 'retrying':
        if (!this.#working.has(id)) {
          this.#working.set(id, { wrote: false })
          this.#watchLength(id)
        }
        if (state === 'writing') this.#working.set(id, { wrote: true })
        break
      case 'asking':
        if (this.#working.has(id)) this.#tell(id, 'asks')
        break
      case 'idle':
      case 'interrupted': {
        const worked = this.#working.get(id)
        this.#working.delete(id)
        // Where something waits, the next answer begins at once.
        if (worked?.wrote && (this.#info(id)?.queued?.length ?? 0) === 0) this.#tell(id, 'ready')
        break
      }
      case 'compacting':
      case 'waiting':
      case 'offline':
        break
      default:
        state satisfies never
    }
  }

  /** The open chat alone: of another one the person does not see that it takes long. */
  #watchLength(id: SessionId): void {
    if (this.#wasLong || this.#app.settings.page.notify !== undefined || this.#app.session?.id !== id) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      if (this.#working.has(id) && this.#app.session?.id === id) this.#wasLong = true
    }, longMs)
  }

  #tell(id: SessionId, what: 'ready' | 'asks' | 'failed'): void {
    if (!this.isOn || !this.#isHidden()) return
    const {
      app: { notification },
      language,
    } = texts()
    const shown = {
      title: shownTitle(this.#info(id)?.title),
      body: notification[what],
      lang: language === 'zh' ? 'zh-Hans' : 'en',
      tag: tagOf(id),
      hash: hashOf({ page: 'chat', id }),
    }
    this.#notifications
      .show(shown, hash => {
        this.#app.openPlace(hash)
      })
      .catch(() => {}) // the browser took the permission back meanwhile: the dot in the list of chats tells it
  }

  #info(id: SessionId): SessionInfo | undefined {
    return this.#app.session?.id === id ? this.#app.session.info : this.#app.library.find(id)
  }
}

const tagOf = (id: SessionId): string => `chat:${id}`
