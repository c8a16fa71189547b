/**
 * The page's side of the connection to the agent's worker: starts the worker, makes its agent callable, and starts
 * another one when it dies.
 */
import { proxy, releaseProxy, transfer, wrap, type Endpoint, type Remote } from 'comlink'
import type { AgentApi, AgentEvent, Language } from '../../core/agent/api/api.ts'
import { AgentError, codeOf } from '../../core/errors.ts'
import { heartbeat, thisPage, type PageLife } from './heartbeat.ts'

/**
 * A thread with an agent in it. `onError` hears the words of each error that nobody caught there; empty: its script
 * could not be loaded.
 */
export type AgentThread = { endpoint: Endpoint; terminate(): void; onError(heard: (message: string) => void): void }

/** Calls that may keep the worker silent longer than a heartbeat: they read or write a lot at once. */
const longCalls: ReadonlySet<string> = new Set<keyof AgentApi>([
  'importLines',
  'importEnd',
  'exportLines',
  'search',
  'compact',
  'preview',
])
/** A long call protects the worker from the heartbeat for at most this long (ms). */
const longestWorkMs = 120_000

/** A worker that dies more often than this within a minute is not started again: it would never end. */
const restartsAMinute = 3

type Hooks = {
  onEvents(events: AgentEvent[]): void
  /** The worker died and a new one was started: open chats must be opened again. */
  onRestart(): void
  /**
   * No worker is started any more, and every call rejects: workers died repeatedly, or the script of one failed at its
   * start; `startError` is that error's message.
   */
  onGivenUp(startError?: string): void
}

/**
 * Starts the agent. All calls reject with AgentError only; pending calls of a dead worker reject with `worker_lost`.
 */
export function connectAgent(
  hooks: Hooks,
  { start = startWorker, page = thisPage() }: { start?: () => AgentThread; page?: PageLife } = {},
): { api: AgentApi; dispose(): void } {
  let language: Language | undefined
  let online: boolean | undefined
  let restarts: number[] = []
  let connection = newLine()

  function newLine(): WorkerConnection {
    const next = new WorkerConnection({
      thread: start(),
      page,
      onEvents: hooks.onEvents,
      onLost: startError => {
        restart(next, startError)
      },
    })
    return next
  }

  function restart(lost: WorkerConnection, startError: string | undefined): void {
    if (lost !== connection) return
    if (startError !== undefined) {
      hooks.onGivenUp(startError) // the next one would end in the same way
      return
    }
    const now = Date.now()
    restarts = [...restarts.filter(at => now - at < 60_000), now]
    if (restarts.length > restartsAMinute) {
      hooks.onGivenUp()
      return
    }
    connection = newLine()
    // the new one's own end is noticed by its heartbeat
    if (language) connection.call('setLanguage', [language]).catch(() => {})
    if (online !== undefined) connection.call('setOnline', [online]).catch(() => {})
    hooks.onRestart()
  }

  const call = (name: string, args: unknown[]): Promise<unknown> => {
    if (name === 'setLanguage') language = args[0] as Language
    if (name === 'setOnline') online = args[0] as boolean
    return connection.call(name, args)
  }
  // Not a thenable: awaiting the API itself must return the API.
  const api = new Proxy(
    {},
    {
      get: (_, name) =>
        typeof name === 'symbol' || name === 'then' ? undefined : (...args: unknown[]) => call(name, args),
    },
  ) as AgentApi
  return {
    api,
    dispose: () => {
      connection.end('The page closed its agent.')
    },
  }
}

/** The connection to one worker, from its start to its end. */
class WorkerConnection {
  readonly #thread: AgentThread
  readonly #agent: Remote<AgentApi>
  readonly #stopBeating: () => void
  readonly #ended: Promise<never>
  #end!: (error: AgentError) => void
  #over = false
  #answered = false
  #long = new Map<symbol, number>() // announced calls under way, since when (ms)

  constructor({
    thread,
    page,
    onEvents,
    onLost,
  }: {
    thread: AgentThread
    page: PageLife
    onEvents: (events: AgentEvent[]) => void
    onLost: (startError?: string) => void
  }) {
    this.#thread = thread
    this.#agent = wrap<AgentApi>(thread.endpoint)
    this.#ended = new Promise((_, reject) => {
      this.#end = reject
    })
    this.#ended.catch(() => {}) // each call gets this rejection; by itself it is not an unhandled failure
    const lose = (why: string, startError?: string): void => {
      if (this.#over) return
      this.end(why)
      onLost(startError)
    }
    thread.onError(message => {
      if (message === '') lose("The agent's worker broke: its script could not be loaded. Reload the page.")
      else if (!this.#answered) lose(`The agent's worker could not be started: ${message}`, message)
      // Later an error in one place leaves the others running.
    })
    this.#stopBeating = heartbeat({
      ping: () => this.#agent.ping(),
      busy: () => this.#isBusy(),
      page,
      lost: () => {
        lose("The agent's worker gave no sign of life for 15 seconds and was started anew.")
      },
    })
    void this.call(
      'subscribe',
      [
        proxy((events: AgentEvent[]) => {
          if (!this.#over) onEvents(events)
        }),
      ],
      true,
    ).then(
      () => {
        this.#answered = true
      },
      () => {},
    ) // as dead as its line
  }

  async call(name: string, args: unknown[], raw = false): Promise<unknown> {
    if (this.#over) return this.#ended
    const key = Symbol(name)
    if (longCalls.has(name)) this.#long.set(key, Date.now())
    try {
      const method = this.#agent[name as keyof AgentApi] as unknown as (...args: unknown[]) => Promise<unknown>
      return await Promise.race([this.#ended, method(...(raw ? args : args.map(plain)))])
    } catch (thrown) {
      throw rebuilt(thrown)
    } finally {
      this.#long.delete(key)
    }
  }

  /** Ends the worker and rejects its pending calls. */
  end(why: string): void {
    if (this.#over) return
    this.#over = true
    this.#stopBeating()
    this.#end(new AgentError('worker_lost', why))
    this.#agent[releaseProxy]()
    this.#thread.terminate()
  }

  #isBusy(): boolean {
    const now = Date.now()
    return [...this.#long.values()].some(since => now - since < longestWorkMs)
  }
}

/** Only name, message and stack are sent between threads; the name is the code. */
function rebuilt(thrown: unknown): AgentError {
  if (thrown instanceof AgentError) return thrown
  return new AgentError(codeOf(thrown), thrown instanceof Error ? thrown.message : String(thrown), { cause: thrown })
}

/** Svelte state is a proxy that cannot be cloned: this is the only place where it becomes plain data. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (value instanceof MessagePort) return transfer(value, [value])
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plain(part)]))
}

function startWorker(): AgentThread {
  const worker = new Worker(new URL('../../../workers/agent.worker.ts', import.meta.url), {
    type: 'module',
    name: 'agent',
  })
  return {
    endpoint: worker,
    terminate: () => {
      worker.terminate()
    },
    onError: heard => {
      worker.addEventListener('error', event => {
        heard(event.message ?? '')
      })
    }, // an error of loading is a plain event
  }
}
