/**
 * Markdown of a hostile model → blocks of HTML. Pure. Raw HTML is text, images are links, links are http(s) or mailto
 * only; what comes out still goes through `sanitise.ts`.
 */
import { Lexer, Marked, Parser, Tokenizer, type MarkedExtension, type Token, type Tokens } from 'marked'
import { softBefore, withSoftBorders } from './cjk-emphasis.ts'
import { findMath } from './math-spans.ts'
import { nestedFence } from './nested-fence.ts'
import { blockDirection } from './text-direction.ts'

/** A piece of the text that stands by itself: its HTML can be shown alone. */
export type Block = { readonly raw: string; readonly html: string }

type Links = Record<string, { href: string | null; title: string | null }>

/**
 * A run of words (a paragraph, a cell, a heading) above these is shown without emphasis and links: marks that find no
 * partner cost the parser more than linear time. Units: UTF-16 units; signs of emphasis. Measured 2026-11 on 2 busy
 * cores: 600 such signs take 0.1 s, 6 000 take 2.3 s.
 */
const busiest = { length: 16_000, emphasis: 800 }

/** The blocks of a whole text. Never throws. */
export function markdownBlocks(text: string): readonly Block[] {
  return new MarkdownStream().update(text)
}

/**
 * Markdown that grows at its end. Blocks that cannot change any more are parsed once; only the tail is parsed again.
 * Whatever the steps, the result equals `markdownBlocks` of the whole text.
 */
export class MarkdownStream {
  #text = '' // what the settled blocks cover
  #settled: Block[] = []
  #links: Links = {} // definitions in the settled blocks
  #shown: Links = {} // definitions that the settled blocks were made with

