/** An agent whose models say, write and call what they have seen, and all that it has sent elsewhere meanwhile. */
import { MemoryStore } from '../../../storage/memory-store.ts'
import { linearPattern } from '../../../net/linear-pattern.ts'
import type { Id, SessionId } from '../../log/entry.ts'
import type { ModelRequest, ToolCall } from '../../log/message.ts'
import type { Embedder, Model, World } from '../../ports/ports.ts'
import { modelsOf, processLocks } from '../agent.fixture.ts'
import { createAgent, type Agent } from '../agent.ts'
import type { AgentEvent, Status } from '../api/api.ts'
import { common, modelNames, tokensOf, type PlannedCall } from './egress-acts.fixture.ts'

export type SentElsewhere = { to: string; body: string; asks?: 'chat' | 'summary' }

/** `pathOf`: the path that a plan means. `onGuess`: a model named in a call what it has not seen. */
type Hooks = { pathOf: (path: NonNullable<PlannedCall['path']>) => string; onGuess: (token: string) => void }

export class EgressDevice {
  readonly store = new MemoryStore()
  readonly world: World
  agent!: Agent
  now = 0 // ms
  sent: SentElsewhere[] = []
  /** What the models call next. */
  plan: PlannedCall[] = []
  readonly #hooks: Hooks
  readonly #models: Model[]
  #ids = 0
  #calls = 0
  #locks = processLocks()
  #statuses = new Map<SessionId, Status>()
  #told: (() => void)[] = []

  constructor(hooks: Hooks) {
    this.#hooks = hooks
    this.world = {
      now: () => this.now++,
      newId: () => this.token(),
      // Long ones are limits that nothing here reaches.
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          const stop = (): void => {
            reject(new Error('stopped'))
          }
          if (signal.aborted) return stop()
          signal.addEventListener('abort', stop, { once: true })
          if (ms <= 10_000)
            setImmediate(() => {
              signal.removeEventListener('abort', stop)
              resolve()
            })
        }),
    }
    this.#models = modelNames.map(id => this.#model(id))
  }

  /** How many tokens there are. */
  get ids(): number {
    return this.#ids
  }

  /** A new id, or a new secret. */
  token(): Id {
    return `zq${(++this.#ids).toString(36).padStart(5, '0')}`
  }

  /** The tab is loaded anew: another agent, on what is stored. */
  reload(): void {
    this.#locks = processLocks()
    this.#statuses.clear()
    this.agent = createAgent({
      store: this.store,
      world: this.world,
      locks: this.#locks,
      models: { ...modelsOf(...this.#models), embedder: async server => this.embedder(server === 'near') },
      tokenizer: { load: async () => undefined, count: undefined },
      compilePattern: linearPattern,
      diffLines: async () => [],
      readPage: async url => ({ title: 'A page', markdown: 'Its words.', url }),
      contacted: async () => [],
      storage: async () => ({ state: 'memory' }),
    })
    void this.agent.subscribe(events => {
      for (const event of events) this.#hear(event)
    })
  }

  #hear(event: AgentEvent): void {
    if (event.type !== 'status') return
    this.#statuses.set(event.session, event.status)
    for (const tell of this.#told.splice(0)) tell()
  }

  /** A server of embeddings, of this device or elsewhere. */
  embedder(local: boolean): Embedder {
    return {
      id: local ? 'near' : 'there',
      local,
      embed: async texts => {
        if (!local) this.sent.push({ to: 'there', body: texts.join('\n') })
        return texts.map(text => [text.length % 7, 1, 2])
      },
    }
  }

  /** A model that says and writes all that it has seen, and calls what is planned. */
  #model(id: string): Model {
    const answer = (request: ModelRequest): { text: string } | { call: ToolCall } => this.#answer(id, request)
    return {
      id,
      name: id,
      local: id === 'here',
      contextWindow: 131_072,
      maxOutput: 8_192,
      can: { tools: true, images: false, schema: false },
      reportsWholePrompt: true,
      async *generate(request) {
        const said = answer(request)
        if ('call' in said) yield { type: 'call', call: said.call }
        else yield { type: 'text', text: said.text }
        yield { type: 'finish', stop: 'call' in said ? 'calls' : 'stop' }
      },
    }
  }

  #answer(model: string, request: ModelRequest): { text: string } | { call: ToolCall } {
    const body = JSON.stringify({ system: request.system, messages: request.messages })
    if (model !== 'here') this.sent.push({ to: model, body, asks: request.tools.length > 0 ? 'chat' : 'summary' })
    const all = [...tokensOf(body)].join(' ')
    if (request.tools.length === 0) return { text: `## Goal\n${common} ${all}\n## Next Steps\n${all}` }
    const next = request.toolChoice === 'none' ? undefined : this.plan.shift()
    if (!next) return { text: `${common} ${all}` }
    const args = Object.fromEntries(Object.entries(next.args).map(([name, text]) => [name, text.replace('seen', all)]))
    if (next.path) args['path'] = this.#hooks.pathOf(next.path)
    // a name that it guessed
    for (const token of tokensOf(JSON.stringify(args))) if (!all.includes(token)) this.#hooks.onGuess(token)
    return { call: { id: `call ${++this.#calls}`, name: next.name, arguments: JSON.stringify(args) } }
  }

  /** Begins to wait for the end of what comes next in the chat. */
  expect(chat: SessionId): void {
    this.#statuses.delete(chat)
  }

  /** The status in which the chat comes to rest. */
  async rest(chat: SessionId): Promise<Status> {
    for (;;) {
      const status = this.#statuses.get(chat)
      if (status && ['idle', 'asking', 'interrupted'].includes(status.state)) return status
      await new Promise<void>(resolve => {
        this.#told.push(resolve)
      })
    }
  }

  /** What a chat owes after its answer is done as well. */
  async settle(chat: SessionId): Promise<void> {
    for (let n = 0; n < 3; n++)
      await new Promise(resolve => {
        setImmediate(resolve)
      })
    for (const lock of ['job', 'session']) await this.#locks.run(`${lock}:${chat}`, {}, async () => undefined)
  }
}
