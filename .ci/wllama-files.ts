/**
 * The files that run a model on the processor, as files of this build. The library would make its threads out of text,
 * in `blob:` addresses, which the policy of this app forbids; here the same text is written out, so that it is plain
 * scripts.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const name = 'virtual:wllama-files'
const folder = (of: string): string => dirname(createRequire(import.meta.url).resolve(`${of}/package.json`))

/**
 * What the library puts before its program where the browser cannot suspend WebAssembly, and before all of it to leave
 * the graphics card alone.
 */
const before = `try { Object.defineProperty(WorkerNavigator.prototype, 'gpu', { get: () => ({ requestAdapter: async () => null }) }) } catch {}
if (!WebAssembly.Suspending) {
  WebAssembly.Suspending = function (call) { return call }
  WebAssembly.promising = call => async (...args) => call(...args)
}
`

/** A thread that breaks says so, in the library's own words; by itself it would only fall silent. */
const tellsOfFailure = `self.addEventListener('unhandledrejection', event => {
  postMessage({ verb: 'signal.abort', args: ['exception', String(event.reason?.message ?? event.reason), '', null] })
})
`

/** A text of the library's generated module. Throws where it is not found: then the library has changed. */
function textOf(generated: string, constant: string): string {
  const line = generated.split('\n').find(one => one.startsWith(`export const ${constant} = `))
  if (line === undefined)
    throw new Error(`wllama has no ${constant} any more: look how its worker.ts puts a thread together`)
  return JSON.parse(line.slice(line.indexOf('"'), line.lastIndexOf('"') + 1)) as string
}

function once(text: string, what: string, by: string): string {
  const parts = text.split(what)
  if (parts.length !== 2)
    throw new Error(
      `wllama's thread has "${what}" ${parts.length - 1} times, not once: look how its worker.ts puts it together`,
    )
  return parts.join(by)
}

/** Scripts and programs by file name: of the usual build, and of the one for browsers without Memory64 and JSPI. */
function files(): Map<string, string | Uint8Array> {
  const library = folder('@wllama/wllama')
  const generated = readFileSync(join(library, 'src/workers-code/generated.ts'), 'utf8')
  // Its settings come in the name of the thread; its helpers are the script beside it instead of a blob.
  const main = once(
    textOf(generated, 'LLAMA_CPP_WORKER_CODE'),
    'argMainScriptBlob\n      :',
    'RUN_OPTIONS.helper\n      :',
  )
  const older = folder('@wllama/wllama-compat')
  const out = new Map<string, string | Uint8Array>()
  for (const [kind, script, program] of [
    ['usual', textOf(generated, 'WLLAMA_EMSCRIPTEN_CODE'), join(library, 'esm/wasm/wllama.wasm')],
    ['older', readFileSync(join(older, 'wasm/wllama.js'), 'utf8'), join(older, 'wasm/wllama.wasm')],
  ] as const) {
    const code = before + script
    out.set(
      `wllama-${kind}-thread.js`,
      `const RUN_OPTIONS = JSON.parse(self.name);\n${tellsOfFailure}function wModuleInit() { ${once(code, 'var Module=', 'var ___Module=')}\n; return Module; }\n${main}`,
    )
    out.set(`wllama-${kind}-helper.js`, code)
    out.set(`wllama-${kind}.wasm`, readFileSync(program))
  }
  return out
}

/**
 * Serves \`import { usual, older } from 'virtual:wllama-files'\`: each with the addresses of thread, helper and
 * program.
 */
export function wllamaFiles(): Plugin {
  let serving = false
  const served = (): Map<string, string | Uint8Array> => (made ??= files())
  let made: Map<string, string | Uint8Array> | undefined
  return {
    name: 'wllama-files',
    configResolved(config) {
      serving = config.command === 'serve'
    },
    resolveId(id) {
      return id === name ? `\0${name}` : undefined
    },
    load(id) {
      if (id !== `\0${name}`) return undefined
      const address = (file: string): string =>
        serving
          ? JSON.stringify(`/@wllama/${file}`)
          : `import.meta.ROLLUP_FILE_URL_${this.emitFile({ type: 'asset', name: file, source: served().get(file)! })}`
      return ['usual', 'older']
        .map(
          kind =>
            `export const ${kind} = { thread: ${address(`wllama-${kind}-thread.js`)}, helper: ${address(`wllama-${kind}-helper.js`)}, program: ${address(`wllama-${kind}.wasm`)} }`,
        )
        .join('\n')
    },
    configureServer(server) {
      server.middlewares.use('/@wllama', (request, response) => {
        const file = served().get((request.url ?? '').slice(1))
        response.setHeader('content-type', request.url?.endsWith('.wasm') ? 'application/wasm' : 'text/javascript')
        if (file === undefined) response.statusCode = 404
        response.end(file)
      })
    },
  }
}
