/** The names that a summary by rule may list, in groups, with what each weighs among the items. */
import type { IdentifierKind } from './identifiers.ts'
import { worthOf, type RankedName } from './name-ranking.ts'
import { inItsWords, keyOfWords, listMark } from './values.ts'
import type { FileState, WorkState } from './work-state.ts'

/**
 * The lines of the Critical Context, in their order; the names of a line stand in the order of their weight. The last
 * is that of the check (audit-summary.ts), which is only read.
 */
export const nameGroups = [
  'Files written',
  'Files edited',
  'Files read',
  'Files',
  'Code',
  'Values',
  'Worked',
  'Addresses',
  'Hashes',
  'Numbers',
  'Errors',
  'Commands',
  'Also mentioned',
] as const
export type NameGroup = (typeof nameGroups)[number]
export type ListedName = { group: NameGroup; text: string; name: string; weight: number; order: number }

/** Names that are looked at: more than any cap holds. */
export const mostListed = 1_500
const mostInWords = 300
/** Weight of a name with a score of 1 among the items, and what twice the score adds. */
const ofOne = 480
const ofDouble = 40

const groupOf: Record<Exclude<IdentifierKind, 'path'>, NameGroup> = {
  url: 'Addresses',
  hash: 'Hashes',
  number: 'Numbers',
  error: 'Errors',
  code: 'Code',
}
const groupOfState: Record<FileState, NameGroup> = {
  written: 'Files written',
  edited: 'Files edited',
  read: 'Files read',
}

/** Names and commands, the weightiest first. `last`: number of the newest fact. */
export function listedNames(ranked: readonly RankedName[], work: WorkState, last: number): ListedName[] {
  const listed: ListedName[] = []
  let tried = 0
  const inWords = new Map<string, RankedName & { words: string }>()
  for (const name of ranked) {
    // What a tool reports is told with the call that failed.
    if (name.text.includes(listMark) || (name.kind === 'error' && name.onlyResults)) continue
    if (name.kind === 'path' || name.kind === 'url' || name.kind === 'code' || tellsItself(name)) {
      const state = work.files.get(name.text)
      const group = name.kind === 'path' ? (state === undefined ? 'Files' : groupOfState[state]) : groupOf[name.kind]
      listed.push({ group, text: name.text, name: name.text, weight: weightOf(name, name.text), order: name.last })
    } else if (tried++ < mostInWords) {
      const words = inItsWords(name.text, name.source)
      if (words === undefined) continue
      const known = inWords.get(keyOfWords(words))
      if (known === undefined || known.last < name.last) inWords.set(keyOfWords(words), { ...name, words })
    }
  }
  for (const name of inWords.values())
    if (name.kind !== 'path')
      listed.push({
        group: groupOf[name.kind],
        text: name.words,
        name: name.text,
        weight: weightOf(name, name.words),
        order: name.last,
      })
  for (const { text, at } of work.commands())
    if (!text.includes(listMark))
      listed.push({
        group: 'Worked',
        text,
        name: text,
        weight: 400 + 160 * Math.max(0, at / Math.max(1, last)),
        order: at,
      })
  return listed.sort((a, b) => b.weight - a.weight || b.order - a.order)
}

/** A message says what it is; a bare code or a number does not. */
function tellsItself({ kind, text }: RankedName): boolean {
  return kind === 'error' && /\s\S+\s/.test(text) && !/^exit code|[<>{}]|="/i.test(text)
}

function weightOf(name: RankedName, text: string): number {
  const score = (name.score * worthOf(text)) / worthOf(name.text)
  return ofOne + ofDouble * Math.log2(Math.max(score, 1e-6))
}

/** The group and the names of a line that a summary by rule wrote; undefined where it is another line. */
export function groupOfLine(item: string): { group: NameGroup; members: string[] } | undefined {
  const colon = item.indexOf(': ')
  const group = colon < 0 ? undefined : nameGroups.find(name => name === item.slice(0, colon))
  if (group === undefined) return undefined
  const members = item
    .slice(colon + 2)
    .split(listMark)
    .map(name => name.trim())
  return { group, members }
}

/** The state that the files of a group have. */
export function stateOfGroup(group: NameGroup): FileState | undefined {
  return group === 'Files written'
    ? 'written'
    : group === 'Files edited'
      ? 'edited'
      : group === 'Files read'
        ? 'read'
        : undefined
}
