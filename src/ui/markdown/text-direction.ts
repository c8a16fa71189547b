/** From which side a piece of Markdown reads: by its first letter outside of code, formulas and addresses. Pure. */
import type { Token } from 'marked'
import { rightToLeft } from '../../core/text/display/isolate.ts'

/**
 * ` dir="rtl"` or ` dir="ltr"` for what holds several blocks (a list, a quotation, a table): the browser's own `auto`
 * would not look into blocks that have a direction. '' where there are no letters.
 */
export function blockDirection(tokens: readonly Token[]): string {
  const letter = firstLetter(tokens)
  return letter === undefined ? '' : ` dir="${rightToLeft.test(letter) ? 'rtl' : 'ltr'}"`
}

function firstLetter(tokens: readonly Token[]): string | undefined {
  for (const token of tokens) {
    const letter = letterOf(token)
    if (letter !== undefined) return letter
  }
  return undefined
}

function letterOf(token: Token): string | undefined {
  switch (token.type) {
    case 'code':
    case 'codespan':
    case 'math':
    case 'mathBlock':
    case 'def':
    case 'space':
      return undefined
    case 'link':
      return token.text === token.href ? undefined : firstLetter(token.tokens ?? [])
    case 'list':
      return firstLetter(token.items as Token[])
    case 'table':
      return firstLetter([...(token.header as Token[]), ...(token.rows as Token[][]).flat()])
    default:
      if ('tokens' in token && token.tokens !== undefined) return firstLetter(token.tokens)
      return 'text' in token && typeof token.text === 'string' ? /\p{L}/u.exec(token.text)?.[0] : undefined
  }
}
