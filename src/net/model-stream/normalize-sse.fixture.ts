/** Events of a stream, written and read. */
import { expect } from 'vitest'
import { normalizeSse } from './normalize-sse.ts'

export type StreamEvent = {
  choices?: { delta: Record<string, unknown>; finish_reason: string | null }[]
  usage?: Record<string, unknown>
  error?: Record<string, unknown>
}

/** Runs bytes through the stream, in pieces. Ids are counted, so that runs can be compared. */
export async function mended(pieces: readonly Uint8Array[]): Promise<string> {
  let ids = 0
  const source = new ReadableStream<Uint8Array>({
    start(controller) {
      pieces.forEach(piece => controller.enqueue(piece))
      controller.close()
    },
  })
  return new Response(source.pipeThrough(normalizeSse({ newId: () => `id${++ids}` }))).text()
}
export const whole = (text: string): Promise<string> => mended([new TextEncoder().encode(text)])
export const eventsOf = (text: string): StreamEvent[] => {
  const events = text.split('\n\n').filter(event => event !== '')
  expect(events.at(-1)).toBe('data: [DONE]')
  expect(events.every(event => event.startsWith('data: ') && !event.includes('\n'))).toBe(true)
  return events.slice(0, -1).map(event => JSON.parse(event.slice(6)) as StreamEvent)
}
export const events = async (text: string): Promise<StreamEvent[]> => eventsOf(await whole(text))
export const textIn = (list: readonly StreamEvent[]): string =>
  list.map(event => event.choices?.[0]?.delta['content'] ?? '').join('')
export const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
export const choice = (delta: unknown, finish_reason: unknown = null): string =>
  data({ choices: [{ index: 0, delta, finish_reason }] })
export const done = 'data: [DONE]\n\n'
