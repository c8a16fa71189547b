/** Writes what was collected as six sections within a cap, the weightiest things first. Pure. */
import { composeSummary } from './sections.ts'
import type { SectionName } from './sections.ts'
import type { Collected, CollectedItem, SummaryPart } from './extract-collect.ts'
import type { CollectedName, NameGroup } from './name-collector.ts'

/** Most that one part may take of the cap while others still want room; shares, they need not add up to 1. */
const shares: Record<SummaryPart | 'names', number> = {
  goal: 0.2,
  constraint: 0.25,
  done: 0.12,
  running: 0.1,
  blocked: 0.1,
  decision: 0.22,
  next: 0.18,
  note: 0.12,
  failure: 0.12,
  names: 0.3,
}

const groupNames: readonly NameGroup[] = ['Files', 'Addresses', 'Hashes', 'Numbers', 'Errors', 'Code', 'Commands']

type Chosen = { kind: 'item'; item: CollectedItem } | { kind: 'name'; name: CollectedName }

/** The summary text; at most `cap` tokens by `count`, unless the six empty headings are more. */
export function extracted({ items, names }: Collected, cap: number, count: (text: string) => number): string {
  const wanted: Chosen[] = [
    ...items.map(item => ({ kind: 'item' as const, item })),
    ...names.map(name => ({ kind: 'name' as const, name })),
  ]
  wanted.sort((a, b) => weightOf(b) - weightOf(a) || orderOf(b) - orderOf(a))
  let left = cap - count(written([])) - 2
  const used = new Map<SummaryPart | 'names', number>()
  const groupsUsed = new Set<NameGroup>()
  const chosen = new Set<Chosen>()
  // First within the shares, then whatever still fits.
  for (const withShares of [true, false]) {
    let misses = 0
    for (const thing of wanted) {
      if (left < 3 || misses > 400) break
      if (chosen.has(thing)) continue
      const part = thing.kind === 'item' ? thing.item.part : 'names'
      const spent = used.get(part) ?? 0
      if (withShares && spent >= cap * shares[part]) continue
      const fresh = thing.kind === 'name' && !groupsUsed.has(thing.name.group)
      const cost = count(textOf(thing)) + (thing.kind === 'item' ? 4 : 2) + (fresh ? 5 : 0)
      if (cost > left) {
        misses++
        continue
      }
      left -= cost
      used.set(part, spent + cost)
      if (thing.kind === 'name') groupsUsed.add(thing.name.group)
      chosen.add(thing)
    }
  }
  const kept = wanted.filter(thing => chosen.has(thing))
  // Costs are sums of parts and a counter need not add up: what weighs least goes until the whole fits.
  let text = written(kept)
  while (kept.length > 0 && count(text) > cap) {
    kept.length -= Math.max(1, Math.floor(kept.length / 40))
    text = written(kept)
  }
  return text
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
  const groups = groupNames.flatMap(group => {
    const members = chosen
      .flatMap(thing => (thing.kind === 'name' && thing.name.group === group ? [thing.name] : []))
      .sort((a, b) => a.order - b.order)
    return members.length === 0 ? [] : [`- ${group}: ${members.map(name => name.text).join(' · ')}`]
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
        [bullets('note', '- '), bullets('failure', '- Failed: '), ...groups].filter(part => part !== '').join('\n'),
      ],
    ]),
  )
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
