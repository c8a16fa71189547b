/**
 * A ZIP file by its directory, so that each file in it is read by itself, in parts and in flat memory. Pure; unpacked
 * by fflate.
 */
import { Inflate } from 'fflate'
import { AgentError } from '../../core/errors.ts'

/** Bytes of the ZIP from `from` up to `to`, exclusive. */
export type ReadBytes = (from: number, to: number) => Promise<Uint8Array>

export type ZipEntry = { path: string; size: number /* bytes, unpacked */; parts(): AsyncIterable<Uint8Array> }

/** Bytes read from the ZIP at once. */
const step = 262_144
/** A file of texts packs to a tenth; one that unpacks to more than this many times its size is made to fill memory. */
const mostUnpacked = 200
/** More files than this in one export are no chats. */
const mostEntries = 200_000

const signature = { entry: 0x04034b50, directory: 0x02014b50, end: 0x06054b50, end64: 0x06064b50, locator: 0x07064b50 }

const broken = (why: string): AgentError => new AgentError('bad_input', `The ZIP file cannot be read: ${why}`)

const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Whether these first bytes are those of a ZIP. */
export const isZip = (head: Uint8Array): boolean =>
  head[0] === 0x50 && head[1] === 0x4b && head[2] === 3 && head[3] === 4

/**
 * The files in a ZIP of this size, without folders. Throws `bad_input` where it is no whole ZIP, is locked, or is made
 * to fill the memory.
 */
export async function zipEntries(read: ReadBytes, size: number): Promise<ZipEntry[]> {
  const { at, bytes, count } = await directoryOf(read, size)
  if (count > mostEntries) throw broken(`it holds ${count} files`)
  const directory = await read(at, at + bytes)
  const data = view(directory)
  const entries: ZipEntry[] = []
  let place = 0
  for (let n = 0; n < count && place + 46 <= directory.length; n++) {
    if (data.getUint32(place, true) !== signature.directory) throw broken('its list of files is damaged')
    const [flags, method] = [data.getUint16(place + 8, true), data.getUint16(place + 10, true)]
    const [nameLength, extraLength] = [data.getUint16(place + 28, true), data.getUint16(place + 30, true)]
    const path = new TextDecoder().decode(directory.subarray(place + 46, place + 46 + nameLength))
    const extra = directory.subarray(place + 46 + nameLength, place + 46 + nameLength + extraLength)
    const sizes = sizesOf(data, place, extra)
    place += 46 + nameLength + extraLength + data.getUint16(place + 32, true)
    if (path.endsWith('/')) continue
    if ((flags & 1) !== 0) throw broken('it is locked by a password')
    if (sizes.unpacked > Math.max(1_000_000, sizes.packed * mostUnpacked))
      throw broken(`“${path}” would unpack to ${mostUnpacked} times its size or more`)
    entries.push({ path, size: sizes.unpacked, parts: () => partsOf(read, path, method, sizes) })
  }
  return entries
}

type Sizes = { packed: number; unpacked: number; at: number }

/** Where the list of files lies, by the record at the end of the ZIP; large ones have a second record. */
async function directoryOf(read: ReadBytes, size: number): Promise<{ at: number; bytes: number; count: number }> {
  const from = Math.max(0, size - 65_557)
  const tail = await read(from, size)
  const data = view(tail)
  let end = tail.length - 22
  while (end >= 0 && data.getUint32(end, true) !== signature.end) end--
  if (end < 0) throw broken('its end is missing')
  const [count, bytes, at] = [
    data.getUint16(end + 10, true),
    data.getUint32(end + 12, true),
    data.getUint32(end + 16, true),
  ]
  const locator = end - 20
  if (locator < 0 || data.getUint32(locator, true) !== signature.locator) return { at, bytes, count }
  const place = Number(data.getBigUint64(locator + 8, true))
  const record = view(await read(place, place + 56))
  if (record.byteLength < 56 || record.getUint32(0, true) !== signature.end64)
    throw broken('its list of files is damaged')
  return {
    count: Number(record.getBigUint64(32, true)),
    bytes: Number(record.getBigUint64(40, true)),
    at: Number(record.getBigUint64(48, true)),
  }
}

/** Numbers that need more than 32 bits stand in a field of their own, in this order, those that need it alone. */
function sizesOf(data: DataView, place: number, extra: Uint8Array): Sizes {
  const sizes = {
    unpacked: data.getUint32(place + 24, true),
    packed: data.getUint32(place + 20, true),
    at: data.getUint32(place + 42, true),
  }
  const fields = view(extra)
  for (let at = 0; at + 4 <= extra.length; at += 4 + fields.getUint16(at + 2, true)) {
    if (fields.getUint16(at, true) !== 1) continue
    let field = at + 4
    for (const name of ['unpacked', 'packed', 'at'] as const)
      if (sizes[name] === 0xffffffff && field + 8 <= extra.length) {
        sizes[name] = Number(fields.getBigUint64(field, true))
        field += 8
      }
    break
  }
  return sizes
}

async function* partsOf(
  read: ReadBytes,
  path: string,
  method: number,
  { packed, unpacked, at }: Sizes,
): AsyncGenerator<Uint8Array> {
  const header = view(await read(at, at + 30))
  if (header.byteLength < 30 || header.getUint32(0, true) !== signature.entry) throw broken(`“${path}” is missing`)
  if (method !== 0 && method !== 8) throw broken(`“${path}” is packed in a way that is not known (${method})`)
  const from = at + 30 + header.getUint16(26, true) + header.getUint16(28, true)
  let out: Uint8Array[] = []
  let sum = 0
  const inflate = new Inflate(part => out.push(part))
  for (let place = from; place < from + packed; place += step) {
    const part = await read(place, Math.min(place + step, from + packed))
    if (part.length === 0) throw broken(`“${path}” is cut off`)
    try {
      if (method === 0) out.push(part)
      else inflate.push(part, place + step >= from + packed)
    } catch (error) {
      throw broken(`“${path}” is damaged (${error instanceof Error ? error.message : 'unknown'})`)
    }
    for (const piece of out) {
      sum += piece.length
      if (sum > unpacked) throw broken(`“${path}” is larger than it says`)
      yield piece
    }
    out = []
  }
}
