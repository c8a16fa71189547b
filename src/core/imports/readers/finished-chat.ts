/** A chat of rows that has been read to its end. Pure. */
import type { ForeignAttachment, ForeignChat, ForeignItem } from '../shape/foreign-chat.ts'
import { joinTexts, filledText } from '../shape/fields.ts'
import type { Findings } from '../shape/reader.ts'
import { itemTree, type TreeRow } from './item-tree.ts'

/** What is known of a chat when its file ends. */
export type ReadChat = {
  id: string
  title?: string | undefined
  createdAt?: number | undefined // ms since epoch
  updatedAt?: number | undefined // ms since epoch
  system?: readonly string[]
  /** The row in view. */
  leaf?: string | undefined
  rows: readonly TreeRow[]
  /** It is a chat even if nobody says anything in it. */
  mayBeSilent?: boolean
}

/**
 * The chat; none where nobody says anything in it, which is told. `at`: its place or line. Never throws.
 */
export function finishedChat(read: ReadChat, findings: Findings, at?: number): ForeignChat[] {
  const { items, itemAt } = itemTree(read.rows)
  const isSilent = !items.some(({ kind }) => kind !== 'foreign')
  if (items.length === 0 || (isSilent && read.mayBeSilent !== true)) {
    findings.skipped.push({ id: read.id, ...present({ at }), why: 'no messages' })
    return []
  }
  return [
    {
      id: read.id,
      ...present({
        title: filledText(read.title),
        createdAt: read.createdAt ?? items.find(item => item.at !== undefined)?.at,
        updatedAt: read.updatedAt,
        system: filledText(joinTexts([...new Set(read.system)])),
        leaf: read.leaf === undefined ? undefined : itemAt(read.leaf),
      }),
      items,
    },
  ]
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** The fields that have a value. */
export function present<T extends Readonly<Record<string, unknown>>>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>
}

/** Attachments as a field that is there only where there are some. */
export const attached = (files: readonly ForeignAttachment[]): Pick<ForeignItem & { kind: 'user' }, 'attachments'> =>
  files.length === 0 ? {} : { attachments: [...files] }
