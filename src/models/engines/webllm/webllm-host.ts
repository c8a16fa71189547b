/**
 * Runs models on the graphics card: what is on the disk, what is loaded, one answer at a time. Lives on a thread of its
 * own.
 */
import { AgentError } from '../../../core/errors.ts'
import type { Engine, EngineAct, LocalModel, Mirrors } from '../../../core/ports/local-engine.ts'
import type { ModelPart, ModelRequest } from '../../../core/log/message.ts'
import { isolated } from '../../../core/text/display/isolate.ts'
import { engineError, problemOf, webllmError } from '../shared/engine-errors.ts'
import { mutex } from '../shared/engine-status.ts'
import { HostStatus } from '../shared/host-status.ts'
import { stoppedError, throwIfStopped, untilStopped } from '../../shared/pause.ts'
import { webllmChat, type ChatEngine } from './webllm-chat.ts'
import { checkDevice, deviceOf, type Adapter } from './webllm-device.ts'
import { downloadWebllm, verifyWebllm, type DownloadDeps } from './webllm-download.ts'
import { mirrored } from '../shared/mirrors.ts'
import { deleteFiles, webllmOnDisk, type WebllmSource } from './webllm-files.ts'
import { folderFetch, isFromFolder } from './webllm-folder.ts'

export type WebllmHostDeps = Omit<DownloadDeps, 'progress'> & {
  now: () => number
  adapter: () => Promise<Adapter | null>
  /** A fresh engine that knows this one model, and tells how far its loading is (0…1). */
  makeEngine: (model: LocalModel, progress: (share: number) => void) => Promise<ChatEngine>
  /** Fetches the engine's script, so that it is kept; and whether it is. */
  fetchEngine: () => Promise<unknown>
  engineKept: () => Promise<boolean>
  /** Survives the death of the tab: the model whose loading has begun and not ended. */
  marker: { read(): Promise<string | undefined>; write(model: string | undefined): Promise<void> }
}

type Loaded = { model: LocalModel; engine: ChatEngine }

export class WebllmHost implements Engine {
  readonly #deps: WebllmHostDeps
  readonly #status = new HostStatus()
  readonly #chatMutex = mutex()
  readonly #diskMutex = mutex()
  #loaded: Loaded | undefined
  /** Each loading and unloading is one more: what an older one still tells is passed over. */
  #generation = 0
  #asked = new Map<string, LocalModel>()

  constructor(parts: WebllmHostDeps) {
    this.#deps = parts
  }

  watch(tell: Parameters<Engine['watch']>[0]): () => void {
    return this.#status.watch(tell)
  }

