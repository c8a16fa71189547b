/** Normalizes the stream of any model server to the OpenAI dialect. */
import { chunkNormalizer } from './normalize-chunk.ts'
import { parsedJson } from '../../core/text/json.ts'

/** Longest line or whole body that is held, UTF-16 units; a server that never ends a line must not fill the memory. */
const mostHeld = 16_000_000
/** Units of an unreadable body that are quoted. */
const quoted = 300

/** The types of the errors that the normalizer itself writes into the stream. */
export const brokenOffError = 'haversack_broken_off'
export const notAStreamError = 'haversack_not_a_stream'

/**
 * A stream whose first piece has at least this many events is marked as buffered: an unbuffered one begins with one or
 * a few.
 */
const burstSize = 30

export type NormalizeOptions = {
  /** Ids for calls that come without one. */
  newId?: () => string
}

/**
 * Bytes in, bytes out. Out come only `data: <JSON>\n\n` events and a last `data: [DONE]\n\n`: either chunks with
 * `choices` and `usage`, whose last has a finish reason (before them `haversack_lump` where many events came as one
 * piece), or one `{"error":{"message",…}}`. Understood are: any line ending, a character or line cut over pieces, a
 * last line without newline, comments, missing `[DONE]`, an orderly end behind a count of tokens, a body that is one
 * JSON object, JSON lines, and what `mend-chunk.ts` lists. Never throws; what cannot be read becomes the error event.
 */
export function normalizeSse(options: NormalizeOptions = {}): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  const mender = sseNormalizer(options)
  let begun = false
  const write = (controller: TransformStreamDefaultController<Uint8Array>, events: readonly string[]): void => {
    if (!begun && events.length >= burstSize)
      controller.enqueue(encoder.encode('data: {"choices":[],"haversack_lump":true}\n\n'))
    begun ||= events.length > 0
    for (const event of events) controller.enqueue(encoder.encode(event))
  }
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      write(controller, mender.push(decoder.decode(bytes, { stream: true })))
      if (mender.ended) controller.terminate() // some servers keep the connection open after the end
    },
    flush(controller) {
      write(controller, mender.push(decoder.decode()))
      write(controller, mender.end())
    },
  })
}

export type SseNormalizer = { push(text: string): string[]; end(): string[]; readonly ended: boolean }

/** The same over text; pure but for the ids. */
export function sseNormalizer({ newId = shortId }: NormalizeOptions = {}): SseNormalizer {
  const chunks = chunkNormalizer(newId)
  let shape: 'unknown' | 'events' | 'json' | 'page' = 'unknown'
  let held = ''
  let scanned = 0
  let data: string[] = []
  let event = ''
  let stray = ''
  let any = false
  let ended = false

  const finish = (out: string[]): void => {
    if (ended) return
    ended = true
    out.push('data: [DONE]\n\n')
  }
  /** The end of a complete answer, with what is still missing. */
  const close = (out: string[]): void => {
    if (ended) return
    for (const chunk of chunks.end('stop')) out.push(`data: ${JSON.stringify(chunk)}\n\n`)
    finish(out)
  }
  const fail = (out: string[], error: Record<string, unknown>): void => {
    if (ended) return
    out.push(`data: ${JSON.stringify({ error })}\n\n`)
    finish(out)
  }
  /** One event's data: a chunk, the end mark, or several chunks that no blank line parted. */
  const dispatch = (out: string[], text: string): void => {
    if (ended || text.trim() === '') return
    any = true
    if (text.trim() === '[DONE]') return close(out)
    const value = parsedJson(withoutMark(text))
    if (value === undefined) {
      const lines = text.split('\n').filter(line => line.trim() !== '')
      if (lines.length > 1 && event !== 'error') return lines.forEach(line => dispatch(out, line))
      if (event === 'error') return fail(out, { message: text.trim() })
      return fail(out, { message: `A piece of the stream is no JSON: ${text.slice(0, quoted)}`, type: notAStreamError })
    }
    const mended = chunks.normalize(value, event === 'error')
    if ('error' in mended) return fail(out, mended.error)
    for (const chunk of mended.chunks) out.push(`data: ${JSON.stringify(chunk)}\n\n`)
  }
  const line = (out: string[], text: string): void => {
    if (text === '') {
      if (data.length > 0) dispatch(out, data.join('\n'))
      data = []
      event = ''
      return
    }
    if (text.startsWith(':')) return
    const colon = text.indexOf(':')
    const field = colon < 0 ? text : text.slice(0, colon)
    const value = colon < 0 ? '' : text.slice(text.charAt(colon + 1) === ' ' ? colon + 2 : colon + 1)
    if (field === 'data') data.push(value)
    else if (field === 'event') event = value.trim()
    else if (text.startsWith('{')) dispatch(out, text) // JSON lines without "data:"
    else if (!['id', 'retry'].includes(field) && stray.length < quoted) stray += `${text}\n`
  }
  /** Takes whole lines off `held`. A carriage return at the end may be half of a line ending, so it waits. */
  const lines = (out: string[], last: boolean): void => {
    const breaks = /\r\n|\n|\r/g
    let from = 0
    breaks.lastIndex = scanned
    for (;;) {
      const found = breaks.exec(held)
      if (!found || (!last && found[0] === '\r' && breaks.lastIndex === held.length)) break
      line(out, held.slice(from, found.index))
      from = breaks.lastIndex
    }
    held = held.slice(from)
    scanned = Math.max(0, held.length - 1) // a long line is not searched again from its beginning
  }

  return {
    push(text) {
      const out: string[] = []
      if (ended || text === '') return out
      held += text
      if (shape === 'unknown') {
        const first = held
          .replace(/^\uFEFF/, '')
          .trimStart()
          .charAt(0)
        if (first !== '') shape = first === '{' || first === '[' ? 'json' : first === '<' ? 'page' : 'events'
      }
      if (shape === 'events') lines(out, false)
      if (shape === 'page' && held.length > 4_096)
        fail(out, { message: `${titled(held)} came instead of a stream`, type: notAStreamError })
      if (held.length > mostHeld) fail(out, { message: 'A line of the stream is too long', type: notAStreamError })
      return out
    },
    end() {
      const out: string[] = []
      if (ended) return out
      if (shape === 'page') fail(out, { message: `${titled(held)} came instead of a stream`, type: notAStreamError })
      if (shape === 'json') {
        const whole = parsedJson(withoutMark(held))
        for (const text of whole === undefined ? held.split(/\r\n|\n|\r/) : [held]) dispatch(out, text)
        if (whole !== undefined || chunks.finished) close(out)
      }
      if (shape === 'events') {
        lines(out, true)
        if (held !== '') line(out, held)
        line(out, '')
        if (!any && !ended)
          fail(out, {
            message:
              stray.trim() === ''
                ? 'The stream was empty'
                : `The answer is no stream: ${stray.trim().slice(0, quoted)}`,
            type: notAStreamError,
          })
      }
      if (!ended) {
        if (chunks.finished || chunks.counted) close(out)
        else
          fail(out, {
            message: any ? 'The stream broke off before its end' : 'The stream was empty',
            type: brokenOffError,
          })
      }
      return out
    },
    get ended() {
      return ended
    },
  }
}

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '') // a byte order mark

function titled(page: string): string {
  const title = /<title[^>]*>([^<]{1,120})/i.exec(page)?.[1]?.trim()
  return title ? `A web page titled “${title}”` : 'A web page'
}

/** Nine letters and digits: the format that the strictest servers (Mistral) accept. */
function shortId(): string {
  return Array.from({ length: 9 }, () => Math.floor(Math.random() * 36).toString(36)).join('')
}
