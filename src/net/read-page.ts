/** A web page as readable Markdown, for `fetch_url`. */
import { AgentError } from '../core/errors.ts'
import type { ReadPage } from '../core/ports/ports.ts'

/** Largest page that is read, bytes. */
export const maxPageBytes = 5_000_000

/**
 * Makes the page reader on top of the allowed fetch. HTML becomes Markdown of its main content; text and JSON stay as
 * they are. Throws AgentError (`network` with the reason as far as a browser tells it, `bad_input` for what is no
 * text).
 */
export function createReadPage(page: (url: string, signal: AbortSignal) => Promise<Response>): ReadPage {
  return async (url, signal) => {
    const response = await page(url, signal)
    if (!response.ok) {
      await response.body?.cancel()
      throw new AgentError(
        response.status === 404 ? 'not_found' : 'network',
        `${hostOf(url)} answered with HTTP ${response.status}.`,
        { data: { status: response.status } },
      )
    }
    const type = (response.headers.get('content-type') ?? '').toLowerCase()
    const bytes = await limited(response, url)
    const text = decoded(bytes, type)
    if (/html|xml/.test(type) || (type === '' && /^\s*<(!doctype|html)/i.test(text))) {
      const { htmlToMarkdown } = await import('./html-to-markdown.ts')
      return { url, ...htmlToMarkdown(text, url) }
    }
    if (
      type !== '' &&
      !/^(text\/|application\/(json|[a-z.+-]*\+json|javascript|x-ndjson|jsonl|yaml|toml))/.test(type)
    ) {
      throw new AgentError(
        'bad_input',
        `${hostOf(url)} answered with ${type.split(';')[0]}, which is no text that can be read.`,
      )
    }
    return { title: new URL(url).pathname.split('/').pop() || hostOf(url), markdown: text, url }
  }
}

async function limited(response: Response, url: string): Promise<Uint8Array> {
  if (!response.body) return new Uint8Array()
  const reader = response.body.getReader()
  const pieces: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read().catch((thrown: unknown) => {
      if (thrown instanceof AgentError) throw thrown
      const stopped = thrown instanceof Error && thrown.name === 'AbortError'
      throw stopped
        ? new AgentError('stopped', 'Stopped by the user.')
        : new AgentError('network', `The connection to ${hostOf(url)} broke off after ${size} bytes.`)
    })
    if (done) break
    size += value.length
    if (size > maxPageBytes) {
      await reader.cancel()
      throw new AgentError('bad_input', `The page is larger than ${maxPageBytes / 1_000_000} MB and was not read.`)
    }
    pieces.push(value)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

/** By the header's charset, else by the page's own, else UTF-8. An unknown name is read as UTF-8. */
function decoded(bytes: Uint8Array, type: string): string {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 2_048))
  const charset =
    /charset=["']?([\w-]+)/i.exec(type)?.[1] ?? /<meta[^>]+charset=["']?([\w-]+)/i.exec(head)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'The site'
}
