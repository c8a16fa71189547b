/** The identifiers of the facts that a summary by rule may name, with how much each matters. */
import { eachIdentifier, type IdentifierKind } from './identifiers.ts'

/** An identifier with what it was: a group of the Critical Context. */
export type CollectedName = { group: NameGroup; text: string; weight: number; order: number }
export type NameGroup = 'Files' | 'Addresses' | 'Hashes' | 'Numbers' | 'Errors' | 'Code' | 'Commands'

/** `seen`: texts that it stands in; `inText`: number of the last one. `weight` grows to that of its best place. */
type Mention = CollectedName & { seen: number; inText: number }

/** Most names held while reading. */
const mostNames = 20_000
/**
 * Texts above this are read at both ends only: an identifier in the middle of a huge result is reachable by its path.
 * UTF-16 units.
 */
const readAtMost = 60_000

export class NameCollector {
  readonly #names = new Map<string, Mention>()
  /** Names and items stand in one order. */
  readonly #nextOrder: () => number
  #texts = 0

  constructor(nextOrder: () => number) {
    this.#nextOrder = nextOrder
  }

  /** Takes in the identifiers of a text, each once. */
  read(text: string, weight: number): void {
    const read = text.length <= readAtMost ? text : `${text.slice(0, readAtMost / 2)}\n${text.slice(-readAtMost / 2)}`
    const inText = ++this.#texts
    eachIdentifier(read, (kind, name) => {
      this.add(groups[kind], name, kind === 'code' ? weight - 80 : weight, inText)
    })
  }

  /** `inText`: the text that it stands in, so that it counts once there. */
  add(group: NameGroup, text: string, weight: number, inText = ++this.#texts): void {
    if (text === '' || text.length > 220) return
    const known = this.#names.get(text)
    if (known?.inText === inText) return
    if (known === undefined) {
      if (text.includes(' · ')) return // what parts them when they are written
      if (this.#names.size >= mostNames) this.#dropLightest()
      this.#names.set(text, { group, text, weight, order: this.#nextOrder(), seen: 1, inText })
    } else {
      known.seen++
      known.inText = inText
      known.weight = Math.max(known.weight, weight)
    }
  }

  /** What comes again weighs more. */
  collected(): CollectedName[] {
    return [...this.#names.values()].map(({ group, text, weight, order, seen }) => ({
      group,
      text,
      order,
      weight: weight + Math.min(seen, 10) * 12,
    }))
  }

  /** An unbounded log must not become an unbounded table: half of it goes, what came once from a tool first. */
  #dropLightest(): void {
    const names = [...this.#names].sort(
      ([, a], [, b]) => a.weight + (a.seen > 1 ? 100 : 0) - b.weight - (b.seen > 1 ? 100 : 0),
    )
    for (const [key] of names.slice(0, mostNames / 2)) this.#names.delete(key)
  }
}

const groups: Record<IdentifierKind, NameGroup> = {
  path: 'Files',
  url: 'Addresses',
  hash: 'Hashes',
  number: 'Numbers',
  error: 'Errors',
  code: 'Code',
}
