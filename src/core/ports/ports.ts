/** The ports of core. Types only; they are implemented in storage, models, net and bridge. */
import type { Attachment, Entry, Id, LogRow, SessionId, Tombstone } from '../log/entry.ts'
import type { EgressMark } from '../log/egress-mark.ts'
import type { LocalModels } from './local-engine.ts'
import type { Effort, ModelPart, ModelRequest, ToolCall } from '../log/message.ts'
import type { ReasoningBack } from '../log/model-view/reasoning-back.ts'
import type { Diagnosis, ServerKind } from './server-diagnosis.ts'

/** A language model. Every body passes `models/model.laws.ts`. */
export interface Model {
  readonly id: string
  readonly name: string // as the person reads it
  readonly contextWindow: number // tokens
  readonly maxOutput: number // tokens: what it can write at most
  readonly outputLimit?: number // tokens, set by the person for this model
  /** The reasoning efforts that it supports, in order; absent: unknown. */
  readonly efforts?: readonly Effort[] | undefined
  /** `schema`: whether an answer can be held to a `shape`, and to which kind. */
  readonly can: { tools: boolean; images: boolean; schema: 'whole' | 'between' | false }
  /** Runs on this device: nothing leaves it. */
  readonly local: boolean
  /** Its server is neither on this machine nor in the own network: it is not asked without one (C12). */
  readonly needsNetwork?: boolean
  /** False where `usage.input` counts only newly prefilled tokens (C1.6). */
  readonly reportsWholePrompt: boolean
  /** Which of its reasoning it accepts back; absent: none. The same object until that changes. */
  readonly reasoning?: ReasoningBack
  /**
   * Streams one answer: any number of parts, then exactly one `finish`. Throws AgentError only; a stop throws
   * `stopped`. `askAgain` in the error's data: `reasoning` has changed, and the request has to be made again.
   */
  generate(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>
}

/** A model that can be chosen. Plain data, it is sent to the page. */
export type ModelInfo = {
  id: string
  name: string
  kind: 'recall' | 'scripted' | 'remote' | 'webllm' | 'prompt-api' | 'cpu'
  server?: Id // of a remote one
  serverName?: string
  contextWindow: number // tokens
  windowFrom?: WindowSource // of a remote one
  local: boolean
  tools: boolean
  /** How well it probably uses tools. */
  toolUse?: ToolUse
  /** The reasoning efforts that it supports. */
  efforts?: readonly Effort[]
  /** Whether it sees images; absent: its server does not tell. */
  images?: boolean
  /** Whether it thinks before it answers; absent: its server does not tell. */
  thinks?: boolean
  /** As the person typed it or the server's list tells it; absent: not known. */
  price?: Price
}

export type ToolUse = 'good' | 'so-so' | 'no'

/**
 * Where the number of a window comes from: typed by the person, told by the server (`place`: which of its answers), the
 * server's known default, or a guess until a refusal teaches it (C8).
 */
export type WindowSource = { by: 'person' | 'server' | 'default' | 'guess'; place?: string }

/** US$ for a million tokens. Cached ones cost as new ones where nothing is said. */
export type Price = { input: number; output: number; cacheRead?: number; cacheWrite?: number }

/** A server that the person named. `key` goes in and never comes out: `servers()` answers with `hasKey` only. */
export type Server = {
  id: Id
  name: string
  baseUrl: string // with /v1 where the server wants it
  key?: string
  hasKey?: boolean
  headers?: Record<string, string>
  contextWindow?: number // tokens, typed by the person; wins over what is learnt
  models: string[] // as listed by the server, or typed
  dialect?: 'anthropic' // its own API; absent: OpenAI's, as nearly all speak
  prices?: Record<string, Price> // by model, typed by the person; `*` for all others
  outputLimits?: Record<string, number> // tokens, by model, typed by the person; `*` for all others
}

/**
 * `memory`: this browser cannot seal (plain http), so they are gone when the tab closes. `locked`: a passphrase is
 * wanted.
 */
export type SecretsState = { kept: 'sealed' | 'memory'; by: 'device' | 'passphrase'; locked: boolean }

/** Secrets by name, sealed at rest. Locked ones throw `model_auth` with `why: 'locked'`. */
export interface Secrets {
  state(): Promise<SecretsState>
  get(name: string): Promise<string | undefined>
  /** Also while locked. */
  has(name: string): Promise<boolean>
  /** All of these or none; undefined removes one. */
  set(changes: Readonly<Record<string, string | undefined>>): Promise<void>
  /** Seals them by this passphrase from now on; undefined: by the device alone. */
  setPassphrase(passphrase: string | undefined): Promise<void>
  /** Until this thread ends. Throws `bad_input` for a wrong one. */
  unlock(passphrase: string): Promise<void>
  forgetAll(): Promise<void>
}

/** The models of a server, with the windows that it tells; `contextWindow` where all have the same one, tokens. */
export type ProbeReport = {
  models: string[]
  windows?: Record<string, { tokens: number; place: string }>
  contextWindow?: number
  baseUrl?: string
  /** What kind of server it is, by its own word or a port that only this kind uses. */
  kind?: ServerKind
}

/** Turns texts into vectors of meaning. `id` names server and model: vectors of another one say nothing about these. */
export interface Embedder {
  readonly id: string
  /** Runs on this device: nothing leaves it. */
  readonly local: boolean
  /** One vector for each text, all of one length. Throws AgentError only. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<number[][]>
}

/** The available models, made on demand. */
export interface Models {
  list(): Promise<ModelInfo[]>
  /** Throws `model_unavailable` for an id that cannot be had. */
  get(id: string): Promise<Model>
  /** A model for embeddings on a server; undefined where there is no such server. */
  embedder?(server: Id, model: string): Promise<Embedder | undefined>
  servers(): Promise<Server[]>
  saveServer(server: Server): Promise<void>
  removeServer(id: Id): Promise<void>
  /**
   * What this server lists; `baseUrl` where a better address was found (/v1 was missing). Throws AgentError with what
   * to do.
   */
  probe(server: Server, signal: AbortSignal): Promise<ProbeReport>
  /** Finds out why the server does not answer, by asking it in several ways; `model` is looked for in its list. */
  diagnose(server: Server, signal: AbortSignal, model?: string): Promise<Diagnosis>
  /** Models of this device; absent if there are no engines (tests, benchmarks). */
  readonly local?: LocalModels
  /** The lock on the keys of servers; absent where no key is kept. */
  readonly keys?: Pick<Secrets, 'state' | 'setPassphrase' | 'unlock' | 'forgetAll'>
}

export type StoredConfigValue = string | number | boolean

export type SessionInfo = {
  id: SessionId
  title: string
  titled?: boolean // the person gave the title
  createdAt: number // ms
  updatedAt: number // ms
  leaf: Id | null // newest entry of the path in view
  strategy?: string // absent: the default
  model?: string
  summariser?: string
  instructions?: string | undefined // of the person, for this chat (C7.8)
  config?: Record<string, StoredConfigValue> // keys of C7.1, flat
  allowed?: string[] // what need not ask in this chat: `write_file`, `fetch_url example.org`
  /**
   * The egress mark: `asks` after a remote model has answered; `stays` if only local models have, or an import said so;
   * absent: no model has answered yet.
   */
  leaves?: EgressMark
  /** It has read local-only data, so files that it writes are local-only too. */
  readStaying?: true
  draft?: string
  /** Its newest question waits for the network (C12). */
  awaitsNetwork?: true | undefined
  /** What is sent when the answer is done, in order. */
  queued?: readonly QueuedMessage[] | undefined
  pinned?: true | undefined // the person keeps it at the top of the list
  hidden?: boolean // aged out of the list (C10)
  size?: number // entries it has, given by the store; absent until the first append
  /**
   * The leaf that an import set last and that was not finished. While it is in view, the next import of the chat moves
   * it on.
   */
  unfinishedImport?: Id
}

/** A message that waits until the answer is done. */
export type QueuedMessage = { id: Id; text: string; attachments?: readonly Attachment[] }

export type SessionChanges = globalThis.Partial<Omit<SessionInfo, 'id'>>

/** A text that is too large for its entry (C3.7), whole. */
export type TextRow = { entry: Id; text: string }

/** `changes`: of the row of the chat, stored together with the entries. */
export type AppendOptions = {
  texts?: readonly TextRow[]
  keepLeaf?: boolean
  create?: SessionInfo
  changes?: SessionChanges
}

/** The answer being written: overwritten about each second, gone when the answer is appended. */
export type PartialReply = {
  session: SessionId
  parent: Id | null
  at: number
  text: string
  reasoning: string
  calls: ToolCall[]
  model: string
  local: boolean
}

export type ArchiveDocument = { path: string; revision: number; at: number; text: string; leaves: EgressMark }
export type ArchiveDocumentInfo = Omit<ArchiveDocument, 'text'> & { bytes: number }

/** An append-only packed piece of the search index. */
export type IndexSegment = { id: string; facts: number; bytes: Uint8Array }

/** Every body passes `storage/log-store.laws.ts`. Throws AgentError only (`storage_*`, `not_found`). */
export interface LogStore {
  // sessions
  sessions(): Promise<SessionInfo[]>
  session(id: SessionId): Promise<SessionInfo | undefined>
  createSession(info: SessionInfo): Promise<void>
  updateSession(id: SessionId, changes: SessionChanges): Promise<void>
  /** The person's Delete of a whole chat: blanks its facts (tombstones stay in dialog/), removes the row. */
  removeSession(id: SessionId, tombstone: Omit<Tombstone, 'bytes'>): Promise<void>

