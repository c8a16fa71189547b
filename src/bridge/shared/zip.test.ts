import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { isZip, zipEntries, type ZipEntry } from './zip.ts'

const open = (bytes: Uint8Array): Promise<ZipEntry[]> =>
  zipEntries(async (from, to) => bytes.slice(from, to), bytes.length)

async function textOf(entry: ZipEntry): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const part of entry.parts()) text += decoder.decode(part, { stream: true })
  return text + decoder.decode()
}

const long = JSON.stringify(Array.from({ length: 60_000 }, (_, n) => ({ n, said: `Message ${n * 7919} – 汉字` })))
const zip = zipSync({
  'conversations.json': strToU8(long),
  'files/ä b.txt': [strToU8('short'), { level: 0 }],
  'files/': new Uint8Array(),
})

describe('a ZIP', () => {
  it('gives its files by their paths, packed or not, in parts', async () => {
    expect(isZip(zip)).toBe(true)
    const entries = await open(zip)
    expect(entries.map(({ path, size }) => [path, size])).toEqual([
      ['conversations.json', strToU8(long).length],
      ['files/ä b.txt', 5],
    ])
    expect(await textOf(entries[0]!)).toBe(long)
    expect(await textOf(entries[1]!)).toBe('short')
    expect(await textOf(entries[0]!)).toBe(long) // again
  })

  it('with a comment at its end is read as well', async () => {
    const end = zip.length - 22
    const commented = new Uint8Array([...zip, ...strToU8('hello')])
    new DataView(commented.buffer).setUint16(end + 20, 5, true)
    expect(await open(commented)).toHaveLength(2)
  })

  it('that is cut off, damaged or locked is refused with the reason', async () => {
    await expect(open(zip.slice(0, -30))).rejects.toThrow('its end is missing')
    await expect(open(strToU8('PK\u0003\u0004 and no more'))).rejects.toThrow('its end is missing')
    const locked = zip.slice()
    const view = new DataView(locked.buffer)
    const directory = view.getUint32(locked.length - 22 + 16, true)
    view.setUint16(directory + 8, view.getUint16(directory + 8, true) | 1, true)
    await expect(open(locked)).rejects.toThrow('locked by a password')
    const damaged = zip.slice()
    damaged.fill(255, 60, 200)
    const [entry] = await open(damaged)
    await expect(textOf(entry!)).rejects.toThrow('cannot be read')
  })

  it('that would fill the memory is refused before it is unpacked, and where it lies about its size', async () => {
    const bomb = zipSync({ 'a.json': new Uint8Array(30_000_000) }, { level: 9 })
    await expect(open(bomb)).rejects.toThrow('would unpack to 200 times')
    const lies = bomb.slice()
    const view = new DataView(lies.buffer)
    const directory = view.getUint32(lies.length - 22 + 16, true)
    view.setUint32(directory + 24, 100_000, true)
    const [entry] = await open(lies)
    await expect(textOf(entry!)).rejects.toThrow('larger than it says')
  })
})
