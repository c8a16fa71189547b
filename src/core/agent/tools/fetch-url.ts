/** The tool that reads a web page. It asks first, because a request leaves the device. */
import { AgentError, codeOf } from '../../errors.ts'
import { prefixLength, utf8Bytes } from '../../text/bytes.ts'
import type { Tool } from '../tool.ts'
import { textOf } from './arguments.ts'

export const fetchUrl: Tool = {
  kind: 'acts',
  name: 'fetch_url',
  readsPages: true,
  description: 'Reads a web page (http or https) and gives its text as Markdown. Many sites do not let a web page read them; then ask the user to paste the text.',
  parameters: {
    type: 'object',
    properties: { url: { type: 'string' } },
    required: ['url'],
    additionalProperties: false,
  },
  explain(args) {
    const url = textOf(args, 'url').trim()
    const host = hostOf(url)
    return { text: `Read ${url}`, ...(host === undefined ? {} : { host }) }
  },
  async run(args, { readPage, signal, maxBytes }) {
    const url = textOf(args, 'url').trim()
    const host = hostOf(url)
    if (host === undefined) throw new AgentError('bad_input', `"${url.slice(0, 200)}" is no http or https address.`)
    const page = await readPage(url, signal).catch((thrown: unknown) => { throw explained(thrown, host) })
    const head = `# ${page.title === '' ? page.url : page.title}\n\nSource: ${page.url}\n\n`
    const text = head + page.markdown
    if (utf8Bytes(text) <= maxBytes) return text
    const cut = text.slice(0, prefixLength(text, maxBytes, 'bytes'))
    return `${cut}\n\n[The page is longer: ${utf8Bytes(text)} bytes, of which the first ${utf8Bytes(cut)} are shown.]`
  },
}

/** A browser does not say why a request failed; the likeliest reason by far is that the site forbids it. */
function explained(thrown: unknown, host: string): unknown {
  if (codeOf(thrown) !== 'network') return thrown
  const said = thrown instanceof Error ? thrown.message : String(thrown)
  return new AgentError('network', `${host} could not be read: ${said} Either the device is offline, the address is wrong, or the site does not allow other web pages to read it (CORS), which no app in a browser can get around. Ask the user to open it and paste the text.`, { cause: thrown })
}

/**
 * Host and port of an http address; undefined for anything else. Core has no parser of addresses, so only those are taken
 * that every parser reads alike: no name before an @, no backslash, no blank or control character, which parsers drop.
 * Else the person would say yes to one host and another one were asked.
 */
function hostOf(url: string): string | undefined {
  const found = /^https?:\/\/((?:[\p{L}\p{M}\p{N}._-]+|\[[\d.:a-f]+\])(?::\d+)?)(?:[/?#][^\s\p{Cc}\\]*)?$/iu.exec(url)
  return found?.[1]?.toLowerCase()
}
