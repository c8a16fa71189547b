/**
 * Sessions of Claude Code: a row a line, each with the row before it. A file may hold several sessions, and one that
 * goes on from another is one chat with it. Pure.
 */
import type { ForeignChat } from '../../shape/foreign-chat.ts'
import { isObject } from '../../../log/file-format/json-fields.ts'
import { filledText, idOf, madeId } from '../../shape/fields.ts'
import type { ExportReader, Findings, Format, SourcePiece } from '../../shape/reader.ts'
import { ClaudeCodeSession, type SourceRow } from './session.ts'

export const claudeCode: Format = { app: 'claude-code', begin: findings => new ClaudeCodeReader(findings) }

class ClaudeCodeReader implements ExportReader {
  readonly #findings: Findings
  readonly #sessions = new Sessions()
  /** By the session or the newest row that they are about; what the person wrote wins. */
  readonly #titles = new Map<string, string>()
  readonly #typed = new Set<string>()

  constructor(findings: Findings) {
    this.#findings = findings
  }

  take({ value, at }: SourcePiece): ForeignChat[] {
    if (!isObject(value)) {
      this.#findings.bad.push({ line: at, why: 'no object' })
      return []
    }
    const typed = filledText(value['customTitle'])
    const title =
      typed ?? filledText(value['aiTitle']) ?? (value['type'] === 'summary' ? filledText(value['summary']) : undefined)
    const about = idOf(value['leafUuid']) ?? idOf(value['sessionId'])
    if (title !== undefined && about !== undefined && (typed !== undefined || !this.#typed.has(about))) {
      this.#titles.set(about, title)
      if (typed !== undefined) this.#typed.add(about)
    }
    // Of these, which are most of a file, only the place counts.
    const { uuid, parentUuid, sessionId, isSidechain, type } = value
    this.#sessions.add({
      row: type === 'progress' ? { uuid, parentUuid, sessionId, isSidechain, type } : value,
      line: at,
    })
    return []
  }

  end(): ForeignChat[] {
    return this.#sessions
      .take()
      .flatMap(({ id, rows }) =>
        new ClaudeCodeSession(this.#findings).chat(id ?? `claude-code-${madeId(rows[0]!.row)}`, rows, this.#titles),
      )
  }
}

/** Rows by session. Those that hang together over their rows are one; it bears the id of the newest. */
class Sessions {
  #rows: SourceRow[] = []
  #sessionOf: string[] = []
  readonly #home = new Map<string, string>() // of each row: its session
  readonly #same = new Map<string, string>()
  #current = ''

  add(source: SourceRow): void {
    const { row } = source
    const session = idOf(row['sessionId']) ?? this.#current
    if (this.#current === '' && session !== '') this.#join('', session) // what stands before it belongs to it
    this.#current = session
    const uuid = idOf(row['uuid'])
    if (uuid !== undefined) {
      this.#join(session, this.#home.get(uuid))
      this.#home.set(uuid, session)
    }
    this.#rows.push(source)
    this.#sessionOf.push(session)
  }

  take(): { id: string | undefined; rows: SourceRow[] }[] {
    for (const [i, { row }] of this.#rows.entries())
      for (const up of [row['parentUuid'], row['logicalParentUuid']])
        this.#join(this.#sessionOf[i]!, this.#home.get(idOf(up) ?? ''))
    const chats = new Map<string, { id: string | undefined; rows: SourceRow[] }>()
    for (const [i, source] of this.#rows.entries()) {
      const session = this.#sessionOf[i]!
      const key = this.#root(session)
      const chat = chats.get(key) ?? { id: undefined, rows: [] }
      chats.set(key, chat)
      chat.rows.push(source)
      if (session !== '' && source.row['uuid'] !== undefined) chat.id = session
    }
    this.#rows = []
    this.#sessionOf = []
    return [...chats.values()]
  }

  #join(one: string, other: string | undefined): void {
    if (other === undefined || one === other) return
    const [a, b] = [this.#root(one), this.#root(other)]
    if (a !== b) this.#same.set(a, b)
  }

  #root(session: string): string {
    let root = session
    for (let up = this.#same.get(root); up !== undefined; up = this.#same.get(root)) root = up
    if (root !== session) this.#same.set(session, root)
    return root
  }
}
