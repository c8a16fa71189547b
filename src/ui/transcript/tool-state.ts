/** What a tool call is doing, as its row says it. Pure. */
import type { Status } from '../../core/agent/api/api.ts'
import { isDenied } from '../../core/agent/turn/synthetic-results.ts'
import { utf8Bytes } from '../../core/text/bytes.ts'
import type { ToolItem, ToolResult } from './transcript-items.ts'

export type ToolState = 'open' | 'running' | 'asking' | 'done' | 'error' | 'denied'

export function toolState(item: ToolItem, status: Status): ToolState {
  if (item.result !== undefined) {
    if (!item.result.isError) return 'done'
    return isDenied(item.result.text) ? 'denied' : 'error'
  }
  if (status.state === 'running' && status.call.id === item.call.id) return 'running'
  return status.state === 'asking' && status.question.call.id === item.call.id ? 'asking' : 'open'
}

/** Size of a whole result in bytes (UTF-8). */
export function resultBytes(result: ToolResult): number {
  return result.gone?.bytes ?? result.gap?.bytes ?? utf8Bytes(result.text)
}
