/**
 * Files in the private file system of this origin: large ones, written piece by piece. Only on threads, where writing
 * is synchronous.
 */

/** Named files of one folder. Names are plain, without slashes. */
export type FileStore = {
  /** Rejects where the browser keeps no files for this page. */
  look(): Promise<unknown>
  /** Bytes; undefined where there is none. */
  size(name: string): Promise<number | undefined>
  /** Opens for writing from byte `from` on; what lies behind it is cut off. Made if need be. One writer at a time. */
  open(name: string, from: number): Promise<FileWriter>
  read(name: string): Promise<Blob>
  remove(name: string): Promise<void>
}

export type FileWriter = { write(bytes: Uint8Array, at: number): void; close(): void }

/** Exists on threads only, which is why not every list of types has it. */
type Access = {
  write(bytes: Uint8Array, options: { at: number }): number
  truncate(size: number): void
  flush(): void
  close(): void
}
type Handle = FileSystemFileHandle & { createSyncAccessHandle(): Promise<Access> }

/** Those in one folder, which is made when first asked for. */
export function opfsFiles(folder: string, storage: Pick<StorageManager, 'getDirectory'>): FileStore {
  const directory = async (): Promise<FileSystemDirectoryHandle> =>
    (await storage.getDirectory()).getDirectoryHandle(folder, { create: true })
  const handle = async (name: string, create = false): Promise<Handle> =>
    (await (await directory()).getFileHandle(encodeURIComponent(name), { create })) as Handle
  return {
    look: directory,
    async size(name) {
      try {
        return (await (await handle(name)).getFile()).size
      } catch {
        return undefined // not there, or not to be read: both are missing
      }
    },
    async open(name, from) {
      const access = await (await handle(name, true)).createSyncAccessHandle()
      try {
        access.truncate(from)
      } catch (thrown) {
        access.close() // an open one would lock the file for good
        throw thrown
      }
      return {
        write(bytes, at) {
          if (access.write(bytes, { at }) < bytes.length)
            throw new DOMException('The file could not be written whole.', 'QuotaExceededError')
        },
        close() {
          try {
            access.flush()
          } finally {
            access.close()
          }
        },
      }
    },
    read: async name => (await handle(name)).getFile(),
    async remove(name) {
      await (await directory()).removeEntry(encodeURIComponent(name)).catch(() => {}) // gone already
    },
  }
}
