/** The images of a request as data URLs. */
import type { Id } from '../../core/log/entry.ts'
import type { ModelRequest } from '../../core/log/message.ts'

/** Bytes of an image by its id; undefined if it is no longer stored. */
export type ReadImage = (blob: Id) => Promise<{ mime: string; bytes: Uint8Array } | undefined>

/** By blob id; each is read once. */
export async function imageUrls(request: ModelRequest, read: ReadImage | undefined): Promise<Map<string, string>> {
  const urls = new Map<string, string>()
  for (const message of request.messages) {
    for (const image of message.role === 'user' ? (message.images ?? []) : []) {
      if (urls.has(image.blob)) continue
      const found = await read?.(image.blob)
      if (found) urls.set(image.blob, `data:${found.mime};base64,${base64(found.bytes)}`)
    }
  }
  return urls
}

function base64(bytes: Uint8Array): string {
  let text = ''
  for (let from = 0; from < bytes.length; from += 8_192)
    text += String.fromCharCode(...bytes.subarray(from, from + 8_192))
  return btoa(text)
}
