/**
 * Whether a summary kept what it stands for (C6.5): what the person laid down and identifiers are attached, invented
 * ones flagged.
 */
import type { FactEntry } from '../../log/entry.ts'
import { eachIdentifier, identifiersIn } from './identifiers.ts'
import type { Identifier, IdentifierKind } from './identifiers.ts'
import { itemsOf, emptySection, parseSections, composeSummary, type SectionName } from './sections.ts'
import { lostStatements, type Statement } from './statements.ts'

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
const slice = 150_000
/**
 * Names from code are no identifiers of C6.5: they are copied by the prompt, and attached only where a person said
 * them.
 */
const auditedKinds: ReadonlySet<IdentifierKind> = new Set<IdentifierKind>(['path', 'url', 'hash', 'number', 'error'])
/** After this many names that do not fit the rest of the cap, no more are tried. */
const mostMisses = 400
/**
 * Largest share of the cap for attached statements of the person, and for lines about results that are removed to make
 * room for them.
 */
const statementShare = 0.15
const givenShare = 0.1
/** Flags cost tokens, and a summarizing model that invents one name invents many. */
const mostFlagged = 20

const kept = 'Also mentioned'
const flagged = 'Unconfirmed (in no source)'

/**
 * The summary with what it lost: rules, open tasks and decisions of the person in their sections, then identifiers
 * under Critical Context, as many as the cap allows, those of the person first; and with the ones that occur nowhere in
 * the source named as unconfirmed. Never above `cap` unless it was.
 */
export async function auditSummary(input: AuditInput): Promise<string> {
  const { names, sources } = await namesOf(input)
  const invented = await inventedIn(input, names, sources)
  const lost = await lostStatements(input.facts, input.previous, input.text, input.pause)
  return withLines({ ...input, text: withStatements(input, lost, names) }, weightiest(names.values()), invented)
}

/**
 * The statements in their sections, as many as their share holds. Where there is no room, lines about single results
 * give way.
 */
