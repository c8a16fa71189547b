/** The secrets of many texts that belong together: what is found in one is found in all of them. Pure. */
import { secretsIn, viewsOf } from './find-secrets.ts'
import { LiteralSearch } from './literal-search.ts'
import { isTellingName } from './personal-names.ts'
import { secretKinds, type SecretKind, type SecretMatch } from './secret-kinds.ts'
import { base64Texts, placeIn } from './text-views.ts'

/** A value that was found. `number`: counted within its kind, from 1, in the order of the texts. */
export type Finding = {
  id: number
  kind: SecretKind
  number: number
  value: string
  of?: string
  places: readonly SecretPlace[]
}

/** `text`: which of the texts, in the order in which they were added. UTF-16 offsets. */
export type SecretPlace = { text: number; from: number; to: number }

type Known = {
  id: number
  kind: SecretKind
  number: number
  value: string
  of?: string
  isWord: boolean
  literals: Set<string>
  places: SecretPlace[]
}
type SecretRange = { from: number; to: number; finding: number }

/** Shorter values are looked for only where something told of them. UTF-16 units. */
const shortestLiteral = 4

export class SecretScan {
  readonly #texts: string[] = []
  readonly #known: Known[] = []
  readonly #byValue = new Map<string, Known>()
  readonly #counts = new Map<SecretKind, number>()
  /** Of texts in which something was found. */
  readonly #ranges = new Map<number, SecretRange[]>()
  #search: { literals: LiteralSearch; owners: Known[] } | undefined

  /** Takes a text and looks for secrets in it; answers with its index. All texts come before anything is spread. */
  add(text: string): number {
    const index = this.#texts.push(text) - 1
    for (const match of secretsIn(text)) this.#record(index, match)
    return index
  }

  /** Finds in a text what was found in others. To be called for each text, once all of them were added. */
  spread(index: number): void {
    this.#search ??= this.#makeSearch()
    const text = this.#texts[index] ?? ''
    const ranges = [...(this.#ranges.get(index) ?? []), ...this.#elsewhere(text, 0)]
    const once = withoutDoubles(ranges)
    if (once.length === 0) return
    this.#ranges.set(index, once)
    for (const { from, to, finding } of once) this.#known[finding]!.places.push({ text: index, from, to })
  }

  /** The text with this index, as it was added. */
  textAt(index: number): string {
    return this.#texts[index] ?? ''
  }

  /** All that was found, the gravest kinds first. */
  get findings(): Finding[] {
    return this.#known
      .filter(({ places }) => places.length > 0)
      .map(({ id, kind, number, value, of, places }) => ({
        id,
        kind,
        number,
        value,
        places,
        ...(of === undefined ? {} : { of }),
      }))
      .toSorted((a, b) => secretKinds.indexOf(a.kind) - secretKinds.indexOf(b.kind) || a.number - b.number)
  }

  /** The text with a label in place of each finding that is not kept. */
  redacted(index: number, { keep, label }: RedactionChoice): string {
    const text = this.#texts[index] ?? ''
    const ranges = (this.#ranges.get(index) ?? []).filter(({ finding }) => !keep.has(finding))
    let [out, at] = ['', 0]
    for (const { from, to, finding } of ranges) {
      if (from >= at) out += text.slice(at, from) + label(this.#known[finding]!)
      at = Math.max(at, to)
    }
    return out + text.slice(at)
  }

  #record(index: number, { kind, value, of, word, from, to }: SecretMatch): void {
    const key = kind === 'mail' ? value.toLowerCase() : value
    let known = this.#byValue.get(key)
    if (known === undefined) {
      const number = (this.#counts.get(kind) ?? 0) + 1
      this.#counts.set(kind, number)
      const isWord = word === true
      known = {
        id: this.#known.length,
        kind,
        number,
        value,
        isWord,
        literals: new Set([value]),
        places: [],
        ...(of === undefined ? {} : { of }),
      }
      this.#known.push(known)
      this.#byValue.set(key, known)
    }
    known.literals.add(this.#texts[index]!.slice(from, to))
    const ranges = this.#ranges.get(index)
    if (ranges === undefined) this.#ranges.set(index, [{ from, to, finding: known.id }])
    else ranges.push({ from, to, finding: known.id })
  }

  #makeSearch(): { literals: LiteralSearch; owners: Known[] } {
    const pairs = this.#known
      .filter(({ kind, value }) => kind !== 'user' || isTellingName(value))
      .flatMap(known =>
        [...known.literals].filter(({ length }) => length >= shortestLiteral).map(literal => ({ literal, known })),
      )
    return { literals: new LiteralSearch(pairs.map(({ literal }) => literal)), owners: pairs.map(({ known }) => known) }
  }

  #elsewhere(text: string, depth: number): SecretRange[] {
    const found: SecretRange[] = []
    if (this.#known.length === 0) return found
    const { literals, owners } = this.#search!
    for (const { view, joined } of viewsOf(text))
      for (const one of joined === undefined ? [view] : [view, joined]) {
        for (const { literal, from, to } of literals.hits(one.text)) {
          const { id, isWord } = owners[literal]!
          if (!isWord || isWholeWord(one.text, from, to)) found.push({ ...placeIn(one, from, to), finding: id })
        }
        if (depth < 3)
          for (const packed of base64Texts(one)) {
            const [inside] = this.#elsewhere(packed.text, depth + 1)
            if (inside !== undefined) found.push({ ...placeIn(one, packed.from, packed.to), finding: inside.finding })
          }
      }
    return found
  }
}

/** `keep`: ids of findings that stay; `label`: what stands in the place of one. */
export type RedactionChoice = {
  keep: ReadonlySet<number>
  label: (of: { kind: SecretKind; number: number }) => string
}

function isWholeWord(text: string, from: number, to: number): boolean {
  return !/[\p{L}\p{N}]/u.test(text[from - 1] ?? '') && !/[\p{L}\p{N}]/u.test(text[to] ?? '')
}

/** In the order of the text; of equal ranges of one finding one. */
function withoutDoubles(ranges: readonly SecretRange[]): SecretRange[] {
  const sorted = ranges.toSorted((a, b) => a.from - b.from || b.to - a.to || a.finding - b.finding)
  const kept: SecretRange[] = []
  for (const range of sorted) {
    const isInside =
      kept.at(-1) !== undefined &&
      range.from >= kept.at(-1)!.from &&
      range.to <= kept.at(-1)!.to &&
      range.finding === kept.at(-1)!.finding
    if (!isInside) kept.push(range)
  }
  return kept
}
