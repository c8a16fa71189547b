/** The contract between page and worker: plain data in, plain data out. Types only. */
import type { Code } from '../../errors.ts'
import type { Attachment, Entry, Id, SessionId } from '../../log/entry.ts'
import type { ModelPart, ToolCall } from '../../log/message.ts'
import type { EngineKind, EnginePort, LocalModel } from '../../ports/local-engine.ts'
import type {
  StoredConfigValue,
  ModelInfo,
  ProbeReport,
  QueuedMessage,
  SecretsState,
  Server,
  SessionInfo,
} from '../../ports/ports.ts'
import type { Diagnosis } from '../../ports/server-diagnosis.ts'
import type { StrategyName } from '../../context/strategy.ts'
import type { WebAddress } from '../../text/address/asked-address.ts'
import type { MemoryApi } from './memory-api.ts'
import type { ContextApi } from './context-api.ts'
import type { ShareApi } from './share-api.ts'
import type { ExportScope, TransferApi } from './transfer-api.ts'

export type Language = 'en' | 'zh'

/** What the model is doing for a session, as the status line says it. */
export type Status =
  | { state: 'idle' }
  | { state: 'waiting' } // another tab works on this chat
  | { state: 'thinking' } // the model reads; nothing has come yet
  /** `tokensPerSecond`: measured over the answer so far; undefined in its first second. */
  | { state: 'writing'; chars: number; tokensPerSecond?: number }
  | { state: 'running'; call: ToolCall }
  | { state: 'compacting'; share?: number /* 0…1 */ }
  | { state: 'asking'; question: PermissionRequest }
  | { state: 'retrying'; attempt: number; until: number /* ms since epoch */; code: Code }
  | { state: 'offline' } // waits for the network (C12)
  | { state: 'interrupted' } // the last turn was cut off; Continue is offered

/**
 * What a call would do, with all that the person has to see before they allow it. Plain data, it crosses to the page.
 */
export type Plan =
  | { does: 'write'; path: string; content: string }
  | { does: 'change'; path: string; before: string; after: string }
  | { does: 'fetch'; address: WebAddress }

/** What a tool asks the person before it runs. */
export type PermissionRequest = {
  call: ToolCall
  tool: string
  /** What an acting tool would do. */
  plan?: Plan
  /**
   * A remote model would read other chats and memory, or this chat, which only local models have answered until now.
   */
  egress?: 'other chats' | 'this chat'
}

/** `entries` are the newest ones by seq; older ones are fetched with `entries`. */
export type OpenedSession = {
  info: SessionInfo
  entries: Entry[]
  from: number // seq of the first of `entries`
  total: number // entries of the session
  status: Status
  partial?: { text: string; reasoning: string }
}

/** What memory has of a chat. `reply`: the answer being written, which is not stored as an answer yet. */
export type SessionSnapshot = {
  info: SessionInfo
  entries: readonly Entry[]
  reply?: { parent: Id | null; text: string; reasoning: string; calls: ToolCall[]; model: string; local: boolean }
}

/**
 * How to continue an answer that used up its output limit on reasoning: with a larger limit, or without more reasoning.
 */
export type ContinueMode = 'more room' | 'answer now'

export type SearchFilter = {
  from?: number
  to?: number
  session?: SessionId
  kinds?: ('message' | 'result' | 'memory' | 'document' | 'title')[]
}
export type SearchHit = {
  session: SessionId
  title: string
  entry: Id | null
  path: string
  from: number
  to: number
  at: number
  score: number
  text: string
  marks: [number, number][]
  kind: 'message' | 'result' | 'memory' | 'document' | 'title'
}

export type ReadRange = {
  startLine?: number | undefined
  endLine?: number | undefined
  startByte?: number | undefined
  maxBytes?: number | undefined
}
/**
 * `from` and `to` are the lines that `text` shows (0: reading by bytes, not known), `lines` and `bytes` the size of the
 * whole (`bytes` of a dialog: of what is shown). Where there is `more`, reading goes on inside a line at `nextByte`
 * where that is given, else at `nextLine`.
 */
export type PathText = {
  path: string
  text: string
  from: number
  to: number
  lines: number
  bytes: number
  more: boolean
  nextLine?: number
  nextByte?: number
  gone?: { day: string; why: string; bytes: number }
}