function withStatements(
  input: AuditInput,
  lost: readonly Statement[],
  names: ReadonlyMap<string, NameMention>,
): string {
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
function thinned(input: AuditInput, names: ReadonlyMap<string, NameMention>, tokens: number): string {
  const bodies = new Map(parseSections(input.text).found)
  const section: SectionName = 'Critical Context'
  let left = tokens
  const kept = (bodies.get(section) ?? '').split('\n').filter(line => {
    if (left <= 0) return true
    const inLine = identifiersIn(line).map(({ text }) => names.get(text))
    const isOfResult =
      inLine.length > 0 &&
      inLine.every(
        name => name !== undefined && name.onlyResults && name.times === 1 && !name.inNewest && !name.inPrevious,
      )
    if (isOfResult) left -= input.count(line) + 1
    return !isOfResult
  })
  bodies.set(section, kept.join('\n'))
  return composeSummary(bodies)
}

/**
 * The names that matter, the weightiest first, newer ones first among their like: sorted only as far as they are asked
 * for.
 */
function* weightiest(names: Iterable<NameMention>): Generator<string> {
  const byWeight: NameMention[][] = []
  for (const name of names) if (matters(name)) (byWeight[Math.max(0, Math.floor(weightOf(name)))] ??= []).push(name)
  for (const alike of byWeight.toReversed()) {
    for (const name of alike?.sort((a, b) => weightOf(b) - weightOf(a) || b.last - a.last) ?? []) yield name.text
  }
}

/** `times`: texts that it stands in; `inText`: number of the last one; `last`: position of its fact. */
type NameMention = Identifier & {
  times: number
  byPerson: boolean
  onlyResults: boolean
  inNewest: boolean
  inPrevious: boolean
  last: number
  inText: number
}

async function namesOf(input: AuditInput): Promise<{ names: Map<string, NameMention>; sources: string[] }> {
  const names = new Map<string, NameMention>()
  const sources = [input.previous ?? '', input.instruction ?? '']
  const firstNew = input.facts.length - newest
  let work = 0
  const read = (text: string, by: FactEntry['type'] | undefined, inNewest: boolean, index: number): void => {
    const byPerson = by === 'user'
    const onlyResults = by === 'result'
    sources.push(text)
    work += text.length + 100
    const inText = sources.length
    eachIdentifier(text, (kind, name) => {
      const known = names.get(name)
      if (known === undefined)
        names.set(name, {
          kind,
          text: name,
          times: 1,
          byPerson,
          onlyResults,
          inNewest,
          inPrevious: index < 0,
          last: index,
          inText,
        })
      else if (known.inText !== inText) {
        known.times++
        known.byPerson ||= byPerson
        known.onlyResults &&= onlyResults
        known.inNewest ||= inNewest
        known.last = index
        known.inText = inText
      }
    })
  }
  // What an earlier summary carried was weighed when that was made: it counts, behind what the person said since.
  if (input.previous !== undefined) read(input.previous, undefined, false, -1)
  for (const [index, fact] of input.facts.entries()) {
    const isNew = index >= firstNew
    read(fact.text, fact.type, isNew, index)
    if (fact.tail !== undefined) read(fact.tail, fact.type, isNew, index)
    if (fact.type === 'assistant') for (const call of fact.calls) read(call.arguments, fact.type, isNew, index)
    if (work >= slice) {
      work = 0
      await input.pause()
    }
  }
  return { names, sources }
}

function matters(name: NameMention): boolean {
  if (!auditedKinds.has(name.kind)) return name.byPerson
  return name.byPerson || name.times >= 2 || name.inNewest || name.inPrevious
}

const kinds: Record<IdentifierKind, number> = { path: 40, url: 40, hash: 40, error: 30, number: 20, code: 0 }

function weightOf(name: NameMention): number {
  return (
    kinds[name.kind] +
    (name.byPerson ? 200 : 0) +
    (name.inNewest ? 80 : 0) +
    (name.inPrevious ? 60 : 0) +
    Math.min(name.times, 10) * 8 -
    Math.min(name.text.length, 200) / 10
  )
}

async function inventedIn(
  input: AuditInput,
  names: ReadonlyMap<string, NameMention>,
  sources: readonly string[],
): Promise<string[]> {
  const suspects = identifiersIn(input.text)
    .filter(({ kind, text }) => auditedKinds.has(kind) && !names.has(text))
    .slice(0, 60)
  const invented: string[] = []
  for (const { text } of suspects) {
    const core = text.replace(/^[`"'([{]+|[`"')\]}]+$/g, '')
    if (!sources.some(source => source.includes(core)) && invented.length < mostFlagged) invented.push(text)
    await input.pause()
  }
  return invented
}

function withLines(input: AuditInput, names: Iterable<string>, invented: readonly string[]): string {
  const { found } = parseSections(input.text)
  const body = found.get('Critical Context') ?? ''
  const before = body === emptySection || body === '' ? [] : [body]
  const write = (attached: readonly string[], flags: readonly string[]): string => {
    const lines = [...before]
    if (flags.length > 0) lines.push(`- ${flagged}: ${flags.join(' · ')}`)
    if (attached.length > 0) lines.push(`- ${kept}: ${attached.join(' · ')}`)
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
  const attached: string[] = []
  let misses = 0
  for (const name of names) {
    if (left < 3 || misses > mostMisses) break
    if (input.text.includes(name)) continue
    const cost = input.count(name) + 2
    if (cost <= left) {
      left -= cost
      attached.push(name)
    } else misses++
  }
  while (attached.length > 0 && input.count(write(attached, flags)) > input.cap)
    attached.length -= Math.max(1, Math.floor(attached.length / 20))
  if (attached.length === 0 && flags.length === 0) return input.text
  const text = write(attached, flags)
  return input.count(text) > input.cap ? input.text : text
}
