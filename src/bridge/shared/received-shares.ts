/**
 * What other programs share with the installed app. The service worker keeps it before any page is there, so a page
 * that is slow or killed loses nothing; the page takes it out when it stands in a message box. Everything in it is
 * foreign: it is bounded here, and never sent unread.
 */
import { withoutInvisible } from '../../core/text/display/visible.ts'

/** A file of a share; one that is too large is named only. */
export type SharedFile = { name: string; type: string; bytes: number; kept: boolean }
/** `chat`: in whose message box its files stand, not sent yet. */
export type ReceivedShare = {
  id: string
  at: number /* ms */
  text: string
  files: readonly SharedFile[]
  chat?: string
}

const cacheName = 'haversack-shared'
/** Any page can post to the app: not more wait at once, and none is larger. Units: bytes; UTF-16 units of a text. */
export const shareLimits = { waiting: 20, files: 100, bytes: 64 * 1024 * 1024, text: 4_000_000, name: 200 } as const

/** Relative to the folder of the app, as page and service worker both have it. */
const aboutOf = (id: string): string => `./shared/${id}/about`
const fileOf = (id: string, index: number): string => `./shared/${id}/${index}`
const aboutAddress = /\/shared\/[\w-]+\/about$/

/** Keeps what was posted. Answers false where nothing was in it. Throws where it cannot be kept. */
export async function keepShare(
  form: FormData,
  caches: CacheStorage,
  { id, now }: { id: string; now: number },
): Promise<boolean> {
  const text = textOf(form)
  const given = form.getAll('files').filter(part => typeof part !== 'string')
  if (text === '' && given.every(file => file.size === 0)) return false
  if ((await waitingShares(caches)).length >= shareLimits.waiting) throw new Error('Too many shares wait')
  const cache = await caches.open(cacheName)
  let bytes = 0
  const files: SharedFile[] = []
  for (const file of given.slice(0, shareLimits.files)) {
    const kept = bytes + file.size <= shareLimits.bytes
    if (kept) await cache.put(fileOf(id, files.length), new Response(file))
    if (kept) bytes += file.size
    files.push({ name: cleanName(file.name), type: file.type.slice(0, shareLimits.name), bytes: file.size, kept })
  }
  // Last: what has no such entry is not whole, and is never looked at.
  await store(cache, { id, at: now, text, files })
  return true
}

/** All that waits or stands unsent in a message box, oldest first; none where the browser keeps nothing. */
export async function waitingShares(caches: CacheStorage): Promise<ReceivedShare[]> {
  if (!(await caches.has(cacheName))) return []
  const cache = await caches.open(cacheName)
  const found: ReceivedShare[] = []
  for (const request of await cache.keys()) {
    if (!aboutAddress.test(new URL(request.url).pathname)) continue
    const about = await cache.match(request)
    if (about !== undefined) found.push((await about.json()) as ReceivedShare)
  }
  return found.toSorted((a, b) => a.at - b.at)
}

/** The files of a share that were kept. */
export async function filesOf({ id, files }: ReceivedShare, caches: CacheStorage): Promise<File[]> {
  const cache = await caches.open(cacheName)
  const found: File[] = []
  for (const [index, { name, type, kept }] of files.entries()) {
    const body = kept ? await cache.match(fileOf(id, index)) : undefined
    if (body !== undefined) found.push(new File([await body.blob()], name, { type }))
  }
  return found
}

/** Its files stand in the message box of this chat. */
export async function standsIn(share: ReceivedShare, chat: string, caches: CacheStorage): Promise<void> {
  await store(await caches.open(cacheName), { ...share, chat })
}

export async function dropShare({ id, files }: ReceivedShare, caches: CacheStorage): Promise<void> {
  const cache = await caches.open(cacheName)
  await cache.delete(aboutOf(id))
  for (const index of files.keys()) await cache.delete(fileOf(id, index))
}

async function store(cache: Cache, share: ReceivedShare): Promise<void> {
  await cache.put(aboutOf(share.id), Response.json(share))
}

/** Title, words and link, each once: many programs put the link into the words as well. */
function textOf(form: FormData): string {
  const parts = ['title', 'text', 'url'].map(name => {
    const part = form.get(name)
    return typeof part === 'string' ? part.trim() : ''
  })
  return parts
    .filter(
      (part, at) => part !== '' && !parts.some((other, place) => place !== at && isWithin(part, at, other, place)),
    )
    .join('\n')
    .slice(0, shareLimits.text)
}

const isWithin = (part: string, at: number, other: string, place: number): boolean =>
  other === part ? place < at : other.includes(part)

/** The last part of a path, in one line, without what is not seen. */
function cleanName(name: string): string {
  const last = withoutInvisible(name).replace(/\s+/g, ' ').split(/[/\\]/).at(-1)!.trim()
  return [...last].slice(0, shareLimits.name).join('') || 'file'
}
