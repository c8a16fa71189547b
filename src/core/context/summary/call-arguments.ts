/** What the arguments of a call say about the work: files, new texts, commands. Pure. */
import type { ToolCall } from '../../log/message.ts'

export type CallText = { what: 'path' | 'address' | 'command' | 'new text' | 'old text' | 'other'; text: string }

/** Longer arguments are data: the files that they write are named by their result. UTF-16 units. */
const longest = 200_000
/** Lists in arguments are read so deep. */
const deepest = 4

/** What the name of an argument says about its value; the first that fits counts. */
const meanings: readonly (readonly [CallText['what'], RegExp])[] = [
  ['path', /^(?:file_?path|path|file|file_?name|target|source|destination|notebook_path)$/i],
  ['command', /^(?:command|cmd|script|shell)$/i],
  ['address', /^(?:url|uri|href)$/i],
  ['old text', /^(?:old_?(?:string|text|str)|find|search)$/i],
  ['new text', /^(?:new_?(?:string|text|str)|content|contents|text|patch|diff|replace|replacement|insert_text)$/i],
]

/** The texts among the arguments of a call, lists of edits included; nothing where they are no JSON. Never throws. */
export function callTexts({ arguments: json }: ToolCall): CallText[] {
  if (json.length > longest) return []
  const texts: CallText[] = []
  const walk = (key: string, value: unknown, depth: number): void => {
    if (typeof value === 'string')
      texts.push({ what: meanings.find(([, pattern]) => pattern.test(key))?.[0] ?? 'other', text: value })
    else if (depth < deepest && Array.isArray(value)) for (const item of value) walk(key, item, depth + 1)
    else if (depth < deepest && typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) walk(name, inner, depth + 1)
  }
  try {
    walk('', JSON.parse(json), 0)
  } catch {
    return [] // arguments that are no JSON got an error result, which is told on its own
  }
  return texts
}
