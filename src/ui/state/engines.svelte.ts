/**
 * UI state of local models: the saved ones, the state of the engines, and the person's actions. Loaded on first use.
 */
import { connectEngines, type EnginesOnPage } from '../../bridge/page/connect-engines.ts'
import type { AgentApi } from '../../core/agent/api/api.ts'
import { codeOf } from '../../core/errors.ts'
import type {
  Engine,
  EngineAct,
  EngineKind,
  EngineState,
  EngineWork,
  LocalModel,
} from '../../core/ports/local-engine.ts'
import { promptApi } from '../../models/engines/prompt-api/prompt-api.ts'
import { failureOf } from './library.svelte.ts'
import type { Settings } from './settings.svelte.ts'
import { stayAwake } from '../browser/stay-awake.ts'

/** What is needed of the page's shell, which loads this file. */
type EngineHostState = {
  readonly api: AgentApi
  readonly settings: Settings
  failure: ReturnType<typeof failureOf> | null
  engineWork: EngineWork | undefined
}

const made = new WeakMap<EngineHostState, LocalEngines>()

/** The engines of this page; there is one of them. */
export function enginesOf(shell: EngineHostState): LocalEngines {
  const known = made.get(shell)
  if (known) return known
  const engines = new LocalEngines(shell)
  made.set(shell, engines)
  return engines
}

export class LocalEngines {
  readonly #shell: EngineHostState
  readonly #page: EnginesOnPage
  saved = $state.raw<readonly LocalModel[]>([])
  states = $state.raw<Readonly<Partial<Record<EngineKind, EngineState>>>>({})
  /** The act under way that this page began: what Stop ends. */
  running = $state.raw<{ kind: EngineKind; model: string; act: EngineAct['type'] } | null>(null)
  /** The last check found nothing wrong with this model. */
  verified = $state.raw<string | null>(null)
  #stop: AbortController | undefined
  #watched = new WeakSet<Engine>()

  constructor(shell: EngineHostState) {
    this.#shell = shell
    this.#page = connectEngines({ api: shell.api, onPage: () => promptApi() })
  }

  /** The agent asks for a channel to an engine. */
  async handOver(kind: EngineKind): Promise<void> {
    await this.#page.handOver(kind)
    this.#watch(kind)
  }

  /** Refreshes the device and the saved models. Starts no thread if this page may run none. */
  async refresh(kinds: readonly EngineKind[]): Promise<void> {
    this.saved = await this.#shell.api.localModels()
    await Promise.all(
      kinds.map(async kind => {
        const engine = this.#watch(kind)
        const never = new AbortController().signal
        await engine.act({ type: 'measure' }, never)
        await engine.act({ type: 'check', models: this.saved.filter(model => model.kind === kind) }, never)
      }),
    )
  }

  stateOf(model: LocalModel): EngineState | undefined {
    return this.states[model.kind]
  }

  /**
   * Keeps the model among those that can be chosen, and downloads what is missing of it. Problems stand in the engine's
   * state.
   */
  async download(model: LocalModel): Promise<void> {
    await this.#save(model)
    await this.#act(model, { type: 'download', model, mirrors: { ...this.#shell.settings.page.mirrors } })
    await this.#fit(model)
  }

  load(model: LocalModel): Promise<boolean> {
    return this.#act(model, { type: 'load', model })
  }
  unload(model: LocalModel): Promise<boolean> {
    return this.#act(model, { type: 'unload' })
  }
  repair(model: LocalModel): Promise<boolean> {
    return this.#act(model, { type: 'repair', model, mirrors: { ...this.#shell.settings.page.mirrors } })
  }

  async verify(model: LocalModel): Promise<void> {
    this.verified = null
    if (await this.#act(model, { type: 'verify', model })) this.verified = model.id
  }

  /** Asks the server for the size of the model's file; nothing is stored yet. */
  ask(model: LocalModel): Promise<boolean> {
    return this.#act(model, { type: 'ask', model, mirrors: { ...this.#shell.settings.page.mirrors } })
  }

  async importFiles(model: LocalModel, files: readonly { path: string; bytes: File }[]): Promise<void> {
    await this.#save(model)
    await this.#act(model, { type: 'import', model, files, mirrors: { ...this.#shell.settings.page.mirrors } })
    await this.#fit(model)
  }

  async remove(model: LocalModel): Promise<void> {
    const others = this.saved.filter(({ id }) => id !== model.id)
    if (model.kind !== 'prompt-api' && !(await this.#act(model, { type: 'delete', model, others: [...others] }))) return
    await this.#shell.api.removeLocalModel(model.id)
    this.saved = others
  }

  setTools(model: LocalModel, tools: boolean): Promise<void> {
    return this.#save({ ...model, tools })
  }

  /** A larger window costs memory when the model is loaded the next time. */
  setWindow(model: LocalModel, contextWindow: number): Promise<void> {
    return this.#save({ ...model, contextWindow })
  }

  stop(): void {
    this.#stop?.abort()
  }

  /** Adopts the window that the engine reports: exactly for the browser's model, as an upper limit for others. */
  async #fit(model: LocalModel): Promise<void> {
    const told = this.states[model.kind]?.disk[model.id]?.window ?? model.contextWindow
    const contextWindow = model.kind === 'prompt-api' ? told : Math.min(told, model.contextWindow)
    if (contextWindow !== model.contextWindow) await this.#save({ ...model, contextWindow })
  }

  async #save(model: LocalModel): Promise<void> {
    await this.#shell.api.saveLocalModel(model)
    this.saved = await this.#shell.api.localModels()
  }

  /** Returns whether it succeeded; a failure is shown by the state, a stop is not shown. */
  async #act(model: LocalModel, act: EngineAct): Promise<boolean> {
    const stop = new AbortController()
    this.#stop = stop
    this.running = { kind: model.kind, model: model.id, act: act.type }
    const asleep = stayAwake() // a phone that goes dark in the middle stops the download
    try {
      await this.#watch(model.kind).act(act, stop.signal)
      return true
    } catch (thrown) {
      // What an act did not get to say in its state (a thread that could not be started) the shell says.
      if (codeOf(thrown) !== 'stopped' && this.states[model.kind]?.work.state !== 'failed')
        this.#shell.failure = failureOf(thrown)
      return false
    } finally {
      asleep()
      if (this.#stop === stop) this.running = null
    }
  }

  #watch(kind: EngineKind): Engine {
    const engine = this.#page.get(kind)
    if (!this.#watched.has(engine)) {
      this.#watched.add(engine)
      engine.watch(state => {
        this.states = { ...this.states, [kind]: state }
        this.#shell.engineWork = Object.values(this.states)
          .map(({ work }) => work)
          .find(({ state }) => state === 'downloading' || state === 'loading')
      })
    }
    return engine
  }
}
