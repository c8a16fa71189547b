/** Reads a session file of pi (first form, without ids): its compactions, each with what was said before and after. */
import { readConversation, type FiledFact } from '../replay/replay-file.ts'
import { neededNames, type Later } from './needed-names.ts'

/** A conversation up to a moment when its own agent compacted; `summary`: what that wrote then. */
export type Compacted = { name: string; facts: FiledFact[]; needed: string[]; summary: string }

type Part = { type: string; text?: string; id?: string; name?: string; arguments?: object }
type Message = {
  role: string
  content?: string | Part[]
  toolCallId?: string
  toolName?: string
  isError?: boolean
  command?: string
  output?: string
}
type Line = { type: string; timestamp?: string; summary?: string; message?: Message }

/** Each compaction of a session, with what its agent needed until the next one; none where it never compacted. */
export function piCompactions(text: string, name: string): Compacted[] {
  const lines = text.split('\n').flatMap(line => (line.trim() === '' ? [] : [JSON.parse(line) as Line]))
  const at = lines.flatMap((line, index) => (line.type === 'compaction' ? [index] : []))
  return at.map((index, nth) => {
    const before = lines.slice(0, index)
    const after = lines.slice(index + 1, at[nth + 1] ?? lines.length)
    const said = before.flatMap(laterOf).map(one => ('wrote' in one ? one.wrote : one.shown))
    return {
      name: `${name}, compaction ${nth + 1}`,
      facts: readConversation(before.flatMap(ourLine).join('\n'), name),
      needed: neededNames(said.join('\n'), after.flatMap(laterOf)),
      summary: lines[index]?.summary ?? '',
    }
  })
}

/** A line as replay reads it; none for what no request of pi held. */
function ourLine({ timestamp, message }: Line, index: number): string[] {
  if (message === undefined) return []
  const ours = messageOf(message)
  if (ours === undefined) return []
  return [JSON.stringify({ type: 'message', id: `m${index}`, timestamp: Date.parse(timestamp ?? ''), message: ours })]
}

function messageOf(message: Message): object | undefined {
  const text = textOf(message)
  switch (message.role) {
    case 'user':
    case 'bashExecution':
      return { role: 'user', content: text }
    case 'toolResult':
      return {
        role: 'tool',
        content: text,
        toolCallId: message.toolCallId,
        name: message.toolName,
        ...(message.isError && { isError: true }),
      }
    case 'assistant': {
      const calls = callsOf(message)
      if (text === '' && calls.length === 0) return undefined // stopped before it began
      return {
        role: 'assistant',
        content: text,
        toolCalls: calls.map(({ id, name, arguments: args }) => ({
          id,
          function: { name, arguments: JSON.stringify(args ?? {}) },
        })),
      }
    }
    default:
      return undefined
  }
}

/** What the person says shows a name as well as a tool does. */
function laterOf({ message }: Line): Later[] {
  if (message === undefined) return []
  if (message.role !== 'assistant') return [{ shown: textOf(message) }]
  return [{ wrote: [textOf(message), ...callsOf(message).flatMap(call => textsIn(call.arguments))].join('\n') }]
}

function textOf({ content = '', role, command, output }: Message): string {
  if (role === 'bashExecution') return `I ran: ${command ?? ''}\n${output ?? ''}`
  if (typeof content === 'string') return content
  return content.flatMap(part => (part.type === 'text' ? [part.text ?? ''] : [])).join('\n')
}

function callsOf({ content }: Message): Part[] {
  return typeof content === 'object' ? content.filter(part => part.type === 'toolCall') : []
}

/** The texts in the arguments of a call: as JSON, an escaped line break would be read as a part of a name. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
