/** What a scenario of the fake server has at hand: the request, and ways to answer it. */
import type { ServerResponse } from 'node:http'
import { chunk, end, finish, stream, usageChunk, type Wire } from './fake-wire.ts'

export type Play = {
  body: Record<string, unknown>
  response: ServerResponse
  /** How often this name was counted, this time included. */
  times(name: string): number
  /** Resolves when the test says go on, so that no test has to be faster than an answer. */
  told(): Promise<void>
}

export type SceneMessage = {
  role: string
  content: unknown
  tool_calls?: unknown
  reasoning_content?: string
  reasoning_details?: unknown
}
export type Scene = { argument: string; messages: SceneMessage[]; last: SceneMessage | undefined; play: Play }
export type Scenario = (scene: Scene) => Promise<void> | void

export const sample = 'The quick brown fox — 敏捷的棕色狐狸 🦊 — jumps.'
export const pieces = (text: string): string[] => text.match(/[^ ]+ ?|[ ]+/gu) ?? []

/** Streams one text with its finish, over a certain wire. */
export function tell(
  scene: Scene,
  text: string | readonly string[],
  wire: Partial<Wire> & { finish?: string; field?: (piece: string) => Record<string, unknown> } = {},
): Promise<void> {
  const field = wire.field ?? (piece => ({ content: piece }))
  const events = (typeof text === 'string' ? pieces(text) : text).map(piece => chunk(field(piece)))
  return stream(
    scene.play.response,
    [chunk({ role: 'assistant', content: '' }), ...events, finish(wire.finish ?? 'stop'), usageOf(scene), end],
    wire,
  )
}

export function usageOf({ play }: Scene, more: Record<string, unknown> = {}): string {
  if (!(play.body['stream_options'] as { include_usage?: boolean } | undefined)?.include_usage) return ''
  return usageChunk({
    prompt_tokens: Math.ceil(JSON.stringify([play.body['messages'], play.body['tools'] ?? []]).length / 4),
    completion_tokens: 12,
    ...more,
  })
}

export function refuse({ play }: Scene, status: number, body: string, headers: Record<string, string> = {}): void {
  play.response.writeHead(status, {
    'content-type': body.startsWith('<') ? 'text/html' : body.startsWith('{') ? 'application/json' : 'text/plain',
    ...headers,
  })
  play.response.end(body)
}

export const said = (message: string, more: Record<string, unknown> = {}): string =>
  JSON.stringify({ error: { message, type: 'invalid_request_error', ...more } })

/** The newest user text. */
export function question({ messages }: Scene): string {
  const content = messages.findLast(message => message.role === 'user')?.content
  if (typeof content === 'string') return content
  return Array.isArray(content) ? content.map(part => String((part as { text?: unknown }).text ?? '')).join('') : ''
}
