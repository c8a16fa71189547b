/**
 * The app without a network: every file of this build is kept, and nothing else ever is. Answers of model servers pass
 * by untouched, because no route matches them.
 */
import { cleanupOutdatedCaches, createHandlerBoundToURL, matchPrecache, precacheAndRoute } from 'workbox-precaching'
import { registerRoute } from 'workbox-routing'
import { keepShare } from '../src/bridge/shared/received-shares.ts'
import { dropOldEngines, engineFile, isEngineFile, keepEngines, type Listed } from './engine-files.ts'
import { openFromNotification } from './notification-click.ts'
import { policyFor } from './worker-policy.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] }

// Before the precache, which would answer the same files without the header.
registerRoute(
  ({ request, sameOrigin }) =>
    sameOrigin && (request.destination === 'worker' || request.destination === 'sharedworker'),
  async ({ request }) => {
    const isEngine = isEngineFile({ url: new URL(request.url).pathname, revision: null })
    return withPolicy(
      isEngine ? await engineFile(request, caches) : ((await matchPrecache(request.url)) ?? (await fetch(request))),
      policyFor(request.url),
    )
  },
)
const listed: Listed[] = self.__WB_MANIFEST as Listed[]
const engineFiles = listed.filter(isEngineFile)
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && isEngineFile({ url: url.pathname, revision: null }),
  ({ request }) => engineFile(request, caches),
)
precacheAndRoute(listed.filter(file => !isEngineFile(file)))
cleanupOutdatedCaches()
// The app is one page, its places stand behind "#"; other addresses below it are the host's affair.
const page = new URL(self.registration.scope).pathname
registerRoute(
  ({ request, url, sameOrigin }) =>
    sameOrigin && request.mode === 'navigate' && (url.pathname === page || url.pathname === `${page}index.html`),
  createHandlerBoundToURL('index.html'),
)

// What another program shares: kept first, then a page is opened for it.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname === `${page}share`,
  async ({ request }) => {
    let place = 'shared'
    try {
      const form = await request.formData()
      await keepShare(form, caches, { id: crypto.randomUUID(), now: Date.now() })
    } catch {
      place = 'shared/lost' // no room, or no form: the page says so
    }
    return Response.redirect(`${self.registration.scope}#/${place}`, 303)
  },
  'POST',
)

// A new version waits until the person says so: only then does the page send this.
self.addEventListener('message', event => {
  if ((event.data as { type?: unknown } | null)?.type === 'SKIP_WAITING') void self.skipWaiting()
})
self.addEventListener('notificationclick', event => {
  event.notification.close()
  event.waitUntil(openFromNotification(event.notification.data, { scope: self.registration.scope, tabs: self.clients }))
})
// The first visit is already kept; without this it would take a reload.
self.addEventListener('activate', event => {
  event.waitUntil(Promise.all([self.clients.claim(), dropOldEngines(engineFiles, self.registration.scope, caches)]))
})
self.addEventListener('install', event => {
  event.waitUntil(keepEngines(engineFiles, self.registration.scope, caches))
})

function withPolicy(response: Response, policy: string): Response {
  const headers = new Headers(response.headers)
  headers.set('content-security-policy', policy)
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers })
}
