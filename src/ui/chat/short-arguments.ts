/** A tool call in a few words: what it is about, from its arguments as the model wrote them. Pure. */
import type { Question } from '../../core/agent/api.ts'
import { utf8Bytes } from '../../core/text/bytes.ts'
import { size } from '../format.ts'
import type { ChatWords } from '../words.ts'

/** The arguments that say best what a call is about, in this order. */
const telling = ['path', 'url', 'query', 'code', 'command', 'text', 'name']

/** At most `longest` characters in one line; text that is no JSON is shown as it is. Never throws. */
export function shortArguments(json: string, longest = 80): string {
  const parsed = parsedObject(json)
  if (parsed === undefined) return oneLine(json, longest)
  const keys = Object.keys(parsed)
  const key = telling.find(name => name in parsed) ?? keys[0]
  if (key === undefined) return ''
  const others = keys.filter(name => name !== key && isPlain(parsed[name])).map(name => `${name} ${String(parsed[name])}`)
  return oneLine([worded(parsed[key]), ...others].join(' · '), longest)
}

/** What a call that asks would do, in the person's words; the tool's own ones for a tool that has none there. Never throws. */
export function askedFor({ tool, call, explanation }: Question, text: ChatWords['asksTo']): string {
  const { path, content, url, old_text: before, new_text: after } = parsedObject(call.arguments) ?? {}
  const known = (value: unknown): value is string => typeof value === 'string'
  if (tool === 'write_file' && known(path) && known(content)) return text.write(size(utf8Bytes(content)), path)
  if (tool === 'edit_file' && known(path) && known(before) && known(after)) return `${text.change(path)}\n− ${before}\n+ ${after}`
  if (tool === 'fetch_url' && known(url)) return text.read(url.trim())
  return explanation
}

/** The arguments laid out for reading; as written where they are no JSON. */
export function laidOut(json: string): string {
  const parsed = parsedObject(json)
  return parsed === undefined ? json : JSON.stringify(parsed, null, 2)
}

/** A path whose name is a long id, with the id cut short: tool_result/9f2c….txt */
export function shortPath(path: string): string {
  return path.replace(/([^/]{4})[^/]{6,}(\.[a-z]+)$/, '$1…$2')
}

function parsedObject(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value as Record<string, unknown> : undefined
  } catch {
    return undefined // half a call, or a model that cannot write JSON
  }
}

function isPlain(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string' && value.length <= 20
}

function worded(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value) ?? ''
}

function oneLine(text: string, longest: number): string {
  const line = text.slice(0, longest * 4).replace(/\s+/g, ' ').trim()
  return line.length <= longest ? line : `${Array.from(line).slice(0, longest - 1).join('')}…`
}
