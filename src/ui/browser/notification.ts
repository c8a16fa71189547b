/** Notifications of the browser, where it has them. Its permission is asked for by a click, never by itself. */

import { attempt } from '../../core/attempt.ts'
import { isOtherTabSeen } from './seen-tabs.ts'

/** What a notification says and opens: no text of the chat but its title, because a lock screen shows it. */
export type ChatNotification = {
  title: string
  body: string
  lang: string
  /** Of one chat only the newest stands. */
  tag: string
  /** The place that a click opens: what stands behind "#" in the address. */
  hash: string
}

/** What a page can do with notifications; tests bring their own. */
export interface Notifications {
  /** `missing`: this browser, or this page (plain http), has none. */
  permission(): NotificationPermission | 'missing'
  /** Must be called in a click. */
  request(): Promise<NotificationPermission>
  /**
   * For a page that is hidden: nothing is shown while another tab of the app is on the screen; the list there tells it.
   * `open` goes to the place where no service worker does it.
   */
  show(notification: ChatNotification, open: (hash: string) => void): Promise<void>
  /** Takes away those with this tag. */
  close(tag: string): Promise<void>
}

const missing = (): boolean => typeof Notification === 'undefined' || !globalThis.isSecureContext

const registered = async (): Promise<ServiceWorkerRegistration | undefined> => {
  const found = await attempt(() => navigator.serviceWorker.getRegistration())?.catch(() => undefined)
  return found?.active ? found : undefined
}

export const browserNotifications: Notifications = {
  permission: () => (missing() ? 'missing' : Notification.permission),
  request: () => Notification.requestPermission(),
  async show({ title, hash, ...rest }, open) {
    if (await isOtherTabSeen()) return
    const options = { ...rest, data: { hash }, icon: `${import.meta.env.BASE_URL}icons/icon-192.png` }
    const worker = await registered()
    // The service worker's own outlives the page; on Android there is no other.
    if (worker !== undefined) return worker.showNotification(title, options)
    const shown = new Notification(title, options)
    shown.addEventListener('click', () => {
      window.focus()
      open(hash)
      shown.close()
    })
  },
  async close(tag) {
    const worker = missing() ? undefined : await registered()
    for (const shown of (await worker?.getNotifications({ tag })) ?? []) shown.close()
  },
}

/** Calls back with the place that the click on a notification of the service worker opens here. */
export function onNotificationClick(
  open: (hash: string) => void,
  listen: (target: EventTarget, type: string, hear: (event: Event) => void) => void,
): void {
  // missing on plain http, refused where site data is blocked
  const container = attempt(() => navigator.serviceWorker) as ServiceWorkerContainer | undefined
  if (container === undefined) return
  listen(container, 'message', event => {
    const { data } = event as MessageEvent<{ type?: unknown; hash?: unknown } | null>
    if (data?.type === 'OPEN' && typeof data.hash === 'string') open(data.hash)
  })
}
