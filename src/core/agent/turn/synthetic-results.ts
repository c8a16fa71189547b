/** Results of calls that did not run. Pure. */
import type { SessionId } from '../../log/entry.ts'
import type { ToolCall } from '../../log/message.ts'
import type { EntryToAppend } from '../session/session.ts'

/** The texts of such results; the model reads them, so they are English. The screen knows a denied call by its text. */
export const syntheticResultTexts = {
  stopped: 'Stopped by the user before it was done.',
  newMessage: 'Not run: the user sent a new message instead.',
  interrupted: 'Interrupted before it was done: the app was closed or restarted.',
  denied: 'The user denied this call. Do not try it again; find another way or ask.',
} as const

/**
 * The result of a denied call that would have read more than this chat; it also names what can be read without
 * permission.
 */
export function deniedReadText(session: SessionId): string {
  return `${syntheticResultTexts.denied} What was said in this chat needs no permission: read dialog/${session}/<day>.jsonl and the paths that notices name, or search with memory_search and where: "this chat".`
}

/** Whether a result says that the person denied its call. */
export function isDenied(text: string): boolean {
  return text.startsWith(syntheticResultTexts.denied)
}

/** Results for calls that will not run, so that every call has a result. */
export function syntheticResults(calls: readonly ToolCall[], why: string): EntryToAppend[] {
  return calls.map(call => ({ type: 'result', callId: call.id, tool: call.name, text: why, isError: true }))
}
