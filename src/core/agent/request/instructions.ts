/** What the person wants of every answer, as a part of the system prompt (C7.8). Pure. */
import { AgentError } from '../../errors.ts'
import { prefixLength, utf8Bytes } from '../../text/bytes.ts'
import { leastBytesPerToken } from '../../text/tokens.ts'

/** For all chats and for this one, as typed; '' where there are none. */
export type Instructions = { all: string; chat: string }

/** Most that is kept of one of them, UTF-16 units: far above what a window of usual size has room for. */
export const longestInstructions = 20_000

/** Most of them that a request carries, as a share of the window. Source: C7.8. */
const mostShare = 0.15

/**
 * The part of the system prompt that holds them, '' where there are none. They have a share of the window of their own,
 * those of this chat first; `cut`: so many characters (UTF-16 units) found no room. Counted by bytes, so that a better
 * counter that arrives later changes no prompt (C2.6).
 */
export function instructionsPart({ all, chat }: Instructions, window: number): { text: string; cut: number } {
  const room = Math.floor(window * mostShare) * leastBytesPerToken // bytes
  const own = fitting(chat.trim(), room)
  const general = fitting(all.trim(), room - own.bytes)
  const parts = [
    general.text && `The user's instructions for all chats:\n<instructions>\n${general.text}\n</instructions>`,
    own.text &&
      `The user's instructions for this chat${general.text && '; where they differ, these count'}:\n<instructions>\n${own.text}\n</instructions>`,
  ]
  return { text: parts.filter(part => part !== '').join('\n\n'), cut: own.cut + general.cut }
}

/** Whole lines from the beginning, or as much of the first one as has room. `room`: bytes. */
function fitting(text: string, room: number): { text: string; bytes: number; cut: number } {
  const most = prefixLength(text, room, 'bytes')
  const line = most < text.length ? text.lastIndexOf('\n', most) : -1
  const kept = text.slice(0, line > 0 ? line : most)
  return { text: kept, bytes: utf8Bytes(kept), cut: text.length - kept.length }
}

/** The text as it is kept; undefined for an empty one. Throws `bad_input` for one that is too long. */
export function checkedInstructions(text: string): string | undefined {
  if (text.length > longestInstructions)
    throw new AgentError(
      'bad_input',
      `Instructions may have ${longestInstructions} characters; these have ${text.length}. Keep the rest in a file below workspace/ and name it here.`,
    )
  return text.trim() === '' ? undefined : text
}
