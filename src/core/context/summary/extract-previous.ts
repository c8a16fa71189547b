/** What a summary by rule takes over from the one before it. Pure. */
import { isOnlyQuestion, isOrder } from './cues.ts'
import { identifiersIn, type IdentifierKind } from './identifiers.ts'
import { groupOfLine, stateOfGroup, type NameGroup } from './listed-names.ts'
import type { NameRanking } from './name-ranking.ts'
import { itemsOf, parseSections, progressItems } from './sections.ts'
import type { SummaryPart } from './summary-part.ts'
import { valueKey, type StatedValue } from './values.ts'
import type { WorkState } from './work-state.ts'

/**
 * Weight of the parts; the newest thing of a part gets up to `recency` more. Requests and demands of the person come
 * first.
 */
export const weights: Record<Exclude<SummaryPart, 'value'>, { base: number; recency: number }> = {
  goal: { base: 480, recency: 240 },
  constraint: { base: 800, recency: 40 },
  decision: { base: 700, recency: 80 },
  next: { base: 560, recency: 200 },
  blocked: { base: 620, recency: 120 },
  running: { base: 480, recency: 200 },
  failure: { base: 540, recency: 120 },
  done: { base: 400, recency: 160 },
  note: { base: 430, recency: 120 },
}

/** What a person ordered as a next step weighs more than what anybody else named as one. */
export const ordered = { base: 640, recency: 120 }
/**
 * An answered question: it says what the conversation was about, and nothing is left to do. Ranks below everything that
 * may still matter.
 */
export const answeredQuestion = { base: 240, recency: 40 }

/** The items of a summary with what they weigh now, and its first goal. */
export function itemsOfPrevious(summary: string): {
  items: { part: SummaryPart; text: string; weight: number }[]
  first: string | undefined
} {
  const { found } = parseSections(summary)
  const progress = progressItems(found.get('Progress') ?? '')
  const goals = itemsOf(found.get('Goal') ?? '')
  const items: { part: SummaryPart; text: string; weight: number }[] = []
  const old = (part: Exclude<SummaryPart, 'value'>, texts: readonly string[]): void => {
    for (const text of texts) items.push({ part, text, weight: weights[part].base - 10 })
  }
  // The person has gone on since: a question among them had its answer.
  for (const [index, text] of goals.entries())
    items.push({ part: 'goal', text, weight: index === 0 ? 900 : isOnlyQuestion(text) ? answeredQuestion.base : 640 })
  old('constraint', itemsOf(found.get('Constraints & Preferences') ?? ''))
  old('done', progress.done)
  old('running', progress.running)
  old('blocked', progress.blocked)
  old('decision', itemsOf(found.get('Key Decisions') ?? ''))
  // A question that still stood open yields to what was named since: the person has gone on without it.
  for (const text of itemsOf(found.get('Next Steps') ?? ''))
    items.push({
      part: 'next',
      text,
      weight: isOnlyQuestion(text) ? weights.note.base : isOrder(text) ? ordered.base - 10 : weights.next.base - 10,
    })
  for (const text of itemsOf(found.get('Critical Context') ?? '')) {
    if (groupOfLine(text) !== undefined) continue
    if (!text.startsWith(failedMark)) items.push({ part: 'note', text, weight: noteBefore })
  }
  return { items, first: goals[0] }
}

const noteBefore = 590
/** How the check of a model's summary begins a line of names that stand in no source: they are no names to keep. */
export const unconfirmedMark = 'Unconfirmed (in no source): '
/** What a failed call begins with in a summary. */
export const failedMark = 'Failed: '
/** Weight of the first name of a line; it falls with the place in the line, which tells how much each mattered. */
const firstOfLine = 14
/** The same where a line tells what was only seen: its first may be as little worth as the last of another. */
const firstOfSeen = 5
const seen: ReadonlySet<NameGroup> = new Set<NameGroup>(['Files', 'Hashes', 'Numbers', 'Errors', 'Addresses'])
const fall = 8

/** The names of a summary, with what their place in its lines says of them; `value` takes its records. */
export function namesOfPrevious(
  summary: string,
  names: NameRanking,
  work: WorkState,
  value: (value: StatedValue, weight: number) => void,
): void {
  let order = -1_000
  for (const item of itemsOf(parseSections(summary).found.get('Critical Context') ?? '')) {
    const line = groupOfLine(item)
    if (item.startsWith(failedMark)) {
      work.failed({ text: item.slice(failedMark.length), at: -1, order: order++ })
      continue
    }
    if (item.startsWith(unconfirmedMark)) continue
    if (line === undefined) {
      names.read(item, 'previous', -1)
      continue
    }
    const { group, members } = line
    const state = stateOfGroup(group)
    for (const [at, text] of members.entries()) {
      const weight = (seen.has(group) ? firstOfSeen : firstOfLine) / (1 + at / fall)
      if (group === 'Values') value({ key: valueKey(text), text }, 620 - 120 * (at / members.length))
      else if (group === 'Commands' || group === 'Worked') work.done(text, -1)
      else if (kinds[group] !== undefined) {
        names.add(kinds[group], text, { place: 'previous', at: -1, weight })
        if (state !== undefined) work.file(text, state)
      } else
        for (const name of identifiersIn(text))
          names.add(name.kind, name.text, { place: 'previous', at: -1, weight, source: text })
    }
  }
}

/** What the names of a line are, where they stand there alone. */
const kinds: Partial<Record<string, IdentifierKind>> = {
  'Files written': 'path',
  'Files edited': 'path',
  'Files read': 'path',
  Files: 'path',
  Addresses: 'url',
  Code: 'code',
}
