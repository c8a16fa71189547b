/** The pictures of a request: which of them stay out where a server takes fewer or smaller ones (C5.6). */
import { classify } from '../../core/context/overflow/overflow.ts'
import type { AgentError } from '../../core/errors.ts'
import type { Message, ModelRequest } from '../../core/log/message.ts'

/** Data URLs by the id of the blob. */
export type SentImages = ReadonlyMap<string, string>

/** The image limits found for a server: images in a request, and characters of them as they are sent. */
export type ImageLimits = { most?: number; chars?: number }

/** The request with the newest pictures that these limits allow; in place of the others stands how many they were. */
export function withinLimits(
  request: ModelRequest,
  images: SentImages,
  { most = Infinity, chars = Infinity }: ImageLimits,
): ModelRequest {
  if ((most === Infinity && chars === Infinity) || images.size === 0) return request
  let count = 0
  let sum = 0
  const messages = request.messages.toReversed().map((message): Message => {
    if (message.role !== 'user' || !message.images?.length) return message
    const kept = message.images.toReversed().filter(({ blob }) => {
      const size = images.get(blob)?.length
      if (size === undefined) return true // it is no longer kept, which is said in its place
      if (count >= most || sum + size > chars) return false
      count++
      sum += size
      return true
    })
    const left = message.images.length - kept.length
    if (left === 0) return message
    const { images: _images, ...rest } = message
    return {
      ...rest,
      content: `${message.content}\n\n[${left} image(s) not sent: this server takes no more]`,
      ...(kept.length > 0 ? { images: kept.toReversed() } : {}),
    }
  })
  return { ...request, messages: messages.toReversed() }
}

/**
 * What a refusal of this request teaches about its pictures: fewer, or smaller ones; `none` where the model takes no
 * picture at all; undefined where it speaks of something else, or no picture was sent.
 */
export function imageLimitsFrom(
  { code, data }: AgentError,
  request: ModelRequest,
  images: SentImages,
): ImageLimits | 'none' | undefined {
  const sent = request.messages
    .flatMap(message => (message.role === 'user' ? (message.images ?? []) : []))
    .flatMap(({ blob }) => images.get(blob)?.length ?? [])
  if (sent.length === 0) return undefined
  const status = data['status'] as number | undefined
  const body = String(data['body'] ?? '')
  const { kind, images: allowed } = classify({ body, ...(status === undefined ? {} : { status }) })
  if (allowed !== undefined && allowed < sent.length) return allowed === 0 ? 'none' : { most: allowed }
  if (code === 'model_too_large' || kind === 'media' || faultOfOne.test(body)) {
    const now = sent.reduce((sum, size) => sum + size, 0)
    const bytes = typeof data['bytes'] === 'number' ? data['bytes'] : undefined
    const texts = JSON.stringify([request.system, request.messages, request.tools]).length
    // Whether the server names a limit or not, the number shrinks each time, so this ends.
    return { chars: Math.min(Math.floor(now / 2), bytes === undefined ? Infinity : Math.max(0, bytes - texts)) }
  }
  return status !== undefined && status >= 400 && status < 500 && aboutImages.test(body) ? 'none' : undefined
}

/** One picture is what it cannot read. */
const faultOfOne =
  /\b(image|picture)s?\b[^.]{0,40}\b(format|media[_ ]type|mime|decod\w+|corrupt\w*|dimensions?|pixels?|too (large|big|small))\b|\b(format|media[_ ]type|decode|process)\b[^.]{0,30}\b(image|picture)s?\b/i

/** The field in which pictures are sent, named in a refusal of a request that has some. */
const aboutImages = /image_url|\binput_image\b|image\.source|"?type"?: ?"?image\b/i
