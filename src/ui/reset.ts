/**
 * The emergency reset, for when the app's files are damaged or of mixed versions: `#/reset` removes them, and the next
 * load fetches them anew. It stands before everything else and needs neither the agent's worker nor the screen. Chats
 * are not touched.
 */
import { engineCache } from '../core/ports/local-engine.ts'
import { attempt } from '../core/attempt.ts'
import { texts } from './i18n/texts.ts'

/**
 * Drops what the service worker keeps of this app, programs of engines too, and only that: other apps of the origin and
 * downloaded models stay.
 */
export async function dropAppFiles(): Promise<void> {
  const scope = new URL('./', document.baseURI).href
  // Both are missing on plain http, and refused where site data is blocked: then nothing was ever kept.
  const registration = await attempt(() => navigator.serviceWorker.getRegistration(scope))?.catch(() => undefined)
  await registration?.unregister()
  const names = (await attempt(() => caches.keys())?.catch((): string[] => [])) ?? []
  await Promise.all(
    names
      .filter(name => name === engineCache || (name.startsWith('workbox-') && name.endsWith(scope)))
      .map(name => caches.delete(name)),
  )
}

/** Asks first, because anybody can write a link here; then does it and says so, in place of the app. */
export function showReset(place: HTMLElement): void {
  const { title, done, again, ask, question, remove, back, failed, failedText } = texts().app.reset
  const main = document.createElement('main')
  main.className = 'reset'
  const [heading, text, button, link] = [
    document.createElement('h1'),
    document.createElement('p'),
    document.createElement('button'),
    document.createElement('a'),
  ]
  heading.textContent = question
  text.textContent = ask
  text.role = 'status'
  button.textContent = remove
  button.className = 'danger'
  button.onclick = () => {
    button.disabled = true
    dropAppFiles().then(
      () => {
        button.remove()
        heading.textContent = title
        text.textContent = done
        link.textContent = again
      },
      (thrown: unknown) => {
        heading.textContent = failed
        text.textContent = `${failedText} ${String(thrown)}`
        button.disabled = false
      },
    )
  }
  link.textContent = back
  link.href = './'
  main.append(heading, text, button, link)
  place.replaceChildren(main)
}
