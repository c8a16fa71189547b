/**
 * Vectors of passages, where the person named a model for that: an addition to the search by words, which never waits
 * long for it and works the same without. They are stored in parts, with the model they are from; another model starts
 * from nothing.
 */
import type { Embedder, LogStore, World } from '../../ports/ports.ts'
import { nearestKeys, packVector, type VectorPart } from '../../text/search/vectors.ts'

/** Passages in a part, and in one question to the server. */
const partSize = 500
const batchSize = 50
/** Longest text that is sent for one passage. Unit: UTF-16 units. */
const longestText = 2_000
/** How long a search waits for the vector of its question. Unit: ms. */
const longestWait = 1_500
/** How many of the nearest passages the ranking gets. */
const mostNear = 100

const headKey = 'meaning'
const partKey = (part: number): string => `meaning.${part}`

type Head = { model: string; dimension: number; parts: number }
export type EmbeddingDeps = { store: LogStore; world: World; embedder: () => Promise<Embedder | undefined> }

export class EmbeddingIndex {
  readonly #deps: EmbeddingDeps
  #head: Head | undefined
  #parts: VectorPart[] = []
  #embedded = new Set<string>()
  #loading: Promise<void> | undefined

  constructor(parts: EmbeddingDeps) {
    this.#deps = parts
  }

  /**
   * The keys of the passages nearest to the question; none without a model, if it does not answer in time, or if it is
   * remote and the question is local-only (`stays`). Never throws.
   */
  async nearest(question: string, stays = false): Promise<string[]> {
    try {
      const embedder = await this.#deps.embedder()
      if (!embedder || question.trim() === '' || (stays && !embedder.local)) return []
      await this.#open(embedder)
      if (this.#embedded.size === 0) return []
      const stop = new AbortController()
      const late = this.#deps.world.sleep(longestWait, stop.signal).then(
        () => undefined,
        () => undefined,
      )
      try {
        const asked = embedder.embed([question.slice(0, longestText)], stop.signal)
        asked.catch(() => undefined) // too late: nobody waits for it any more
        const vector = (await Promise.race([asked, late]))?.[0]
        return vector?.length === this.#head?.dimension && vector
          ? nearestKeys(this.#parts, packVector(vector), mostNear)
          : []
      } finally {
        stop.abort()
      }
    } catch {
      return [] // the search by words answers all the same
    }
  }

  /**
   * Has the passages embedded that have no vector yet; `textOf` undefined: it is gone. Ends early when `mayGoOn` says
   * no. Throws what the server throws.
   */
  async embedMissing(
    keys: readonly string[],
    textOf: (key: string) => Promise<string | undefined>,
    mayGoOn: () => boolean,
  ): Promise<void> {
    const embedder = await this.#deps.embedder()
    if (!embedder) return
    await this.#open(embedder)
    const wanted = new Set(keys)
    // an earlier revision of a document
    if ([...this.#embedded].some(key => !wanted.has(key))) await this.forget(key => !wanted.has(key))
    const open = keys.filter(key => !this.#embedded.has(key))
    for (let from = 0; from < open.length && mayGoOn(); from += batchSize) {
      const found: { key: string; text: string }[] = []
      for (const key of open.slice(from, from + batchSize)) {
        const text = (await textOf(key))?.trim()
        if (text) found.push({ key, text: text.slice(0, longestText) })
      }
      if (found.length > 0)
        await this.#add(
          embedder,
          found.map(({ key }) => key),
          await embedder.embed(
            found.map(({ text }) => text),
            new AbortController().signal,
          ),
        )
    }
  }

  /** The vectors of texts that were removed go with them. */
  async forget(gone: (key: string) => boolean): Promise<void> {
    await this.#load()
    for (const [at, { keys, bytes }] of this.#parts.entries()) {
      if (!keys.some(gone)) continue
      const dimension = this.#head?.dimension ?? 0
      const left = keys.flatMap((key, row) => (gone(key) ? [] : [{ key, row }]))
      const kept = new Int8Array(left.length * dimension)
      for (const [to, { row }] of left.entries())
        kept.set(bytes.subarray(row * dimension, (row + 1) * dimension), to * dimension)
      this.#parts[at] = { keys: left.map(({ key }) => key), bytes: kept }
      await this.#deps.store.saveSetting(partKey(at), this.#parts[at])
      for (const key of keys) if (gone(key)) this.#embedded.delete(key)
    }
  }

  async #add(embedder: Embedder, keys: readonly string[], vectors: readonly (readonly number[])[]): Promise<void> {
    const dimension = vectors[0]?.length ?? 0
    if (this.#head?.dimension !== dimension) await this.#startOver({ model: embedder.id, dimension, parts: 0 })
    const last = this.#parts.at(-1)
    const isFull = !last || last.keys.length >= partSize
    const before = isFull ? { keys: [], bytes: new Int8Array(0) } : last
    const bytes = new Int8Array(before.bytes.length + keys.length * dimension)
    bytes.set(before.bytes)
    for (const [n, vector] of vectors.entries()) bytes.set(packVector(vector), before.bytes.length + n * dimension)
    const at = isFull ? this.#parts.length : this.#parts.length - 1
    this.#parts[at] = { keys: [...before.keys, ...keys], bytes }
    for (const key of keys) this.#embedded.add(key)
    await this.#deps.store.saveSetting(partKey(at), this.#parts[at])
    if (!isFull || !this.#head) return
    this.#head = { ...this.#head, parts: this.#parts.length }
    await this.#deps.store.saveSetting(headKey, this.#head)
  }

  /** Vectors of different models cannot be compared. */
  async #open({ id }: Embedder): Promise<void> {
    await this.#load()
    if (this.#head && this.#head.model !== id) await this.#startOver(undefined)
  }

  /** Once, however many searches ask at the same time. */
  #load(): Promise<void> {
    this.#loading ??= this.#read().catch((thrown: unknown) => {
      this.#loading = undefined
      throw thrown
    })
    return this.#loading
  }

  async #read(): Promise<void> {
    this.#head = (await this.#deps.store.setting(headKey)) as Head | undefined
    this.#parts = []
    for (let part = 0; part < (this.#head?.parts ?? 0); part++) {
      const found = (await this.#deps.store.setting(partKey(part))) as VectorPart | undefined
      this.#parts.push(found ?? { keys: [], bytes: new Int8Array(0) })
      for (const key of found?.keys ?? []) this.#embedded.add(key)
    }
  }

  async #startOver(head: Head | undefined): Promise<void> {
    for (let part = 0; part < this.#parts.length; part++) await this.#deps.store.saveSetting(partKey(part), undefined)
    this.#head = head
    this.#parts = []
    this.#embedded.clear()
    await this.#deps.store.saveSetting(headKey, head)
  }
}
