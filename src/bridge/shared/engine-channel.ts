/**
 * A channel to an engine: one side serves the engine that it runs, the other connects and sees an ordinary `Engine`.
 * Plain messages over a port, or over anything that sends and receives messages: page, threads and other tabs all use
 * this.
 */
import { AgentError, type Code } from '../../core/errors.ts'
import type { Engine, EngineAct, EngineState, LocalModel } from '../../core/ports/local-engine.ts'
import type { ModelPart, ModelRequest } from '../../core/log/message.ts'

export type EngineChannel = {
  post(message: unknown): void
  onMessage(listener: (message: unknown) => void): () => void
}

type EngineRequest =
  | { id: number; ask: 'watch' }
  | { id: number; ask: 'act'; act: EngineAct }
  | { id: number; ask: 'generate'; model: LocalModel; request: ModelRequest }
  | { id: number; ask: 'stop' }
type EngineResponse =
  | { id: number; tell: 'alive' | 'done' }
  | { id: number; tell: 'state'; state: EngineState }
  | { id: number; tell: 'part'; part: ModelPart }
  | { id: number; tell: 'error'; code: Code; message: string; data: Record<string, unknown> }

/**
 * How often the serving side reports that it still works on a call, ms. Less than half of the time that a client in
 * another tab waits.
 */
export const aliveMs = 1_500

/** Serves the engine on this line. Answers with how to end it: what runs for it is stopped. */
export function serveEngine(engine: Engine, channel: EngineChannel): () => void {
  const running = new Map<number, () => void>()
  const tell = (told: EngineResponse): void => {
    channel.post(told)
  }

  const run = async (id: number, task: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    const stop = new AbortController()
    running.set(id, () => {
      stop.abort()
    })
    tell({ id, tell: 'alive' })
    const beat = setInterval(() => {
      tell({ id, tell: 'alive' })
    }, aliveMs)
    try {
      await task(stop.signal)
      tell({ id, tell: 'done' })
    } catch (thrown) {
      const error =
        thrown instanceof AgentError
          ? thrown
          : new AgentError('unknown', thrown instanceof Error ? thrown.message : String(thrown))
      tell({ id, tell: 'error', code: error.code, message: error.message, data: { ...error.data } })
    } finally {
      clearInterval(beat)
      running.delete(id)
    }
  }

  const deaf = channel.onMessage(message => {
    const asked = message as EngineRequest
    switch (asked.ask) {
      case 'watch':
        running.set(
          asked.id,
          engine.watch(state => {
            tell({ id: asked.id, tell: 'state', state })
          }),
        )
        break
      case 'act':
        void run(asked.id, signal => engine.act(asked.act, signal))
        break
      case 'generate':
        void run(asked.id, async signal => {
          for await (const part of engine.generate(asked.model, asked.request, signal))
            tell({ id: asked.id, tell: 'part', part })
        })
        break
      case 'stop':
        running.get(asked.id)?.()
        break
      default:
        asked satisfies never
    }
  })
  return () => {
    deaf()
    for (const stop of running.values()) stop()
    running.clear()
  }
}

/** How long a stopped act may take to end before it is abandoned, ms. */
const patience = 3_000

export type RemoteEngine = Engine & {
  /** Rejects all pending calls with this error; sends nothing more. */
  end(error: AgentError): void
}

