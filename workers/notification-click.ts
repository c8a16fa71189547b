/** A click on a notification: a tab of the app is brought to the front and opens the chat, or a new one does. */

/** The part of a tab that is needed here. */
type Tab = { readonly url: string; focus(): Promise<unknown>; postMessage(message: unknown, transfer: []): void }
export type Tabs = {
  matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly Tab[]>
  openWindow(url: string): Promise<unknown>
}

/** `data` is what the page gave the notification; `scope` is the address of the app. A chat is all that it opens. */
export async function openFromNotification(
  data: unknown,
  { scope, tabs }: { scope: string; tabs: Tabs },
): Promise<void> {
  const hash = hashOf(data)
  const open = (await tabs.matchAll({ type: 'window', includeUncontrolled: true })).filter(({ url }) =>
    url.startsWith(scope),
  )
  // The one that shows the chat already; else the one that was used last, which comes first.
  const tab = open.find(({ url }) => url.endsWith(hash)) ?? open[0]
  if (tab === undefined) {
    await tabs.openWindow(`${scope}${hash}`)
    return
  }
  tab.postMessage({ type: 'OPEN', hash }, []) // a tab of this origin: none can be named
  await tab.focus()
}

function hashOf(data: unknown): string {
  const hash = typeof data === 'object' && data !== null && 'hash' in data ? data.hash : undefined
  return typeof hash === 'string' && hash.startsWith('#/chat/') ? hash : '#/'
}
