import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { LocalModel } from '../../../core/ports/local-engine.ts'
import { cpuError, isBroken, isMappedWllama } from './cpu-errors.ts'
import { problemOf } from '../shared/engine-errors.ts'

const model: LocalModel = {
  id: 'cpu:a.gguf',
  kind: 'cpu',
  name: 'A',
  contextWindow: 512,
  tools: false,
  cpu: { file: 'a.gguf' },
}
const thrown = (message: string, more: object = {}): Error => Object.assign(new Error(message), more)

it('knows every kind and every class of error of the installed engine', () => {
  const types = readFileSync('node_modules/@wllama/wllama/esm/wllama.d.ts', 'utf8')
  const kinds = [.../type WllamaErrorType = ([^;]+);/.exec(types)![1]!.matchAll(/'(\w+)'/g)].map(([, kind]) => kind!)
  expect(kinds.length).toBeGreaterThan(5)
  expect(kinds.filter(kind => !isMappedWllama(kind))).toEqual([])
  for (const kind of kinds) expect(cpuError(thrown('some words', { type: kind }), model).code, kind).not.toBe('unknown')
  const classes = [...types.matchAll(/class (\w+Error) extends Error/g)].map(([, name]) => name)
  // by kind; by our own signal; by words
  expect(classes).toEqual(['WllamaError', 'WllamaAbortError', 'WllamaRuntimeError'])
})

/** What the engine was seen to throw, with its log beside it where the reason stands only there. */
const seen: readonly [string, unknown, string[], string, string][] = [
  [
    'a prompt too long',
    thrown('request (2420 tokens) exceeds the available context size (256 tokens), try increasing it', {
      type: 'inference_error',
    }),
    [],
    'model_overflow',
    'other',
  ],
  ['a full cache', thrown('no words', { type: 'kv_cache_full' }), [], 'model_overflow', 'other'],
  [
    'bytes that are no text',
    thrown('Invalid typed array length: 1163217991', { name: 'RuntimeError' }),
    ['[json.exception.type_error.316] invalid UTF-8 byte at index 3: 0xC1'],
    'model_protocol',
    'other',
  ],
  [
    'a schema it does not know',
    thrown('Invalid typed array length: 1163217991', { name: 'RuntimeError' }),
    [
      'Unable to generate parser for this template. Automatic parser generation failed: JSON schema error at #: unrecognized type nonsense',
    ],
    'model_refused',
    'other',
  ],
  [
    'a window too large',
    thrown('The model could not be loaded.', { type: 'load_error' }),
    [
      'ggml_aligned_malloc: insufficient memory (attempted to allocate 14648.50 MB)',
      "srv    load_model: failed to create_context with model 'models/m.gguf'",
    ],
    'model_unavailable',
    'out-of-memory',
  ],
  [
    'no memory for it at all',
    thrown('llama_init_from_model: failed to initialize the context: std::bad_alloc', { type: 'load_error' }),
    [],
    'model_unavailable',
    'out-of-memory',
  ],
  [
    'no memory for the program',
    new RangeError('WebAssembly.Memory(): could not allocate memory'),
    [],
    'model_unavailable',
    'out-of-memory',
  ],
  [
    'half a file',
    thrown('The model could not be loaded.', { type: 'load_error' }),
    [
      "llama_model_load: error loading model: tensor 'blk.0.ffn_down.weight' data is not within the file bounds, model is corrupted or incomplete",
    ],
    'model_protocol',
    'damaged',
  ],
  [
    'no GGUF file',
    thrown("gguf_init_from_reader: invalid magic characters: 'hell', expected 'GGUF'", { type: 'load_error' }),
    [],
    'model_protocol',
    'damaged',
  ],
  [
    'a newer format',
    thrown('The model could not be loaded.', { type: 'load_error' }),
    ['gguf_init_from_reader: this GGUF file is version 4 but this software only supports up to version 3'],
    'model_unavailable',
    'unsupported',
  ],
  [
    'an architecture nobody knows',
    thrown('The model could not be loaded.', { type: 'load_error' }),
    [
      "llama_model_load: error loading model: unknown model architecture: 'later'",
      'llama_model_load_from_file_impl: failed to load model',
    ],
    'model_unavailable',
    'unsupported',
  ],
  [
    'a program that is none',
    thrown('Aborted(CompileError: WebAssembly.instantiate(): expected magic word 00 61 73 6d, found 47 47 55 46 @+0)', {
      name: 'RuntimeError',
    }),
    [],
    'model_unavailable',
    'program',
  ],
  [
    'a program of another version',
    thrown('wasm file version (b1) does not match the expected version (b2)', { type: 'version_mismatch' }),
    [],
    'model_unavailable',
    'program',
  ],
  [
    'a policy in the way',
    thrown(
      "WebAssembly.instantiate(): Refused to compile or instantiate WebAssembly module because 'unsafe-eval' is not allowed by Content Security Policy",
      { name: 'RuntimeError' },
    ),
    [],
    'model_unavailable',
    'program',
  ],
  ['a browser too old', thrown('WebAssembly runtime does not support SIMD'), [], 'model_unavailable', 'program'],
  [
    'a new version of the app',
    new TypeError('Failed to fetch dynamically imported module: http://x/wllama-engine-1.js'),
    [],
    'model_unavailable',
    'program',
  ],
  [
    'ended in the middle',
    thrown('The model was unloaded', { type: 'model_not_loaded' }),
    [],
    'model_unavailable',
    'busy',
  ],
  ['an assertion', thrown('(ABORT) ', { name: 'RuntimeError' }), [], 'model_unavailable', 'other'],
  ['a crash before', 'wllama has crashed, please reload the module', [], 'model_unavailable', 'other'],
]

it.each(seen)('%s has its code and its reason', (_, error, log, code, reason) => {
  const mapped = cpuError(error, model, log)
  expect([mapped.code, problemOf(mapped).reason]).toEqual([code, reason])
  expect(mapped.message.length).toBeGreaterThan(20)
  expect(isBroken(mapped)).toBe(code === 'model_unavailable')
})

it('reads both numbers out of an overflow', () => {
  expect(
    cpuError(thrown('request (2420 tokens) exceeds the available context size (256 tokens), try increasing it'), model)
      .data,
  ).toEqual({ kind: 'overflow_prompt', limit: 256, actual: 2_420 })
  expect(cpuError(thrown('x', { type: 'kv_cache_full' }), model).data).toEqual({ kind: 'overflow_prompt', limit: 512 })
})
