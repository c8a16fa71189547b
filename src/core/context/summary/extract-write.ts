/** Writes what was collected as six sections within a cap, the weightiest things first. Pure. */
import type { Collected } from './extract-collect.ts'
import { failedMark } from './extract-previous.ts'
import { identifiersIn } from './identifiers.ts'
import { nameGroups, type ListedName, type NameGroup } from './listed-names.ts'
import { composeSummary } from './sections.ts'
import type { SectionName } from './sections.ts'
import type { CollectedItem, SummaryPart } from './summary-part.ts'
import { listMark } from './values.ts'

/** Most that one part may take of the cap while others still want room; shares, they need not add up to 1. */
const shares: Record<SummaryPart | 'names' | 'commands', number> = {
  goal: 0.15,
  constraint: 0.3,
  done: 0.08,
  running: 0.05,
  blocked: 0.05,
  decision: 0.25,
  next: 0.1,
  note: 0.06,
  failure: 0.08,
  value: 0.6,
  names: 0.72,
  commands: 0.06,
}

/** Texts counted between two pauses. */
const pauseAfter = 200

type Chosen = { kind: 'item'; item: CollectedItem } | { kind: 'name'; name: ListedName }

/** The summary text; at most `cap` tokens by `count`, unless the six empty headings are more. */
export async function extracted(
  { items, names }: Collected,
  { cap, count, pause }: { cap: number; count: (text: string) => number; pause?: () => Promise<void> },
): Promise<string> {
  const wanted: Chosen[] = [
    ...items.map(item => ({ kind: 'item' as const, item })),
    ...names.map(name => ({ kind: 'name' as const, name })),
  ]
  wanted.sort((a, b) => weightOf(b) - weightOf(a) || orderOf(b) - orderOf(a))
  const told = new Told()
  let left = cap - count(written([])) - 2
  const used = new Map<SummaryPart | 'names' | 'commands', number>()
  const groupsUsed = new Set<NameGroup>()
  const chosen = new Map<Chosen, number>()
  let counted = 0
  // First within the shares, then whatever still fits.
  for (const withShares of [true, false]) {
    let misses = 0
    for (const thing of wanted) {
      if (left < 3 || misses > 400) break
      if (chosen.has(thing) || told.holds(thing)) continue
      if (++counted % pauseAfter === 0) await pause?.()
      const part = partOf(thing)
      const spent = used.get(part) ?? 0
      if (withShares && spent >= cap * shares[part]) continue
      const group = groupOf(thing)
      const cost =
        count(textOf(thing)) + (thing.kind === 'item' ? 4 : 2) + (group !== undefined && !groupsUsed.has(group) ? 5 : 0)
      if (cost > left) {
        misses++
        continue
      }
      left -= cost
      used.set(part, spent + cost)
      if (group !== undefined) groupsUsed.add(group)
      chosen.set(thing, cost)
      for (const within of told.add(thing)) {
        // It stands in the longer one now.
        const freed = chosen.get(within) ?? 0
        left += freed
        used.set(partOf(within), (used.get(partOf(within)) ?? 0) - freed)
        chosen.delete(within)
      }
    }
  }
  const kept = wanted.filter(thing => chosen.has(thing))
  // Costs are sums of parts and a counter need not add up: what weighs least goes until the whole fits.
  let text = written(kept)
  while (kept.length > 0 && count(text) > cap) {
    kept.length -= Math.max(1, Math.floor(kept.length / 40))
    text = written(kept)
    await pause?.()
  }
  return text
}

/** What stands in one of these parts is left out where another one says it: one sentence may be of many parts. */
const onceOnly: ReadonlySet<SummaryPart> = new Set<SummaryPart>(['note', 'running', 'blocked', 'done'])

/** What the chosen things say already, so that no name stands a second time within a longer one. */
class Told {
  readonly #names = new Map<string, Chosen | undefined>()
  readonly #items = new Set<string>()

  holds(thing: Chosen): boolean {
    return thing.kind === 'name'
      ? this.#names.has(thing.name.name)
      : onceOnly.has(thing.item.part) && this.#items.has(thing.item.text)
  }

