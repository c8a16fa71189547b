/**
 * Detects the kind of a file by its first bytes: names and MIME types are often wrong (browsers take a .ts file for a
 * video).
 */
import { chatFile, headBytes, type ForeignApp } from '../../core/log/file-format/foreign-export.ts'
import { encodingOf, NotText } from './encoding.ts'

/** Why a file is not taken. */
export type FileRefusal =
  | 'empty'
  | 'too large'
  | 'together too large'
  | 'picture'
  | 'pdf'
  | 'document'
  | 'packed'
  | 'sound or film'
  | 'model'
  | 'binary'
  | 'encoding'
  | 'unreadable'
  | 'too many'
  | 'left out'

/** `chats`: an export that can be imported; `foreign`: one of another program, a text as well; `zip`: perhaps one. */
export type FileKind =
  | { is: 'zip' }
  | { is: 'text' | 'chats'; encoding: string }
  | { is: 'foreign'; app: ForeignApp; encoding: string }
  | { is: 'refused'; why: FileRefusal }

/** A slightly damaged text may have at most this share of non-text characters: one in a thousand. */
const damaged = 1_000

/** What a file is. Reads its beginning only; never throws. */
export async function fileKindOf(file: File): Promise<FileKind> {
  if (file.size === 0) return refused('empty')
  let head: Uint8Array<ArrayBuffer>
  try {
    head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer())
  } catch {
    return refused('unreadable') // moved or removed since it was chosen, or a folder
  }
  const known = ofBytes(head, file.name)
  if (known !== undefined) return refused(known)
  if (head[0] === 0x50 && head[1] === 0x4b && head[2] === 3 && head[3] === 4) return { is: 'zip' }
  let encoding: string
  try {
    encoding = encodingOf(head)
  } catch (thrown) {
    return refused(thrown instanceof NotText && thrown.kind === 'packed' ? 'packed' : 'encoding')
  }
  const text = new TextDecoder(encoding).decode(head, { stream: head.length < file.size })
  if (text.includes('\0')) return refused(ofType(file.type))
  if (text.split('\uFFFD').length - 1 > text.length / damaged) return refused(ofType(file.type, 'encoding'))
  const chats = chatFile(text)
  if (chats === undefined) return { is: 'text', encoding }
  return chats.of === 'haversack' ? { is: 'chats', encoding } : { is: 'foreign', app: chats.of, encoding }
}

const refused = (why: FileRefusal): FileKind => ({ is: 'refused', why })

/** By what its first bytes say; undefined where they say nothing. */
function ofBytes(head: Uint8Array, name: string): FileRefusal | undefined {
  const begin = String.fromCharCode(...head.subarray(0, 64))
  const at = (from: number, sign: string): boolean => begin.startsWith(sign, from)
  if (
    at(0, '\x89PNG') ||
    at(0, '\xff\xd8\xff') ||
    at(0, 'GIF8') ||
    at(0, 'II*\0') ||
    at(0, 'MM\0*') ||
    at(0, '8BPS') ||
    at(0, '\0\0\x01\0') ||
    (at(0, 'BM') && at(6, '\0\0\0\0'))
  )
    return 'picture'
  if (at(0, 'RIFF')) return at(8, 'WEBP') ? 'picture' : 'sound or film'
  if (at(4, 'ftyp')) return /^(?:hei|hev|mif|msf|avi)/.test(begin.slice(8)) ? 'picture' : 'sound or film'
  if (
    at(0, 'ID3') ||
    at(0, 'OggS') ||
    at(0, 'fLaC') ||
    at(0, '\x1aE\xdf\xa3') ||
    at(0, '\xff\xfb') ||
    at(0, '\xff\xf3')
  )
    return 'sound or film'
  if (begin.includes('%PDF-')) return 'pdf'
  if (at(0, 'GGUF')) return 'model'
  if (
    at(0, '\xd0\xcf\x11\xe0') ||
    (at(0, 'PK\x03\x04') && /\.(?:docx?|xlsx?|pptx?|od[tsp]|epub|pages|numbers|key)$/i.test(name))
  )
    return 'document'
  if (at(0, 'BZh') || at(0, '7z\xbc\xaf') || at(0, 'Rar!') || at(0, 'PK\x05\x06')) return 'packed'
  return at(0, 'SQLite format 3') ? 'binary' : undefined
}

/** Of bytes that are no text, what the type says. */
function ofType(type: string, other: FileRefusal = 'binary'): FileRefusal {
  if (type.startsWith('image/')) return 'picture'
  return /^(?:audio|video)\//.test(type) ? 'sound or film' : other
}
