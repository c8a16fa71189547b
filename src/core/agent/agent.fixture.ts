/** An agent in memory for tests: the real store and model bodies, and a clock that only moves when somebody sleeps. */
import { scripted, type Script, type ScriptedModel } from '../../models/scripted.ts'
import { lineDiff } from '../../bridge/shared/line-diff.ts'
import { linearPattern } from '../../net/linear-pattern.ts'
import { MemoryStore } from '../../storage/memory-store.ts'
import { AgentError } from '../errors.ts'
import type { Entry, SessionId } from '../log/entry.ts'
import type { Locks, LogStore, Model, Models, ReadPage, Server, Tokenizer, World } from '../ports/ports.ts'
import { createAgent, type Agent } from './agent.ts'
import type { AgentEvent, Status } from './api/api.ts'

/** Locks of one process, first come, first served. */
export function processLocks(): Locks {
  const tails = new Map<string, { holders: number; tail: Promise<unknown> }>()
  const held = (name: string): boolean => (tails.get(name)?.holders ?? 0) > 0
  const enter = async <T>(name: string, task: () => Promise<T>): Promise<T> => {
    const lock = tails.get(name) ?? { holders: 0, tail: Promise.resolve() }
    tails.set(name, lock)
    lock.holders++
    const run = lock.tail.then(task, task)
    lock.tail = run.catch(() => undefined)
    try {
      return await run
    } finally {
      lock.holders--
    }
  }
  return {
    run: (name, { signal, onWait }, task) => {
      if (held(name)) onWait?.()
      return enter(name, async () => {
        if (signal?.aborted) throw new AgentError('stopped', 'Stopped while waiting')
        return task()
      })
    },
    tryRun: async (name, task) => (held(name) ? { free: false } : { free: true, value: await enter(name, task) }),
  }
}

/** A clock that stands still until somebody sleeps, then jumps; each sleep lets other work run first. */
export function stillWorld(prefix = ''): World & { slept: number[] } {
  let now = Date.UTC(2026, 0, 31, 12)
  let ids = 0
  const slept: number[] = []
  return {
    slept,
    now: () => now++,
    newId: () => `${prefix}${String(++ids).padStart(6, '0')}`,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(new AgentError('stopped', 'Stopped while sleeping'))
          return
        }
        const stop = (): void => {
          clearTimeout(timer)
          reject(new AgentError('stopped', 'Stopped while sleeping'))
        }
        const timer = setTimeout(
          () => {
            signal.removeEventListener('abort', stop)
            slept.push(ms)
            now += ms
            resolve()
          },
          ms > 30_000 ? 300 : ms === 0 ? 0 : 1,
        )
        signal.addEventListener('abort', stop, { once: true })
      }),
  }
}

export function modelsOf(...models: Model[]): Models {
  const servers: Server[] = []
  return {
    list: async () =>
      models.map(({ id, name, contextWindow, local, can }) => ({
        id,
        name,
        kind: id === 'recall' ? 'recall' : 'scripted',
        contextWindow,
        local,
        tools: can.tools,
      })),
    get: async id => {
      const found = models.find(model => model.id === id)
      if (!found) throw new AgentError('model_unavailable', `There is no model ${id}`)
      return found
    },
    servers: async () => servers,
    saveServer: async server => {
      servers.push(server)
    },
    removeServer: async () => undefined,
    probe: async () => ({ models: [] }),
    diagnose: async server => ({ fault: null, host: server.baseUrl }),
  }
}

export type TestAgent = {
  agent: Agent
  store: LogStore
  model: ScriptedModel
  world: ReturnType<typeof stillWorld>
  locks: Locks
  events: AgentEvent[]
  /** Entries of a chat as they are stored, without ids and times. */
  log(id: SessionId): Promise<Entry[]>
  /** Waits until the chat rests: idle, asking, interrupted. */
  settled(id: SessionId): Promise<Status>
}

export type TestAgentOptions = {
  store?: LogStore
  locks?: Locks
  readPage?: ReadPage
  model?: Partial<Omit<Model, 'generate'>>
  others?: Model[]
  models?: Models
  prefix?: string
  broadcast?: (event: AgentEvent) => void
  world?: ReturnType<typeof stillWorld>
  idleAfter?: number
  tokenizer?: Tokenizer
}

/** An agent with a scripted model. */
export function testAgent(script: Script, options: TestAgentOptions = {}): TestAgent {
  const store = options.store ?? new MemoryStore()
  const world = options.world ?? stillWorld(options.prefix)
  const locks = options.locks ?? processLocks()
  const model = scripted(script, options.model)
  const events: AgentEvent[] = []
  const agent = createAgent({
    store,
    world,
    locks,
    models: options.models ?? modelsOf(model, ...(options.others ?? [])),
    tokenizer: options.tokenizer ?? { load: async () => undefined, count: undefined },
    readPage: options.readPage ?? (async url => ({ title: 'A page', markdown: 'Its words.', url })),
    compilePattern: linearPattern,
    diffLines: async (before, after) => lineDiff(before, after),
    contacted: async () => [],
    storage: async () => ({ state: 'memory' }),
    ...(options.broadcast ? { broadcast: options.broadcast } : {}),
    ...(options.idleAfter === undefined ? {} : { idleAfter: options.idleAfter }),
  })
  void agent.subscribe(batch => {
    events.push(...batch)
  })
  const resting = new Set(['idle', 'asking', 'interrupted'])
  return {
    agent,
    store,
    model,
    world,
    locks,
    events,
    log: async id => (await store.read(id)).map(row => row.entry),
    settled: async id => {
      for (let tries = 0; tries < 2000; tries++) {
        const last = events.findLast(event => event.type === 'status' && event.session === id)
        if (last?.type === 'status' && resting.has(last.status.state)) return last.status
        await new Promise(resolve => {
          setTimeout(resolve, 1)
        })
      }
      throw new Error(`The chat does not come to rest: ${JSON.stringify(events.slice(-5))}`)
    },
  }
}

/** Sends and waits until the turn rests. */
export async function sendAndSettle(bench: TestAgent, id: SessionId, text: string): Promise<Status> {
  bench.events.length = 0
  await bench.agent.send(id, text)
  return bench.settled(id)
}

/** Waits until the condition holds; fails if it never does. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 4000; tries++) {
    if (await holds()) return
    await new Promise(resolve => {
      setTimeout(resolve, 1)
    })
  }
  throw new Error('It did not happen')
}

/** A log in short form: each fact and edit as a few words. */
export function logSummary(entries: readonly Entry[]): string[] {
  return entries.map(entry => {
    switch (entry.type) {
      case 'user':
        return `user: ${entry.text}`
      case 'assistant':
        return `assistant${entry.stop === 'stop' || entry.stop === 'calls' ? '' : ` (${entry.stop})`}: ${entry.text}${entry.calls.map(call => ` [${call.name}]`).join('')}`
      case 'result':
        return `${entry.isError ? 'error' : 'result'} ${entry.tool}: ${entry.text.split('\n')[0]}`
      case 'note':
        return `note ${entry.code}`
      case 'cut':
        return `cut ${entry.reason}`
      case 'summary':
        return `summary by ${entry.by}`
      default:
        return entry.type
    }
  })
}
