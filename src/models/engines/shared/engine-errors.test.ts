import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { EngineReason } from '../../../core/ports/local-engine.ts'
import { localEn as english } from '../../../ui/i18n/en/local-en.ts'
import { localZh as chinese } from '../../../ui/i18n/zh/local-zh.ts'
import { problemOf, webllmError } from './engine-errors.ts'

/**
 * Every error that the type files of the engine name: its code, and for those of a device, a download or a loading, the
 * reason by which the screen knows what helps.
 */
const table: Readonly<Record<string, readonly string[]>> = {
  'model_unavailable no-webgpu': ['WebGPUNotAvailableError', 'WebGPUNotFoundError'],
  'model_unavailable no-f16': ['ShaderF16SupportError'],
  'model_unavailable too-large': ['FeatureSupportError'],
  'model_unavailable device-lost': [
    'DeviceLostError',
    'ModelNotLoadedError',
    'WorkerEngineModelNotLoadedError',
    'EngineNotLoadedError',
    'SpecifiedModelNotFoundError',
  ],
  'model_unavailable not-downloaded': ['ModelNotFoundError'],
  'model_unavailable program': ['ArtifactManifestError', 'MissingModelWasmError'],
  'model_unavailable other': [
    'WindowSizeConfigurationError',
    'WindowSizeSpecificationError',
    'AttentionSinkSizeError',
    'RangeError',
  ],
  'model_protocol damaged': ['IntegrityError', 'UnsupportedTokenizerFilesError'],
  model_protocol: ['ToolCallOutputParseError', 'ToolCallOutputInvalidTypeError', 'ToolCallOutputMissingFieldsError'],
  model_overflow: ['ContextWindowSizeExceededError', 'PrefillChunkSizeSmallerThanImageError'],
  model_refused: [
    'MessageOrderError',
    'SystemMessageOrderError',
    'ContentTypeError',
    'UserMessageContentErrorForNonVLM',
    'UnsupportedFieldsError',
    'CustomSystemPromptError',
    'CustomResponseFormatError',
    'UnsupportedModelIdError',
    'InvalidResponseFormatError',
    'InvalidResponseFormatGrammarError',
    'InvalidResponseFormatStructuralTagError',
    'GrammarMatcherInitError',
    'AudioInputError',
    'CannotFindImageEmbedError',
    'UnsupportedRoleError',
    'UnsupportedContentPartError',
    'UnsupportedDetailError',
    'UnsupportedImageURLError',
    'MultipleTextContentError',
    'InvalidToolChoiceError',
    'UnsupportedToolChoiceTypeError',
    'FunctionNotFoundError',
    'UnsupportedToolTypeError',
    'ConfigValueError',
    'MinValueError',
    'NonNegativeError',
    'InvalidNumberStringError',
    'DependencyError',
    'ConfigurationNotInitializedError',
    'NonWorkerEnvironmentError',
    'NoServiceWorkerAPIError',
    'ServiceWorkerInitializationError',
    'StreamingCountError',
    'SeedTypeError',
    'InvalidStreamOptionsError',
    'UnknownMessageKindError',
    'TextCompletionExpectsKVEmptyError',
    'TextCompletionConversationExpectsPrompt',
    'TextCompletionConversationError',
    'EmbeddingUnsupportedEncodingFormatError',
    'EmbeddingUnsupportedModelError',
    'EmbeddingSlidingWindowError',
    'EmbeddingChunkingUnsupportedError',
    'EmbeddingExceedContextWindowSizeError',
    'EmbeddingInputEmptyError',
    'ReloadArgumentSizeUnmatchedError',
    'UnclearModelToUseError',
    'IncorrectPipelineLoadedError',
    'ReloadModelIdNotUniqueError',
  ],
}

it('maps every error that the installed engine names to one of about a dozen kinds, each with what helps, in both languages', () => {
  const names = [
    ...readFileSync('node_modules/@mlc-ai/web-llm/lib/error.d.ts', 'utf8').matchAll(/class (\w+) extends/g),
  ].map(([, name]) => name!)
  expect(Object.values(table).flat().toSorted()).toEqual(names.toSorted())
  expect(names.length).toBeGreaterThan(66)
  for (const [kind, members] of Object.entries(table)) {
    const [code, reason] = kind.split(' ')
    for (const name of members) {
      // As an error of this thread, and as the string that comes over threads.
      for (const thrown of [Object.assign(new Error('some words'), { name }), `${name}: some words`]) {
        const error = webllmError(thrown)
        expect([error.code, error.data['reason']], name).toEqual([code, reason])
        expect(error.message.length, name).toBeGreaterThan(20)
      }
    }
    if (reason)
      for (const help of [english.help, chinese.help])
        expect(help[reason as EngineReason].length, kind).toBeGreaterThan(5)
  }
})

it('tells errors without a name by their words', () => {
  const reasons = (texts: readonly string[]) => texts.map(text => problemOf(webllmError(new Error(text))).reason)
  expect(
    reasons([
      'Unable to find a compatible GPU. This issue might be because your computer does not have a GPU',
      'Not enough memory: OOM',
      'createBuffer: Out of memory',
      'Device was lost. This can happen due to insufficient memory',
      'Cannot initialize runtime because of requested maxComputeWorkgroupStorageSize exceeds limit. requested=32768, limit=16384.',
      'WebAssembly.instantiate(): expected magic word',
      "Failed to execute 'add' on 'Cache': Request failed",
      'TypeError: Failed to fetch',
      'nobody knows',
    ]),
  ).toEqual([
    'no-webgpu',
    'out-of-memory',
    'out-of-memory',
    'device-lost',
    'too-large',
    'program',
    'other',
    'not-downloaded',
    'other',
  ])
})

it('reads the window out of an overflow, but not the count, which is of new tokens only', () => {
  const error = webllmError(
    Object.assign(
      new Error(
        'Prompt tokens exceed context window size: number of prompt tokens: 90; context window size: 4096\nConsider shortening',
      ),
      { name: 'ContextWindowSizeExceededError' },
    ),
  )
  expect([error.code, error.data]).toEqual(['model_overflow', { kind: 'overflow_prompt', limit: 4_096 }])
})
