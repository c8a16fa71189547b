/**
 * The app without a network: every file of this build is kept, and nothing else ever is. Answers of model servers pass
 * by untouched, because no route matches them.
 */
import { cleanupOutdatedCaches, createHandlerBoundToURL, matchPrecache, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { workerPolicy } from './worker-policy.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] }

// Before the precache, which would answer the same files without the header.
registerRoute(
  ({ request, sameOrigin }) => sameOrigin && (request.destination === 'worker' || request.destination === 'sharedworker'),
  async ({ request }) => withPolicy(await matchPrecache(request.url) ?? await fetch(request)),
)
precacheAndRoute(self.__WB_MANIFEST)
cleanupOutdatedCaches()
// An address with a file's ending is a file, not a place in the app.
registerRoute(new NavigationRoute(createHandlerBoundToURL('index.html'), { denylist: [/\/[^/]+\.[^/]+$/] }))

// A new version waits until the person says so: only then does the page send this.
self.addEventListener('message', event => {
  if ((event.data as { type?: unknown } | null)?.type === 'SKIP_WAITING') void self.skipWaiting()
})
// The first visit is already kept; without this it would take a reload.
self.addEventListener('activate', event => { event.waitUntil(self.clients.claim()) })

function withPolicy(response: Response): Response {
  const headers = new Headers(response.headers)
  headers.set('content-security-policy', workerPolicy)
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers })
}
