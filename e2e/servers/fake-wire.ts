/** Bytes of a streamed answer, in the shapes that real servers give them. */
import type { ServerResponse } from 'node:http'

export type Wire = {
  /** ms between events. */
  delayMs: number
  /** Before this event it waits to be told. */
  until?: { at: number; told: () => Promise<void> }
  /** As many events a second, whatever the clock's grain: each written when its time has come. */
  perSecond?: number
  eol: '\n' | '\r\n' | '\r'
  /** Cut everything into pieces of so many bytes, whatever they cut through. */
  pieceBytes?: number
  /** A last `[DONE]`. */
  done: boolean
  /** Leave the last line open. */
  openEnd: boolean
  comments: boolean
  blankLines: boolean
}

/** The last event. */
export const end = 'data: [DONE]\n\n'

export function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}

export function chunk(delta: Record<string, unknown>): string {
  return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'fake', choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`
}

export function finish(reason: string): string {
  return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'fake', choices: [{ index: 0, delta: {}, finish_reason: reason }] })}\n\n`
}

/** Usage as most give it: a chunk of its own with no choices. */
export function usageChunk(usage: Record<string, unknown>): string {
  return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'fake', choices: [], usage })}\n\n`
}

/** Writes the events as they are, or bent by the wire; ends early when the other side has gone. */
export async function stream(
  response: ServerResponse,
  events: readonly string[],
  wire: Partial<Wire> = {},
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  let told = events.filter(event => event !== '' && (wire.done !== false || event !== end))
  if (wire.comments) told = told.flatMap(event => [': ping\n\n', event, 'data: {}\n\n'])
  if (wire.blankLines === false) told = told.map(event => event.replace(/\n\n$/, '\n'))
  if (wire.openEnd) told = told.map((event, i) => (i === told.length - 1 ? event.replace(/\n+$/, '') : event))
  if (wire.eol) told = told.map(event => event.replace(/\n/g, wire.eol ?? '\n'))
  const parts: (string | Uint8Array)[] = wire.pieceBytes ? cut(Buffer.from(told.join('')), wire.pieceBytes) : told
  const began = performance.now()
  for (const [i, part] of parts.entries()) {
    if (i === wire.until?.at) await wire.until.told()
    if (response.destroyed) return
    response.write(part)
    if (wire.perSecond) while (performance.now() - began < ((i + 1) / wire.perSecond) * 1_000) await pause(1)
    else if (wire.delayMs) await pause(wire.delayMs)
    else if (wire.pieceBytes) await pause(0)
  }
  response.end()
}

function cut(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size))
}
