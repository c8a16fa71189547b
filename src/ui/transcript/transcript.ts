/** What a person sees of a log: entries and leaf → items on screen. Pure. */
import type { Entry, Id } from '../../core/log/entry.ts'
import type { TranscriptItem } from './transcript-items.ts'
import { TranscriptPath } from './transcript-path.ts'

/** The items of a log at once. Never throws: what it does not know it leaves out. */
export function transcript(entries: readonly Entry[], leaf: Id | null): readonly TranscriptItem[] {
  return new TranscriptFold().items(entries, leaf)
}

/**
 * The same, remembering what it did: when entries grew at the end and the leaf lies below the last one, only the new
 * entries are folded, and items that did not change stay the same objects. Anything else folds all anew.
 */
export class TranscriptFold {
  #entries: readonly Entry[] = []
  #leaf: Id | null = null
  #byId = new Map<Id, Entry>()
  #children = new Map<Id | null, Entry[]>()
  #path = new TranscriptPath()

  /** Entries in order of appending (they may begin in the middle of a session), leaf of the path in view. */
  items(entries: readonly Entry[], leaf: Id | null): readonly TranscriptItem[] {
    if (entries === this.#entries && leaf === this.#leaf) return this.#path.items
    let anew = !extendsList(entries, this.#entries)
    if (anew) {
      this.#byId = new Map()
      this.#children = new Map()
    }
    for (let i = anew ? 0 : this.#entries.length; i < entries.length; i++) {
      const entry = entries[i]!
      this.#byId.set(entry.id, entry)
      const siblings = this.#children.get(entry.parent)
      if (siblings === undefined) this.#children.set(entry.parent, [entry])
      else {
        siblings.push(entry)
        anew = true // a new version somewhere: the switches of the old ones change
      }
    }
    const added = anew ? undefined : this.#above(leaf, this.#leaf)
    if (added === undefined) this.#path = new TranscriptPath()
    for (const entry of added ?? this.#above(leaf, null)!) this.#path.add(entry, this.#children)
    this.#path.settle()
    this.#entries = entries
    this.#leaf = leaf
    return this.#path.items
  }

  /** The entries from below `top` down to `leaf`, oldest first; undefined when `top` is not above `leaf`. */
  #above(leaf: Id | null, top: Id | null): Entry[] | undefined {
    const found: Entry[] = []
    const seen = new Set<Id>() // an imported file may hold a ring
    for (let at = leaf; at !== top;) {
      const entry = at === null || seen.has(at) ? undefined : this.#byId.get(at)
      if (entry === undefined) return top === null ? found.toReversed() : undefined
      seen.add(entry.id)
      found.push(entry)
      at = entry.parent
    }
    return found.toReversed()
  }
}

/** True when `list` begins with all of `start`, the same objects. */
function extendsList(list: readonly Entry[], start: readonly Entry[]): boolean {
  return start.length <= list.length && start.every((entry, i) => entry === list[i])
}
