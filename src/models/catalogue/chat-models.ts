/**
 * Which models of a list are chat models: lists also have models for embeddings, images, speech and moderation. Pure.
 */
import type { ListedModel } from './model-list.ts'

type Row = ListedModel['row']

/** What a model is for, in the fields of Together, LM Studio, Fireworks, Ark, Cloudflare. */
const otherPurposes =
  /^(?:text-)?(?:embeddings?|rerank(?:er|ing)?|image(?:[ -]?generation|-to-image|togeneration)?|imagegeneration|text-to-image|video(?:generation)?|text-to-video|audio|speech|tts|text-to-speech|transcribe|transcription|stt|automatic-speech-recognition|moderation|embedding_model|text embeddings)$/i

/** Where nothing else tells: parts of names that no model has which talks. */
const otherNames =
  /(?:^|[-_/.: ])(?:text-)?embed(?:ding|der)?s?(?:$|[-_/.: \d])|embedding|(?:^|[-_/.: ])(?:bge|gte|e5|minilm|colbert)[-_](?!.*chat)|rerank|(?:^|[-_/.: ])(?:whisper|tts|stt|dall-?e|sdxl|imagen|sora|veo|lyria|cogview\d*|cogvideox?|wanx?\d*|kokoro|orpheus|paraformer|sambert|cosyvoice|playai|musicgen|bark)(?:$|[-_/.: \d])|stable-diffusion|(?:gpt|chatgpt|qwen|glm|grok\S*)-image(?:$|[-_.])|(?:^|\/)flux[-_.]|moderation|-(?:transcribe|realtime|tts)(?:$|[-_])|(?:^|\/)(?:davinci|babbage)-002$|(?:^|\/)aqa$/i

/**
 * The models that talk, in their order. Where none would be left all are: then the list means something else by its
 * names.
 */
export function chatModels(listed: readonly ListedModel[]): ListedModel[] {
  const talking = listed.filter(({ id, row }) => talksBy(row) ?? !otherNames.test(id))
  return talking.length > 0 ? talking : [...listed]
}

/** What the row says; undefined where it says nothing of it. */
function talksBy(row: Row): boolean | undefined {
  if (row['owned_by'] === 'llamacpp') return talksByArguments(row)
  const outputs = [
    row['output_modalities'],
    fieldsOf(row['architecture'])['output_modalities'],
    fieldsOf(row['modalities'])['output_modalities'],
    fieldsOf(row['modalities'])['output'],
  ].find(Array.isArray)
  if (outputs !== undefined)
    return outputs.includes('text') && !['embeddings', 'embedding'].some(name => outputs.includes(name))
  const { capabilities } = row
  if (typeof fieldsOf(capabilities)['completion_chat'] === 'boolean')
    return fieldsOf(capabilities)['completion_chat'] as boolean // Mistral
  if (
    Array.isArray(capabilities) &&
    capabilities.some(one => /^(?:embeddings?|embed|image|rerank)$/.test(String(one))) &&
    !capabilities.some(one => /chat|completion|text/.test(String(one)))
  )
    return false
  if (Array.isArray(row['endpoints'])) return row['endpoints'].includes('chat') // Cohere
  if (typeof row['supports_chat'] === 'boolean') return row['supports_chat'] // Fireworks
  if (Array.isArray(row['supportedGenerationMethods']))
    return row['supportedGenerationMethods'].includes('generateContent') // Google
  const purposes = [
    row['type'],
    row['task'],
    row['domain'],
    row['task_type'],
    row['kind'],
    fieldsOf(row['task'])['name'],
  ]
    .flat()
    .filter(one => typeof one === 'string')
  if (purposes.some(one => otherPurposes.test(one))) return false
  return purposes.some(one => /^(?:chat|language|llm|vlm|text-?generation|text generation)$/i.test(one))
    ? true
    : undefined
}

/** A router of llama.cpp writes `output_modalities: ["text"]` beside each model; how it starts one tells more. */
function talksByArguments(row: Row): boolean | undefined {
  const { args } = fieldsOf(row['status'])
  return Array.isArray(args) && args.some(arg => /^--(?:embeddings?|rerank(?:ing)?)$/.test(String(arg)))
    ? false
    : undefined
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}
