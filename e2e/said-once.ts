/** The law that the screen says nothing twice: no two places carry the same sentence, or one fact in other words. */
import { expect, type Page } from '@playwright/test'

/** What a state is about, in all the words that the app has for it. */
const facts: Record<string, string> = {
  stopped: '\\bstopped\\b',
  'cut off': 'cut off|broken off|restart|was interrupted|worker ended',
  offline: '\\boffline\\b|no network',
  limit: 'output limit',
  waits: 'when the answer is done|not sent',
  permission: 'your permission|for permission|allow it',
  'another tab': 'another tab',
  running: '\\brunning\\b',
  thinking: '^thinking\\b',
}

/**
 * What is said more than once now, with the words; texts of the chat itself and its title are not the app's, and what
 * the library offers may stand where it is needed too.
 */
export const saidTwice = (page: Page): Promise<string[]> =>
  page.evaluate(facts => {
    const isSeen = (element: Element): boolean =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      !getComputedStyle(element).clipPath.startsWith('inset(50%') &&
      element.getBoundingClientRect().width > 1
    const foreign =
      'aside, header, footer, nav button, h1, [dir="auto"], .markdown, bdi, code, pre, textarea, .actions, ol li, ul li, [role="listbox"], .rows, option'
    const places = 'article, [role="alert"], [role="alertdialog"], [data-notice], .bar, .box > section, .line, .hint'
    const statements: { text: string; place: Element }[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const told = new Set<Element>()
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement!
      if ((node.textContent ?? '').trim() === '' || told.has(element)) continue
      if (element.closest(foreign) !== null || !isSeen(element)) continue
      let hidden = false
      for (let at: Element | null = element; at !== null; at = at.parentElement)
        hidden ||=
          at.matches('.vh, [hidden], dialog:not([open])') || getComputedStyle(at).clipPath.startsWith('inset(50%')
      if (hidden) continue
      told.add(element)
      statements.push({
        text: (element.textContent ?? '').replace(/\s+/g, ' ').trim().toLowerCase(),
        place: element.closest(places) ?? element,
      })
    }
    const found: string[] = []
    for (const [i, { text, place }] of statements.entries()) {
      const again = statements.findIndex((other, j) => j > i && other.text === text && other.place !== place)
      if (again >= 0 && /\w{2}/.test(text)) found.push(text)
    }
    for (const [fact, words] of Object.entries(facts)) {
      const about = statements.filter(({ text }) => new RegExp(words, 'i').test(text))
      if (new Set(about.map(({ place }) => place)).size > 1)
        found.push(`${fact}: ${about.map(({ text }) => text).join(' | ')}`)
    }
    return found
  }, facts)

/** Waits until nothing is said twice: what a state replaces goes at once, on a busy machine a frame later. */
export async function saidOnce(page: Page): Promise<void> {
  await expect.poll(() => saidTwice(page), 'said more than once').toEqual([])
}
