/**
 * The page's side of the engines: starts their threads when they are first needed, and gives the agent a channel to
 * each.
 */
import { AgentError } from '../../core/errors.ts'
import type { AgentApi } from '../../core/agent/api/api.ts'
import type { Engine, EngineKind } from '../../core/ports/local-engine.ts'
import { connectEngine, serveEngine, portChannel, type RemoteEngine } from '../shared/engine-channel.ts'
import type { PortHandover, ChannelUser } from '../shared/serve-channels.ts'

type ThreadKind = Exclude<EngineKind, 'prompt-api'>
/** A thread with an engine in it. */
export type EngineThread = {
  post(message: PortHandover, transfer: Transferable[]): void
  /**
   * Called with the message of each uncaught error in the thread; an empty one means that its script could not be
   * loaded.
   */
  onError(heard: (message: string) => void): void
  terminate(): void
}

export type EnginesOnPage = {
  /** The engine of this kind; its thread is started at the first asking. */
  get(kind: EngineKind): Engine
  /** Gives the agent's worker a channel to it: on request, and again after each restart of the worker. */
  handOver(kind: EngineKind): Promise<void>
  /** Ends the thread and frees its memory; the next use starts another one. */
  restart(kind: EngineKind): void
}

/** `onPage` makes the engine that can live on the page only: the browser's own model. */
export function connectEngines({
  api,
  onPage,
  start = startThread,
}: {
  api: Pick<AgentApi, 'connectEngine'>
  onPage: () => Engine
  start?: (kind: ThreadKind) => EngineThread
}): EnginesOnPage {
  const running = new Map<EngineKind, { engine: Engine; give(port: MessagePort): void; end(): void }>()

  const begin = (kind: EngineKind): { engine: Engine; give(port: MessagePort): void; end(): void } => {
    const known = running.get(kind)
    if (known) return known
    const made = kind === 'prompt-api' ? here(onPage()) : onThread(kind)
    running.set(kind, made)
    return made
  }

  const onThread = (kind: ThreadKind): { engine: RemoteEngine; give(port: MessagePort): void; end(): void } => {
    const thread = start(kind)
    const give = (port: MessagePort, line: ChannelUser = 'agent'): void => {
      thread.post({ line, port }, [port])
    }
    const { port1, port2 } = new MessageChannel()
    give(port2, 'page')
    const channel = portChannel(port1)
    const engine = connectEngine(channel)
    let answered = false
    channel.onMessage(() => {
      answered = true
    })
    const end = (
      why = new AgentError(
        'new_version',
        'The engine of this device could not be started: there is a new version of the app, or no network. Reload the page.',
        { data: { reason: 'other' } },
      ),
    ): void => {
      running.delete(kind)
      engine.end(why)
      thread.terminate()
    }
    thread.onError(message => {
      if (message === '') end()
      // Errors of running code are reported by the channel.
      else if (!answered)
        end(
          new AgentError('model_unavailable', `The engine of this device could not be started: ${message}`, {
            data: { reason: 'other' },
          }),
        )
    })
    // Also when only the page uses it: what it fetches belongs into the agent's ledger.
    const agent = new MessageChannel()
    give(agent.port2)
    void api.connectEngine(kind, agent.port1).catch(() => {}) // an agent that is being restarted asks for itself
    return { engine, give, end }
  }

  return {
    get: kind => begin(kind).engine,
    async handOver(kind) {
      if (!running.has(kind) && kind !== 'prompt-api') {
        begin(kind)
        return
      }
      const { port1, port2 } = new MessageChannel()
      begin(kind).give(port1)
      await api.connectEngine(kind, port2)
    },
    restart(kind) {
      running.get(kind)?.end()
    },
  }
}

function here(engine: Engine): { engine: Engine; give(port: MessagePort): void; end(): void } {
  let end = (): void => {}
  return {
    engine,
    end: () => {
      end()
    },
    give(port) {
      end()
      end = serveEngine(engine, portChannel(port))
    },
  }
}

function startThread(kind: ThreadKind): EngineThread {
  const worker =
    kind === 'webllm'
      ? new Worker(new URL('../../../workers/webllm.worker.ts', import.meta.url), { type: 'module', name: 'webllm' })
      : new Worker(new URL('../../../workers/cpu.worker.ts', import.meta.url), { type: 'module', name: 'cpu' })
  return {
    post: (message, transfer) => {
      worker.postMessage(message, transfer)
    },
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
