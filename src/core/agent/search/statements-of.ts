/** Which statements of the person stand in a passage: taken when it is indexed, read again when it is shown. Pure. */
import { sentencesOf } from '../../context/summary/cues.ts'
import { kindsOf, type StatementKind } from './kinds-of-statement.ts'
import { likeSign, speakerOf, wishSign, withdrawalSign } from '../../text/search/text-features.ts'

export type SaidStatement = { text: string; kinds: ReadonlySet<StatementKind> }

/** Sentences of a passage that are looked at. */
const mostSentences = 40

/** The sentences of a passage with their kinds, in order. */
export function statementsOf(text: string): SaidStatement[] {
  const found: SaidStatement[] = []
  const said = speakerOf(text) === '' ? text : text.slice(text.search(/[:：]/) + 1)
  for (const sentence of sentencesOf(said)) {
    if (found.length >= mostSentences) break
    found.push({ text: sentence, kinds: kindsOf(sentence) })
  }
  return found
}

/** The kinds as the index keeps them, and the sentences that tell a standing wish, or take one back. */
export function signsOf(text: string): { statements: number; wish: string } {
  const statements = statementsOf(text)
  const has = (kind: StatementKind): boolean => statements.some(({ kinds }) => kinds.has(kind))
  return {
    statements: (has('wish') ? wishSign : 0) | (has('like') ? likeSign : 0) | (has('withdrawal') ? withdrawalSign : 0),
    wish: statements
      .filter(({ kinds }) => kinds.has('wish') || kinds.has('withdrawal'))
      .map(one => one.text)
      .join('\n'),
  }
}
