import { describe, expect, it } from 'vitest'
import { opfsFiles } from './opfs-files.ts'

/** A private file system with one file whose handle does what it is told. */
function storage(fail: { truncate?: boolean; flush?: boolean }) {
  const access = {
    closed: 0,
    truncate() {
      if (fail.truncate) throw new DOMException('full', 'QuotaExceededError')
    },
    flush() {
      if (fail.flush) throw new DOMException('full', 'QuotaExceededError')
    },
    write: (bytes: Uint8Array) => bytes.length,
    close() {
      access.closed++
    },
  }
  const folder = { getFileHandle: async () => ({ createSyncAccessHandle: async () => access }) }
  const root = { getDirectoryHandle: async () => folder }
  return {
    access,
    files: opfsFiles('models', { getDirectory: async () => root as unknown as FileSystemDirectoryHandle }),
  }
}

describe('a file of the private file system', () => {
  it('is let go when it cannot be opened at its place, so that the next try can', async () => {
    const { access, files } = storage({ truncate: true })
    await expect(files.open('a', 10)).rejects.toMatchObject({ name: 'QuotaExceededError' })
    expect(access.closed).toBe(1)
  })

  it('is let go when its last bytes find no room, and says so', async () => {
    const { access, files } = storage({ flush: true })
    const out = await files.open('a', 0)
    out.write(new Uint8Array(3), 0)
    expect(() => {
      out.close()
    }).toThrow('full')
    expect(access.closed).toBe(1)
  })
})
