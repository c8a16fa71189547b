/**
 * What a provider gives with an answer to get it back as it was: details of its reasoning, which may be sealed or
 * signed, and signatures of calls. Read from the stream, kept in the log, written back by `wire.ts` and
 * `anthropic-body.ts`. Pure.
 */
import type { ReasoningDetails } from '../../core/log/message.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Longest JSON of them that is kept, UTF-16 units. They cannot be shortened, and a hostile server may send any amount.
 */
const mostKept = 1_000_000

export type DetailsReader = {
  /** One chunk of the stream, as it came. */
  push(chunk: unknown): void
  /** All that came, or undefined: one list of details, and for each signed call `{ id, extra_content }`. */
  end(): readonly Fields[] | undefined
}

/** A new answer begins. */
export function detailsReader(): DetailsReader {
  const details: Record<string, unknown>[] = []
  const signed: Fields[] = []
  const ids = new Map<unknown, string>() // by the index of the call: only its first piece has the id
  let chars = 0
  return {
    push(chunk) {
      const delta = fieldsOf(fieldsOf(listOf(fieldsOf(chunk)['choices'])[0])['delta'])
      for (const piece of listOf(delta['reasoning_details'])) {
        chars += JSON.stringify(piece)?.length ?? 0
        if (chars <= mostKept) join(details, fieldsOf(piece))
      }
      for (const call of listOf(delta['tool_calls']).map(fieldsOf)) {
        if (typeof call['id'] === 'string') ids.set(call['index'], call['id'])
        const id = ids.get(call['index'])
        if (id === undefined || call['extra_content'] === undefined) continue
        chars += JSON.stringify(call['extra_content']).length
        signed.push({ id, extra_content: call['extra_content'] })
      }
    },
    // Part of a sealed text is worth nothing.
    end: () => (chars > mostKept || details.length + signed.length === 0 ? undefined : [...details, ...signed]),
  }
}

/** Details of the reasoning itself, in order. */
export function partsOfReasoning(details: ReasoningDetails | undefined): Fields[] {
  return listOf(details?.value)
    .map(fieldsOf)
    .filter(item => !('extra_content' in item) && Object.keys(item).length > 0)
}

/** What the provider wants back with this call. */
export function extraOfCall(details: ReasoningDetails | undefined, id: string): unknown {
  return listOf(details?.value)
    .map(fieldsOf)
    .find(item => item['id'] === id && 'extra_content' in item)?.['extra_content']
}

/**
 * Pieces of one detail (the same type and index) become one: their texts are joined, of other fields the last counts.
 */
function join(details: Record<string, unknown>[], piece: Fields): void {
  const last = details.at(-1)
  if (!last || last['type'] !== piece['type'] || last['index'] !== piece['index']) {
    details.push({ ...piece })
    return
  }
  for (const [name, value] of Object.entries(piece)) {
    if (value === null || value === undefined || name === '__proto__') continue
    last[name] =
      ['text', 'summary', 'data', 'thinking'].includes(name) &&
      typeof last[name] === 'string' &&
      typeof value === 'string'
        ? last[name] + value
        : value
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