  // the log
  /** All rows of a session in order of appending; with `from` only those with seq >= from, up to `limit`. */
  read(session: SessionId, range?: { from?: number; limit?: number }): Promise<LogRow[]>
  /** How many entries the session has. */
  count(session: SessionId): Promise<number>
  /**
   * All or nothing, strict durability, one short transaction: gives seq, day and line, moves the session's `leaf` to
   * the last entry (unless `keepLeaf`), sets `updatedAt`, and removes the session's partial if an assistant fact is
   * among the entries. `create` makes the chat with its first entries; `changes` are made to its row with them, a
   * `leaf` among them counts with `keepLeaf`. An id that exists already is an error (`bad_input`).
   */
  append(session: SessionId, entries: readonly Entry[], options?: AppendOptions): Promise<LogRow[]>
  /** Those of these ids that an entry of any chat has. */
  knownIds(ids: readonly Id[]): Promise<Set<Id>>
  /** One entry by id, wherever it is. */
  find(id: Id): Promise<{ session: SessionId; row: LogRow } | undefined>
  /**
   * The whole text of a huge entry by bytes (UTF-8, 0-based, `to` exclusive; cut at code point borders) or by lines
   * (1-based, inclusive). undefined: it has no row in `texts`.
   */
  text(entry: Id, range: { bytes: [number, number] } | { lines: [number, number] } | 'all'): Promise<string | undefined>
  /**
   * Facts of a local day by their line in dialog/<day>.jsonl (1-based, inclusive); with `session` only that session's,
   * numbered within it.
   */
  lines(day: string, from: number, to: number, session?: SessionId): Promise<{ session: SessionId; row: LogRow }[]>
  /** The days that have facts, oldest first, with their number of lines. */
  days(session?: SessionId): Promise<{ day: string; lines: number }[]>
  /** Asides of type memory, all sessions, of one day or of all. */
  memories(day?: string): Promise<{ session: SessionId; row: LogRow }[]>
  /** Removes the texts of these entries, leaves tombstones. `bytes` is filled in by the store. */
  removeTexts(ids: readonly Id[], tombstone: Omit<Tombstone, 'bytes'>): Promise<void>

