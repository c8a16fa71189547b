/** The part of a session's log that the page holds: one unbroken run of entries by seq. Pure. */
import type { Entry } from '../../core/log/entry.ts'

/** `entries[i]` has seq `from + i`. */
export type Loaded = { readonly from: number; readonly entries: readonly Entry[] }

/** Entries that must be fetched, by seq, `to` exclusive. */
export type Missing = { from: number; to: number }

/** The seq that the next appended entry will have. */
export function endOf(loaded: Loaded): number {
  return loaded.from + loaded.entries.length
}

/** Adds appended entries to the loaded ones. The same entries twice change nothing (the same object is returned), and
 * if entries in between were never received, it returns which ones are missing and adds none.
 */
export function withAppended(
  loaded: Loaded,
  from: number,
  entries: readonly Entry[],
): { loaded: Loaded; missing?: Missing } {
  const end = endOf(loaded)
  if (from > end) return { loaded, missing: { from: end, to: from + entries.length } }
  const known = end - from
  if (known >= entries.length) return { loaded }
  return { loaded: { from: loaded.from, entries: [...loaded.entries, ...entries.slice(known)] } }
}

/** Puts older entries in front of what is held. Ones that do not touch it are passed over. */
export function withOlder(loaded: Loaded, from: number, entries: readonly Entry[]): Loaded {
  const before = loaded.from - from
  if (before <= 0 || before > entries.length) return loaded
  return { from, entries: [...entries.slice(0, before), ...loaded.entries] }
}
