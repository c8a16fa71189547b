/** Facts as the summarizing model reads them: bounded blocks, no reasoning (C6.4). Pure. */
import type { FactEntry } from '../../log/entry.ts'
import { excerpt, shownText } from '../../text/excerpt.ts'

/** Most of one block (a text, the arguments of one call), code points, head share in percent. Source: C6.4. */
export const blockLimit = 2_000
const headShare = 70

/**
 * One fact with its blocks excerpted at `limit` code points. Who said it and when (UTC, to the minute) stands in front.
 * A fact whose text was removed says so. Empty for an assistant fact that holds nothing. Never throws.
 */
export function serialiseFact(fact: FactEntry, limit: number = blockLimit): string {
  const lines: string[] = []
  if (fact.gone) lines.push(`(removed on ${fact.gone.day}: ${fact.gone.why})`)
  if (fact.text !== '') lines.push(block(fact, limit))
  if (fact.type === 'user')
    for (const attachment of fact.attachments ?? [])
      if (attachment.blob) lines.push(`(attached: ${attachment.name}, ${attachment.mime})`)
  if (fact.type === 'assistant')
    for (const call of fact.calls)
      lines.push(`calls ${call.name} ${shortened(call.arguments, limit, `call/${fact.id}.json`)}`)
  if (lines.length === 0) return ''
  return `[${title(fact)} ${moment(fact.at)}]\n${lines.join('\n')}`
}

function title(fact: FactEntry): string {
  if (fact.type !== 'result') return fact.type
  return fact.isError ? `failed result of ${fact.tool}` : `result of ${fact.tool}`
}

function block(fact: FactEntry, limit: number): string {
  const path =
    fact.type === 'user'
      ? `user_text/${fact.id}.txt`
      : fact.type === 'result'
        ? `tool_result/${fact.id}.txt`
        : `answer/${fact.id}.txt`
  const beyond = fact.rest && { tail: fact.tail ?? '', bytes: fact.rest.bytes, lines: fact.rest.lines }
  const cut = excerpt(fact.text, { limit, unit: 'chars', headShare }, beyond)
  return cut.whole ? fact.text : shownText(cut, path)
}

function shortened(text: string, limit: number, path: string): string {
  const cut = excerpt(text, { limit, unit: 'chars', headShare })
  return cut.whole ? text : shownText(cut, path)
}

function moment(at: number): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 16).replace('T', ' ')
}
