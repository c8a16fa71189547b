/** Formats of which every piece is a chat. */
import type { ForeignApp } from '../../log/file-format/foreign-export.ts'
import { isObject, type JsonObject } from '../../log/file-format/json-fields.ts'
import type { ForeignChat, ForeignItem } from './foreign-chat.ts'
import { inOrder } from './fields.ts'
import type { Findings, Format } from './reader.ts'

/** What a reader says of a piece: the chat, why it is none, or nothing where it is no chat and need not be told. */
export type PieceRead = ForeignChat | { id?: string | undefined; why: string } | undefined

/** What else the reader of a piece may need: where it lies, and where to tell what it finds. */
export type PiecePlace = { at: number; findings: Findings }

/** A format of which every piece is one chat. `begin` is called for each file and gives what reads its pieces. */
export function chatByPiece(app: ForeignApp, begin: () => (chat: JsonObject, place: PiecePlace) => PieceRead): Format {
  return {
    app,
    begin(findings) {
      const read = begin()
      const one = (value: unknown, at: number): ForeignChat[] => {
        if (!isObject(value)) {
          findings.skipped.push({ at, why: 'no object' })
          return []
        }
        const chat = safely(() => read(value, { at, findings }))
        if (chat === undefined) return []
        if ('items' in chat && chat.items.some(({ kind }) => kind !== 'foreign')) return [chat]
        const [why, id] = 'items' in chat ? ['no messages', chat.id] : [chat.why, chat.id]
        findings.skipped.push(id === undefined ? { at, why } : { id, why })
        return []
      }
      return { take: ({ value, at }) => one(value, at), end: () => [] }
    },
  }
}

/** A chat that nobody foresaw must not take the others of its file with it. */
function safely(read: () => PieceRead): PieceRead {
  try {
    return read()
  } catch (error) {
    return { why: `cannot be read: ${error instanceof Error ? error.message : String(error)}` }
  }
}

/** A chat of what was read of it. Where the source tells no span of time, that of the items. */
export function chatOf(chat: {
  id: string
  title: string | undefined
  createdAt: number | undefined
  updatedAt: number | undefined
  system: string
  leaf: string | null | undefined
  items: readonly ForeignItem[]
}): ForeignChat {
  const times = chat.items.flatMap(({ at }) => at ?? [])
  const createdAt = chat.createdAt ?? (times.length > 0 ? times.reduce((a, b) => Math.min(a, b)) : undefined)
  const updatedAt = chat.updatedAt ?? (times.length > 0 ? times.reduce((a, b) => Math.max(a, b)) : undefined)
  return {
    id: chat.id,
    ...(chat.title !== undefined && { title: chat.title }),
    ...(createdAt !== undefined && { createdAt }),
    ...(updatedAt !== undefined && { updatedAt }),
    ...(chat.system !== '' && { system: chat.system }),
    ...(typeof chat.leaf === 'string' && { leaf: chat.leaf }),
    items: inOrder(chat.items),
  }
}
