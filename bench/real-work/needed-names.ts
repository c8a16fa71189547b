/** What an agent needed next after it compacted: names that it wrote from memory. Pure. */
import type { FiledFact } from '../replay/replay-file.ts'
import { eachIdentifier, type IdentifierKind } from '../../src/core/context/summary/identifiers.ts'

/** What happened after a compaction, in order: the agent wrote something, or was shown something. */
export type Later = { wrote: string } | { shown: string }

/** Numbers are too short to be told from chance, and messages of errors are rarely written again word for word. */
const kinds: ReadonlySet<IdentifierKind> = new Set<IdentifierKind>(['path', 'url', 'hash', 'code'])

/**
 * The identifiers that the agent wrote after the compaction, each once, in order: those that stood in the conversation
 * `before` it and that nothing had shown again by then.
 */
export function neededNames(before: string, later: readonly Later[]): string[] {
  const needed = new Set<string>()
  const settled = new Set<string>()
  const shown: string[] = []
  for (const one of later) {
    if ('shown' in one) {
      shown.push(one.shown)
      continue
    }
    eachIdentifier(one.wrote, (kind, name) => {
      if (!kinds.has(kind) || settled.has(name)) return
      settled.add(name)
      if (before.includes(name) && !shown.some(text => text.includes(name))) needed.add(name)
    })
  }
  return [...needed]
}

/** Messages: the first moment, how far moments are apart at least, and how far each looks ahead. */
const [first, apart, ahead] = [40, 12, 60]
/** Of fewer names a share says little. */
const leastNames = 3

/**
 * Moments within a session, by the number of the answer that comes next, with the names that its agent wrote from
 * memory in the messages from there on. Where a session ends, a view is just full or just cut: its moments even that
 * out.
 */
export function momentsOf(facts: readonly FiledFact[]): ReadonlyMap<number, readonly string[]> {
  const moments = new Map<number, readonly string[]>()
  const texts = facts.map(textsOf)
  let last = -apart
  for (const [at, { fact, seq }] of facts.entries()) {
    if (at < first || at + apart >= facts.length || fact.type !== 'assistant' || at - last < apart) continue
    last = at
    const later = facts.slice(at, at + ahead).map((one, n): Later => {
      const text = texts[at + n] ?? ''
      return one.fact.type === 'assistant' ? { wrote: text } : { shown: text }
    })
    const names = neededNames(texts.slice(0, at).join('\n'), later)
    if (names.length >= leastNames) moments.set(seq, names)
  }
  return moments
}

/** Arguments are read as they are written in JSON, but for escaped line breaks: those would be part of a name. */
export function textsOf({ fact }: FiledFact): string {
  if (fact.type !== 'assistant') return fact.text
  return [fact.text, ...fact.calls.map(call => call.arguments.replaceAll('\\n', '\n'))].join('\n')
}
