/** Which names of a result the model wrote itself: what was used of it. Pure; the names of a fact are found once. */
import type { FactEntry } from '../../log/entry.ts'
import { callTexts } from './call-arguments.ts'
import { eachIdentifier } from './identifiers.ts'

const namesOf = new WeakMap<FactEntry, ReadonlySet<string>>()

/** The names that these answers hold, in their texts and in the arguments of their calls. */
export function namesWritten(answers: readonly FactEntry[]): Set<string> {
  return new Set(answers.flatMap(answer => [...namesIn(answer)]))
}

/** How many names of a fact are among those. */
export function namesFrom(fact: FactEntry, written: ReadonlySet<string>): number {
  let both = 0
  for (const name of namesIn(fact)) if (written.has(name)) both++
  return both
}

/** Paths, addresses, hashes and names from code; numbers and messages come again by chance. */
function namesIn(fact: FactEntry): ReadonlySet<string> {
  const known = namesOf.get(fact)
  if (known !== undefined) return known
  const names = new Set<string>()
  const read = (text: string): void => {
    eachIdentifier(text, (kind, name) => {
      if (kind !== 'number' && kind !== 'error') names.add(name)
    })
  }
  read(fact.text)
  if (fact.tail !== undefined) read(fact.tail)
  if (fact.type === 'assistant') for (const call of fact.calls) for (const { text } of callTexts(call)) read(text)
  namesOf.set(fact, names)
  return names
}
