/** Documents of a file: listed first and taken only when the person says so; MEMORY.md becomes a proposal (C9.5). */
import type { DocumentLine } from '../../log/file-format/jsonl.ts'
import { strictestMark } from '../../log/egress-mark.ts'
import { parsePath } from '../../log/paths.ts'
import { isolated } from '../../text/display/isolate.ts'
import { utf8Bytes } from '../../text/bytes.ts'
import type { ImportedDocument } from '../api/transfer-api.ts'
import { proposeImported } from '../memory/dream-state.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import { memoryFilePath } from '../archive/long-term-memory.ts'

/** The longest MEMORY.md that is proposed. Unit: bytes. Forty times what a model is shown of it. */
const longestProposal = 1_000_000

/** What the file holds of one path: its newest revision, and whether it is here already. */
type Found = { revision: number; at: number; bytes: number; isHere: boolean; text?: string /* of MEMORY.md */ }

export class ImportDocuments {
  readonly #runtime: AgentRuntime
  /** Paths that are taken; undefined: the file is only looked at. */
  readonly #chosen: ReadonlySet<string> | undefined
  readonly #found = new Map<string, Found>()
  readonly #taken = new Set<string>()
  /** Texts of the path that came last, of all its revisions here: lines of one path mostly follow each other. */
  #here: { path: string; texts: Set<string> } | undefined

  constructor(runtime: AgentRuntime, chosen: readonly string[] | undefined) {
    this.#runtime = runtime
    this.#chosen = chosen && new Set(chosen)
  }

  /** Looks at a document line, or takes it. Answers with what is wrong with it. */
  async take(document: DocumentLine): Promise<string | undefined> {
    const kind = parsePath(document.path)?.kind
    if (kind !== 'workspace' && kind !== 'memory file')
      return `"${isolated(document.path.slice(0, 200))}" is no path of a document`
    if (this.#chosen && (kind === 'memory file' || !this.#chosen.has(document.path))) return undefined
    const here = await this.#textsOf(document.path)
    const isHere = here.has(document.text)
    const before = this.#found.get(document.path)
    // Of two exports in one file the higher revision counts, of equal ones the later.
    if (!before || document.revision >= before.revision) {
      this.#found.set(document.path, {
        revision: document.revision,
        at: document.at,
        bytes: utf8Bytes(document.text),
        isHere,
        ...(kind === 'memory file' ? { text: document.text } : {}),
      })
    }
    if (isHere && strictestMark(document.leaves) === 'stays')
      await this.#runtime.deps.store.markDocumentLocalOnly(document.path)
    if (!this.#chosen || isHere) return undefined
    await this.#save(document)
    here.add(document.text)
    this.#taken.add(document.path)
    return undefined
  }

  /** What the file held. A MEMORY.md that is not here waits as a proposal from now on. */
  async end(problem: (reason: string) => void): Promise<ImportedDocument[]> {
    const list: ImportedDocument[] = []
    for (const [path, { at, bytes, isHere, text }] of this.#found) {
      const own = this.#taken.has(path) ? undefined : await this.#runtime.deps.store.document(path)
      const document = {
        path,
        bytes,
        at,
        ...(own && !isHere ? { replaces: { bytes: utf8Bytes(own.text), at: own.at } } : {}),
      }
      if (this.#taken.has(path)) list.push({ ...document, state: 'taken' })
      else if (isHere) list.push({ ...document, state: 'here already' })
      else if (text === undefined) list.push({ ...document, state: 'offered' })
      else if (bytes > longestProposal)
        problem(`${memoryFilePath} has ${bytes} bytes; only one of up to ${longestProposal} is proposed`)
      else {
        await proposeImported(this.#runtime.deps, text)
        list.push({ ...document, state: 'proposed' })
      }
    }
    return list
  }

  async #textsOf(path: string): Promise<Set<string>> {
    if (this.#here?.path === path) return this.#here.texts
    const { store } = this.#runtime.deps
    const texts = new Set<string>()
    for (let revision = (await store.document(path))?.revision ?? 0; revision > 0; revision--) {
      const document = await store.document(path, revision)
      if (document) texts.add(document.text)
    }
    this.#here = { path, texts }
    return texts
  }

  /** Times of revisions rise with their numbers and none lies ahead: what an older or a future date says is now. */
  async #save({ path, text, at, leaves }: DocumentLine): Promise<void> {
    const { store, world } = this.#runtime.deps
    const newest = await store.document(path)
    const now = world.now()
    await store.saveDocument(
      path,
      text,
      at >= (newest?.at ?? 0) && at <= now ? at : now,
      newest?.revision ?? 0,
      strictestMark(leaves),
    )
  }
}
