/** Errors of engines on this device: each has a reason, by which the screen offers the right button. */
import { AgentError, type Code } from '../../../core/errors.ts'
import type { EngineProblem, EngineReason } from '../../../core/ports/local-engine.ts'

/** An error with its reason. */
export function engineError(
  reason: EngineReason,
  message: string,
  cause?: unknown,
  data: Record<string, unknown> = {},
): AgentError {
  return new AgentError(codes[reason], message, {
    ...(cause === undefined ? {} : { cause }),
    data: { reason, ...data },
  })
}

const codes: Record<EngineReason, Code> = {
  'no-webgpu': 'model_unavailable',
  'no-f16': 'model_unavailable',
  'too-large': 'model_unavailable',
  'out-of-memory': 'model_unavailable',
  'device-lost': 'model_unavailable',
  offline: 'network',
  blocked: 'network',
  refused: 'network',
  damaged: 'model_protocol',
  quota: 'storage_full',
  'no-storage': 'model_unavailable',
  'not-downloaded': 'model_unavailable',
  unfinished: 'model_unavailable',
  program: 'model_unavailable',
  unsupported: 'model_unavailable',
  busy: 'model_unavailable',
  'no-page': 'model_unavailable',
  other: 'model_unavailable',
}

/** As plain data, for the state that the screen shows. */
export function problemOf(thrown: unknown): EngineProblem {
  const error = thrown instanceof AgentError ? thrown : new AgentError('unknown', thrownText(thrown))
  const reason = error.data['reason']
  return {
    code: error.code,
    message: error.message,
    reason: typeof reason === 'string' && Object.hasOwn(codes, reason) ? (reason as EngineReason) : 'other',
  }
}

/** Text of anything that was thrown; engines throw strings too. */
export function thrownText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

const device =
  'The graphics card gave up: most often its memory is too small for this model and its window, or another program needed it.'

type Row = { reason: EngineReason; say: string } | { code: Code; say: string }

/** WebLLM's errors by name. An unknown one keeps its own message, with reason `other`. */
const webllm: Readonly<Record<string, Row>> = {
  WebGPUNotAvailableError: { reason: 'no-webgpu', say: 'This browser gives no WebGPU, which this model needs.' },
  WebGPUNotFoundError: { reason: 'no-webgpu', say: 'This browser gives no WebGPU, which this model needs.' },
  ShaderF16SupportError: {
    reason: 'no-f16',
    say: 'This graphics card cannot compute in half precision (shader-f16). Take the variant with f32 in its name.',
  },
  FeatureSupportError: { reason: 'too-large', say: 'This graphics card lacks a feature that the model needs.' },
  DeviceLostError: { reason: 'device-lost', say: device },
  IntegrityError: { reason: 'damaged', say: 'A file of the model is not what it should be. Repair fetches it again.' },
  ArtifactManifestError: {
    reason: 'program',
    say: 'The program of this model does not fit this device or this version of the engine. Download it again.',
  },
  MissingModelWasmError: { reason: 'program', say: 'The program of this model is missing. Download it again.' },
  UnsupportedTokenizerFilesError: { reason: 'damaged', say: 'The model has no tokenizer that the engine can read.' },
  ModelNotFoundError: { reason: 'not-downloaded', say: 'The engine does not know this model.' },
  ModelNotLoadedError: { reason: 'device-lost', say: device },
  WorkerEngineModelNotLoadedError: { reason: 'device-lost', say: device },
  EngineNotLoadedError: { reason: 'device-lost', say: device },
  SpecifiedModelNotFoundError: { reason: 'device-lost', say: device },
  WindowSizeConfigurationError: {
    reason: 'other',
    say: 'The window of this model cannot be set like this. Choose the usual one.',
  },
  WindowSizeSpecificationError: { reason: 'other', say: 'The model says nothing about its window. Set one.' },
  AttentionSinkSizeError: {
    reason: 'other',
    say: 'The window of this model cannot be set like this. Choose the usual one.',
  },
  ContextWindowSizeExceededError: { code: 'model_overflow', say: 'The prompt does not fit the window of the model.' },
  PrefillChunkSizeSmallerThanImageError: {
    code: 'model_overflow',
    say: 'The prompt does not fit the window of the model.',
  },
  MessageOrderError: { code: 'model_refused', say: 'The engine does not take the messages in this order.' },
  SystemMessageOrderError: { code: 'model_refused', say: 'The engine does not take the messages in this order.' },
  ContentTypeError: { code: 'model_refused', say: 'The engine does not take this kind of message.' },
  UserMessageContentErrorForNonVLM: { code: 'model_refused', say: 'This model reads text only.' },
  UnsupportedFieldsError: { code: 'model_refused', say: 'The engine does not know a field of the request.' },
  CustomSystemPromptError: { code: 'model_refused', say: 'This model takes no system prompt beside tools.' },
  CustomResponseFormatError: { code: 'model_refused', say: 'This model takes no answer format beside tools.' },
  UnsupportedModelIdError: { code: 'model_refused', say: 'This model has no tool calls of its own.' },
  ToolCallOutputParseError: { code: 'model_protocol', say: 'The model wrote a tool call that is no JSON.' },
  ToolCallOutputInvalidTypeError: { code: 'model_protocol', say: 'The model wrote a tool call of the wrong shape.' },
  ToolCallOutputMissingFieldsError: { code: 'model_protocol', say: 'The model wrote a tool call of the wrong shape.' },
  InvalidResponseFormatError: { code: 'model_refused', say: 'The engine cannot read the answer format.' },
  InvalidResponseFormatGrammarError: { code: 'model_refused', say: 'The engine cannot read the answer format.' },
  InvalidResponseFormatStructuralTagError: { code: 'model_refused', say: 'The engine cannot read the answer format.' },
  GrammarMatcherInitError: { code: 'model_refused', say: 'The engine cannot read the answer format.' },
}

