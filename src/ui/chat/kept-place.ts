/** What is read in a list stays where it is when the list gets another width, in which every row has another height. */
import type { VirtualizerHandle } from 'virtua/svelte'

/** How often the list is put right, each ms: what comes into view is measured one frame later. */
const [times, eachMs] = [12, 60]

/** What the list is, as it is now; undefined before it is there. */
type Place = { list: VirtualizerHandle; scroller: HTMLElement; rows: readonly { key: string }[] }

export class KeptPlace {
  readonly #now: () => Place | undefined
  #kept: { key: string; above: number /* 0…1 of the row */; width: number /* px */ } | undefined

  constructor(now: () => Place | undefined) {
    this.#now = now
  }

  /** The person scrolls: this is what is read, unless the width has just changed. */
  note(): void {
    const now = this.#now()
    if (now === undefined || this.isLost) return
    const { list, scroller, rows } = now
    const top = list.getScrollOffset()
    const index = list.findItemIndex(top)
    const row = rows[index]
    if (row === undefined) return
    const above = (top - list.getItemOffset(index)) / Math.max(1, list.getItemSize(index))
    this.#kept = { key: row.key, above, width: scroller.clientWidth }
  }

  /** The list has another width than when the place was noted. */
  get isLost(): boolean {
    const scroller = this.#now()?.scroller
    return this.#kept !== undefined && scroller !== undefined && this.#kept.width !== scroller.clientWidth
  }

  /** Goes back there, for as long as `may` says so: the person may go elsewhere meanwhile. */
  async goBack(may: () => boolean): Promise<void> {
    const kept = this.#kept
    if (kept === undefined) return
    for (let tries = 0; tries < times; tries++) {
      const now = this.#now()
      const index = now?.rows.findIndex(({ key }) => key === kept.key) ?? -1
      if (now === undefined || index === -1 || this.#kept !== kept || !may()) break
      now.list.scrollToIndex(index, { align: 'start', offset: kept.above * now.list.getItemSize(index) })
      await new Promise(resolve => {
        setTimeout(resolve, eachMs)
      })
    }
    if (this.#kept === kept) this.#kept = undefined
  }
}
