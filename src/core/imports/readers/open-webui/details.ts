/** The blocks of thoughts and calls that Open WebUI writes into the text of an answer. Pure; never throws, linear. */
import { parsedJson } from '../../../text/json.ts'
import { joinTexts, listOf, rawJson, stringOf } from '../../shape/fields.ts'

/** A part of an answer, in its order. */
export type TextPart =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'call'; id: string | undefined; name: string; arguments: string; result?: string; files: string[] }

/**
 * A text and what stands in it between `<details type="…">` and `</details>`: thoughts, calls of tools and of the code
 * interpreter. Other blocks of this name are the text's own.
 */
export function partsOfText(text: string): TextPart[] {
  const parts: TextPart[] = []
  let from = 0
  let search = 0
  for (;;) {
    const begin = text.indexOf('<details', search)
    if (begin === -1) break
    const tagEnd = text.indexOf('>', begin)
    if (tagEnd === -1) break
    const attributes = attributesOf(text.slice(begin, tagEnd))
    const end = isOurs(attributes) ? text.indexOf(closing, tagEnd) : undefined
    if (end === -1) break
    if (end === undefined) {
      search = tagEnd
      continue
    }
    if (begin > from) parts.push({ type: 'text', text: text.slice(from, begin) })
    parts.push(partOf(attributes, text.slice(tagEnd + 1, end)))
    from = search = end + closing.length
  }
  if (from < text.length) parts.push({ type: 'text', text: text.slice(from) })
  return parts.map(part => (part.type === 'text' && parts.length > 1 ? { ...part, text: part.text.trim() } : part))
}
const closing = '</details>'
const isOurs = (attributes: ReadonlyMap<string, string>): boolean =>
  ['reasoning', 'tool_calls', 'code_interpreter'].includes(attributes.get('type') ?? '')

function partOf(attributes: ReadonlyMap<string, string>, inside: string): TextPart {
  const summary = /^\s*<summary>/.test(inside) ? inside.indexOf('</summary>') : -1
  const body = summary === -1 ? inside.trim() : inside.slice(summary + '</summary>'.length).trim()
  switch (attributes.get('type')) {
    case 'reasoning':
      return { type: 'reasoning', text: unescaped(body).replaceAll(/^> ?/gm, '').trim() }
    case 'code_interpreter': {
      const code = /^```[^\n]*\n([^]*?)\n?```$/.exec(unescaped(body))?.[1] ?? unescaped(body)
      const output = attributes.get('output')
      const result = output === undefined ? {} : { result: plain(output) }
      return {
        type: 'call',
        id: undefined,
        name: 'code_interpreter',
        arguments: rawJson({ code }),
        ...result,
        files: [],
      }
    }
    default: {
      const result = attributes.get('result') ?? (body === '' ? undefined : unescaped(body))
      return {
        type: 'call',
        id: attributes.get('id') || undefined,
        name: attributes.get('name') || 'tool',
        arguments: plain(attributes.get('arguments') ?? ''),
        ...(result !== undefined && { result: plain(result) }),
        files: filesOf(attributes.get('files')),
      }
    }
  }
}

/** A text that was written as JSON of a text, perhaps twice; other JSON stays as it is. */
function plain(text: string): string {
  const once = parsedJson(text)
  return typeof once === 'string' ? once : text
}

function filesOf(attribute: string | undefined): string[] {
  return listOf(parsedJson(attribute ?? '')).flatMap(file => {
    const { url } = typeof file === 'object' && file !== null ? (file as { url?: unknown }) : { url: file }
    return stringOf(url) === '' ? [] : [stringOf(url)]
  })
}

function attributesOf(tag: string): Map<string, string> {
  return new Map([...tag.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, unescaped(value)]))
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#x27': "'",
  '#34': '"',
}

/** Text whose few signs of HTML were escaped. */
const unescaped = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39|#x27|#34);/g, (whole, name: string) => entities[name] ?? whole)

/** The words of a text, without the blocks. */
export const wordsOfText = (text: string): string =>
  joinTexts(partsOfText(text).map(part => (part.type === 'text' ? part.text : '')))