/**
 * What is forgotten by rule (C10): `rules` with the number of chats that each holds for; `sessions` that would leave
 * the list and `results` whose texts (`bytes`) would be removed now. `agreed`: what the person said; absent until they
 * were asked.
 */
export type Retention = {
  agreed?: boolean
  rules: { of: 'sessions' | 'results'; days: number; chats: number }[]
  sessions: number
  results: number
  bytes: number
}

/**
 * `grant` names a tool, and of one that contacts hosts also the host: `fetch_url example.org`, over http `fetch_url
 * http://example.org`.
 */
export type Permission = { session: SessionId; title: string; grant: string }

/**
 * How storage stands; `memory` means that nothing is kept after closing, `why` that what is stored could not be opened.
 * `gone`: what was stored was taken away while the app was open, and nothing is kept any more; `reason` is then
 * `deleted` (a page or a tool deleted the database) or `removed` (the browser did, by itself or for the person).
 */
export type StorageState = {
  state: 'kept' | 'memory' | 'newer' | 'blocked' | 'lost' | 'full' | 'replaced' | 'gone'
  why?: 'full' | 'broken'
  persisted?: boolean
  private?: true /* a private window, where the browser lets that be seen: all goes with it */
  usage?: number
  quota?: number
  reason?: string
}

export interface AgentApi extends ContextApi, MemoryApi, ShareApi, TransferApi {
  /** Every event from now on, in batches. One listener per page. */
  subscribe(tell: (events: AgentEvent[]) => void): Promise<void>
  ping(): Promise<void>
  setLanguage(language: Language): Promise<void>
  /** Whether this device has a network; true until it is told. Each yes sends what waits for one (C12). */
  setOnline(online: boolean): Promise<void>

  // library
  sessions(): Promise<SessionInfo[]>
  create(title?: string): Promise<SessionInfo>
  rename(id: SessionId, title: string): Promise<void>
  /** Keeps a chat at the top of the list, however old it is, or no longer. */
  pinChat(id: SessionId, pinned: boolean): Promise<void>
  remove(id: SessionId): Promise<void>
  /**
   * `begin`: a chat that is not there yet begins. It is stored with its first message, draft or setting, never before.
   */
  open(id: SessionId, options?: { begin?: boolean }): Promise<OpenedSession>
  /** The page no longer shows the chat. An empty one is not stored. */
  leave(id: SessionId): Promise<void>
  entries(id: SessionId, from: number, to: number): Promise<Entry[]> // by seq, `to` exclusive
  search(query: string, filter?: SearchFilter): Promise<SearchHit[]>
  readPath(path: string, range?: ReadRange): Promise<PathText>
  documents(): Promise<{ path: string; revision: number; at: number; bytes: number }[]>
  days(): Promise<{ day: string; lines: number }[]>
  saveDocument(path: string, text: string, expected: number): Promise<number>
  saveDraft(id: SessionId, draft: string): Promise<void>

  // conversation
  send(id: SessionId, text: string, attachments?: Attachment[]): Promise<void> // resolves when the user fact is stored
  /**
   * Sent when the answer that is being written has come to its end, behind those that wait already. What waits stands
   * in the chat's row, long texts with their beginning.
   */
  enqueue(id: SessionId, text: string, attachments?: readonly Attachment[]): Promise<void>
  /** The whole of a message that waits, which does not any more. Throws `not_found` where it was sent meanwhile. */
  withdrawQueued(id: SessionId, queued: Id): Promise<QueuedMessage>
  /**
   * Sends a queued message, the first where none is named; needed when the answer before it was not finished. Throws
   * `not_found` where the one that is named was sent or withdrawn meanwhile.
   */
  sendQueued(id: SessionId, queued?: Id): Promise<void>
  stop(id: SessionId): Promise<void>
  /** Continue, Retry. */
  resume(id: SessionId, how?: ContinueMode): Promise<void>
  /** Goes on with what waited for the network when the page was left; nothing where nothing does. */
  sendAwaiting(id: SessionId): Promise<void>
  regenerate(id: SessionId, entry: Id): Promise<void> // a sibling of that answer
  editMessage(id: SessionId, entry: Id, text: string): Promise<void> // a sibling of that question
  switchLeaf(id: SessionId, entry: Id): Promise<void> // to the newest leaf below that entry
  deleteMessage(id: SessionId, entry: Id): Promise<void>
  /**
   * `call` as it was shown: an id alone may come again. Throws `not_found` where another call, or none, waits by now.
   */
  resolvePermission(
    id: SessionId,
    call: Id | ToolCall,
    resolvePermission: 'allow' | 'deny' | 'always here' | 'with this device',
  ): Promise<void>
  permissions(): Promise<Permission[]>
  revoke(id: SessionId, grant: string): Promise<void>
  command(id: SessionId, line: string): Promise<CommandReply>

