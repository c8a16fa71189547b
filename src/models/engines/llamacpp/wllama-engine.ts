/**
 * The CPU engine itself, loaded on its thread when a model is loaded, and never before. All its files come from this
 * origin.
 */
import { Wllama } from '@wllama/wllama'
import { older, usual } from 'virtual:wllama-files'
import type { CpuChunk, CpuEngine } from './cpu-engine.ts'

/** Tokens read in one step; between steps the engine can be stopped. */
const step = 128
/** Lines of its log that are kept: a failure takes a handful. */
const logLines = 20

const here = (path: string): string => new URL(path, self.location.href).href

/** A fresh one. `threads` above 1 only where the page is isolated from others. */
export function makeCpuEngine(threads: number): CpuEngine {
  let log: string[] = []
  const silent = (): void => {}
  const complain = (...words: unknown[]): void => {
    if (log.length < logLines) log.push(words.map(String).join(' '))
  }
  const engine = new Wllama(
    { default: here(usual.program) },
    { logger: { debug: silent, log: silent, warn: silent, error: complain } },
  )
  // Its script is a file of this build as well, so the text is not used; it only must not be empty.
  engine.setCompat({ worker: { code: ';' }, wasm: here(older.program) })
  return {
    log: () => log,
    async load(file, window) {
      log = []
      await withThreadsFromFiles(engine, threads, () =>
        engine.loadModel([file], {
          n_ctx: window,
          n_gpu_layers: 0,
          n_threads: threads,
          n_parallel: 1,
          n_batch: step,
          n_ubatch: step,
          reasoning_format: 'none',
          log_level: 4,
        }),
      )
      // A model that it could not load it reports as loaded, with nothing in it.
      if (engine.getLoadedContextInfo().n_vocab === 0)
        throw Object.assign(new Error(log[0] ?? 'The model could not be loaded.'), { type: 'load_error' })
    },
    async chat({ messages, maxTokens, temperature, schema }, signal) {
      log = []
      // Its types do not know that it can tell the usage.
      const asked = {
        messages,
        stream: true as const,
        abortSignal: signal,
        stream_options: { include_usage: true },
        ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
        ...(temperature === undefined ? {} : { temperature }),
        ...(schema
          ? { response_format: { type: 'json_schema' as const, json_schema: { name: 'answer', schema } } }
          : {}),
      }
      return (await engine.createChatCompletion(asked)) as AsyncIterable<CpuChunk>
    },
    exit: () => engine.exit(),
  }
}

/** Fetches what will run here, so that the service worker keeps it. */
export async function fetchPrograms(threads: number): Promise<void> {
  const files = filesFor(new Wllama({ default: here(usual.program) }))
  await Promise.all(
    [files.thread, files.program, ...(threads > 1 ? [files.helper] : [])].map(async path =>
      (await fetch(here(path))).arrayBuffer(),
    ),
  )
}

function filesFor(engine: Wllama): typeof usual {
  return engine.getWorkerResources().compat ? older : usual
}

/**
 * While it loads, the library asks for a thread with text in a \`blob:\` address; it gets the script that this build
 * made of the same text.
 */
async function withThreadsFromFiles(engine: Wllama, threads: number, load: () => Promise<void>): Promise<void> {
  const { compat } = engine.getWorkerResources()
  const files = compat ? older : usual
  const settings = JSON.stringify({
    pathConfig: { 'wllama.wasm': here(files.program) },
    nbThread: threads > 1 ? threads : 0,
    compat,
    helper: here(files.helper),
  })
  const Native = self.Worker
  self.Worker = class extends Native {
    constructor() {
      super(here(files.thread), { type: 'module', name: settings })
    }
  } as typeof Worker
  try {
    await load()
  } finally {
    self.Worker = Native
  }
}
