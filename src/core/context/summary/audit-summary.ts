/**
 * Whether a summary kept what it stands for (C6.5): what the person laid down and identifiers are attached, invented
 * ones flagged.
 */
import type { FactEntry } from '../../log/entry.ts'
import { callTexts } from './call-arguments.ts'
import { namesOfPrevious, unconfirmedMark } from './extract-previous.ts'
import { identifiersIn, type IdentifierKind } from './identifiers.ts'
import type { NameGroup } from './listed-names.ts'
import { passedOver, readCallNames, readFrom, readNames, unitsOf } from './named-facts.ts'
import { NameRanking, type RankedName } from './name-ranking.ts'
import { itemsOf, emptySection, parseSections, composeSummary, type SectionName } from './sections.ts'
import { lostStatements, type Statement } from './statements.ts'
import { listMark, valuesIn, type StatedValue } from './values.ts'
import { WorkState } from './work-state.ts'

export type AuditInput = {
  text: string
  facts: readonly FactEntry[]
  previous: string | undefined
  instruction: string | undefined
  cap: number // tokens
  count: (text: string) => number
  pause: () => Promise<void>
}

/** In the newest facts every identifier counts. Source: C6.5. */
const newest = 10
/** UTF-16 units of text read between two pauses. */
const slice = 60_000
/** The same where a text is only looked for: that is much faster than reading. */
const lookedAtOnce = 1_000_000
/** Names from code are often put together anew: those that occur nowhere are not flagged. */
const checkedKinds: ReadonlySet<IdentifierKind> = new Set<IdentifierKind>(['path', 'url', 'hash', 'number', 'error'])
/** Names that are tried at most. */
const mostTried = 4_000
/** Score from which a name from code is attached that no person said: it was written or used just now. */
const leastCode = 1.2
/** After this many names that do not fit the rest of the cap, no more are tried. */
const mostMisses = 400
/**
 * Largest share of the cap for attached statements of the person, and for lines about results that are removed to make
 * room for them.
 */
const statementShare = 0.15
const givenShare = 0.1
/** Largest share of the room that is left for values with their keys, before names. */
const valueShare = 0.7
/** Flags cost tokens, and a summarizing model that invents one name invents many. */
const mostFlagged = 20

const unconfirmedLines = new RegExp(`^- ${unconfirmedMark.replace(/[()]/g, '\\$&')}.*$`, 'gm')

const kept: NameGroup = 'Also mentioned'
const valued: NameGroup = 'Values'

/**
 * The summary with what it lost: rules, open tasks and decisions of the person in their sections, then identifiers
 * under Critical Context, as many as the cap allows, those of the person first; and with the ones that occur nowhere in
 * the source named as unconfirmed. Never above `cap` unless it was.
 */
export async function auditSummary(input: AuditInput): Promise<string> {
  const { names, values, sources } = await namesOf(input)
  const invented = await inventedIn(input, names, sources)
  const lost = await lostStatements(input.facts, input.previous, input.text, input.pause)
  const text = withStatements(input, lost, names)
  await input.pause()
  const ranked = [...weightiest(names, input.facts.length)]
  await input.pause()
  return withLines({ ...input, text }, { ranked, values: [...values.values()].toReversed(), invented })
}

/**
 * The statements in their sections, as many as their share holds. Where there is no room, lines about single results
 * give way.
 */
function withStatements(input: AuditInput, lost: readonly Statement[], names: NameRanking): string {
  const chosen: Statement[] = []
  let needed = 0
  for (const statement of lost) {
    const cost = input.count(statement.text) + 4
    if (needed + cost > input.cap * statementShare) continue
    needed += cost
    chosen.push(statement)
  }
  if (chosen.length === 0) return input.text
  const tooMuch = input.count(input.text) + needed - input.cap
  const text = tooMuch > 0 ? thinned(input, names, Math.min(tooMuch, Math.floor(input.cap * givenShare))) : input.text
  for (; chosen.length > 0; chosen.pop()) {
    const told = joined(text, chosen)
    if (input.count(told) <= input.cap) return told
  }
  return input.text
}

function joined(text: string, statements: readonly Statement[]): string {
  const bodies = new Map(parseSections(text).found)
  for (const { section, text: said } of statements) {
    const body = bodies.get(section) ?? ''
    const mark = section === 'Next Steps' ? `${itemsOf(body).length + 1}.` : '-'
    bodies.set(section, `${body === emptySection || body === '' ? '' : `${body}\n`}${mark} ${said}`)
  }
  return composeSummary(bodies)
}

/**
 * The text without lines, the first ones first, that tell only what one tool result said once: it is read again by its
 * path.
 */
function thinned(input: AuditInput, names: NameRanking, tokens: number): string {
  const bodies = new Map(parseSections(input.text).found)
  const section: SectionName = 'Critical Context'
  let left = tokens
  const kept = (bodies.get(section) ?? '').split('\n').filter(line => {
    if (left <= 0) return true
    const inLine = identifiersIn(line).map(({ text }) => names.get(text))
    const isOfResult =
      inLine.length > 0 &&
      inLine.every(
        name =>
          name !== undefined &&
          name.onlyResults &&
          name.times === 1 &&
          name.last < input.facts.length - newest &&
          !name.inPrevious,
      )
    if (isOfResult) left -= input.count(line) + 1
    return !isOfResult
  })
  bodies.set(section, kept.join('\n'))
  return composeSummary(bodies)
}

