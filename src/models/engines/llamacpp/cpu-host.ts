/**
 * Runs GGUF models on the processor: what is on the disk, one model loaded, one answer at a time. Lives on a thread of
 * its own.
 */
import { AgentError } from '../../../core/errors.ts'
import type { Engine, EngineAct, EngineWork, LocalModel } from '../../../core/ports/local-engine.ts'
import type { ModelPart, ModelRequest } from '../../../core/log/message.ts'
import { isolated } from '../../../core/text/display/isolate.ts'
import { cpuChat } from './cpu-chat.ts'
import { probeSize, checkGguf, copyGguf, downloadGguf, ggufOnDisk, removeGguf, type GgufDeps } from './cpu-download.ts'
import type { CpuEngine } from './cpu-engine.ts'
import { cpuError, isBroken } from './cpu-errors.ts'
import { engineError, problemOf } from '../shared/engine-errors.ts'
import { mutex } from '../shared/engine-status.ts'
import { ggufWindow } from './gguf-head.ts'
import { HostStatus } from '../shared/host-status.ts'
import { stoppedError, throwIfStopped, untilStopped } from '../../shared/pause.ts'

export type CpuHostDeps = Omit<GgufDeps, 'progress'> & {
  now: () => number
  makeEngine: () => Promise<CpuEngine>
  /** Fetches all that runs a model, so that it is kept; and whether it is. */
  fetchEngine: () => Promise<unknown>
  engineKept: () => Promise<boolean>
  /** Bytes of weights that this device reads for an answer each second, measured. */
  speed: () => number
  /** Survives the death of the tab: the model whose loading has begun and not ended. */
  marker: { read(): Promise<string | undefined>; write(model: string | undefined): Promise<void> }
}

type Loaded = { model: LocalModel; engine: CpuEngine }

export class CpuHost implements Engine {
  readonly #deps: CpuHostDeps
  readonly #status = new HostStatus()
  readonly #chatMutex = mutex()
  readonly #diskMutex = mutex()
  #loaded: Loaded | undefined
  #asked = new Map<string, LocalModel>()

