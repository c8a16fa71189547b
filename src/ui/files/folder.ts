/** The files of a folder that was dropped, with their paths as names. */

/** What programs keep beside a person's files. */
const notMeant = /^(?:\.git|\.svn|\.hg|node_modules|__pycache__|\.DS_Store|Thumbs\.db|desktop\.ini|__MACOSX)$/

/**
 * `leftOut`: what is not meant, by path; `unreadable`: what could not be opened; `more`: whether there were more than
 * `most`.
 */
export type FolderFiles = { files: File[]; leftOut: string[]; unreadable: string[]; more: boolean }

/** In order of their paths, at most `most`. Never throws. */
export async function filesInFolders(folders: readonly FileSystemEntry[], most: number): Promise<FolderFiles> {
  const found: FolderFiles = { files: [], leftOut: [], unreadable: [], more: false }
  for (const folder of folders) await walk(folder, most, found)
  return found
}

async function walk(entry: FileSystemEntry, most: number, found: FolderFiles): Promise<void> {
  if (found.files.length >= most) {
    found.more = true
    return
  }
  const path = entry.fullPath.replace(/^\/+/, '')
  if (notMeant.test(entry.name)) {
    found.leftOut.push(path)
    return
  }
  try {
    if (entry.isDirectory)
      for (const inner of await entriesOf((entry as FileSystemDirectoryEntry).createReader()))
        await walk(inner, most, found)
    else
      found.files.push(
        named(
          await new Promise<File>((resolve, reject) => {
            ;(entry as FileSystemFileEntry).file(resolve, reject)
          }),
          path,
        ),
      )
  } catch {
    found.unreadable.push(path)
  }
}

/** A reader gives a hundred at a time, and none when it is done. */
async function entriesOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject)
    })
    if (some.length === 0) return all.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    all.push(...some)
  }
}

const named = (file: File, name: string): File =>
  new File([file], name, { type: file.type, lastModified: file.lastModified })
