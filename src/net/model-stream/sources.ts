/**
 * The sources of an answer: servers that search report them besides the text, where a reader of the text alone would
 * miss them.
 */

type Fields = Record<string, unknown>

export type SourceReader = {
  /** Takes what one chunk of a stream tells, and the text that it brings. */
  read(body: Fields, delta: Fields, text: string): void
  /** The sources that the text does not name itself, as lines under it; empty where there are none. */
  list(): string
}

/** Most sources that are kept: lists may be hostile or endless. */
const most = 50
const longestTitle = 200
const longestAddress = 2_000

/**
 * Read are `citations` and `search_results` (Perplexity, xAI), `annotations` (OpenAI, OpenRouter, Anthropic's
 * citations), and `web_search` (Zhipu). Marks like [1] in the text count in the order in which the sources were told,
 * so the list does, too.
 */
export function sourceReader(): SourceReader {
  const titles = new Map<string, string>()
  let said = ''
  const take = (value: unknown): void => {
    const fields = typeof value === 'string' ? { url: value } : fieldsOf(fieldsOf(value)['url_citation'] ?? value)
    const url = fields['url'] ?? fields['link']
    if (typeof url !== 'string' || !/^https?:\/\/[^\s<>]+$/.test(url) || url.length > longestAddress) return
    const title =
      typeof fields['title'] === 'string'
        ? fields['title']
            .replace(/[\s[\]<>]+/g, ' ')
            .trim()
            .slice(0, longestTitle)
        : ''
    if (titles.size < most || titles.has(url)) titles.set(url, titles.get(url) || title)
  }
  return {
    read(body, delta, text) {
      said += text
      for (const list of [
        body['citations'],
        body['search_results'],
        body['web_search'],
        delta['annotations'],
        delta['citations'],
      ]) {
        if (Array.isArray(list)) list.forEach(take)
      }
    },
    list() {
      const lines = [...titles].flatMap(([url, title], n) =>
        said.includes(url) ? [] : [`[${n + 1}] ${title === '' ? `<${url}>` : `[${title}](<${url}>)`}`],
      )
      return lines.length === 0 || said.trim() === '' ? '' : `\n\n${lines.join('  \n')}`
    },
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}
