/** The service worker as the page sees it: registers it, looks for a new version, and never reloads by itself. */
import { attempt } from '../core/attempt.ts'

/** A new version is there; `reload` starts it. */
export type AppUpdate = { readonly ready: true; reload(): Promise<void> }

/** An open app looks once an hour, and when it is looked at again, but not more often than each minute (ms). */
const lookEachMs = 3_600_000
const lookAgainMs = 60_000

/** Waiting for a worker that does not answer must not keep a person from the new version (ms). */
const takeOverMs = 4_000

/** Calls back once a new version waits. Does nothing in development, and where a browser has no service workers (plain http) or lets this page have none. */
export function watchForUpdate(onReady: (update: AppUpdate) => void): void {
  const container = attempt(() => navigator.serviceWorker) as ServiceWorkerContainer | undefined   // missing on plain http
  if (!import.meta.env.PROD || !container) return
  const hadController = container.controller !== null
  const tell = (registration?: ServiceWorkerRegistration): void => { onReady({ ready: true, reload: () => takeOver(registration) }) }

  // Another tab started the new version: this page is the old one and its later parts are gone.
  if (hadController) container.addEventListener('controllerchange', () => { tell() }, { once: true })

  attempt(() => container.register(`${import.meta.env.BASE_URL}service-worker.js`, { updateViaCache: 'none' }))?.then(registration => {
    if (registration.waiting && container.controller) tell(registration)
    registration.addEventListener('updatefound', () => {
      const next = registration.installing
      next?.addEventListener('statechange', () => {
        // Without a controller it is the first version, which is no news.
        if (next.state === 'installed' && container.controller) tell(registration)
      })
    })
    lookNowAndThen(registration)
  }, () => {
    // Blocked by the person or by the browser's mode: the app works, only not without a network.
  })
}

function lookNowAndThen(registration: ServiceWorkerRegistration): void {
  let looked = Date.now()
  const look = (): void => {
    if (!navigator.onLine || Date.now() - looked < lookAgainMs) return
    looked = Date.now()
    registration.update().catch(() => {})   // no network or no host just now: the next look will do
  }
  setInterval(look, lookEachMs)
  document.addEventListener('visibilitychange', () => { if (document.visibilityState === 'visible') look() })
}

/** Lets the waiting version take over, then loads it. */
async function takeOver(registration?: ServiceWorkerRegistration): Promise<void> {
  const waiting = registration?.waiting
  if (waiting) {
    await new Promise<void>(resolve => {
      navigator.serviceWorker.addEventListener('controllerchange', () => { resolve() }, { once: true })
      setTimeout(resolve, takeOverMs)
      waiting.postMessage({ type: 'SKIP_WAITING' }, [])   // nothing to transfer
    })
  }
  location.reload()
}
