/** What an agent needed next after it compacted: names that it wrote from memory. Pure. */
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
