/** Chats of our own export, counted as those of other apps are. */
import type { ForeignChat, ForeignItem } from '../../src/core/imports/shape/foreign-chat.ts'
import type { Findings } from '../../src/core/imports/shape/reader.ts'
import { parseLine, type ParsedLine } from '../../src/core/log/file-format/jsonl.ts'

type OwnChat = { chat: ForeignChat; lines: string[] }

/** The chats of the lines; those in front of the first header are a chat without a name. */
export function ownChats(text: string, findings: Findings): OwnChat[] {
  const chats: OwnChat[] = []
  let last: string | null = null
  for (const [index, line] of text.split('\n').entries()) {
    const read = parseLine(line)
    if (read.kind === 'empty') continue
    if (read.kind === 'bad') {
      findings.bad.push({ line: index + 1, why: read.reason })
      continue
    }
    if (read.kind === 'foreign') findings.kept.push({ line: index + 1, why: 'unknown line kept as it is' })
    if (read.kind === 'session') {
      last = null
      chats.push({
        chat: { id: read.id, items: [], ...(read.name === '' ? {} : { title: read.name }), ...leafOf(read) },
        lines: [line],
      })
      continue
    }
    const open = chats.at(-1) ?? { chat: { id: 'no header', items: [] }, lines: [] }
    if (chats.length === 0) chats.push(open)
    open.lines.push(line)
    if (read.kind !== 'entry') continue
    const id = read.id ?? `line ${index + 1}`
    const parent = read.parent === undefined ? last : read.parent
    last = id
    open.chat.items.push(itemOf(id, parent, read))
  }
  return chats
}

const leafOf = ({ leaf }: ParsedLine & { kind: 'session' }): { leaf?: string } => (leaf === undefined ? {} : { leaf })

function itemOf(id: string, parent: string | null, { entry }: ParsedLine & { kind: 'entry' }): ForeignItem {
  switch (entry.type) {
    case 'user':
      return {
        id,
        parent,
        kind: 'user',
        text: entry.text,
        attachments: (entry.attachments ?? []).map(({ name, blob, span }) => ({
          name,
          ...(blob === undefined ? {} : { base64: '' }),
          ...(span === undefined ? {} : { text: '' }),
        })),
      }
    case 'assistant': {
      const { text, calls, reasoning } = entry
      return {
        id,
        parent,
        kind: 'assistant',
        text,
        calls: [...calls],
        ...(reasoning === undefined ? {} : { reasoning }),
      }
    }
    case 'result':
      return {
        id,
        parent,
        kind: 'result',
        callId: entry.callId,
        tool: entry.tool,
        text: entry.text,
        isError: entry.isError,
      }
    case 'summary':
      return { id, parent, kind: 'summary', text: entry.text }
    default:
      return { id, parent, kind: 'foreign', raw: '', why: 'unknown' }
  }
}