  savePartial(partial: PartialReply): Promise<void>
  partial(session: SessionId): Promise<PartialReply | undefined>
  dropPartial(session: SessionId): Promise<void>

  // documents: MEMORY.md and workspace/**, every revision kept
  documents(prefix?: string): Promise<ArchiveDocumentInfo[]>
  document(path: string, revision?: number): Promise<ArchiveDocument | undefined>
  /**
   * `expected` is the newest revision the writer has seen (0: none); another one → `busy`. Answers with the new
   * revision. `leaves` is the mark of what is written; over a revision that stays it is `stays` all the same.
   */
  saveDocument(path: string, text: string, at: number, expected: number, leaves?: EgressMark): Promise<number>
  /** Marks all revisions of the document as local-only. */
  markDocumentLocalOnly(path: string): Promise<void>
  removeDocument(path: string): Promise<void>

  // blobs
  putBlob(id: Id, mime: string, bytes: Uint8Array): Promise<void>
  blob(id: Id): Promise<{ mime: string; bytes: Uint8Array } | undefined>

  // the search index
  /** In order of id; with `after` only those behind it. */
  segments(after?: string): Promise<IndexSegment[]>
  addSegment(segment: IndexSegment): Promise<void>
  removeSegment(id: string): Promise<void>

  // small values by key
  setting(key: string): Promise<unknown>
  /** undefined removes it. */
  saveSetting(key: string, value: unknown): Promise<void>
}

/** Time and chance. */
export interface World {
  now(): number /* ms since epoch */
  newId(): Id
  /** Resolves after `ms`, rejects with `stopped` when the signal fires. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** One holder per name in this browser (Web Locks; in one process where those are missing). */
export interface Locks {
  /**
   * Runs the task while holding the lock; `onWait` is called if it is not free at once. The signal ends the waiting
   * (`stopped`).
   */
  run<T>(name: string, options: { signal?: AbortSignal; onWait?: () => void }, task: () => Promise<T>): Promise<T>
  /** Runs the task if the lock is free now; `{ free: false }` if not. */
  tryRun<T>(name: string, task: () => Promise<T>): Promise<{ free: true; value: T } | { free: false }>
}

/** Fetches a page for `fetch_url` and turns it into readable Markdown. Throws AgentError. */
export type ReadPage = (url: string, signal: AbortSignal) => Promise<{ title: string; markdown: string; url: string }>

/**
 * Makes of a regular expression what finds its first match in a text, whatever the case of letters: the place (UTF-16),
 * or -1. In linear time. Throws `bad_input` for what is none, or cannot be found so.
 */
export type CompilePattern = (source: string) => Promise<(text: string) => number>

export type DiffLine = { kind: 'same' | 'gone' | 'new'; text: string }
/** The lines of both texts in order; as many as possible are the same. Never fails. */
export type DiffLines = (before: string, after: string) => Promise<DiffLine[]>

/** Exact token counting, loaded on demand; undefined until it is there (C1.3). */
export interface Tokenizer {
  load(): Promise<void>
  count: ((text: string) => number) | undefined
}