  /** Takes in a thing; gives the names chosen before that stand within it. */
  add(thing: Chosen): Chosen[] {
    const within: Chosen[] = []
    if (thing.kind === 'item') this.#items.add(thing.item.text)
    const names = thing.kind === 'name' && thing.name.text === thing.name.name ? [thing.name.name] : [...namesOf(thing)]
    for (const name of names) {
      for (const part of partsOfName(name)) {
        const known = this.#names.get(part)
        if (known !== undefined && known !== thing) within.push(known)
        this.#names.set(part, undefined)
      }
      this.#names.set(name, thing.kind === 'name' && name === thing.name.name ? thing : undefined)
    }
    return within
  }
}

function* namesOf(thing: Chosen): Generator<string> {
  if (thing.kind === 'name') yield thing.name.name
  for (const { text } of identifiersIn(textOf(thing))) yield text
}

/** Parts of a name beyond which no shorter names are looked for. */
const mostParts = 16

/** Every run of whole parts of a name but itself: of `a/b.ts` also `b.ts`. */
function* partsOfName(name: string): Generator<string> {
  const borders = [0]
  for (const { index } of name.matchAll(/[^\w-]+/g)) borders.push(index)
  borders.push(name.length)
  if (borders.length > mostParts) return
  for (let from = 0; from < borders.length - 1; from++)
    for (let to = from + 1; to < borders.length; to++) {
      const part = name.slice(borders[from], borders[to])
      const bare = part.replace(/^[^\w@-]+/, '')
      if (part !== name) yield part
      if (bare !== part && bare !== '' && bare !== name) yield bare
    }
}

function written(chosen: readonly Chosen[]): string {
  const of = (part: SummaryPart): CollectedItem[] =>
    chosen
      .flatMap(thing => (thing.kind === 'item' && thing.item.part === part ? [thing.item] : []))
      .sort((a, b) => a.order - b.order)
  const bullets = (part: SummaryPart, mark: string): string =>
    of(part)
      .map(item => `${mark}${item.text}`)
      .join('\n')
  const progress = (
    [
      ['Done', 'done', '- [x] '],
      ['In Progress', 'running', '- [ ] '],
      ['Blocked', 'blocked', '- '],
    ] as const
  )
    .map(([title, part, mark]) => [title, bullets(part, mark)] as const)
    .filter(([, body]) => body !== '')
    .map(([title, body]) => `### ${title}\n${body}`)
    .join('\n')
  // The place in a line tells how much a name matters: the next summary reads it (see extract-previous.ts).
  const groups = nameGroups.flatMap(group => {
    const members = chosen.flatMap(thing => (groupOf(thing) === group ? [textOf(thing)] : []))
    return members.length === 0 ? [] : [`- ${group}: ${members.join(listMark)}`]
  })
  return composeSummary(
    new Map<SectionName, string>([
      ['Goal', bullets('goal', '- ')],
      ['Constraints & Preferences', bullets('constraint', '- ')],
      ['Progress', progress],
      ['Key Decisions', bullets('decision', '- ')],
      [
        'Next Steps',
        of('next')
          .map((item, index) => `${index + 1}. ${item.text}`)
          .join('\n'),
      ],
      [
        'Critical Context',
        [bullets('note', '- '), bullets('failure', `- ${failedMark}`), ...groups]
          .filter(part => part !== '')
          .join('\n'),
      ],
    ]),
  )
}

function groupOf(thing: Chosen): NameGroup | undefined {
  return thing.kind === 'name' ? thing.name.group : thing.item.part === 'value' ? 'Values' : undefined
}

function partOf(thing: Chosen): SummaryPart | 'names' | 'commands' {
  if (thing.kind === 'item') return thing.item.part
  return thing.name.group === 'Worked' ? 'commands' : 'names'
}

function weightOf(thing: Chosen): number {
  return thing.kind === 'item' ? thing.item.weight : thing.name.weight
}

function orderOf(thing: Chosen): number {
  return thing.kind === 'item' ? thing.item.order : thing.name.order
}

function textOf(thing: Chosen): string {
  return thing.kind === 'item' ? thing.item.text : thing.name.text
}
