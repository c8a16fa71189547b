/** The blocks that a message of Claude Code is made of. Pure. */
import type { ForeignAttachment } from '../../shape/foreign-chat.ts'
import type { StopReason, Usage } from '../../../log/message.ts'
import { isObject, type JsonObject } from '../../../log/file-format/json-fields.ts'
import { countOf, filledText, joinTexts, listOf, objectOf, rawJson, stringOf } from '../../shape/fields.ts'
import { present } from '../finished-chat.ts'

/** Content as blocks: a text is one of them. */
export function contentBlocks(content: unknown): JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return listOf(content).map(block => (typeof block === 'string' ? { type: 'text', text: block } : objectOf(block)))
}

/** The file that a block carries; `n`: its number in the message. */
export function fileOf(block: JsonObject, n: number): ForeignAttachment | undefined {
  if (block['type'] !== 'image' && block['type'] !== 'document') return undefined
  const source = objectOf(block['source'])
  const name = filledText(block['title']) ?? `${block['type']}-${n}`
  const mime = present({ mime: filledText(source['media_type']) })
  const data = stringOf(source['data'])
  if (source['type'] === 'text') return { name, ...mime, text: data }
  if (data !== '') return { name, ...mime, base64: data }
  const ref = filledText(source['url']) ?? filledText(source['file_id'])
  return { name, ...mime, ...present({ ref }) }
}

/** What a tool answered. */
export type ToolAnswer = { callId: string; text: string; isError: boolean; files: ForeignAttachment[] }

/** The answer in a block of a result, be it of a tool that ran here or of one that the provider ran. */
export function answerOf(block: JsonObject): ToolAnswer {
  const callId = stringOf(block['tool_use_id'])
  const isError = block['is_error'] === true
  const { content } = block
  if (isObject(content)) return { callId, text: rawJson(content), isError, files: [] }
  const files: ForeignAttachment[] = []
  const texts: string[] = []
  for (const part of contentBlocks(content)) {
    const file = fileOf(part, files.length + 1)
    if (file) files.push(file)
    else texts.push(part['type'] === 'text' ? stringOf(part['text']) : rawJson(part))
  }
  const text = joinTexts(texts)
  const beside = fileBeside(text)
  return { callId, text, isError, files: beside ? [...files, beside] : files }
}

/** A long output lies in a file of its own, beside the session. */
function fileBeside(text: string): ForeignAttachment | undefined {
  const path = /^<persisted-output>[^]{0,400}? saved to: ([^\n]{1,1000})/.exec(text)?.[1]?.trim()
  if (path === undefined) return undefined
  return {
    name: path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1),
    mime: 'text/plain',
    ref: path,
  }
}

const stops = new Map<unknown, StopReason>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['tool_use', 'calls'],
  ['refusal', 'filtered'],
])

/** Why an answer ended; most rows do not say. */
export const stopOf = (reason: unknown): StopReason | undefined => stops.get(reason)

/** Tokens of an answer. */
export function usageOfAnswer(usage: JsonObject): Usage | undefined {
  const input = countOf(usage['input_tokens'])
  if (input === undefined) return undefined
  return {
    input,
    ...present({
      cacheRead: countOf(usage['cache_read_input_tokens']),
      cacheWrite: countOf(usage['cache_creation_input_tokens']),
      output: countOf(usage['output_tokens']),
    }),
  }
}
