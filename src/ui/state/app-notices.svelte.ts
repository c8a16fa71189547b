/** UI state of the notices above the chat: what has happened to the page, and what the person does not want to read. */
import type { AppVersionUpdate } from '../browser/app-update.ts'
import { noticesOf, type Notice, type NoticeAction, type NoticeKind } from '../browser/notices.ts'
import { wasPausedByDevice } from '../browser/paused-by-device.ts'
import type { Installation } from '../installed/install.svelte.ts'
import type { SessionId } from '../../core/log/entry.ts'
import type { Dialog } from './page-place.svelte.ts'
import type { AnswerAlerts } from './answer-alerts.svelte.ts'
import type { Library } from './library.svelte.ts'
import { storesNothing } from './page-settings.ts'
import { endingsOf } from '../transcript/ending.ts'
import type { OpenSession } from './session.svelte.ts'
import type { Settings } from './settings.svelte.ts'

/** What the notices are about, besides what is told by calls. */
type Watched = {
  readonly online: boolean
  readonly update: AppVersionUpdate
  readonly session: OpenSession | undefined
  readonly library: Library
  readonly settings: Settings
  readonly unsavedDrafts: ReadonlyMap<SessionId, string>
  dialog: Dialog | null
  readonly installed: { readonly installation: Pick<Installation, 'state' | 'install'> }
  readonly alerts: Pick<AnswerAlerts, 'asks' | 'refused' | 'decline' | 'allow'>
}

export class AppNotices {
  readonly #app: Watched
  /** What is open was saved to a file: it may be left. */
  rescueCopySaved = false
  #restarted = $state(false)
  #gaveUp = $state(false)
  #startError = $state<string | undefined>()
  #chunkLost = $state(false)
  #paused = $state(false)
  #keepRefused = $state(false)
  #siteCleared = $state(false)
  #dismissed = $state.raw<ReadonlySet<NoticeKind>>(new Set())

  readonly shown: readonly Notice[] = $derived.by(() => {
    const { online, update, session, library, settings, alerts, installed } = this.#app
    return noticesOf({
      online,
      secure: globalThis.isSecureContext,
      storage: settings.storage,
      siteCleared: this.#siteCleared,
      update: update.ready,
      chunkLost: this.#chunkLost,
      answering: session?.busy ?? false,
      attached: (session?.draft.attached.length ?? 0) > 0,
      chats: library.chats?.length,
      hadChats: settings.page.hadChats,
      hasStoredChat: library.chats?.some(({ leaf }) => leaf !== null) ?? false,
      paused: this.#paused,
      restarted: this.#restarted,
      gaveUp: this.#gaveUp,
      startError: this.#startError,
      cutOff: (this.#paused || this.#restarted) && session !== undefined && isCutOffInView(session),
      askedToKeep: settings.page.askedToKeep === true,
      keepRefused: this.#keepRefused,
      canInstall: installed.installation.state === 'offered',
      asksToNotify: alerts.asks,
      notifyRefused: alerts.refused,
      asksToForget: this.#needsRetentionConsent(),
      dismissed: this.#dismissed,
    })
  })

  constructor(app: Watched) {
    this.#app = app
  }

  /** The worker ended and is there again. */
  restarted(): void {
    this.#restarted = true
    this.#showAgain('restarted')
  }

  /** The worker is not started any more; `startError`: what ended it as it began. */
  gaveUp(startError: string | undefined): void {
    this.#gaveUp = startError === undefined
    this.#startError = startError
  }

  /** A lazy part could not be had: with a network that means that a newer version has replaced it. */
  chunkLost(): void {
    this.#chunkLost = navigator.onLine
  }

  /** The database is gone. Each store is cleared by itself: what the page keeps beside it may be next. */
  databaseGone(): void {
    const look = (): void => {
      this.#siteCleared ||= storesNothing()
    }
    look()
    setTimeout(look, 1_000)
  }

  dismiss(kind: NoticeKind): void {
    if (kind === 'paused') this.#paused = false
    if (kind === 'restarted') this.#restarted = false
    if (kind === 'keep') this.#app.settings.setPage({ askedToKeep: true })
    if (kind === 'notify' || kind === 'notifyRefused') this.#app.alerts.decline()
    if (kind === 'keepRefused') this.#keepRefused = false
    if (kind === 'evicted') this.#app.settings.setPage({ hadChats: 0 })
    this.#dismissed = new Set([...this.#dismissed, kind])
  }

  /** What the button of a notice does. */
  async act(action: Exclude<NoticeAction, 'import'>, kind: NoticeKind): Promise<void> {
    const app = this.#app
    switch (action) {
      case 'reload':
        app.session?.flushDraft()
        await (app.update.ready ? app.update.reload() : Promise.resolve(location.reload()))
        break
      case 'save':
        if (await app.library.saveRescueCopy(app.session, app.unsavedDrafts)) this.rescueCopySaved = true
        break
      case 'export':
        await app.library.export({ kind: 'all' })
        break
      case 'keep':
        await this.#keepChats()
        break
      case 'install':
        if (await app.installed.installation.install()) await this.#keepChats()
        break
      case 'continue':
        this.dismiss(kind)
        await app.session?.resume()
        break
      case 'notify':
        await app.alerts.allow()
        break
      case 'storage':
        app.dialog = { name: 'settings', tab: 'storage' }
        break
      case 'dismiss':
        this.dismiss(kind)
        break
      default:
        action satisfies never
    }
  }

  /** By the person's click. What a no means is said once, here; later it stands in Settings. */
  async #keepChats(): Promise<void> {
    const { settings } = this.#app
    await settings.requestPersistence()
    settings.setPage({ askedToKeep: true })
    this.#keepRefused = settings.persistAnswer === 'refused'
  }

  watchPauses(listen: (target: EventTarget, type: string, hear: () => void) => void): void {
    let hidden: { at: number; busy: boolean } | undefined
    listen(document, 'visibilitychange', () => {
      if (document.visibilityState === 'hidden') {
        hidden = { at: Date.now(), busy: this.#app.session?.busy ?? false }
        return
      }
      const before = hidden
      if (before === undefined) return
      const hiddenMs = Date.now() - before.at
      // The failure of a connection that the pause cut comes a moment after waking, on a busy machine a longer one.
      let told = false
      for (const ms of [1_500, 4_000])
        setTimeout(() => {
          told ||= this.#tellsPause({ busyWhenHidden: before.busy, hiddenMs })
        }, ms)
    })
  }

  /** Whether an answer was cut by a pause; then the notice says so. */
  #tellsPause(before: { busyWhenHidden: boolean; hiddenMs: number }): boolean {
    const { session } = this.#app
    if (session === undefined) return false
    this.#paused = wasPausedByDevice({ ...before, state: session.status.state, failure: session.failure?.code })
    if (!this.#paused) return false
    session.dismissFailure() // the notice says what it was
    this.#showAgain('paused')
    return true
  }

  #showAgain(kind: NoticeKind): void {
    this.#dismissed = new Set([...this.#dismissed].filter(one => one !== kind))
  }

  #needsRetentionConsent(): boolean {
    const plan = this.#app.settings.retention
    return plan !== undefined && plan.agreed === undefined && plan.results + plan.sessions > 0
  }
}

/** Whether the open chat itself says that its answer was cut off. */
function isCutOffInView({ status, items }: OpenSession): boolean {
  return status.state === 'interrupted' || (status.state === 'idle' && endingsOf(items, 'idle').offer !== undefined)
}
