/** The parts of Codex's items: what stands in a message, a call, the output of a tool. Pure. */
import type { ForeignAttachment } from '../../shape/foreign-chat.ts'
import type { ToolCall, Usage } from '../../../log/message.ts'
import { parsedJson } from '../../../text/json.ts'
import { isObject, type JsonObject } from '../../../log/file-format/json-fields.ts'
import {
  argumentsOf,
  countOf,
  attachmentAt,
  joinTexts,
  listOf,
  objectOf,
  rawJson,
  stringOf,
  idOf,
} from '../../shape/fields.ts'
import { present } from '../finished-chat.ts'
import { isInjected } from './injected.ts'

/** What a message says. `injected`: its parts that the program wrote itself. */
export type MessageParts = { text: string; files: ForeignAttachment[]; injected: unknown[] }

/** Content as a text or as a list of parts. */
export function messageParts(content: unknown): MessageParts {
  if (typeof content === 'string')
    return isInjected(content)
      ? { text: '', files: [], injected: [content] }
      : { text: content, files: [], injected: [] }
  const texts: string[] = []
  const files: ForeignAttachment[] = []
  const injected: unknown[] = []
  for (const value of listOf(content)) {
    const part = objectOf(value)
    const text = typeof value === 'string' ? value : stringOf(part['text'])
    const image = part['image_url']
    const address = typeof image === 'string' ? image : stringOf(objectOf(image)['url'])
    if (address !== '') files.push(attachmentAt(address, `image-${files.length + 1}`))
    else if (isInjected(text)) injected.push(value)
    else if (!/^<\/?image\b[^>]*>$/.test(text.trim())) texts.push(text) // these only stand around an image
  }
  return { text: joinTexts(texts), files, injected }
}

/** Thoughts as far as they can be read: the whole of them, else their headlines. */
export function reasoningOf(item: JsonObject): string {
  const textsOf = (list: unknown): string[] => listOf(list).map(part => stringOf(objectOf(part)['text']))
  const whole = joinTexts(textsOf(item['content']))
  return whole === '' ? joinTexts(textsOf(item['summary'])) : whole
}

/** The call that an item is; undefined for any other item. `id`: the one that it gets where it has none. */
export function callOf(item: JsonObject, id: string): ToolCall | undefined {
  const known = idOf(item['call_id']) ?? idOf(item['id']) ?? id
  switch (item['type']) {
    case 'function_call':
      return { id: known, name: stringOf(item['name']), arguments: argumentsOf(item['arguments']) }
    case 'custom_tool_call': // takes a text, and arguments are JSON
      return { id: known, name: stringOf(item['name']), arguments: rawJson({ input: item['input'] ?? '' }) }
    case 'local_shell_call':
      return { id: known, name: 'local_shell', arguments: argumentsOf(item['action']) }
    case 'tool_search_call':
      return { id: known, name: 'tool_search', arguments: argumentsOf(item['arguments']) }
    default:
      return undefined
  }
}

/** What a tool answered. */
export type Output = { text: string; files: ForeignAttachment[]; isError: boolean }

/** Output as a text, as parts, or as an object around one of them. */
export function outputOf(output: unknown): Output {
  if (typeof output === 'string') {
    // The older form of a text: with its exit code, as JSON.
    const said = output.startsWith('{') ? objectOf(parsedJson(output)) : {}
    if (typeof said['output'] !== 'string' || !isObject(said['metadata'])) return plain(output)
    const code = said['metadata']['exit_code']
    return { ...plain(said['output']), isError: typeof code === 'number' && code !== 0 }
  }
  const content = isObject(output) ? (output['content'] ?? output['content_items'] ?? output['output']) : output
  const isError = objectOf(output)['success'] === false
  if (Array.isArray(content)) {
    const { text, files } = messageParts(content)
    return { text, files, isError }
  }
  if (typeof content === 'string') return { ...plain(content), isError }
  return { ...plain(output === undefined || output === null ? '' : rawJson(output)), isError }
}

const plain = (text: string): Output => ({ text, files: [], isError: false })

/** Tokens of the last answer, as `token_count` tells them. */
export function lastUsage(info: unknown): Usage | undefined {
  const last = objectOf(objectOf(info)['last_token_usage'])
  const input = countOf(last['input_tokens'])
  if (input === undefined) return undefined
  const cacheRead = countOf(last['cached_input_tokens'])
  return {
    input: Math.max(0, input - (cacheRead ?? 0)),
    ...present({ cacheRead, output: countOf(last['output_tokens']) }),
  }
}
