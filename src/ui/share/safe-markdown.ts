/**
 * Markdown of a hostile model that other programs will show: without raw HTML, pictures and addresses that run. What
 * this reads as code in a way that another reader might not is written so that it is harmless to both. Pure.
 */

/** Begins at the left edge, where no list or quotation can end it early. */
const fence = /^(`{3,}(?=[^`]*$)|~{3,})/

/**
 * The same text, safe to show; blocks of code stay as they are. `keepsLines`: it was typed, and each line stands for
 * itself.
 */
export function safeMarkdown(text: string, { keepsLines = false } = {}): string {
  let open: string | undefined
  return text
    .split(/\r\n?|\n/)
    .map((line, at, lines) => {
      if (open !== undefined) {
        const closing = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1]
        if (closing !== undefined && closing[0] === open[0] && closing.length >= open.length) open = undefined
        return line
      }
      open = fence.exec(line)?.[1]
      if (open !== undefined) return line
      const goesOn = keepsLines && line.trim() !== '' && (lines[at + 1] ?? '').trim() !== ''
      return safeLine(line) + (goesOn ? '  ' : '')
    })
    .concat(open === undefined ? [] : [open])
    .join('\n')
}

const codeSpan = /(?<![\\`])(`+)(?!`)((?:[^`]|(?<!`)`+(?!`))*?)(?<!`)\1(?!`)/g
const risky = /[<&]|!\[|\]\(|\]:/

function safeLine(line: string): string {
  if (!/[<![\]&]/.test(line)) return line
  let [out, at] = ['', 0]
  for (const { index, 0: span, 2: inside = '' } of line.matchAll(codeSpan)) {
    out += safeWords(line.slice(at, index)) + (risky.test(inside) ? `<code>${asEntities(inside)}</code>` : span)
    at = index + span.length
  }
  return out + safeWords(line.slice(at))
}

/** Entities make no structure. */
const asEntities = (text: string): string => text.replace(/[^\p{L}\p{N} ]/gu, sign => `&#${sign.codePointAt(0)};`)

function safeWords(words: string): string {
  const bare = words.replace(/<(?=[A-Za-z/!?])/g, '&lt;').replace(/!(?=\[)/g, '\\!')
  return bare.replace(/\](?=[(:])/g, (sign, at: number) => (isSafeAddress(bare.slice(at + 2)) ? sign : '\\]'))
}

/** Of an address as it stands behind a bracket, with entities and escapes still in it. */
function isSafeAddress(written: string): boolean {
  const address = /^[\s<]*([^\s)>]*)/.exec(written)?.[1] ?? ''
  const plain = address.replace(/&[#\w]{1,10};?|[\\\p{Cc}\s]/gu, '')
  return address === plain ? /^(?:https?:|mailto:|#|[^:]*$)/i.test(plain) && plain !== '' : /^https?:/i.test(address)
}
