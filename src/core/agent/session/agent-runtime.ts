/** What all use cases of the agent share: the ports, the open sessions, the ear of the page, the language. */
import { AgentError } from '../../errors.ts'
import type { SessionId } from '../../log/entry.ts'
import type {
  CompilePattern,
  Embedder,
  Locks,
  LogStore,
  Models,
  ReadPage,
  SessionInfo,
  Tokenizer,
  World,
} from '../../ports/ports.ts'
import type { AgentEvent, Contact, Language, Status, StorageState } from '../api/api.ts'
import { readDefaults } from './defaults.ts'
import { keptSearch, type KeptSearch } from '../search/archive-search.ts'
import { Session } from './session.ts'

/** The bodies that the composition root hands in. */
export type AgentParts = {
  store: LogStore
  models: Models
  locks: Locks
  world: World
  tokenizer: Tokenizer
  readPage: ReadPage
  compilePattern: CompilePattern
  contacted(): Promise<Contact[]>
  storage(): Promise<StorageState>
  /** Told every event that this agent caused, never one that it heard of: what other tabs have to know. */
  broadcast?(event: AgentEvent): void
  /** Time without work after which what can wait is done; without it that is never done by itself. Unit: ms. */
  idleAfter?: number
}

/** Sessions kept in memory that nothing runs in; the others are read again when they are opened. */
const keptIdle = 6

/** All other words are loaded with what says them (`words.ts`). */
const untitled: Readonly<Record<Language, string>> = { en: 'New chat', zh: '新对话' }

export class Kit {
  readonly parts: AgentParts
  language: Language = 'en'
  #listeners: ((events: AgentEvent[]) => void)[] = []
  #sessions = new Map<SessionId, Promise<Session>>()
  /** Chats that the page shows and that have no row yet. */
  #begun = new Map<SessionId, SessionInfo>()
  #statuses = new Map<SessionId, Status>()
  /** The draft that a chat's forecast was made with, and up to which length another one makes no other forecast. */
  readonly drafts = new Map<SessionId, { draft: string; unseen: number /* UTF-16 units */ }>()
  readonly #wantTokenizer = new Set<SessionId>()
  /** Sessions that must stay in memory, by how many tasks use them. */
  #used = new Map<SessionId, number>()

  constructor(parts: AgentParts) {
    this.parts = parts
    const embedder = async (): Promise<Embedder | undefined> => {
      const { embeddings } = await readDefaults(parts.store)
      return embeddings ? parts.models.embedder?.(embeddings.server, embeddings.model) : undefined
    }
    this.search = keptSearch({ ...parts, embedder })
  }

  /** The search over everything that is kept. */
  readonly search: KeptSearch

  /** The name of a chat that has none. */
  get untitled(): string {
    return untitled[this.language]
  }

  listen(tell: (events: AgentEvent[]) => void): void {
    this.#listeners.push(tell)
  }

  /** Something happened here: the page hears it, and so do other tabs. */
  tell = (event: AgentEvent): void => {
    if (event.type === 'status') this.#remember(event.session, event.status)
    this.pass(event)
    this.parts.broadcast?.(event)
  }

  /** Only the page of this tab hears it. */
  pass(event: AgentEvent): void {
    if (event.type === 'status') this.#remember(event.session, event.status)
    for (const listener of this.#listeners) listener([event])
  }

  status(session: SessionId): Status | undefined {
    return this.#statuses.get(session)
  }

  tellStatus(session: SessionId, status: Status): void {
    this.tell({ type: 'status', session, status })
  }

  /** The session with all its rows, read once. Throws `not_found`. */
  session(id: SessionId): Promise<Session> {
    const known = this.#sessions.get(id)
    if (known) {
      this.#sessions.delete(id) // moves to the end: the newest used
      this.#sessions.set(id, known)
      return known
    }
    const loading = Session.load(
      id,
      {
        store: this.parts.store,
        world: this.parts.world,
        tell: this.tell,
        onStored: () => {
          this.#begun.delete(id)
        },
      },
      this.#begun.get(id),
    )
    this.#sessions.set(id, loading)
    loading.catch(() => {
      if (this.#sessions.get(id) === loading) this.#sessions.delete(id)
    })
    this.#forgetOld()
    return loading
  }

  /** A chat that is not in the store begins: it gets its row with the first message, draft or setting. */
  begin(id: SessionId): void {
    const now = this.parts.world.now()
    this.#begun.set(id, { id, title: this.untitled, createdAt: now, updatedAt: now, leaf: null })
  }

  /** What a chat is that has begun and is not stored; undefined for all others. */
  begun(id: SessionId): SessionInfo | undefined {
    return this.#begun.get(id)
  }

  /** The session if it is in memory or on its way there. */
  loaded(id: SessionId): Promise<Session> | undefined {
    return this.#sessions.get(id)
  }

  /** The sessions that are in memory. */
  allLoaded(): Promise<Session>[] {
    return [...this.#sessions.values()]
  }

  /**
   * Has the exact counter loaded, once; when it is there, what the chats that asked for it show as their size changes.
   */
  wantTokenizer(session: SessionId): void {
    const first = this.#wantTokenizer.size === 0
    this.#wantTokenizer.add(session)
    if (first)
      this.parts.tokenizer.load().then(
        () => {
          for (const session of this.#wantTokenizer) this.pass({ type: 'context', session })
        },
        () => undefined, // counting by bytes goes on (C1.3)
      )
  }

  forget(id: SessionId): void {
    this.#sessions.delete(id)
    this.#begun.delete(id)
    this.#statuses.delete(id)
    this.drafts.delete(id)
  }

  /** Keeps the session in memory until the task is over, so that there is never a second one beside it. */
  async using<T>(id: SessionId, task: () => Promise<T>): Promise<T> {
    this.#used.set(id, (this.#used.get(id) ?? 0) + 1)
    try {
      return await task()
    } finally {
      const left = this.#used.get(id)! - 1
      if (left > 0) this.#used.set(id, left)
      else this.#used.delete(id)
    }
  }

  #remember(session: SessionId, status: Status): void {
    if (status.state === 'idle') this.#statuses.delete(session)
    else this.#statuses.set(session, status)
  }

  #forgetOld(): void {
    const idle = [...this.#sessions.keys()].filter(id => !this.#used.has(id))
    for (const id of idle.slice(0, Math.max(0, idle.length - keptIdle))) this.#sessions.delete(id)
  }
}

/** A person's text that must not be empty. */
export function required(text: string, what: string): string {
  if (text.trim() === '') throw new AgentError('bad_input', `${what} is empty`)
  return text
}