/**
 * Names that mean that the engine was asked for what it does not do: sound, images, embeddings, text completion,
 * service workers, or fields and models that do not go together. This app asks for none of that, so it would be a fault
 * of its own; another model may go without it.
 */
const misuse =
  /^(?:Embedding|TextCompletion|ServiceWorker|NoServiceWorker|Audio|CannotFindImage|Unsupported(?:Role|ContentPart|Detail|ImageURL|ToolType|ToolChoiceType)|MultipleTextContent|InvalidToolChoice|FunctionNotFound|ConfigValue|MinValue|NonNegative|InvalidNumberString|Dependency|ConfigurationNotInitialized|NonWorkerEnvironment|StreamingCount|SeedType|InvalidStreamOptions|UnknownMessageKind|ReloadArgumentSizeUnmatched|UnclearModelToUse|IncorrectPipelineLoaded|ReloadModelIdNotUnique)/
const misused: Row = {
  code: 'model_refused',
  say: 'The engine was asked for something that it does not do. This is a fault of the app; try another model.',
}

/** Telling words in errors that have no name of their own: of WebGPU, of the browser, of the compiled program. */
const families: readonly [RegExp, Row][] = [
  [
    /compatible GPU|WebGPU is not|requestAdapter/i,
    { reason: 'no-webgpu', say: 'No graphics card could be had for this page.' },
  ],
  [
    /out of memory|OOM|allocation failed|failed to allocate|exceeds? (?:the )?max(?:imum)? buffer/i,
    { reason: 'out-of-memory', say: 'The memory of the graphics card is too small for this model and its window.' },
  ],
  [
    /exceeds limit|Cannot initialize runtime/i,
    { reason: 'too-large', say: 'This graphics card is too limited for the engine.' },
  ],
  [/device (?:was |is )?lost|GPUDevice|mapAsync|DXGI|hung/i, { reason: 'device-lost', say: device }],
  [/Quota/i, { reason: 'quota', say: 'There is no room left on this device.' }],
  [
    /WebAssembly|wasm|CompileError|LinkError|Cannot find .* in exports/i,
    { reason: 'program', say: 'The program of this model cannot be started. Repair fetches it again.' },
  ],
  [
    /network|fetch|ERR_/i,
    { reason: 'not-downloaded', say: 'A file of the model is not on this device. Download what is missing.' },
  ],
]

/** What WebLLM threw, as an AgentError. Over threads its errors arrive as strings, "Name: message". */
export function webllmError(thrown: unknown): AgentError {
  if (thrown instanceof AgentError) return thrown
  const text = thrownText(thrown)
  const [, prefix, rest] = /^(?:Uncaught )?(\w+Error|[A-Z]\w+): ([\s\S]*)$/.exec(text) ?? []
  const name =
    thrown instanceof Error && Object.hasOwn(webllm, thrown.name)
      ? thrown.name
      : (prefix ?? (thrown instanceof Error ? thrown.name : ''))
  const row =
    webllm[name] ??
    (misuse.test(name) ? misused : undefined) ??
    families.find(([words]) => words.test(`${name} ${text}`))?.[1] ??
    ({ reason: 'other', say: 'The engine stopped.' } satisfies Row)
  const message = `${row.say} (${(rest ?? text).split('\n')[0]!.slice(0, 300)})`
  if ('reason' in row) return engineError(row.reason, message, thrown)
  const numbers = /prompt tokens: (\d+); context window size: (\d+)/.exec(text)
  return new AgentError(row.code, message, {
    cause: thrown,
    data:
      row.code === 'model_overflow'
        ? { kind: 'overflow_prompt', ...(numbers ? { limit: Number(numbers[2]) } : {}) }
        : {}, // the count is of new tokens only, so it tells nothing
  })
}