  // models
  models(): Promise<ModelInfo[]>
  servers(): Promise<Server[]>
  saveServer(server: Server): Promise<void>
  removeServer(id: Id): Promise<void>
  probe(server: Server): Promise<ProbeReport>
  diagnose(server: Server, model?: string): Promise<Diagnosis>
  keys(): Promise<SecretsState>
  /** Seals the keys by a passphrase from now on; null: by this device alone. */
  setPassphrase(passphrase: string | null): Promise<void>
  unlockKeys(passphrase: string): Promise<void>
  forgetKeys(): Promise<void>
  localModels(): Promise<LocalModel[]>
  saveLocalModel(model: LocalModel): Promise<void>
  removeLocalModel(id: string): Promise<void>
  /** Connects an engine of this device through the transferred port. It is the reply to an `engine` event. */
  connectEngine(kind: EngineKind, port: EnginePort): Promise<void>
  defaults(): Promise<Defaults>
  setDefaults(changes: Partial<Defaults>): Promise<void>

  // what is kept, and what went out
  /** What memory still has of the chats, even when nothing can be read or stored any more. Never throws. */
  sessionSnapshots(): Promise<SessionSnapshot[]>
  storage(): Promise<StorageState>
  retention(): Promise<Retention>
  setRetentionConsent(agreed: boolean): Promise<void> // once; a yes begins at once, a no removes nothing
  networkLedger(): Promise<Contact[]>
}

/**
 * What a chat without its own choice runs with. `model` is absent until the first choice was made. `dream`: each new
 * day notes are merged into a proposal for MEMORY.md. `embeddings`: the search also goes by meaning, with vectors of
 * this model.
 */
export type Defaults = {
  model?: string
  strategy: StrategyName
  summariser?: string
  instructions?: string | undefined // of the person, for all chats (C7.8)
  config: Record<string, StoredConfigValue>
  dream?: boolean
  embeddings?: { server: Id; model: string } | null
}

/** One row of the ledger of net/: which host, why, how often, how much. */
export type Contact = {
  host: string
  why: 'model' | 'tool'
  requests: number
  sent: number /* bytes */
  received: number /* bytes */
  last: number /* ms */
}

/** What the page has to do after a command: show a chat, or save an export. Every command also leaves a note. */
export type CommandReply = {
  memory?: true /* a proposal waits on the memory page */
  export?: ExportScope
  error?: { code: Code; message: string; sendAsText?: string }
}

/** Events are sent only after the change was stored. */
export type AgentEvent =
  | { type: 'appended'; session: SessionId; entries: Entry[]; from: number /* seq of the first */; leaf: Id | null }
  /** `at`: UTF-16 units of the answer's text, for a piece of reasoning of the reasoning, that came before this part. */
  | { type: 'delta'; session: SessionId; part: ModelPart; at: number }
  | { type: 'status'; session: SessionId; status: Status }
  | { type: 'context'; session: SessionId } // what `context` answers has changed
  | { type: 'leaf'; session: SessionId; leaf: Id | null } // another version is in view, or texts were blanked
  // only between tabs: asked for where the chat is looked at, done where it is answered
  | { type: 'stop'; session: SessionId }
  | { type: 'queued'; session: SessionId; queued: readonly QueuedMessage[] /* as in the chat's row */ }
  | { type: 'sessions' } // the list or a chat's row changed
  | { type: 'models' }
  | { type: 'memory' } // notes, MEMORY.md or its proposal have changed
  | { type: 'engine'; kind: EngineKind } // wanted: the page shall hand over a line to it
  | { type: 'storage'; storage: StorageState }
  | { type: 'failed'; session: SessionId; code: Code; message: string; data?: Record<string, unknown> }
