/** Attachments of a file: each comes in pieces and is stored once it is whole, under an id that nothing else has. */
import type { Id } from '../../log/entry.ts'
import { derivedId } from '../../log/file-format/new-ids.ts'
import type { ParsedLine } from '../../log/file-format/jsonl.ts'
import type { LogStore } from '../../ports/ports.ts'
import { toBase64 } from '../../text/base64.ts'
import type { ImportIds } from './import-ids.ts'

export class ImportBlobs {
  readonly #store: LogStore
  readonly #ids: ImportIds
  #open: { id: Id; mime: string; pieces: Uint8Array[] } | undefined

  constructor(store: LogStore, ids: ImportIds) {
    this.#store = store
    this.#ids = ids
  }

  /** Whether the line is a further piece of the attachment that came last. */
  goesOn(line: ParsedLine): boolean {
    return line.kind === 'blob' && line.id === this.#open?.id
  }

  take({ id, mime, bytes }: ParsedLine & { kind: 'blob' }): void {
    if (this.#open) this.#open.pieces.push(bytes)
    else this.#open = { id, mime, pieces: [bytes] }
  }

  /** The attachment that came last is whole: stores it, unless it is here. */
  async end(): Promise<void> {
    const blob = this.#open
    if (!blob) return
    this.#open = undefined
    const bytes = joined(blob.pieces)
    let id = this.#ids.nameFor(blob.id)
    for (let stored = await this.#store.blob(id); stored; stored = await this.#store.blob(id)) {
      if (sameBytes(stored.bytes, bytes)) break
      id = derivedId(id, toBase64(bytes))
    }
    this.#ids.rename(blob.id, id)
    if (!(await this.#store.blob(id))) await this.#store.putBlob(id, blob.mime, bytes)
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1) return pieces[0]!
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}
