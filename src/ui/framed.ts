/**
 * What is shown in place of the app inside a page of somebody else, which could lay its own pictures over our buttons.
 * It stands before everything else, and nothing in it can be pressed. A host's header says the same earlier
 * (docs/decisions/content-security.md).
 */
import { texts } from './i18n/texts.ts'

/** Comparing is allowed whoever the other page is; what is hidden from us is somebody else's. */
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