  /** Takes the whole text so far. A text that does not continue the previous one starts again. Never throws. */
  update(whole: string): readonly Block[] {
    const text = evened(whole)
    if (!text.startsWith(this.#text)) {
      this.#text = ''
      this.#settled = []
      this.#links = this.#shown = {}
    }
    const { segments, links, settled } = segmentsOf(text.slice(this.#text.length), this.#links)
    if (!isSame(links, this.#shown)) {
      // a definition may make a link of what was text before, and while it is written it is another one with each piece
      this.#settled = this.#settled.map(block => (block.raw.includes('[') ? blockOf(block.raw, links) : block))
      this.#shown = links
    }
    const blocks = segments.map(raw => blockOf(raw, links))
    const keep = blocks.slice(0, settled)
    if (keep.length > 0) {
      this.#settled = [...this.#settled, ...keep]
      const done = keep.map(block => block.raw).join('')
      if (done.includes(']:')) this.#links = segmentsOf(done, this.#links).links
      this.#text += done
    }
    return [...this.#settled, ...blocks.slice(settled)]
  }
}

/** Cuts a text where a blank line ends a block; `settled` of the pieces cannot be changed by what may follow. */
function segmentsOf(text: string, known: Links): { segments: string[]; links: Links; settled: number } {
  const lexer = lexerWith(known)
  const tokens = lexer.blockTokens(text, lexer.tokens) // what is inside the lines comes later, block by block
  // the last two blocks may still change: a list takes up what comes after a blank line
  const solid = tokens.flatMap((token, i) => (token.type === 'space' ? [] : [i])).at(-2) ?? 0
  const segments: string[] = []
  let settled = 0
  let raw = ''
  let [at, isOpen] = [0, false]
  for (const [i, token] of tokens.entries()) {
    raw += token.raw
    // what has come since may all be in it
    isOpen ||= token.type === 'code' && 'open' in (nestedFence(text.slice(at)) ?? {})
    at += token.raw.length
    if (token.type !== 'space' || i === tokens.length - 1 || !raw.endsWith('\n')) continue
    segments.push(raw)
    if (i < solid && !isOpen) settled = segments.length
    raw = ''
  }
  if (raw !== '') segments.push(raw)
  return { segments, links: lexer.tokens.links as Links, settled }
}

function isSame(some: Links, others: Links): boolean {
  const names = Object.keys(some)
  return (
    names.length === Object.keys(others).length &&
    names.every(name => some[name]!.href === others[name]?.href && some[name]!.title === others[name]?.title)
  )
}

function blockOf(raw: string, links: Links): Block {
  try {
    return { raw, html: Parser.parse(tokensOf(raw, links), marked.defaults) }
  } catch {
    // nested deeper than the stack (a RangeError): shown as it was written
    return { raw, html: `<p dir="auto" data-plain="">${escapeHtml(raw)}</p>\n` }
  }
}

function tokensOf(raw: string, links: Links): Token[] {
  const lexer = lexerWith(links)
  lexer.blockTokens(raw, lexer.tokens)
  for (let i = 0; i < lexer.inlineQueue.length; i++) {
    // the queue may grow
    const { src, tokens } = lexer.inlineQueue[i]!
    if (tooBusy(src)) tokens.push({ type: 'text', raw: src, text: src, escaped: false })
    else lexer.inlineTokens(src, tokens)
  }
  return lexer.tokens
}

function tooBusy(run: string): boolean {
  return (
    run.length > busiest.length ||
    (run.length > busiest.emphasis && (run.match(/[*_~]/g)?.length ?? 0) > busiest.emphasis)
  )
}

function lexerWith(links: Links): Lexer<string, string> {
  const lexer = new Lexer<string, string>(marked.defaults)
  Object.assign(lexer.tokens.links, links)
  return lexer
}

/**
 * One kind of line end, and no run of more than 40 markers of quotes and lists at the start of a line: each is a level
 * of recursion in the parser.
 */
function evened(text: string): string {
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
  return lines.replace(/^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])){40}/gm, '$&\\')
}

/** The address that a link may open, with its host; undefined for any other scheme and for relative ones. */
export function safeLink(href: string): { href: string; host: string } | undefined {
  if (!URL.canParse(href)) return undefined
  const url = new URL(href)
  if (url.protocol === 'mailto:') return { href: url.href, host: url.pathname.slice(url.pathname.lastIndexOf('@') + 1) }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined
  return { href: url.href, host: url.host }
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`)
}

const mathBlock: MarkedExtension = {
  extensions: [
    {
      name: 'mathBlock',
      level: 'block',
      tokenizer(src) {
        const found = findMath(src, 'block')
        return found && { type: 'mathBlock', raw: found.raw, text: found.tex }
      },
      renderer: token => `<p><code dir="ltr" data-math="block">${escapeHtml(String(token.text))}</code></p>\n`,
    },
    {
      name: 'math',
      level: 'inline',
      start: src => {
        const at = src.search(/\$|\\[([]/)
        return at === -1 ? undefined : at
      },
      tokenizer(src, before) {
        const found = findMath(src, 'inline', before.at(-1)?.raw.slice(-1) ?? '')
        return found && { type: 'math', raw: found.raw, text: found.tex, display: found.display }
      },
      renderer: token =>
        `<code dir="ltr" data-math="${token.display === true ? 'block' : 'inline'}">${escapeHtml(String(token.text))}</code>`,
    },
  ],
}

/** The HTML of a whole text in one go, without blocks: what the blocks must add up to. */
export function wholeHtml(text: string): string {
  return Parser.parse(tokensOf(evened(text), {}), marked.defaults)
}

const marked = new Marked(
  {
    gfm: true,
    // no raw HTML: neither rule finds anything, so it stays text and is escaped
    tokenizer: {
      html: () => undefined,
      tag: () => undefined,
      fences(src) {
        const found = nestedFence(src)
        return (
          found !== undefined && 'code' in found && { type: 'code', raw: found.raw, lang: found.lang, text: found.code }
        )
      },
      emStrong(src, masked, before = '') {
        return (
          src.startsWith('*') &&
          Tokenizer.prototype.emStrong.call(
            this,
            src,
            withSoftBorders(masked),
            before === '*' ? before : softBefore(before, besideRun(src)),
          )
        )
      },
      // A single ~ stands for "about" and in ranges (3~5) all over the world; only two of them strike.
      del(src, masked, before = '') {
        return /^~~(?!~)/.test(src)
          ? Tokenizer.prototype.del.call(this, src, withSoftBorders(masked), softBefore(before, besideRun(src)))
          : undefined
      },
    },
    renderer: {
      html: ({ text }) => escapeHtml(text),
      heading({ depth, tokens }) {
        const level = Math.min(6, depth + 2) // the page's own headings are the first two
        return `<h${level} dir="auto">${this.parser.parseInline(tokens)}</h${level}>\n`
      },
      code: ({ text, lang }) => {
        const language = /^[\w+#.-]{1,30}/.exec(lang ?? '')?.[0] ?? ''
        // words in a fence read from their own side, line by line; a program never from the right
        return `<pre dir="${/^(?:|te?xt|plain|plaintext|markdown|md)$/i.test(language) ? 'auto' : 'ltr'}" data-language="${escapeHtml(language)}"><code>${escapeHtml(text)}</code></pre>\n`
      },
      paragraph({ tokens }) {
        return `<p dir="auto">${this.parser.parseInline(tokens)}</p>\n`
      },
      blockquote({ tokens }) {
        return `<blockquote${blockDirection(tokens)}>\n${this.parser.parse(tokens)}</blockquote>\n`
      },
      list(token) {
        const { ordered, start, items } = token
        const tag = ordered ? 'ol' : 'ul'
        return `<${tag}${ordered && start !== 1 ? ` start="${start}"` : ''}${blockDirection([token])}>\n${items.map(item => this.listitem(item)).join('')}</${tag}>\n`
      },
      codespan: ({ text }) => `<code dir="ltr">${escapeHtml(text)}</code>`,
      checkbox: ({ checked }) => `<span data-task="">${checked ? '☑' : '☐'}</span> `,
      link({ href, tokens, text }: Tokens.Link) {
        const inside = this.parser.parseInline(tokens)
        const safe = safeLink(href)
        if (safe === undefined) return inside
        const plain = (text === href && !href.includes('@')) || text === safe.host
        return anchor(safe, inside, !plain, plain ? ' dir="ltr"' : '')
      },
      image({ href, text }: Tokens.Image) {
        const safe = safeLink(href)
        const label = escapeHtml(text)
        return safe === undefined ? `<span data-image="">${label}</span>` : anchor(safe, label, true, ' data-image=""')
      },
      table(token) {
        const row = (cells: readonly Tokens.TableCell[]) =>
          `<tr>${cells.map(cell => this.tablecell(cell)).join('')}</tr>\n`
        return `<div data-scroll=""><table${blockDirection([token])}><thead>${row(token.header)}</thead><tbody>${token.rows.map(row).join('')}</tbody></table></div>\n`
      },
      tablecell({ header, align, tokens }) {
        const tag = header ? 'th' : 'td'
        return `<${tag} dir="auto"${align ? ` align="${align}"` : ''}>${this.parser.parseInline(tokens)}</${tag}>\n`
      },
    },
  },
  mathBlock,
)

/** What stands behind the run of stars or tildes at the start. */
function besideRun(src: string): string {
  return /^[*~]+(.)/su.exec(src)?.[1] ?? ''
}

function anchor(to: { href: string; host: string }, inside: string, showHost: boolean, more = ''): string {
  const host = escapeHtml(to.host)
  return `<a href="${escapeHtml(to.href)}" title="${escapeHtml(to.href)}" target="_blank" rel="noopener noreferrer nofollow"${more}>${inside}${
    showHost ? ` <small dir="ltr" data-host="">${host}</small>` : ''
  }</a>`
}
