/**
 * What is shown instead of the app when it is framed by another site, which could cover our buttons (clickjacking). It
 * comes before everything else, and nothing in it can be pressed. A host's header says the same earlier
 * (docs/decisions/content-security.md).
 */
import { texts } from './i18n/texts.ts'

/** Comparing `top` and `self` is allowed across origins. */
export function isFramed(page: { top: unknown; self: unknown } = window): boolean {
  return page.top !== page.self
}

export function showFramed(place: HTMLElement): void {
  const { title, text } = texts().app.framed
  const main = document.createElement('main')
  main.className = 'reset'
  const [heading, why, address] = [
    document.createElement('h1'),
    document.createElement('p'),
    document.createElement('code'),
  ]
  heading.textContent = title
  why.textContent = `${text} `
  address.textContent = new URL('./', document.baseURI).href
  why.append(address)
  main.append(heading, why)
  place.replaceChildren(main)
}
