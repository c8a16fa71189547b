/**
 * UI state of what only an installed app has: the offer to install it, files and places that it is launched with, what
 * other programs share with it, the number on its icon. Where a browser lacks one of these, nothing of it happens.
 */
import { attempt } from '../../core/attempt.ts'
import type { SessionId } from '../../core/log/entry.ts'
import type { Installation } from './install.svelte.ts'
import type { Route } from '../browser/route.ts'
import type { Dropped } from '../files/dropped.ts'
import type { SharesChat, SharesPage } from './take-shares.svelte.ts'

type Page = SharesPage & {
  takeFiles(dropped: Dropped, wish: 'attach' | 'either' | 'import'): Promise<void>
  visit(route: Route): void
}

const shares = () => import('./take-shares.svelte.ts')

/** None where the browser has no caches (plain http) or refuses them (site data blocked). */
const cacheNames = async (): Promise<string[]> => (await attempt(() => caches.keys())?.catch(() => [])) ?? []

export class InstalledApp {
  readonly installation: Installation
  readonly #page: Page
  #maybeShares = false // something was shared once: the open chat may have files of it

  constructor(page: Page, installation: Installation) {
    this.#page = page
    this.installation = installation
  }

  /** Takes what the app was launched with; with the chats of the list, once that is read. */
  async start(chats: readonly { id: SessionId }[]): Promise<void> {
    const { watchLaunches } = await import('./launches.ts')
    watchLaunches({
      onFiles: files => void this.#page.takeFiles({ files, folders: [], text: '' }, 'import'),
      onPlace: route => {
        if (route.page !== 'start' && route.page !== 'reset') this.#page.visit(route)
      },
    })
    if (!(await cacheNames()).includes('haversack-shared')) return
    this.#maybeShares = true
    const { session } = this.#page
    if (!(await this.takeShares(chats)) && session !== undefined) await this.opened(session)
  }

  /** What was shared goes into a new chat. Answers false where nothing waits. */
  async takeShares(chats: readonly { id: SessionId }[]): Promise<boolean> {
    if ((await cacheNames()).length === 0) return false
    this.#maybeShares = true
    return (await shares()).takeShares(this.#page, chats)
  }

  /** A chat is open: files that were shared and not sent come back into its message box. */
  async opened(session: SharesChat): Promise<void> {
    if (this.#maybeShares) await (await shares()).attachAgain(this.#page, session)
  }
}