/** The calling side. A call fails with `worker_lost` when the other side sends nothing for `silenceMs` (0: never). */
export function connectEngine(channel: EngineChannel, { silenceMs = 0 }: { silenceMs?: number } = {}): RemoteEngine {
  type Call = { hear(told: EngineResponse): void; fail(error: AgentError): void; heard: number }
  const calls = new Map<number, Call>()
  let last = 0
  let over: AgentError | undefined
  const deaf = channel.onMessage(message => {
    const told = message as EngineResponse
    const call = calls.get(told.id)
    if (!call) return
    call.heard = Date.now()
    call.hear(told)
  })
  const watchdog =
    silenceMs > 0
      ? setInterval(
          () => {
            for (const call of calls.values()) {
              if (Date.now() - call.heard >= silenceMs)
                call.fail(
                  new AgentError('worker_lost', 'The tab that runs the model gave no sign of life.', {
                    data: { reason: 'busy', silent: true },
                  }),
                )
            }
          },
          Math.min(500, silenceMs / 4),
        )
      : undefined

  const begin = (call: Omit<Call, 'heard'>, asked: Record<string, unknown>): number => {
    const id = ++last
    calls.set(id, { ...call, heard: Date.now() })
    channel.post({ id, ...asked })
    return id
  }

  return {
    watch(tell) {
      if (over) return () => {}
      // A watcher may get no message for hours without being lost.
      const id = begin(
        {
          hear: told => {
            calls.get(id)!.heard = Infinity
            if (told.tell === 'state') tell(told.state)
          },
          fail: () => {},
        },
        { ask: 'watch' },
      )
      calls.get(id)!.heard = Infinity
      return () => {
        calls.delete(id)
        channel.post({ id, ask: 'stop' })
      }
    },

    act: (act, signal) =>
      new Promise((resolve, reject) => {
        if (over) return reject(over)
        if (signal.aborted) return reject(stopped())
        let timer: ReturnType<typeof setTimeout> | undefined
        const end = (): void => {
          clearTimeout(timer)
          signal.removeEventListener('abort', stop)
          calls.delete(id)
        }
        const fail = (error: AgentError): void => {
          end()
          reject(error)
        }
        const stop = (): void => {
          channel.post({ id, ask: 'stop' })
          timer = setTimeout(() => {
            fail(stopped())
          }, patience) // usually it ends by itself and publishes its state
        }
        const id = begin(
          {
            hear: told => {
              if (told.tell === 'done') {
                end()
                resolve()
              }
              if (told.tell === 'error') fail(new AgentError(told.code, told.message, { data: told.data }))
            },
            fail,
          },
          { ask: 'act', act },
        )
        signal.addEventListener('abort', stop, { once: true })
      }),

    async *generate(model, request, signal) {
      if (over) throw over
      if (signal.aborted) throw stopped()
      const queue: ModelPart[] = []
      let ended: AgentError | 'done' | undefined
      let wake = (): void => {}
      const end = (how: AgentError | 'done'): void => {
        ended ??= how
        wake()
      }
      const stop = (): void => {
        end(stopped())
      }
      const id = begin(
        {
          hear: told => {
            if (told.tell === 'part') {
              queue.push(told.part)
              wake()
            }
            if (told.tell === 'done') end('done')
            if (told.tell === 'error') end(new AgentError(told.code, told.message, { data: told.data }))
          },
          fail: end,
        },
        { ask: 'generate', model, request },
      )
      signal.addEventListener('abort', stop, { once: true })
      try {
        for (;;) {
          if (signal.aborted) throw stopped()
          const part = queue.shift()
          if (part) {
            yield part
            continue
          }
          if (ended === 'done') return
          if (ended) throw ended
          await new Promise<void>(resolve => {
            wake = resolve
          })
        }
      } finally {
        signal.removeEventListener('abort', stop)
        calls.delete(id)
        if (ended !== 'done') channel.post({ id, ask: 'stop' })
      }
    },

    end(error) {
      over = error
      deaf()
      clearInterval(watchdog)
      for (const call of calls.values()) call.fail(error)
      calls.clear()
    },
  }
}

const stopped = (): AgentError => new AgentError('stopped', 'Stopped by the user.')

/** A MessagePort or a worker's own scope as a line. */
export function portChannel(port: MessagePort): EngineChannel {
  return {
    post: message => {
      port.postMessage(message)
    },
    onMessage(listener) {
      const on = (event: MessageEvent): void => {
        listener(event.data)
      }
      port.addEventListener('message', on)
      port.start()
      return () => {
        port.removeEventListener('message', on)
      }
    },
  }
}
