import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isMappedWebllm, problemOf, webllmError } from './engine-errors.ts'

/** Those that cannot come from what we ask: embeddings, images, sound, service workers, text completion, our own use of its interface. */
const ours = /^Embedding|^TextCompletion|^ServiceWorker|ServiceWorker|Image|Audio|^(?:ConfigValue|MinValue|Range|NonNegative|InvalidNumberString|Dependency|UnsupportedRole|UnsupportedContentPart|UnsupportedDetail|MultipleTextContent|ConfigurationNotInitialized|InvalidToolChoice|UnsupportedToolChoiceType|FunctionNotFound|UnsupportedToolType|NonWorkerEnvironment|StreamingCount|SeedType|InvalidResponseFormat|InvalidResponseFormatGrammar|InvalidResponseFormatStructuralTag|InvalidStreamOptions|UnknownMessageKind|ReloadArgumentSizeUnmatched|UnclearModelToUse|IncorrectPipelineLoaded|ReloadModelIdNotUnique)Error$/

it('knows every error that the installed engine can throw at us', () => {
  const names = [...readFileSync('node_modules/@mlc-ai/web-llm/lib/error.d.ts', 'utf8').matchAll(/class (\w+) extends/g)].map(([, name]) => name!)
  expect(names.length).toBeGreaterThan(60)
  expect(names.filter(name => !ours.test(name) && !isMappedWebllm(name))).toEqual([])
  for (const name of names) {
    // As an error of this thread, and as the string that comes over threads: the same code and reason.
    const here = webllmError(Object.assign(new Error('some words'), { name }))
    const there = webllmError(`${name}: some words`)
    expect([here.code, problemOf(here).reason], name).toEqual([there.code, problemOf(there).reason])
    expect(here.code, name).not.toBe('unknown')
    expect(here.message.length, name).toBeGreaterThan(20)
  }
})

it('tells errors without a name by their words', () => {
  const reasons = (texts: readonly string[]) => texts.map(text => problemOf(webllmError(new Error(text))).reason)
  expect(reasons(['Unable to find a compatible GPU. This issue might be because your computer does not have a GPU', 'Not enough memory: OOM', 'createBuffer: Out of memory', 'Device was lost. This can happen due to insufficient memory', 'Cannot initialize runtime because of requested maxComputeWorkgroupStorageSize exceeds limit. requested=32768, limit=16384.', 'WebAssembly.instantiate(): expected magic word', "Failed to execute 'add' on 'Cache': Request failed", 'TypeError: Failed to fetch', 'nobody knows']))
    .toEqual(['no-webgpu', 'out-of-memory', 'out-of-memory', 'device-lost', 'too-large', 'program', 'other', 'not-downloaded', 'other'])
})

it('reads the window out of an overflow, but not the count, which is of new tokens only', () => {
  const error = webllmError(Object.assign(new Error('Prompt tokens exceed context window size: number of prompt tokens: 90; context window size: 4096\nConsider shortening'), { name: 'ContextWindowSizeExceededError' }))
  expect([error.code, error.data]).toEqual(['model_overflow', { kind: 'overflow_prompt', limit: 4_096 }])
})
