/** What all use cases of the agent share: the ports, the open sessions, the page's event listeners, the language. */
import { AgentError } from '../../errors.ts'
import type { SessionId } from '../../log/entry.ts'
import type {
  CompilePattern,
  DiffLines,
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
import { createArchiveSearch, type ArchiveSearch } from '../search/archive-search.ts'
import { NetworkState } from './network-state.ts'
import { Session } from './session.ts'

/** The implementations of the ports, as the composition root provides them. */
export type AgentDeps = {
  store: LogStore
  models: Models
  locks: Locks
  world: World
  tokenizer: Tokenizer
  readPage: ReadPage
  compilePattern: CompilePattern
  diffLines: DiffLines
  contacted(): Promise<Contact[]>
  storage(): Promise<StorageState>
  /** Receives every event that this agent caused, never one from another tab: it sends them to other tabs. */
  broadcast?(event: AgentEvent): void
  /** Idle time after which deferred work is done; absent: never by itself. Unit: ms. */
  idleAfter?: number
}

/** How many idle sessions stay in memory; others are read again when they are opened. */
const idleSessionsInMemory = 6

/** All other texts are loaded with the code that uses them (`note-texts.ts`). */
const untitled: Readonly<Record<Language, string>> = { en: 'New chat', zh: '新对话' }

export class AgentRuntime {
  readonly deps: AgentDeps
  language: Language = 'en'
  readonly network = new NetworkState()
  #listeners: ((events: AgentEvent[]) => void)[] = []
  #sessions = new Map<SessionId, Promise<Session>>()
  /** Chats that the page shows and that have no row yet. */
  #unstoredSessions = new Map<SessionId, SessionInfo>()
  #statuses = new Map<SessionId, Status>()
  /** The draft that a chat's forecast was made with, and up to which length another one makes no other forecast. */
  readonly drafts = new Map<SessionId, { draft: string; unseen: number /* UTF-16 units */ }>()
  readonly #tokenizerRequests = new Set<SessionId>()
  /** Sessions that must stay in memory, by how many tasks use them. */
  #usesOf = new Map<SessionId, number>()

  constructor(deps: AgentDeps) {
    this.deps = deps
    const embedder = async (): Promise<Embedder | undefined> => {
      const { embeddings } = await readDefaults(deps.store)
      return embeddings ? deps.models.embedder?.(embeddings.server, embeddings.model) : undefined
    }
    this.search = createArchiveSearch({
      ...deps,
      embedder,
      unindexedTools: async () => (await import('../tools/index.ts')).unindexedTools, // tools come with the first turn
    })
  }

  /** The search over everything that is kept. */
  readonly search: ArchiveSearch

  /** The name of a chat that has none. */
  get untitled(): string {
    return untitled[this.language]
  }

  addListener(emit: (events: AgentEvent[]) => void): void {
    this.#listeners.push(emit)
  }

  /** Emits an event to the page of this tab and to other tabs. */
  emit = (event: AgentEvent): void => {
    if (event.type === 'status') this.#remember(event.session, event.status)
    this.emitLocally(event)
    this.deps.broadcast?.(event)
  }

  /** Emits an event to the page of this tab only. */
  emitLocally(event: AgentEvent): void {
    if (event.type === 'status') this.#remember(event.session, event.status)
    for (const listener of this.#listeners) listener([event])
  }

  status(session: SessionId): Status | undefined {
    return this.#statuses.get(session)
  }

  setStatus(session: SessionId, status: Status): void {
    this.emit({ type: 'status', session, status })
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
        store: this.deps.store,
        world: this.deps.world,
        emit: this.emit,
        onStored: () => {
          this.#unstoredSessions.delete(id)
        },
      },
      this.#unstoredSessions.get(id),
    )
    this.#sessions.set(id, loading)
    loading.catch(() => {
      if (this.#sessions.get(id) === loading) this.#sessions.delete(id)
    })
    this.#unloadOldest()
    return loading
  }

  /** Begins a chat that is not stored yet: it gets its row with the first message, draft or setting. */
  beginSession(id: SessionId): void {
    const now = this.deps.world.now()
    this.#unstoredSessions.set(id, { id, title: this.untitled, createdAt: now, updatedAt: now, leaf: null })
  }

  /** A chat that has begun but is not stored; undefined for all others. */
  unstoredSession(id: SessionId): SessionInfo | undefined {
    return this.#unstoredSessions.get(id)
  }

  /** The session if it is in memory or being loaded. */
  loadedSession(id: SessionId): Promise<Session> | undefined {
    return this.#sessions.get(id)
  }

  /** The sessions that are in memory. */
  loadedSessions(): Promise<Session>[] {
    return [...this.#sessions.values()]
  }

  /** Loads the exact token counter once; afterwards the chats that asked for it show their new size. */
  requestTokenizer(session: SessionId): void {
    const first = this.#tokenizerRequests.size === 0
    this.#tokenizerRequests.add(session)
    if (first)
      this.deps.tokenizer.load().then(
        () => {
          for (const session of this.#tokenizerRequests) this.emitLocally({ type: 'context', session })
        },
        () => undefined, // counting by bytes goes on (C1.3)
      )
  }

  unloadSession(id: SessionId): void {
    this.#sessions.delete(id)
    this.#unstoredSessions.delete(id)
    this.#statuses.delete(id)
    this.drafts.delete(id)
  }

  /** Keeps the session in memory until the task is over, so that there is never a second one beside it. */
  async whileLoaded<T>(id: SessionId, task: () => Promise<T>): Promise<T> {
    this.#usesOf.set(id, (this.#usesOf.get(id) ?? 0) + 1)
    try {
      return await task()
    } finally {
      const left = this.#usesOf.get(id)! - 1
      if (left > 0) this.#usesOf.set(id, left)
      else this.#usesOf.delete(id)
    }
  }

  #remember(session: SessionId, status: Status): void {
    if (status.state === 'idle') this.#statuses.delete(session)
    else this.#statuses.set(session, status)
  }

  #unloadOldest(): void {
    const idle = [...this.#sessions.keys()].filter(id => !this.#usesOf.has(id))
    for (const id of idle.slice(0, Math.max(0, idle.length - idleSessionsInMemory))) this.#sessions.delete(id)
  }
}

/** The text that a person typed. Throws if it is blank. */
export function requireText(text: string, what: string): string {
  if (text.trim() === '') throw new AgentError('bad_input', `${what} is empty`)
  return text
}
