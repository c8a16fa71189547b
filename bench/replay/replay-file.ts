/** The facts of a conversation file for replay: an export, or bare `message` lines (C13). */
import type { Fact, Id } from '../../src/core/log/entry.ts'
import { parseLine } from '../../src/core/log/file-format/jsonl.ts'
import { BadUsage } from '../shared/bad-usage.ts'

/** A fact of the file; `seq` is its 0-based position among them. */
export type FiledFact = { seq: number; id: Id; at: number /* ms */; fact: Fact }

/** Reads the facts in order; other lines are passed over. Throws BadUsage with the number of a line that is no JSON. */
export function readConversation(text: string, file: string): FiledFact[] {
  const facts: FiledFact[] = []
  const ids = new Set<Id>()
  const open: { id: string; name: string }[] = [] // calls that wait for a result
  let at = 0
  for (const [index, line] of text.split('\n').entries()) {
    const parsed = parseLine(withText(line))
    if (parsed.kind === 'bad') throw new BadUsage(`${file}, line ${index + 1}: ${parsed.reason}`)
    if (parsed.kind !== 'entry' || !isFact(parsed.entry)) continue
    const seq = facts.length
    at = parsed.at ?? at
    let id = parsed.id ?? String(seq)
    for (let n = 2; ids.has(id); n++) id = `${parsed.id ?? seq}~${n}`
    ids.add(id)
    facts.push({ seq, id, at, fact: withTool(parsed.entry, open) })
  }
  return facts
}

function isFact(entry: { type: string }): entry is Fact {
  return entry.type === 'user' || entry.type === 'assistant' || entry.type === 'result'
}

/** Other programs write null where an answer has calls only. */
function withText(line: string): string {
  if (!/"content"\s*:\s*null/.test(line) && /"content"/.test(line)) return line
  try {
    const value = JSON.parse(line) as { type?: unknown; message?: { content?: unknown } }
    if (
      value.type !== 'message' ||
      typeof value.message !== 'object' ||
      value.message === null ||
      (value.message.content ?? null) !== null
    )
      return line
    return JSON.stringify({ ...value, message: { ...value.message, content: '' } })
  } catch {
    return line // whoever parses it next says what is wrong
  }
}

/** A result line need not name its tool: its call does. */
function withTool(fact: Fact, open: { id: string; name: string }[]): Fact {
  if (fact.type === 'assistant') open.push(...fact.calls)
  if (fact.type !== 'result') return fact
  const at = open.findLastIndex(call => call.id === fact.callId)
  const [call] = at < 0 ? [] : open.splice(at, 1)
  return fact.tool === '' && call !== undefined ? { ...fact, tool: call.name } : fact
}
