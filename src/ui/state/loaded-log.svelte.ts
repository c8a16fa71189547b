/**
 * The loaded entries of the open chat: the newest at once, older ones in the background, all turned into transcript
 * items.
 */
import type { OpenedSession } from '../../core/agent/api/api.ts'
import type { Entry, Id } from '../../core/log/entry.ts'
import { endOf, withAppended, withOlder, type Loaded } from '../transcript/loaded.ts'
import type { TranscriptItem } from '../transcript/transcript-items.ts'
import { TranscriptFold } from '../transcript/transcript.ts'

export type LoadedLogDeps = {
  /** Entries by seq, `to` exclusive. */
  fetch(from: number, to: number): Promise<Entry[]>
  /** Yields to the main thread: resolves after other work had a chance to run. */
  yieldToMain(): Promise<void>
  /** Resolves when nobody types. */
  whenIdle(): Promise<void>
  fail(error: unknown): void
}

const readChunk = 500 // entries per fetch when what is already loaded is read again
// entries per fetch in the background: each message is unpacked at once, 25 to 45 ms for 500 on a slow phone (2026-11)
const olderChunk = 100
// entries fetched between two pauses for the page; key presses are handled between messages anyway
const pauseEvery = 500
const placedAtLeast = 2_000 // entries prepended at once, because prepending means folding everything again
const foldSlice = 50 // entries folded before the time is checked again
const foldMs = 6 // longest folding without a pause, so that a key press never waits longer

export class LoadedLog {
  readonly #deps: LoadedLogDeps
  #fold = new TranscriptFold()
  #loaded = $state.raw<Loaded>({ from: 0, entries: [] })
  leaf = $state.raw<Id | null>(null)

  readonly entries: readonly Entry[] = $derived(this.#loaded.entries)
  readonly items: readonly TranscriptItem[] = $derived(this.#fold.items(this.entries, this.leaf))
  /** Older entries are still being fetched. */
  readonly loadingOlder: boolean = $derived(this.#loaded.from > 0)

  #generation = 0 // counts beginnings; what was fetched for an older one is thrown away
  #blankings = 0 // counts the times that texts may have been blanked
  #fetching = Promise.resolve()

  constructor(parts: LoadedLogDeps) {
    this.#deps = parts
  }

  /** Takes the newest entries; older ones come with `fetchOlder`. */
  begin({ from, entries, info }: OpenedSession): void {
    this.#loaded = { from, entries }
    this.leaf = info.leaf
  }

  /** What is still being fetched is not wanted any more. */
  stop(): void {
    this.#generation++
  }

  append(from: number, entries: readonly Entry[]): void {
    const { loaded, missing } = withAppended(this.#loaded, from, entries)
    this.#loaded = loaded
    if (missing !== undefined)
      this.#enqueue(async () => {
        const start = endOf(this.#loaded)
        if (start >= missing.to) return
        const life = this.#generation
        const found = await this.#deps.fetch(start, missing.to)
        if (life === this.#generation) this.#loaded = withAppended(this.#loaded, start, found).loaded
      })
  }

  /** Texts may have been blanked: reads all that is held once more and puts it in place at once. */
  readAgain(): void {
    this.#enqueue(async () => {
      this.#blankings++
      const life = this.#generation
      const { from } = this.#loaded
      const to = endOf(this.#loaded)
      const found: Entry[] = []
      for (let at = from; at < to; at += readChunk)
        found.push(...(await this.#deps.fetch(at, Math.min(to, at + readChunk))))
      if (life !== this.#generation || found.length !== to - from) return
      const front = this.#loaded.entries.slice(0, from - this.#loaded.from)
      const behind = this.#loaded.entries.slice(to - this.#loaded.from)
      this.#loaded = { from: this.#loaded.from, entries: [...front, ...found, ...behind] }
    })
  }

  /**
   * Older entries are put in front when they are as many as what is there: few folds, however long the chat. They are
   * folded in slices beforehand, so that no key waits for ten thousand messages.
   */
  async fetchOlder(): Promise<void> {
    const life = this.#generation
    let older: Entry[] = [] // fetched, not yet in place
    let blankings = this.#blankings
    try {
      while (life === this.#generation && this.#loaded.from > 0) {
        await this.#deps.whenIdle()
        if (older.length % pauseEvery === 0) await this.#deps.yieldToMain()
        // it may hold what was removed meanwhile
        if (blankings !== this.#blankings) [blankings, older] = [this.#blankings, []]
        const { from: place, entries } = this.#loaded
        const to = place - older.length
        const from = Math.max(0, to - olderChunk)
        const found = await this.#deps.fetch(from, to)
        if (found.length < to - from) return
        older = [...found, ...older]
        const isEnough = older.length >= Math.max(placedAtLeast, entries.length) && from >= placedAtLeast
        if (!isEnough && from > 0) continue
        const fold = await this.#foldSlowly([...older, ...entries], life)
        if (life !== this.#generation) return
        if (blankings !== this.#blankings) continue
        this.#fold = fold
        this.#loaded = withOlder(this.#loaded, from, older)
        older = []
      }
    } catch (error) {
      if (life === this.#generation) this.#deps.fail(error)
    }
  }

  /** A fold that knows all of these entries but the last few. */
  async #foldSlowly(entries: readonly Entry[], life: number): Promise<TranscriptFold> {
    const fold = new TranscriptFold()
    let since = performance.now()
    for (let end = foldSlice; end < entries.length && life === this.#generation; end += foldSlice) {
      fold.items(entries.slice(0, end), entries[end - 1]!.id)
      if (performance.now() - since < foldMs) continue
      await this.#deps.whenIdle()
      await this.#deps.yieldToMain()
      since = performance.now()
    }
    return fold
  }

  /** Fetches one after the other, so that a later one never finds a gap that an earlier one is about to close. */
  #enqueue(task: () => Promise<void>): void {
    this.#fetching = this.#fetching.then(task).catch((error: unknown) => {
      this.#deps.fail(error)
    })
  }
}