/** The names that matter, the weightiest first: those of the list from which a summary by rule is made. */
function* weightiest(names: NameRanking, facts: number): Generator<string> {
  for (const name of names.ranked(mostTried)) if (matters(name, facts)) yield name.text
}

function matters(name: RankedName, facts: number): boolean {
  if (name.kind === 'code') return name.byPerson || name.score >= leastCode
  if (name.kind === 'error' && !/\s/.test(name.text)) return name.byPerson
  return name.byPerson || name.times >= 2 || name.last >= facts - newest || name.inPrevious
}

/** `values`: what a person laid down under a key, the last said, by key. */
async function namesOf(
  input: AuditInput,
): Promise<{ names: NameRanking; values: Map<string, string>; sources: string[] }> {
  const names = new NameRanking()
  const values = new Map<string, string>()
  const value = ({ key, text }: StatedValue): void => {
    values.delete(key)
    values.set(key, text)
  }
  const sources = [input.previous ?? '', input.instruction ?? '']
  const from = readFrom(input.facts)
  await input.pause()
  let work = 0
  // What an earlier summary carried was weighed when that was made: it counts, behind what was touched since.
  if (input.previous !== undefined) {
    const before: StatedValue[] = []
    namesOfPrevious(input.previous, names, new WorkState(), one => before.push(one))
    for (const one of before.toReversed()) value(one) // the weightiest stands first there
    names.read(input.previous.replace(unconfirmedLines, ''), 'previous', -1)
  }
  for (const [index, fact] of input.facts.entries()) {
    const searched = index >= from[fact.type]
    for (const text of fact.tail === undefined ? [fact.text] : [fact.text, fact.tail]) {
      sources.push(text)
      if (searched) readNames(names, fact.type, text, index)
      if (searched && fact.type === 'user') for (const one of valuesIn(text, true)) value(one)
    }
    if (fact.type === 'assistant')
      for (const call of fact.calls) {
        sources.push(call.arguments)
        if (searched) readCallNames(names, callTexts(call), index)
      }
    work += searched ? unitsOf(fact) : passedOver
    if (work >= slice) {
      work = 0
      await input.pause()
    }
  }
  return { names, values, sources }
}

async function inventedIn(input: AuditInput, names: NameRanking, sources: readonly string[]): Promise<string[]> {
  const suspects = identifiersIn(input.text)
    .filter(({ kind, text }) => checkedKinds.has(kind) && names.get(text) === undefined)
    .slice(0, mostFlagged * 2)
  const invented: string[] = []
  for (const { text } of suspects) {
    if (invented.length >= mostFlagged) break
    const core = text.replace(/^[`"'([{]+|[`"')\]}]+$/g, '')
    if (!(await occurs(core, sources, input.pause))) invented.push(text)
  }
  return invented
}

/** Whether a text stands in one of the sources; the newest, in which most do, are looked at first. */
async function occurs(text: string, sources: readonly string[], pause: () => Promise<void>): Promise<boolean> {
  let looked = 0
  for (let at = sources.length - 1; at >= 0; at--) {
    const source = sources[at] ?? ''
    if (source.includes(text)) return true
    looked += source.length
    if (looked < lookedAtOnce) continue
    looked = 0
    await pause()
  }
  return false
}

function withLines(
  input: AuditInput,
  { ranked, values, invented }: { ranked: readonly string[]; values: readonly string[]; invented: readonly string[] },
): string {
  const { found } = parseSections(input.text)
  const body = found.get('Critical Context') ?? ''
  const before = body === emptySection || body === '' ? [] : [body]
  const pairs: string[] = []
  const write = (attached: readonly string[], flags: readonly string[]): string => {
    const lines = [...before]
    if (pairs.length > 0) lines.push(`- ${valued}: ${pairs.join(listMark)}`)
    if (flags.length > 0) lines.push(`- ${unconfirmedMark}${flags.join(listMark)}`)
    if (attached.length > 0) lines.push(`- ${kept}: ${attached.join(listMark)}`)
    return composeSummary(new Map([...found, ['Critical Context', lines.join('\n')]]))
  }
  const flags: string[] = []
  let left = input.cap - input.count(write([], [])) - 16
  for (const name of invented) {
    const cost = input.count(name) + 2
    if (cost <= left) {
      left -= cost
      flags.push(name)
    }
  }
  let told = input.text
  let room = Math.floor(left * valueShare)
  for (const pair of values) {
    const cost = input.count(pair) + 3
    if (cost > room || told.includes(pair)) continue
    room -= cost
    left -= cost
    pairs.push(pair)
  }
  told += `\n${pairs.join('\n')}`
  const attached: string[] = []
  let misses = 0
  for (const name of ranked) {
    if (left < 3 || misses > mostMisses) break
    if (told.includes(name)) continue
    const cost = input.count(name) + 2
    if (cost <= left) {
      left -= cost
      attached.push(name)
      told += `\n${name}`
    } else misses++
  }
  while (attached.length > 0 && input.count(write(attached, flags)) > input.cap)
    attached.length -= Math.max(1, Math.floor(attached.length / 20))
  while (pairs.length > 0 && input.count(write(attached, flags)) > input.cap)
    pairs.length -= Math.max(1, Math.floor(pairs.length / 20))
  if (attached.length === 0 && flags.length === 0 && pairs.length === 0) return input.text
  const text = write(attached, flags)
  return input.count(text) > input.cap ? input.text : text
}
