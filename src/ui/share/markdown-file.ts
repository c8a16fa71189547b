/** A chat as one Markdown text, and in it, where nobody sees them, the lines that it was made of (C9.7). */
import { carriedLine, carrierFrame, carrierMark } from '../../core/log/file-format/carried-lines.ts'
import { dayOf } from '../../core/text/day.ts'
import { shownName } from '../../core/text/display/visible.ts'
import { size, timeOfDay } from '../i18n/format/format.ts'
import { shortArguments } from '../transcript/short-arguments.ts'
import { indented } from './page-file.ts'
import { safeMarkdown } from './safe-markdown.ts'
import type { ShareWords } from './share-words.ts'
import type { ToldCall, ToldMessage } from './told-messages.ts'

export class MarkdownFile {
  readonly #words: ShareWords
  readonly #id: string

  constructor(id: string, words: ShareWords) {
    this.#id = id
    this.#words = words
  }

  head(name: string, at: number): string {
    const { title, about } = this.#words
    return `${carrierMark('markdown', this.#id)}\n\n# ${oneLine(title(name))}\n\n${about(dayOf(at))}\n`
  }

  async message(message: ToldMessage): Promise<string> {
    const w = this.#words
    const when = `${dayOf(message.at)} ${timeOfDay(message.at)}`
    if (message.type === 'user') {
      const chips = message.chips.map(({ name, bytes }) => `- ${oneLine(shownName(name))} (${size(bytes)})`)
      const inside = message.chips.flatMap(({ name, text }) =>
        text === undefined ? [] : [`**${oneLine(shownName(name))}**`, fenced(text.trimStart())],
      )
      return section(`${w.you} · ${when}`, [
        safeMarkdown(message.text, { keepsLines: true }),
        chips.join('\n'),
        ...inside,
      ])
    }
    const model = message.model === '' ? '' : ` · ${oneLine(shownName(message.model))}`
    const ending = message.text.trim() === '' ? undefined : w.endings[message.stop]
    return section(`${w.assistant}${model} · ${when}`, [
      safeMarkdown(message.text),
      ending === undefined ? '' : `*${ending}*`,
      ...message.calls.flatMap(call => this.#call(call)),
    ])
  }

  *end(lines: readonly string[]): Generator<string> {
    const { begin, end } = carrierFrame('markdown', this.#id)
    yield `\n${begin}\n`
    for (const line of lines) yield `${carriedLine(line)}\n`
    yield `${end}\n`
  }

  #call({ call, name, result }: ToldCall): string[] {
    const short = call === undefined ? '' : ` — ${oneLine(shortArguments(call.arguments))}`
    const failed = result?.isError ? ` (${this.#words.failed})` : ''
    return [
      `> **${oneLine(shownName(name))}**${short}${failed}`,
      ...(call === undefined ? [] : [fenced(indented(call.arguments), 'json')]),
      ...(result === undefined ? [] : [fenced(result.text)]),
    ]
  }
}

const section = (heading: string, parts: readonly string[]): string =>
  `\n## ${heading}\n${parts
    .filter(part => part.trim() !== '')
    .map(part => `\n${part.trimEnd()}\n`)
    .join('')}`

/** Words in one line that make no structure. */
const oneLine = (text: string): string =>
  safeMarkdown(text.replace(/\s+/g, ' ').trim()).replace(/[`*_|#>~]/g, sign => `\\${sign}`)

/** A block of code whose fence no line of it closes. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length))
  const marks = '`'.repeat(longest + 1)
  return `${marks}${language}\n${text.trimEnd()}\n${marks}`
}
