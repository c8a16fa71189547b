/**
 * The page's side of the service worker: registers it, checks for a new version, and never reloads by itself. Loaded
 * after the first paint.
 */
import { Workbox } from 'workbox-window'
import { attempt } from '../../core/attempt.ts'

/** Whether a new version is there; `reload` starts it. */
export interface AppVersionUpdate {
  readonly ready: boolean
  reload(): Promise<void>
}

/** A new version is there; `reload` starts it. */
export type AppUpdate = { readonly ready: true; reload(): Promise<void> }

/** An open app looks once an hour, and when it is looked at again, but not more often than each minute (ms). */
const lookEachMs = 3_600_000
const lookAgainMs = 60_000

/** Waiting for a worker that does not answer must not keep a person from the new version (ms). */
const takeOverMs = 4_000

/**
 * Calls back once a new version waits, or another tab has started it. Does nothing in development, and where a browser
 * has no service workers (plain http). Rejects where this page may have none (blocked by the person or by the browser's
 * mode): the app works, only not without a network.
 */
export async function watchForUpdate(onReady: (update: AppUpdate) => void): Promise<void> {
  // missing on plain http
  const container = attempt(() => navigator.serviceWorker) as ServiceWorkerContainer | undefined
  if (!import.meta.env.PROD || !container) return
  let controlled = container.controller !== null

  const watch = async (): Promise<{ workbox: Workbox; registration: ServiceWorkerRegistration | undefined }> => {
    const workbox = new Workbox(`${import.meta.env.BASE_URL}service-worker.js`, { updateViaCache: 'none' })
    // Without a controller it is the first version, or a page that came past the service worker: no news.
    workbox.addEventListener('waiting', () => {
      if (container.controller) tell()
    })
    // Another tab started the new version: this page is the old one and its later parts are gone. `isExternal` does not
    // say that: it is also set on a first visit in two tabs.
    workbox.addEventListener('controlling', () => {
      if (controlled) tell()
      controlled = true
    })
    // The library reports only the first update. If it could not be installed, later ones must be reported too.
    workbox.addEventListener('redundant', ({ sw }) => {
      if (container.controller && sw !== container.controller) watched = watch()
    })
    return { workbox, registration: await workbox.register() }
  }
  const tell = (): void => {
    onReady({ ready: true, reload: async () => takeOver(await watched) })
  }
  let watched = watch()
  await watched
  lookNowAndThen(async () => (await watched).workbox.update())
}

/** The library checks only on request; an app that stays open for days has to ask. */
function lookNowAndThen(update: () => Promise<void>): void {
  let looked = Date.now()
  const look = (): void => {
    if (!navigator.onLine || Date.now() - looked < lookAgainMs) return
    looked = Date.now()
    update().catch(() => {}) // no network or no host just now: the next look will do
  }
  setInterval(look, lookEachMs)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') look()
  })
}

/** Lets the waiting version take over, then loads it. */
async function takeOver({
  workbox,
  registration,
}: {
  workbox: Workbox
  registration: ServiceWorkerRegistration | undefined
}): Promise<void> {
  if (registration?.waiting) {
    await new Promise<void>(resolve => {
      workbox.addEventListener('controlling', () => {
        resolve()
      })
      setTimeout(resolve, takeOverMs)
      workbox.messageSkipWaiting()
    })
  }
  location.reload()
}
