/** The contract between page, agent and the engines that run models on this device. Types only. */
import type { Code } from '../errors.ts'
import type { ModelPart, ModelRequest } from '../log/message.ts'

/** On the graphics card; the browser's own model, lent by the page; on the processor. */
export type EngineKind = 'webllm' | 'prompt-api' | 'cpu'

/**
 * A model of this device that the person chose: plain data, kept in the settings. `id` begins with its kind and a
 * colon.
 */
export type LocalModel = {
  id: string
  kind: EngineKind
  name: string
  contextWindow: number // tokens
  tools: boolean
  /**
   * Of the graphics card: an MLC folder, and the program compiled for it. Both are the canonical addresses, whatever
   * mirror the bytes come from.
   */
  webllm?: {
    weights: string
    program: string
    features: string[]
    bufferBytes?: number
    memory?: number /* bytes, an estimate */
    manifest?: string
  }
  /** Of the processor: a GGUF file. Without an address it came from the disk and cannot be fetched again. */
  cpu?: { url?: string; file: string; bytes?: number }
}

/** Why something did not work, as detailed as the screen needs to offer the right button. */
export type EngineReason =
  | 'no-webgpu'
  | 'no-f16'
  | 'too-large'
  | 'out-of-memory'
  | 'device-lost' // the device
  | 'offline'
  | 'blocked'
  | 'refused'
  | 'damaged'
  | 'quota'
  | 'no-storage' // the download
  | 'not-downloaded'
  | 'unfinished'
  | 'program'
  | 'unsupported'
  | 'busy'
  | 'no-page'
  | 'other' // the engine

export type EngineProblem = { code: Code; reason: EngineReason; message: string }

export type EngineWork =
  | { state: 'idle' }
  | {
      state: 'downloading' | 'verifying'
      model: string
      done: number
      total: number /* bytes; 0: not known yet */
      secondsLeft?: number
    }
  | { state: 'loading'; model: string; share: number /* 0…1 */ }
  | { state: 'ready' | 'answering'; model: string }
  | { state: 'failed'; model: string; problem: EngineProblem }

/** What of a model is stored on this device. Offline it works only if nothing is missing. */
export type DiskState = {
  bytes: number
  total?: number /* bytes, once its list of files is known */
  missing: ('weights' | 'program' | 'settings' | 'tokenizer')[]
  window?: number /* tokens, where the engine told it: the largest that it takes */
}

/** What was measured of this device; absent: not asked yet, null: the engine cannot run here. */
export type EngineDevice = {
  f16: boolean
  bufferBytes: number /* largest one that may be bound */
  fallback: boolean /* the adapter is software */
  name: string
  weightsPerSecond?: number /* bytes of weights that the processor reads for an answer, measured */
}

export type EngineState = {
  work: EngineWork
  device?: EngineDevice | null
  /** With `device` null: why. */
  deviceProblem?: EngineProblem
  /** By model id, of those that were asked about. */
  disk: Record<string, DiskState>
  /** Loading this model was begun and never ended: the tab died. It is not loaded again by itself. */
  unfinished?: string
  /** The engine's own script is kept too, so that it starts without a network. */
  engineKept?: boolean
}

/** The cache of the scripts and programs of engines that were used here: files of the app, unlike the models. */
export const engineCache = 'haversack-engine-files'

/** Addresses that stand in for the usual ones, where those are blocked. Empty: the usual ones. */
export type Mirrors = { weights?: string; programs?: string }

export type EngineAct =
  | { type: 'measure' }
  | { type: 'check'; models: LocalModel[] }
  /** Asks its address how large it is, and nothing more; the answer is the total on the disk. */
  | { type: 'ask'; model: LocalModel; mirrors?: Mirrors }
  | { type: 'download'; model: LocalModel; mirrors?: Mirrors }
  /** From files of this device. */
  | { type: 'import'; model: LocalModel; files: readonly FolderFile[]; mirrors?: Mirrors /* for what the files lack */ }
  | { type: 'load'; model: LocalModel }
  | { type: 'unload' }
  | { type: 'verify'; model: LocalModel }
  | { type: 'repair'; model: LocalModel; mirrors?: Mirrors }
  | { type: 'delete'; model: LocalModel; others: LocalModel[] /* what they share stays */ }

/** A file's bytes, as far as core needs to name them. */
export type FileBytes = { readonly size: number }

/** One of the files that were chosen; `path` is where it lies in their folder. */
export type FolderFile = { path: string; bytes: FileBytes }

/** Runs models of one kind. Everything it throws is an AgentError with `data.reason`, an EngineReason. */
export interface Engine {
  /** Tells the state now and after each change. Answers with how to end it. */
  watch(tell: (state: EngineState) => void): () => void
  /** Done when it resolves. A stop leaves what came so far, to be resumed. */
  act(act: EngineAct, signal: AbortSignal): Promise<void>
  /** As `Model.generate`; loads the model first if it is on the disk. Never fetches. */
  generate(model: LocalModel, request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>
}

/** A MessagePort: core knows no platform. */
export type EnginePort = { postMessage(message: unknown): void; close(): void }

/** The models of this device, as the agent keeps them. */
export interface LocalModels {
  savedModels(): Promise<LocalModel[]>
  saveModel(model: LocalModel): Promise<void>
  removeModel(id: string): Promise<void>
  /** Connects an engine of this kind through a port from the page; it replaces an earlier one. */
  connect(kind: EngineKind, port: EnginePort): Promise<void>
}