  constructor(parts: CpuHostDeps) {
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
      case 'load': {
        const release = await this.#chatMutex(signal)
        try {
          await this.#load(act.model, signal)
        } finally {
          release()
        }
        return
      }
      case 'unload':
        return this.#unload()
      case 'ask':
        return this.#onDisk(act.model, signal, async (source, parts) => {
          const total = await probeSize(source, act.mirrors ?? {}, parts, signal)
          this.#status.set({
            disk: {
              ...this.#status.state.disk,
              [act.model.id]: { ...(await ggufOnDisk(source, parts.files)), ...(total === undefined ? {} : { total }) },
            },
          })
        })
      case 'download':
        return this.#onDisk(act.model, signal, async (source, parts) => {
          await this.#deps.fetchEngine()
          await downloadGguf(source, act.mirrors ?? {}, parts, signal)
        })
      case 'import':
        return this.#onDisk(act.model, signal, async (source, parts) => {
          const file = act.files[0]
          if (!file) throw new AgentError('bad_input', 'No file was chosen.', { data: { reason: 'other' } })
          await this.#deps.fetchEngine()
          await copyGguf(source, file.bytes as Blob, parts, signal)
        })
      // The engine checks what it loads; what is here was counted when it came.
      case 'verify':
        return this.#onDisk(act.model, signal, async () => {
          await checkGguf(await this.#file(act.model))
        })
      case 'repair':
        return this.#onDisk(act.model, signal, async (source, parts) => {
          await this.#forget(act.model)
          await this.#deps.fetchEngine()
          await downloadGguf(source, act.mirrors ?? {}, parts, signal)
        })
      case 'delete':
        return this.#onDisk(act.model, signal, () => this.#forget(act.model))
      default:
        return act satisfies never
    }
  }

  async *generate(model: LocalModel, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
    const release = await this.#chatMutex(signal)
    try {
      const { engine } = await this.#ready(model, signal)
      this.#status.chat({ state: 'answering', model: model.id })
      try {
        yield* cpuChat(engine, request, signal)
      } catch (thrown) {
        if (signal.aborted) throw stoppedError()
        const error = cpuError(thrown, model, engine.log())
        if (isBroken(error)) await this.#unload()
        throw error
      } finally {
        this.#status.chat(this.#resting())
      }
    } finally {
      release()
    }
  }

  async #measure(): Promise<void> {
    const known = this.#status.state.device
    this.#status.set({
      device: known ?? { f16: false, bufferBytes: 0, fallback: true, name: '', weightsPerSecond: this.#deps.speed() },
    })
    const unfinished = await this.#deps.marker.read()
    if (unfinished !== undefined && this.#status.chatting !== 'loading') this.#status.set({ unfinished })
  }

  /**
   * The engine with this model in it, loaded now if need be. A model whose loading killed the tab once waits for a
   * person.
   */
  async #ready(model: LocalModel, signal: AbortSignal): Promise<Loaded> {
    if (this.#loaded?.model.id === model.id && this.#loaded.model.contextWindow === model.contextWindow)
      return this.#loaded
    if ((await this.#deps.marker.read()) === model.id) {
      throw engineError(
        'unfinished',
        `Loading ${model.name} began and never ended: most likely this device has too little memory for it. Load it by hand in Settings, This device, or take a smaller one.`,
      )
    }
    return this.#load(model, signal)
  }

  async #load(model: LocalModel, signal: AbortSignal): Promise<Loaded> {
    let engine: CpuEngine | undefined
    let isMarked = false
    try {
      const file = await this.#file(model)
      await checkGguf(file)
      throwIfStopped(signal)
      await this.#unload()
      this.#status.chat({ state: 'loading', model: model.id, share: 0 })
      isMarked = true
      await this.#deps.marker.write(model.id)
      engine = await this.#deps.makeEngine()
      // before the file is read: an engine that has only just begun to load cannot be stopped
      throwIfStopped(signal)
      await untilStopped(engine.load(file, model.contextWindow), signal)
    } catch (thrown) {
      const log = engine?.log() ?? []
      void engine?.exit().catch(() => {}) // half a model; it is left behind in any case
      const error = signal.aborted ? stoppedError() : cpuError(thrown, model, log)
      this.#status.chat(
        error.code === 'stopped' ? this.#resting() : { state: 'failed', model: model.id, problem: problemOf(error) },
      )
      throw error
    } finally {
      if (isMarked) {
        await this.#deps.marker.write(undefined)
        this.#status.clear('unfinished')
      }
    }
    this.#loaded = { model, engine }
    this.#status.chat({ state: 'ready', model: model.id })
    return this.#loaded
  }

  async #unload(): Promise<void> {
    const loaded = this.#loaded
    this.#loaded = undefined
    if (!loaded) return
    this.#status.chat({ state: 'idle' })
    await loaded.engine.exit().catch(() => {}) // an engine that broke has nothing left to end
  }

  async #forget(model: LocalModel): Promise<void> {
    if (this.#loaded?.model.id === model.id) await this.#unload()
    await removeGguf(sourceOf(model).file, this.#deps.files)
  }

  async #file(model: LocalModel): Promise<Blob> {
    const source = sourceOf(model)
    const { missing } = await ggufOnDisk(source, this.#deps.files)
    if (missing.length > 0)
      throw engineError(
        'not-downloaded',
        `${model.name} is not whole on this device. Download what is missing in Settings, This device.`,
        undefined,
        { missing },
      )
    return this.#deps.files.read(source.file)
  }

  async #check(models: readonly LocalModel[]): Promise<void> {
    const disk = { ...this.#status.state.disk }
    for (const model of models) {
      this.#asked.set(model.id, model)
      if (!model.cpu) continue
      const now = await ggufOnDisk(model.cpu, this.#deps.files)
      const total = now.total ?? disk[model.id]?.total // what its address told stays known
      const window =
        now.missing.length === 0
          ? (disk[model.id]?.window ?? (await ggufWindow(await this.#deps.files.read(model.cpu.file))))
          : undefined
      disk[model.id] = {
        ...now,
        ...(total === undefined ? {} : { total }),
        ...(window === undefined ? {} : { window }),
      }
    }
    this.#status.set({ disk, engineKept: await this.#deps.engineKept() })
  }

  async #onDisk(
    model: LocalModel,
    signal: AbortSignal,
    task: (source: NonNullable<LocalModel['cpu']>, parts: GgufDeps) => Promise<void>,
  ): Promise<void> {
    const release = await this.#diskMutex(signal)
    this.#asked.set(model.id, model)
    try {
      this.#status.disk({ state: 'downloading', model: model.id, done: 0, total: 0 })
      await task(sourceOf(model), {
        ...this.#deps,
        progress: this.#status.counting('downloading', model, this.#deps.now),
      })
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

  #resting(): EngineWork {
    return this.#loaded ? { state: 'ready', model: this.#loaded.model.id } : { state: 'idle' }
  }
}

function sourceOf(model: LocalModel): NonNullable<LocalModel['cpu']> {
  if (!model.cpu)
    throw new AgentError('bad_input', `${isolated(model.name)} is no model of the processor.`, {
      data: { reason: 'other' },
    })
  return model.cpu
}
