/**
 * Whether any tab of the app is on the screen. Each holds a shared lock while it is, which the browser takes back from
 * one that ends or crashes.
 */
const lockName = 'haversack-on-screen'

let held: { release(): void; gone: Promise<unknown> } | undefined

const locks = (): LockManager | undefined => navigator.locks as LockManager | undefined // missing on plain http

function hold(): void {
  const manager = locks()
  if (held !== undefined || manager === undefined) return
  const { promise, resolve } = promiseOfRelease()
  // Where the browser refuses (a page without an origin) this tab counts as unseen.
  held = { release: resolve, gone: manager.request(lockName, { mode: 'shared' }, () => promise).catch(() => {}) }
}

async function letGo(): Promise<void> {
  const own = held
  held = undefined
  own?.release()
  await own?.gone
}

function follow(): void {
  if (document.visibilityState === 'visible') hold()
  else void letGo()
}

/** Tells the other tabs from now on whether this one is on the screen. */
export function tellWhetherSeen(listen: (target: EventTarget, type: string, hear: () => void) => void): void {
  follow()
  listen(document, 'visibilitychange', follow)
}

/** Asked by a tab that is hidden: its own lock is gone before it looks. No where the browser does not tell. */
export async function isOtherTabSeen(): Promise<boolean> {
  await letGo()
  const found = await locks()
    ?.query()
    .catch(() => undefined)
  return (found?.held ?? []).some(({ name }) => name === lockName)
}

function promiseOfRelease(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {}
  const promise = new Promise<void>(done => {
    resolve = done
  })
  return { promise, resolve }
}
