/**
 * The token table of the tokenizer as JSON in a string. As JavaScript its 200 000 literals are parsed three times over:
 * a page spent more of its processor on that than on all else that its worker did at a start.
 */
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

const table = /gpt-tokenizer\/esm\/bpeRanks\/[^/]+\.js$/

/** The module that answers with the same table. Throws where the library's module has another shape. */
export async function asJson(path: string): Promise<string> {
  const { default: ranks } = (await import(pathToFileURL(path).href)) as { default?: unknown }
  if (!Array.isArray(ranks) || ranks.length < 50_000)
    throw new Error(`${path} holds no token table any more: look how gpt-tokenizer loads it`)
  return `export default JSON.parse(${JSON.stringify(JSON.stringify(ranks))})`
}

export const tokenRanks = (): Plugin => ({
  name: 'token-ranks',
  load: id => (table.test(id) ? asJson(id) : undefined),
})
