/** What has moved on the page, as the browser itself measures it; also what moved by a press. */
import { expect, type Page } from '@playwright/test'

type Shifts = { observer: PerformanceObserver; found: string[] }

/** What has moved since it was last asked: how much, and the elements. */
export const shifts = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const known = Reflect.get(window, 'layoutShifts') as Shifts | undefined
    const found = known?.found ?? []
    const note = (entries: PerformanceEntryList) => {
      for (const entry of entries) {
        const { value, sources } = entry as PerformanceEntry & { value: number; sources: { node: Node | null }[] }
        const nodes = sources.map(({ node }) => (node instanceof Element ? node : node?.parentElement)?.outerHTML)
        found.push(`${value}: ${nodes.map(html => html?.slice(0, 90)).join(', ')}`)
      }
    }
    const observer = known?.observer ?? new PerformanceObserver(list => note(list.getEntries()))
    if (known === undefined) {
      observer.observe({ type: 'layout-shift' })
      Reflect.set(window, 'layoutShifts', { observer, found })
    }
    // An entry is there once its frame was painted.
    for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame)
    note(observer.takeRecords())
    return found.splice(0)
  })

/** Waits until what was begun before has come to rest. */
export async function nothingMoves(page: Page): Promise<void> {
  await shifts(page)
  await expect.poll(() => shifts(page), { message: 'comes to rest', intervals: [400] }).toEqual([])
}
