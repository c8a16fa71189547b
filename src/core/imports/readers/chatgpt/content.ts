/** What a row of a ChatGPT export holds: its words and its files. Pure; never throws. */
import { parsedJson } from '../../../text/json.ts'
import { isObject, type JsonObject } from '../../../log/file-format/json-fields.ts'
import type { ForeignAttachment } from '../../shape/foreign-chat.ts'
import { filledText, idOf, joinTexts, listOf, objectOf, rawJson, stringOf } from '../../shape/fields.ts'
import { withoutMarks } from '../../shape/source-marks.ts'

/** `unknown`: parts that hold neither words nor a file, as far as we know. */
export type RowContent = { text: string; files: ForeignAttachment[]; unknown: unknown[] }

/** The words and files of a message. */
export function contentOf(message: JsonObject): RowContent {
  const content = objectOf(message['content'])
  const texts: string[] = []
  const pointers: string[] = []
  const unknown: unknown[] = []
  for (const part of listOf(content['parts'])) {
    if (typeof part === 'string') texts.push(part)
    else if (isObject(part)) {
      const found = pointersOf(part)
      const text = stringOf(part['text'])
      texts.push(text)
      pointers.push(...found)
      if (found.length === 0 && text === '' && part['content_type'] !== 'audio_transcription') unknown.push(part)
    }
  }
  if (texts.length === 0) texts.push(stringOf(message['content']) || otherText(content))
  return {
    text: objectOf(message['author'])['role'] === 'user' ? joinTexts(texts) : withoutMarks(joinTexts(texts)),
    files: filesOf(pointers, listOf(objectOf(message['metadata'])['attachments'])),
    unknown,
  }
}

/** Words that stand elsewhere than in `parts`: output of a program, what a browser showed, a quoted page, an error. */
function otherText(content: JsonObject): string {
  const quoted = content['content_type'] === 'tether_quote' ? [content['title'], content['url']] : []
  const named = content['content_type'] === 'system_error' ? [content['name']] : []
  const words = [...quoted, ...named, content['text'], content['result'], content['content']].map(stringOf)
  return joinTexts(words, '\n')
}

/** The thoughts of a row: each with its headline. */
export function thoughtsOf(content: JsonObject): string {
  const thoughts = listOf(content['thoughts']).map(thought => {
    if (typeof thought === 'string') return thought
    const { summary, content: words, chunks } = objectOf(thought)
    const long = stringOf(words) === '' ? joinTexts(listOf(chunks).map(stringOf), '\n') : stringOf(words)
    return joinTexts([stringOf(summary), long], '\n')
  })
  return joinTexts([...thoughts, stringOf(content['text'])])
}

/** Addresses of files in a part, also in the parts of a recording. */
function pointersOf(part: JsonObject): string[] {
  const inside = ['audio_asset_pointer', 'video_container_asset_pointer'].map(name => part[name])
  return [part, ...inside, ...listOf(part['frames_asset_pointers'])].flatMap(one => {
    const pointer = typeof one === 'string' ? one : objectOf(one)['asset_pointer']
    return filledText(pointer) ?? []
  })
}

/** The files that a message shows and those that it lists, each once: what is shown is named in the list by its id. */
function filesOf(pointers: readonly string[], listed: readonly unknown[]): ForeignAttachment[] {
  const byId = new Map<string, JsonObject>()
  const withoutId: JsonObject[] = []
  for (const one of listed.filter(isObject)) {
    const id = idOf(one['id'])
    if (id !== undefined) byId.set(id, one)
    else if (filledText(one['name']) !== undefined) withoutId.push(one)
  }
  const files = [...new Set(pointers)].map(ref => {
    const ids = ref.replace(/^[\w-]+:\/\//, '').split(/[#?]/)
    const known = ids.find(one => byId.has(one)) ?? ''
    const file = { ...typed(byId.get(known), ids[0] || ref), ref }
    byId.delete(known)
    return file
  })
  const others = [...byId].map(([ref, entry]) => ({ ...typed(entry, ref), ref }))
  return [...files, ...others, ...withoutId.map(entry => typed(entry, ''))]
}

function typed(entry: JsonObject | undefined, id: string): { name: string; mime?: string } {
  const mime = filledText(entry?.['mime_type'])
  return { name: filledText(entry?.['name']) ?? id, ...(mime !== undefined && { mime }) }
}

/**
 * What a call hands over. It is JSON where the model wrote JSON; a program or plain words, which are none, become the
 * one field of an object.
 */
export function callInRow(message: JsonObject): { name: string; arguments: string } {
  const content = objectOf(message['content'])
  const text = content['content_type'] === 'code' ? stringOf(content['text']) : contentOf(message).text
  const field = content['content_type'] === 'code' ? 'code' : 'input'
  return {
    name: stringOf(message['recipient']),
    arguments: isObject(parsedJson(text)) ? text : rawJson({ [field]: text }),
  }
}
