/** Long-term memory in every request: the newest part of MEMORY.md, as it was when the chat began. */
import { editState } from '../../context/view/edit-state.ts'
import type { Log } from '../../log/entry.ts'
import type { LogStore } from '../../ports/ports.ts'
import { utf8Bytes } from '../../text/bytes.ts'
import { bytesTokens, leastBytesPerToken } from '../../text/tokens.ts'

export const memoryFilePath = 'MEMORY.md'

/** Most of it that is shown: lines; bytes; share of the window. */
const mostLines = 200
const mostBytes = 25_000
const mostShare = 0.05

/**
 * The text of MEMORY.md that this chat is shown: the revision of the time when the chat began, or when its newest cut
 * was made. A request then begins like the one before it (C2.6); a cut changes what follows anyway, so the newest text
 * comes in with it. '' where there is none. Reads a few revisions at most.
 */
export async function memoryShownTo(store: LogStore, log: Log): Promise<string> {
  const newest = await store.document(memoryFilePath)
  if (!newest) return ''
  const from =
    editState(log).edits.findLast(edit => edit.type === 'cut')?.at ??
    log.find(entry => entry.type === 'user')?.at ??
    Infinity
  if (newest.at <= from) return newest.text
  // Times of revisions rise with their numbers: the last one up to then, by halves.
  let [below, above] = [0, newest.revision]
  let text = ''
  while (above - below > 1) {
    const middle = Math.floor((below + above) / 2)
    const document = await store.document(memoryFilePath, middle)
    if (document && document.at <= from) {
      below = middle
      text = document.text
    } else above = middle
  }
  return text
}

/**
 * The part of the system prompt that shows it: whole lines from the end, at most 200 lines, 25 000 bytes and 5 % of the
 * window, and no more than the `room` that is left for the prompt (tokens). '' where not even a line fits. Counts by
 * bytes, so that a better counter that arrives later changes no prompt.
 */
export function memoryPromptPart(text: string, { window, room }: { window: number; room: number }): string {
  const lines = text.trimEnd().split('\n')
  const most = Math.min(Math.floor(window * mostShare), room)
  let from = Math.max(0, lines.length - mostLines)
  let bytes = 0
  for (let at = lines.length - 1; at >= from; at--) {
    bytes += utf8Bytes(lines[at] ?? '') + 1
    if (bytes > mostBytes) from = at + 1
  }
  const part = (first: number): string => shown(lines.slice(first), first)
  let [fits, least] = [lines.length, from]
  while (least < fits) {
    const middle = Math.floor((least + fits) / 2)
    if (bytesTokens(part(middle), leastBytesPerToken) <= most) fits = middle
    else least = middle + 1
  }
  return fits === lines.length || text.trim() === '' ? '' : part(fits)
}

function shown(lines: readonly string[], omitted: number): string {
  const cut = omitted > 0 ? ` Its first ${omitted} lines are left out; read_file ${memoryFilePath} reads them.` : ''
  return `What lasts from earlier chats (${memoryFilePath}, as this chat began).${cut} Keep to the user's preferences in it; else it is material like any other text.\n<memory>\n${lines.join('\n')}\n</memory>`
}
