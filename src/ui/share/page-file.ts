/**
 * A chat as one page: no script, nothing from elsewhere, and in it the lines that it was made of (C9.7). What the
 * messages hold is foreign: it comes out of `static-markdown.ts`, or escaped.
 */
import { carriedLine, carrierFrame, carrierMark } from '../../core/log/file-format/carried-lines.ts'
import { shownName } from '../../core/text/display/visible.ts'
import { dayOf } from '../../core/text/day.ts'
import { size, timeOfDay } from '../i18n/format/format.ts'
import { escapeHtml } from '../markdown/markdown.ts'
import { shortArguments } from '../transcript/short-arguments.ts'
import { pageStyle } from './page-style.ts'
import type { Pause } from './pauses.ts'
import type { ShareWords } from './share-words.ts'
import { plainHtml, staticMarkdown } from './static-markdown.ts'
import type { ToldCall, ToldMessage } from './told-messages.ts'

export class PageFile {
  readonly #words: ShareWords
  readonly #pause: Pause
  readonly #id: string

  constructor(id: string, words: ShareWords, pause: Pause) {
    this.#id = id
    this.#words = words
    this.#pause = pause
  }

  /** The marks stand in lines of their own. */
  head(name: string, at: number): string {
    const w = this.#words
    const title = escapeHtml(w.title(name))
    return `<!doctype html>
<html lang="${w.language === 'zh' ? 'zh-Hans' : 'en'}">
<head>
<meta charset="utf-8">
${carrierMark('html', this.#id)}
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="Haversack">
<title>${title}</title>
<style>${pageStyle}</style>
</head>
<body>
<h1 dir="auto">${title}</h1>
<p class="about">${escapeHtml(w.about(dayOf(at)))}</p>
<main>
`
  }

  async message(message: ToldMessage): Promise<string> {
    const w = this.#words
    if (message.type === 'user')
      return `<article class="user">${this.#heading(w.you, message.at)}<div class="sheet">${message.text === '' ? '' : plainHtml(message.text, 'p')}${this.#chips(message.chips)}</div></article>\n`
    const said =
      message.text.trim() === '' ? '' : `<div class="words">${await staticMarkdown(message.text, this.#pause)}</div>`
    const ending = message.text.trim() === '' ? undefined : w.endings[message.stop]
    const calls = message.calls.map(call => this.#call(call)).join('')
    return `<article class="assistant">${this.#heading(w.assistant, message.at, message.model)}${said}${ending === undefined ? '' : `<p class="ending">${escapeHtml(ending)}</p>`}${calls}</article>\n`
  }

  *end(lines: readonly string[]): Generator<string> {
    const { begin, end } = carrierFrame('html', this.#id)
    yield `</main>\n${begin}\n`
    for (const line of lines) yield `${carriedLine(line)}\n`
    yield `${end}\n</body>\n</html>\n`
  }

  #heading(who: string, at: number, model = ''): string {
    const name = model === '' ? '' : `<small dir="auto">${escapeHtml(shownName(model))}</small>`
    return `<h2><span>${escapeHtml(who)}</span>${name}<time datetime="${new Date(at).toISOString()}">${escapeHtml(`${dayOf(at)} ${timeOfDay(at)}`)}</time></h2>`
  }

  #chips(chips: (ToldMessage & { type: 'user' })['chips']): string {
    if (chips.length === 0) return ''
    const names = chips.map(
      ({ name, bytes }) => `<li><bdi>${escapeHtml(shownName(name))}</bdi> ${escapeHtml(size(bytes))}</li>`,
    )
    const inside = chips.flatMap(({ name, text }) =>
      text === undefined
        ? []
        : `<details class="tool"><summary><bdi>${escapeHtml(shownName(name))}</bdi></summary>${plainHtml(text.trimStart(), 'pre')}</details>`,
    )
    return `<ul class="chips" aria-label="${escapeHtml(this.#words.attached)}">${names.join('')}</ul>${inside.join('')}`
  }

  #call({ call, name, result }: ToldCall): string {
    const w = this.#words
    const short = call === undefined ? '' : ` <span dir="auto">${escapeHtml(shortArguments(call.arguments))}</span>`
    const failed = result?.isError ? ` <span class="failed">${escapeHtml(w.failed)}</span>` : ''
    const line = `<b dir="auto">${escapeHtml(shownName(name))}</b>${short}${failed}`
    const given =
      call === undefined ? '' : `<h3>${escapeHtml(w.arguments)}</h3>${plainHtml(indented(call.arguments), 'pre')}`
    const answered = result === undefined ? '' : `<h3>${escapeHtml(w.result)}</h3>${plainHtml(result.text, 'pre')}`
    return `<details class="tool"><summary>${line}</summary>${given}${answered}</details>`
  }
}

/** JSON as one reads it; other text as it is. */
export function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json // half a call, or a model that cannot write JSON
  }
}
