/**
 * One engine per browser. The tab that holds the lock runs it; other tabs use it through that tab, and take over when
 * it closes or gives no sign of life (a frozen tab answers nothing, but keeps its lock).
 */
import { AgentError } from '../../core/errors.ts'
import type { Engine, EngineAct, EngineState } from '../../core/ports/local-engine.ts'
import { connectEngine, serveEngine, type RemoteEngine, type EngineChannel } from '../shared/engine-channel.ts'

type Channel = Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'removeEventListener'>
type Manager = Pick<LockManager, 'request'>

export type SharedEngineDeps = {
  /** The engine of this tab; it must do nothing before it is asked. */
  engine: Engine
  name: string
  locks: Manager | undefined
  channel: Channel | undefined
  /** Without a sign for so long the owner counts as frozen, ms. */
  silenceMs?: number
  newId?: () => string
}

/** Reading what lies on the disk or what the device can do needs no owner. */
const ownerless: ReadonlySet<EngineAct['type']> = new Set(['measure', 'check'])

/**
 * Wraps this tab's engine. Without Web Locks or BroadcastChannel (plain http, blocked site data) each tab runs its own.
 */
export function sharedEngine({
  engine,
  name,
  locks,
  channel,
  silenceMs = 5_000,
  newId = () => crypto.randomUUID(),
}: SharedEngineDeps): Engine {
  if (!locks || !channel) return engine
  const me = newId()
  const send = channel.postMessage.bind(channel)
  let owner = false
  let watching = false
  let lastSign = 0 // of the tab that runs the engine, ms
  const served = new Map<string, { hear(message: unknown): void; end(): void }>()
  const watchers = new Set<(state: EngineState) => void>()
  let own: EngineState | undefined
  let theirs: EngineState | undefined

  // What the owner does is shown in every tab; what lies on the disk is the same for all, and each looks for itself.
  const shown = (): EngineState | undefined =>
    own &&
    (owner || !theirs
      ? own
      : { ...own, work: theirs.work, ...(theirs.unfinished === undefined ? {} : { unfinished: theirs.unfinished }) })
  const show = (): void => {
    const state = shown()
    if (state) for (const tell of watchers) tell(state)
  }

  channel.addEventListener('message', (event: MessageEvent) => {
    const { to, from, body, state } = event.data as { to?: string; from: string; body?: unknown; state?: EngineState }
    if (state !== undefined) {
      lastSign = Date.now()
      theirs = state
      show()
    } else if (to === 'owner' && owner) {
      const line = served.get(from) ?? newServed(from)
      line.hear(body)
    }
  })

  function newServed(from: string): { hear(message: unknown): void; end(): void } {
    const listeners = new Set<(message: unknown) => void>()
    const end = serveEngine(engine, {
      post: body => {
        send({ to: from, from: me, body })
      },
      onMessage(listener) {
        listeners.add(listener)
        return () => {
          listeners.delete(listener)
        }
      },
    })
    const line = {
      hear: (message: unknown) => {
        for (const listener of listeners) listener(message)
      },
      end,
    }
    served.set(from, line)
    return line
  }

  /** Holds the lock until it is stolen or this tab ends. Resolves once it is decided whether it is ours. */
  function claim(options: LockOptions): Promise<boolean> {
    return new Promise(decide => {
      void locks!
        .request(name, options, lock => {
          if (!lock) {
            decide(false)
            return undefined
          }
          owner = true
          theirs = undefined
          decide(true)
          watchOwn()
          if (own) send({ from: me, state: withoutDisk(own) })
          return new Promise<never>(() => {})
        })
        .catch(async (thrown: unknown) => {
          // Blocked site data: the browser has locks and gives none.
          if (!owner && thrown instanceof Error && thrown.name === 'SecurityError') {
            owner = true
            watchOwn()
            decide(true)
            return
          }
          // Stolen while this tab was frozen, or waiting for it was given up.
          decide(false)
          if (!owner) return
          owner = false
          for (const line of served.values()) line.end()
          served.clear()
          // the memory is the new owner's now
          await engine.act({ type: 'unload' }, new AbortController().signal).catch(() => {})
        })
    })
  }

  const line: EngineChannel = {
    post: body => {
      send({ to: 'owner', from: me, body })
    },
    onMessage(listener) {
      const on = (event: MessageEvent): void => {
        const { to, body } = event.data as { to?: string; body?: unknown }
        if (to !== me) return
        lastSign = Date.now()
        listener(body)
      }
      channel.addEventListener('message', on)
      return () => {
        channel.removeEventListener('message', on)
      }
    },
  }
  const far: RemoteEngine = connectEngine(line, { silenceMs })

  /** One watch of the engine serves all who watch here, for as long as the thread lives. */
  function watchOwn(): void {
    if (watching) return
    watching = true
    engine.watch(state => {
      own = state
      if (owner) send({ from: me, state: withoutDisk(state) })
      show()
    })
  }

  const mine = async (): Promise<boolean> => owner || (await claim({ ifAvailable: true }))
  /**
   * After a silence: free because its holder closed, or stolen from a frozen one. Not from a third tab that was faster.
   */
  const takeOver = async (): Promise<boolean> => {
    if (await mine()) return true
    return Date.now() - lastSign >= silenceMs && claim({ steal: true })
  }
  const isSilence = (thrown: unknown): boolean => thrown instanceof AgentError && thrown.data['silent'] === true

  return {
    watch(tell) {
      watchers.add(tell)
      const state = shown()
      if (state) tell(state)
      watchOwn()
      return () => {
        watchers.delete(tell)
      }
    },

    async act(act, signal) {
      if (ownerless.has(act.type) || (await mine())) return engine.act(act, signal)
      try {
        await far.act(act, signal)
      } catch (thrown) {
        if (!isSilence(thrown) || signal.aborted) throw thrown
        await ((await takeOver()) ? engine : far).act(act, signal)
      }
    },

    async *generate(model, request, signal) {
      if (await mine()) {
        yield* engine.generate(model, request, signal)
        return
      }
      let begun = false
      try {
        for await (const part of far.generate(model, request, signal)) {
          begun = true
          yield part
        }
        return
      } catch (thrown) {
        if (!isSilence(thrown) || signal.aborted) throw thrown
        const taken = await takeOver()
        // A partial answer cannot be continued by another tab; the next attempt finds a living engine.
        if (begun) throw thrown
        yield* (taken ? engine : far).generate(model, request, signal)
      }
    },
  }
}

function withoutDisk(state: EngineState): EngineState {
  return { ...state, disk: {} }
}
