/**
 * What a provider wants back with an answer that called tools: its reasoning, details of it that may be sealed, and
 * signatures of calls. Opaque, only for the model that it came from, and only while the app runs: they are demanded inside
 * a running turn, and nobody else can read them.
 */
import type { ToolCall } from '../core/log/message.ts'

export type Kept = { reasoning: string; details: readonly Readonly<Record<string, unknown>>[]; extra: ReadonlyMap<string, unknown> }

export type KeptThoughts = {
  /** What came with the answer that made these calls. */
  of(calls: readonly ToolCall[]): Kept | undefined
  /** A new answer begins. */
  answer(): { raw(chunk: unknown): void; reasoning(text: string): void; end(calls: readonly ToolCall[]): void }
}

/** Answers that are remembered for a model; older ones are of turns long over. */
const mostAnswers = 200

type Fields = Record<string, unknown>

/** Begins empty. */
export function keptThoughts(): KeptThoughts {
  const kept = new Map<string, Kept>()
  return {
    of: calls => calls[0] && kept.get(keyOf(calls[0])),
    answer() {
      const details: Fields[] = []
      const extra = new Map<string, unknown>()
      let reasoning = ''
      return {
        raw(chunk) {
          const delta = fieldsOf(fieldsOf(listOf(fieldsOf(chunk)['choices'])[0])['delta'])
          for (const piece of listOf(delta['reasoning_details'])) join(details, fieldsOf(piece))
          for (const call of listOf(delta['tool_calls']).map(fieldsOf)) {
            if (typeof call['id'] === 'string' && call['extra_content'] !== undefined) extra.set(call['id'], call['extra_content'])
          }
        },
        reasoning(text) { reasoning += text },
        end([first]) {
          if (!first || reasoning === '' && details.length === 0 && extra.size === 0) return
          kept.set(keyOf(first), { reasoning, details, extra })
          for (const oldest of kept.keys()) if (kept.size > mostAnswers) kept.delete(oldest)
        },
      }
    },
  }
}

/** Some servers count their calls anew in each answer, so the id alone names no call. */
function keyOf({ id, name, arguments: text }: ToolCall): string {
  return JSON.stringify([id, name, text])
}

/** Pieces of one detail (the same type and index) become one: their texts are joined, of other fields the last counts. */
function join(details: Fields[], piece: Fields): void {
  const last = details.at(-1)
  if (!last || last['type'] !== piece['type'] || last['index'] !== piece['index']) {
    details.push({ ...piece })
    return
  }
  for (const [name, value] of Object.entries(piece)) {
    if (value === null || value === undefined) continue
    last[name] = ['text', 'summary', 'data', 'thinking'].includes(name) && typeof last[name] === 'string' && typeof value === 'string' ? last[name] + value : value
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value as Fields : {}
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
