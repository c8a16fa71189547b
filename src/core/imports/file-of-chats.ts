/** One file of another app's chats, read as its text comes (C16). Pure. */
import type { ForeignApp } from '../log/file-format/foreign-export.ts'
import { formats } from './formats.ts'
import type { ForeignChat } from './shape/foreign-chat.ts'
import type { ExportReader, Findings } from './shape/reader.ts'
import { shapeOf, SourcePieces } from './source-pieces.ts'

/** Formats of lines, where one line alone may be a whole file. */
const linewise: ReadonlySet<ForeignApp> = new Set(['llama-cpp-ui', 'pi', 'claude-code', 'codex'])

export const noFindings = (): Findings => ({ skipped: [], bad: [], kept: [], merged: [] })

export class FileOfChats {
  readonly findings: Findings
  readonly #pieces: SourcePieces
  readonly #reader: ExportReader

  /** `head`: the beginning of the file, by which `app` was known. Throws where no reader knows that program. */
  constructor(app: ForeignApp, head: string, findings: Findings = noFindings()) {
    const format = formats.find(one => one.app === app)
    if (format === undefined) throw new RangeError(`No reader for ${app}`)
    const shape = shapeOf(head, linewise.has(app))
    this.findings = findings
    this.#pieces = new SourcePieces(shape, findings)
    this.#reader = format.begin(findings, shape)
  }

  /** Takes the next part of the text; answers with the chats that are whole by now. */
  push(part: string): ForeignChat[] {
    return this.#pieces.push(part).flatMap(piece => this.#reader.take(piece))
  }

  /** The file has ended. */
  end(): ForeignChat[] {
    return [...this.#pieces.end().flatMap(piece => this.#reader.take(piece)), ...this.#reader.end()]
  }
}
