/** Translates errors of the CPU engine: each gets a reason, by which the screen offers the right button. */
import { AgentError } from '../../../core/errors.ts'
import type { EngineReason, LocalModel } from '../../../core/ports/local-engine.ts'
import { isolated } from '../../../core/text/display/isolate.ts'
import { engineError, thrownText } from '../shared/engine-errors.ts'

/** Kinds that the engine gives its errors. `undefined`: the words decide. */
const kinds: Readonly<Record<string, EngineReason | 'overflow' | undefined>> = {
  model_not_loaded: 'busy',
  download_error: 'not-downloaded', // it never fetches a model here, so what it missed is on the disk or nowhere
  load_error: 'damaged',
  version_mismatch: 'program',
  kv_cache_full: 'overflow',
  inference_error: undefined,
  unknown_error: undefined,
}

/** Whether a kind of the engine's errors has a row, for the test that reads them from its type files. */
export const isMappedWllama = (kind: string): boolean => Object.hasOwn(kinds, kind)

const full = /(\d+) tokens?\)? exceeds? the available context size \(?(\d+)/i

/**
 * Words of the compiled program and its log; the first row that is found decides. The log tells what the error itself
 * does not.
 */
const families: readonly [RegExp, EngineReason | 'overflow' | 'no-text' | 'refused-request'][] = [
  [/exceeds? the available context size|context (?:size|window) exceeded|kv.?cache.*full/i, 'overflow'],
  [/invalid UTF-8/i, 'no-text'],
  [
    /JSON schema error|Unable to generate parser|(?:parse|compile|initialize) grammar|Jinja Exception/i,
    'refused-request',
  ],
  [
    /insufficient memory|failed to allocate|bad_alloc|out of memory|OOM|could not allocate|Cannot allocate|Memory\(\)|cannot enlarge memory|Array buffer allocation failed|memory access out of bounds/i,
    'out-of-memory',
  ],
  [/unknown model architecture|unknown (?:pre-)?tokenizer|only supports up to version|unsupported/i, 'unsupported'],
  [
    /invalid magic|failed to read|not within the file bounds|corrupted|incomplete|error loading model|failed to load model|missing tensor|wrong (?:shape|number)|File read failed/i,
    'damaged',
  ],
  [
    /Content Security|wasm-unsafe-eval|WebAssembly|CompileError|LinkError|wasm|exception handling|SIMD|failed to fetch|NetworkError|Load failed|dynamically imported module|importing a module script failed/i,
    'program',
  ],
]

const says: Readonly<Partial<Record<EngineReason, (name: string) => string>>> = {
  'out-of-memory': name => `There is too little memory for ${name} and its window.`,
  unsupported: name => `The engine does not know the kind of model that ${name} is.`,
  damaged: name => `The file of ${name} is damaged or not whole.`,
  program: () => 'The program of the engine could not be started.',
  'not-downloaded': name => `${name} is not on this device.`,
  busy: () => 'The engine was ended in the middle.',
}

/** What was thrown while this model was loaded or asked; `log` are the engine's complaints since. */
export function cpuError(thrown: unknown, model: LocalModel, log: readonly string[] = []): AgentError {
  if (thrown instanceof AgentError) return thrown
  const text = thrownText(thrown)
  const kind =
    typeof thrown === 'object' && thrown !== null && 'type' in thrown ? kinds[String(thrown.type)] : undefined
  const all = [text, ...log]
  const hit = families.flatMap(([sign, reason]) => {
    const words = all.find(one => sign.test(one))
    return words === undefined ? [] : [{ reason, words }]
  })[0]
  const reason = hit?.reason ?? kind ?? 'other'
  const words = cut(hit?.words ?? text)
  if (reason === 'overflow') {
    const numbers = full.exec(words)
    return new AgentError(
      'model_overflow',
      `The prompt does not fit the window of ${isolated(model.name)}. (${words})`,
      {
        cause: thrown,
        data: {
          kind: 'overflow_prompt',
          limit: numbers ? Number(numbers[2]) : model.contextWindow,
          ...(numbers ? { actual: Number(numbers[1]) } : {}),
        },
      },
    )
  }
  // Its answer leaves the engine as UTF-8; if a model writes invalid bytes, the engine stops without another message.
  if (reason === 'no-text')
    return new AgentError(
      'model_protocol',
      `${isolated(model.name)} wrote bytes that are no text, and the engine broke off. Ask again.`,
      { cause: thrown, data: { reason: 'other' } },
    )
  if (reason === 'refused-request')
    return new AgentError('model_refused', `The engine does not take the request. (${words})`, {
      cause: thrown,
      data: { reason: 'other' },
    })
  return engineError(reason, `${says[reason]?.(model.name) ?? 'The engine stopped.'} (${words})`, thrown)
}

/** Whether the engine is unusable after this error and must be loaded again. */
export function isBroken(error: AgentError): boolean {
  return error.code === 'model_unavailable'
}

function cut(text: string): string {
  return text.length > 240 ? `${text.slice(0, 240)}…` : text
}