  async act(act: EngineAct, signal: AbortSignal): Promise<void> {
    switch (act.type) {
      case 'measure':
        return this.#measure()
      case 'check':
        return this.#check(act.models)
      case 'load':
        return this.#withChatMutex(signal, () => this.#load(act.model, signal))
      case 'unload':
        return this.#unload()
      case 'download':
        return this.#onDisk(act.model, 'downloading', signal, source =>
          this.#download(source, act.model, act.mirrors ?? {}, signal),
        )
      case 'verify':
        return this.#onDisk(act.model, 'verifying', signal, async source => {
          const wrong = await verifyWebllm(
            source,
            { caches: this.#deps.caches, progress: this.#status.counting('verifying', act.model, this.#deps.now) },
            signal,
          )
          if (wrong.length > 0)
            throw engineError(
              'damaged',
              `${wrong.length} ${wrong.length === 1 ? 'file was' : 'files were'} damaged and removed. Download what is missing.`,
            )
        })
      case 'repair':
        return this.#onDisk(act.model, 'verifying', signal, async source => {
          await verifyWebllm(
            source,
            { caches: this.#deps.caches, progress: this.#status.counting('verifying', act.model, this.#deps.now) },
            signal,
          )
          await this.#download(source, act.model, act.mirrors ?? {}, signal)
        })
      case 'delete':
        return this.#onDisk(act.model, 'verifying', signal, async source => {
          if (this.#loaded?.model.id === act.model.id) await this.#unload()
          await deleteFiles(
            source,
            act.others.flatMap(({ webllm }) => (webllm ? [webllm] : [])),
            this.#deps.caches,
          )
        })
      case 'import':
        return this.#onDisk(act.model, 'downloading', signal, async source => {
          await this.#deps.fetchEngine()
          const mirrors = act.mirrors ?? {}
          const fetch = folderFetch(source, act.files, (url, stop) => this.#deps.fetch(mirrored(url, mirrors), stop))
          await downloadWebllm(
            source,
            {},
            { ...this.#deps, fetch, progress: this.#status.counting('downloading', act.model, this.#deps.now) },
            signal,
          )
        })
      case 'ask':
        throw new AgentError('bad_input', 'The size of a model of the graphics card stands in the list.', {
          data: { reason: 'other' },
        })
      default:
        return act satisfies never
    }
  }

  async *generate(model: LocalModel, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
    const release = await this.#chatMutex(signal)
    try {
      for (let attempt = 0; ; attempt++) {
        const { engine } = await this.#ready(model, signal)
        let begun = false
        this.#status.chat({ state: 'answering', model: model.id })
        try {
          for await (const part of webllmChat(engine, request, signal, () => {
            void this.#unload()
          })) {
            begun = true
            yield part
          }
          return
        } catch (thrown) {
          const lost =
            thrown instanceof AgentError &&
            (thrown.data['reason'] === 'device-lost' || thrown.data['reason'] === 'out-of-memory')
          if (!lost) throw thrown
          // The engine unloads itself when the device is lost, and only its next request tells.
          await this.#unload()
          if (begun || attempt > 0) throw thrown
        } finally {
          this.#emitIdle()
        }
      }
    } finally {
      release()
    }
  }

  async #measure(): Promise<void> {
    const adapter = await this.#deps.adapter().catch(() => null) // a driver that refuses is a card that is not there
    try {
      this.#status.set({ device: deviceOf(adapter) })
    } catch (thrown) {
      this.#status.set({ device: null, deviceProblem: problemOf(thrown) })
    }
    const unfinished = await this.#deps.marker.read()
    if (unfinished !== undefined && this.#status.chatting !== 'loading') this.#status.set({ unfinished })
  }

  async #check(models: readonly LocalModel[]): Promise<void> {
    const disk = { ...this.#status.state.disk }
    for (const model of models) {
      this.#asked.set(model.id, model)
      if (model.webllm) disk[model.id] = await webllmOnDisk(model.webllm, this.#deps.caches)
    }
    this.#status.set({ disk, engineKept: await this.#deps.engineKept() })
  }

  async #withChatMutex<T>(signal: AbortSignal, task: () => Promise<T>): Promise<void> {
    const release = await this.#chatMutex(signal)
    try {
      await task()
    } finally {
      release()
    }
  }

  /**
   * The engine with this model in it, loaded now if need be. A model whose loading killed the tab once waits for a
   * person.
   */
  async #ready(model: LocalModel, signal: AbortSignal): Promise<Loaded> {
    if (this.#loaded?.model.id === model.id && this.#loaded.model.contextWindow === model.contextWindow)
      return this.#loaded
    const unfinished = await this.#deps.marker.read()
    if (unfinished === model.id) {
      throw engineError(
        'unfinished',
        `Loading ${model.name} began and never ended: most likely this device has too little memory for it, and the browser closed the tab. Load it by hand in Settings, This device, or take a smaller one.`,
      )
    }
    return this.#load(model, signal)
  }

  async #load(model: LocalModel, signal: AbortSignal): Promise<Loaded> {
    try {
      const source = sourceOf(model)
      await this.#measure()
      const { device, deviceProblem } = this.#status.state
      if (!device)
        throw engineError(
          deviceProblem?.reason ?? 'no-webgpu',
          deviceProblem?.message ?? 'No graphics card could be had.',
        )
      checkDevice(model, device)
      const { missing } = await webllmOnDisk(source, this.#deps.caches)
      if (missing.length > 0)
        throw engineError(
          'not-downloaded',
          `${model.name} is not whole on this device (missing: ${missing.join(', ')}). Download what is missing in Settings, This device.`,
          undefined,
          { missing },
        )
      throwIfStopped(signal)
      await this.#unload()
      return await this.#begin(model, signal)
    } catch (thrown) {
      const error = signal.aborted ? stoppedError() : webllmError(thrown)
      if (error.code === 'stopped') this.#emitIdle() // one that was there before may be there still
      else this.#status.chat({ state: 'failed', model: model.id, problem: problemOf(error) })
      throw error
    }
  }

  async #begin(model: LocalModel, signal: AbortSignal): Promise<Loaded> {
    const mine = ++this.#generation
    const current = (): boolean => mine === this.#generation
    this.#status.chat({ state: 'loading', model: model.id, share: 0 })
    await this.#deps.marker.write(model.id)
    let engine: ChatEngine | undefined
    try {
      engine = await this.#deps.makeEngine(model, share => {
        if (current()) this.#status.chat({ state: 'loading', model: model.id, share })
      })
      // Cancelling is unloading; the promise of loading may then resolve, reject with a bare string, or never end.
      await untilStopped(engine.reload(webllmModelId(model), { context_window_size: model.contextWindow }), signal)
      if (!current()) throw stoppedError()
    } catch (thrown) {
      if (engine) void Promise.resolve(engine.unload()).catch(() => {}) // half a model; it is left behind in any case
      throw thrown
    } finally {
      await this.#deps.marker.write(undefined)
      this.#status.clear('unfinished')
    }
    this.#loaded = { model, engine }
    this.#status.chat({ state: 'ready', model: model.id })
    return this.#loaded
  }

  #emitIdle(): void {
    this.#status.chat(this.#loaded ? { state: 'ready', model: this.#loaded.model.id } : { state: 'idle' })
  }

  async #unload(): Promise<void> {
    this.#generation++
    const loaded = this.#loaded
    this.#loaded = undefined
    if (!loaded) return
    this.#status.chat({ state: 'idle' })
    await Promise.resolve(loaded.engine.unload()).catch(() => {}) // a lost device cannot be unloaded, and need not be
  }

  async #onDisk(
    model: LocalModel,
    state: 'downloading' | 'verifying',
    signal: AbortSignal,
    task: (source: WebllmSource) => Promise<void>,
  ): Promise<void> {
    const release = await this.#diskMutex(signal)
    this.#asked.set(model.id, model)
    try {
      const source = sourceOf(model)
      this.#status.disk({ state, model: model.id, done: 0, total: 0 })
      await task(source)
      this.#status.disk(undefined)
    } catch (thrown) {
      const error = signal.aborted ? stoppedError() : thrown
      this.#status.disk(signal.aborted ? undefined : { state: 'failed', model: model.id, problem: problemOf(error) })
      throw error
    } finally {
      release()
      await this.#check([...this.#asked.values()]).catch(() => {}) // a storage failure is reported by the next act
    }
  }

  async #download(source: WebllmSource, model: LocalModel, mirrors: Mirrors, signal: AbortSignal): Promise<void> {
    if (isFromFolder(model))
      throw engineError('not-downloaded', `${model.name} came from a folder of this device. Choose that folder again.`)
    await this.#deps.fetchEngine()
    await downloadWebllm(
      source,
      mirrors,
      { ...this.#deps, progress: this.#status.counting('downloading', model, this.#deps.now) },
      signal,
    )
  }
}

/** The model's id for the engine. */
export function webllmModelId(model: LocalModel): string {
  return model.id.slice('webllm:'.length)
}

function sourceOf(model: LocalModel): WebllmSource {
  if (!model.webllm)
    throw new AgentError('bad_input', `${isolated(model.name)} is no model of the graphics card.`, {
      data: { reason: 'other' },
    })
  return model.webllm
}
