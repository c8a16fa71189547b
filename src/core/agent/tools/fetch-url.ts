/** The tool that reads a web page. It asks first, because a request leaves the device. */
import { AgentError, codeOf } from '../../errors.ts'
import { webAddress } from '../../text/address/asked-address.ts'
import { hasVisibleText } from '../../text/display/invisible.ts'
import type { Plan } from '../api/api.ts'
import type { Tool } from './tool.ts'
import { textArgument } from './arguments.ts'

export const fetchUrl: Tool = {
  kind: 'acts',
  indexed: true,
  name: 'fetch_url',
  hasReadOnLine: true,
  description:
    'Reads a web page (http or https) and gives its text as Markdown. Many sites do not let a web page read them; then ask the user to paste the text.',
  parameters: {
    type: 'object',
    properties: { url: { type: 'string' } },
    required: ['url'],
    additionalProperties: false,
  },
  plan,
  // The whole page: how much of it is shown is for the view, which says where the rest is read (C5.1, C7.6).
  async run(args, { readPage, signal }) {
    const { address } = plan(args)
    const page = await readPage(address.href, signal).catch((thrown: unknown) => {
      throw explained(thrown, address.host)
    })
    const head = `# ${page.title === '' ? page.url : page.title}\n\nSource: ${page.url}\n\n`
    if (!hasVisibleText(page.markdown))
      return `${head}[This page gives no text: it may be drawn by a script, or hold only pictures. Ask the user to open it and paste the text.]`
    return head + page.markdown
  },
}

/** A browser does not say why a request failed; the likeliest reason by far is that the site forbids it. */
function explained(thrown: unknown, host: string): unknown {
  if (codeOf(thrown) !== 'network') return thrown
  const said = thrown instanceof Error ? thrown.message : String(thrown)
  return new AgentError(
    'network',
    `${host} could not be read: ${said} Either the device is offline, the address is wrong, or the site does not allow other web pages to read it (CORS), which no app in a browser can get around. Ask the user to open it and paste the text.`,
    { cause: thrown },
  )
}

/**
 * Only addresses are taken that every reader reads alike: no backslash, no blank, control character or %-code in front
 * of the path, which parsers drop or turn. The person sees the host as it is parsed; a model that writes it otherwise
 * is told.
 */
const plainly = /^https?:\/\/(?:[\p{L}\p{M}\p{N}._-]+|\[[\d.:a-f]+\])(?::\d+)?(?:[/?#][^\s\p{Cc}\\]*)?$/iu

function plan(args: Record<string, unknown>): Plan & { does: 'fetch' } {
  const url = textArgument(args, 'url').trim()
  const address = webAddress(url)
  if (!plainly.test(url))
    throw new AgentError('bad_input', `"${url.slice(0, 200)}" is not written plainly, as in https://example.org/path.`)
  return { does: 'fetch', address }
}
