/** What replay prints: calls, edits, view, summary, sizes, with ids of facts as their positions (C13). */
import type { EditEntry, Entry, Id } from '../../src/core/log/entry.ts'
import { isEdit, storedSummary } from '../../src/core/log/query.ts'
import { dayOf } from '../../src/core/text/day.ts'
import type { FiledFact } from './replay-file.ts'
import type { Replayed } from './replay-run.ts'

/** The printed object. */
export function outcome(
  facts: readonly FiledFact[],
  { strategy, window, log, calls, size }: Replayed,
): Record<string, unknown> {
  const seqs = new Map(facts.map(({ id, seq }) => [id, seq]))
  const edits = log.filter(isEdit)
  const summary = log.findLast(entry => entry.type === 'summary')
  return {
    strategy: strategy.name,
    window,
    calls,
    edits: edits.map(edit => ({ atSeq: positionOf(edit, log, seqs), ...withPositions(edit, edits, seqs) })),
    view: size.parts.map(({ view: { message, entry, shortened } }) => {
      const seq = entry === null ? undefined : seqs.get(entry)
      return {
        role: message.role,
        ...(seq !== undefined && { seq }),
        content: message.content,
        ...(message.role === 'assistant' &&
          message.toolCalls !== undefined &&
          message.toolCalls.length > 0 && {
            toolCalls: message.toolCalls.map(({ id, name, arguments: args }) => ({
              id,
              function: { name, arguments: args },
            })),
          }),
        ...(message.role === 'tool' && { toolCallId: message.toolCallId }),
        ...(shortened !== undefined && { shortened }),
      }
    }),
    summary: (storedSummary(log) ?? summary)?.text ?? null,
    summaryBy: (storedSummary(log) ?? summary)?.by ?? null,
    tokens: {
      system: size.system,
      tools: size.tools,
      summary: size.summary,
      messages: size.messages,
      total: size.total,
    },
    memory: log.flatMap(entry => (entry.type === 'memory' ? [{ day: dayOf(entry.at), text: entry.text }] : [])),
    notes: log.flatMap(entry => (entry.type === 'note' ? [{ code: entry.code, text: entry.text }] : [])),
  }
}

/** The position of the newest fact in front of an edit; -1 where there is none. */
function positionOf(edit: Entry, log: readonly Entry[], seqs: ReadonlyMap<Id, number>): number {
  for (let at = log.indexOf(edit); at >= 0; at--) {
    const seq = seqs.get(log[at]?.id ?? '')
    if (seq !== undefined) return seq
  }
  return -1
}

function withPositions(
  { id: _id, parent: _parent, at: _at, ...edit }: EditEntry,
  edits: readonly EditEntry[],
  seqs: ReadonlyMap<Id, number>,
): Record<string, unknown> {
  const seq = (id: Id | null) => (id === null ? null : (seqs.get(id) ?? null))
  switch (edit.type) {
    case 'shorten':
    case 'pin':
      return { ...edit, target: seq(edit.target) }
    case 'strip':
      return { ...edit, before: seq(edit.before) }
    case 'cut':
      return { ...edit, before: seq(edit.before), ...(edit.pin !== undefined && { pin: seq(edit.pin) }) }
    case 'summary':
      return {
        ...edit,
        of: edits.findIndex(other => other.id === edit.of),
        covers: { first: seq(edit.covers.first), last: seq(edit.covers.last) },
      }
    case 'undo':
      return { ...edit, target: edits.findIndex(other => other.group === edit.target) }
    default:
      return edit satisfies never
  }
}
