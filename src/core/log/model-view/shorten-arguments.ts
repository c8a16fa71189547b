/** Long strings inside the arguments of a call, excerpted so that the JSON stays valid (C5.6). Pure. */
import { excerpt, type ExcerptParts, type ExcerptLimits } from '../../text/excerpt.ts'
import { isJson } from '../../text/json.ts'

/**
 * The arguments with every string value that is longer than the limit excerpted; names of fields, numbers and
 * everything else stay byte for byte. Text that is no JSON becomes an object that holds its excerpt. `omitted` in the
 * unit of the limits, 0: unchanged. Never throws.
 */
export function shortenArguments(text: string, limits: ExcerptLimits, path: string): { text: string; omitted: number } {
  if (excerpt(text, limits).whole) return { text, omitted: 0 }
  if (!isJson(text)) {
    const cut = excerpt(text, limits)
    return cut.whole
      ? { text, omitted: 0 }
      : { text: JSON.stringify({ arguments: shown(cut, path) }), omitted: cut.omitted }
  }
  let shorter = ''
  let omitted = 0
  let copied = 0
  for (let from = text.indexOf('"'); from >= 0;) {
    const to = stringEnd(text, from)
    if (!isName(text, to)) {
      const value = JSON.parse(text.slice(from, to)) as string
      const cut = excerpt(value, limits)
      if (!cut.whole) {
        shorter += text.slice(copied, from) + JSON.stringify(shown(cut, path))
        copied = to
        omitted += cut.omitted
      }
    }
    from = text.indexOf('"', to)
  }
  return omitted === 0 ? { text, omitted } : { text: shorter + text.slice(copied), omitted }
}

/** Index behind the closing quote of the string literal that opens at `from`; the text is valid JSON. */
function stringEnd(text: string, from: number): number {
  let i = from + 1
  while (text[i] !== '"') i += text[i] === '\\' ? 2 : 1
  return i + 1
}

/** A literal that a colon follows is the name of a field. */
function isName(text: string, after: number): boolean {
  let i = after
  while (text[i] === ' ' || text[i] === '\n' || text[i] === '\t' || text[i] === '\r') i++
  return text[i] === ':'
}

function shown(cut: ExcerptParts, path: string): string {
  const unit = cut.unit === 'bytes' ? 'bytes' : 'characters'
  const where = path.length <= 200 ? ` Whole call: read_file path="${path}".` : ''
  return `${cut.head}[${cut.omitted} ${unit} of this value omitted.${where}]${cut.tail}`
}
