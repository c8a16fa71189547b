import { describe, expect, it } from 'vitest'
import type { ModelRequest } from '../../core/log/message.ts'
import { quirkIn } from './quirks.ts'
import { imageLimitsFrom, withinLimits, type ImageLimits } from './sent-images.ts'
import { refusalError } from '../server-errors/server-errors.ts'

const image = (blob: string) => ({ mime: 'image/png', blob })
const request: ModelRequest = {
  system: 'S',
  tools: [],
  messages: [
    { role: 'user', content: 'Old', images: [image('a'), image('b')] },
    { role: 'assistant', content: 'I see.' },
    { role: 'user', content: 'New', images: [image('c')] },
  ],
}
const urls = new Map(['a', 'b', 'c'].map(blob => [blob, `data:image/png;base64,${'A'.repeat(1_000)}`]))
const blobs = ({ messages }: ModelRequest) =>
  messages.flatMap(message => (message.role === 'user' ? (message.images ?? []).map(({ blob }) => blob) : []))
const refusal = (status: number, body: string) =>
  refusalError({ server: { name: 'S', baseUrl: 'https://api.example/v1' }, model: 'm', status, body })

describe('pictures of a request', () => {
  it('stay as they are where nothing is known', () => {
    expect(withinLimits(request, urls, {})).toBe(request)
    expect(withinLimits(request, urls, { most: 3 }).messages).toEqual(request.messages)
  })

  it('leave oldest first, and it is said where they stood', () => {
    const two = withinLimits(request, urls, { most: 2 })
    expect(blobs(two)).toEqual(['b', 'c'])
    expect(two.messages[0]?.content).toMatch(/^Old\n\n\[1 image\(s\) not sent/)
    expect(blobs(withinLimits(request, urls, { chars: 1_500 }))).toEqual(['c'])
    expect(blobs(withinLimits(request, urls, { most: 0 }))).toEqual([])
  })

  it.each<[string, number, string, ImageLimits | 'none' | undefined]>([
    [
      'vLLM, how many',
      400,
      '{"object":"error","message":"At most 1 image(s) may be provided in one request.","type":"BadRequestError","param":null,"code":400}',
      { most: 1 },
    ],
    [
      'Azure, how many',
      400,
      '{"error":{"message":"Too many images in request. Max is 2.","type":"invalid_request_error"}}',
      { most: 2 },
    ],
    [
      'vLLM, none',
      400,
      '{"object":"error","message":"At most 0 image(s) may be provided in one request.","type":"BadRequestError","code":400}',
      'none',
    ],
    [
      'a proxy, without a number',
      413,
      '<html><head><title>413 Request Entity Too Large</title></head></html>',
      { chars: 1_533 },
    ],
    [
      'Gemini, in bytes',
      400,
      '{"error":{"code":400,"message":"Request payload size exceeds the limit: 1400 bytes.","status":"INVALID_ARGUMENT"}}',
      { chars: 1_200 },
    ],
    [
      'Anthropic, one is too large',
      400,
      '{"type":"error","error":{"type":"invalid_request_error","message":"messages.3.content.0.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes"}}',
      { chars: 1_533 },
    ],
    [
      'an unknown format',
      400,
      '{"error":{"message":"Unsupported image format. Supported formats are png and jpeg.","code":"invalid_image_format"}}',
      { chars: 1_533 },
    ],
    [
      'words that nobody knows',
      422,
      '{"detail":[{"loc":["body","messages",0,"content",1,"image_url"],"msg":"field not permitted"}]}',
      'none',
    ],
    ['something else', 400, '{"error":{"message":"temperature must be below 2"}}', undefined],
    ['a server that is down', 500, '{"error":{"message":"image_url worker crashed"}}', undefined],
  ])('%s', (_, status, body, lesson) => {
    const found = imageLimitsFrom(refusal(status, body), request, urls)
    if (typeof lesson === 'object' && lesson.chars !== undefined)
      expect((found as ImageLimits).chars).toBeLessThanOrEqual(lesson.chars)
    else expect(found).toEqual(lesson)
    expect(
      imageLimitsFrom(refusal(status, body), { ...request, messages: [{ role: 'user', content: 'No picture' }] }, urls),
    ).toBeUndefined()
  })

  it('become fewer with each refusal, down to none', () => {
    let limits: ImageLimits = {}
    const counts: number[] = []
    for (let n = 0; n < 10; n++) {
      const sent = withinLimits(request, urls, limits)
      counts.push(blobs(sent).length)
      const lesson = imageLimitsFrom(refusal(413, 'Request Entity Too Large'), sent, urls)
      if (lesson === undefined) break
      limits = { ...limits, ...(lesson as ImageLimits) }
    }
    expect(counts).toEqual([3, 1, 0])
  })
})

describe('a model that takes no pictures', () => {
  it.each([
    [
      'DeepSeek',
      400,
      '{"error":{"message":"Failed to deserialize the JSON body into the target type: messages[1]: unknown variant `image_url`, expected `text` at line 1 column 1234","type":"invalid_request_error"}}',
    ],
    [
      'SiliconFlow',
      400,
      '{"code":20041,"message":"The model is not a VLM (Vision Language Model). Please use text-only prompts.","data":null}',
    ],
    ['Zhipu', 400, '{"error":{"code":"1210","message":"messages.content.type 参数非法，取值范围 [\'text\']"}}'],
    ['Groq', 400, '{"error":{"message":"messages[0].content must be a string","type":"invalid_request_error"}}'],
    [
      'OpenAI',
      400,
      '{"error":{"message":"Invalid content type. image_url is only supported by certain models.","type":"invalid_request_error","param":"messages.[0].content.[1].type"}}',
    ],
    [
      'Ollama',
      400,
      '{"error":{"message":"this model is missing data required for image input","type":"invalid_request_error"}}',
    ],
    ['Ollama in the cloud', 400, '{"error":"this model does not support image input"}'],
    ['OpenRouter', 404, '{"error":{"message":"No endpoints found that support image input","code":404}}'],
    [
      'llama.cpp',
      500,
      '{"error":{"code":500,"message":"image input is not supported - hint: if this is unexpected, you may need to provide the mmproj","type":"server_error"}}',
    ],
  ])('is known by the words of %s', (_, status, body) => {
    expect(quirkIn(status, body, new Set())).toBe('no images')
  })

  it('an output limit that is too high is not taken for another name of it', () => {
    expect(
      quirkIn(
        400,
        "'max_tokens' or 'max_completion_tokens' is too large: 32000. This model's maximum context length is 100000 tokens and your request has 95000 input tokens",
        new Set(),
      ),
    ).toBeUndefined()
    expect(
      quirkIn(
        400,
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        new Set(),
      ),
    ).toBe('max_completion_tokens')
  })
})
