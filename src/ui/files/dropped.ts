/** Reads what a drop or paste holds. It is read at once, because it cannot be read after the event. */

/** `folders`: what is in them is read later. `text`: of a drop without files, the address of a link or the words. */
export type Dropped = {
  files: readonly File[]
  folders: readonly FileSystemEntry[]
  text: string
  /** Names of what came without its content, because it is too large. */
  tooLarge?: readonly string[]
}

/** Whether this is something from outside that would make the browser leave the page, or that belongs into a chat. */
export function accepts(transfer: DataTransfer | null): boolean {
  return transfer !== null && ['Files', 'text/uri-list', 'text/plain'].some(type => transfer.types.includes(type))
}

export function readDrop(transfer: DataTransfer | null): Dropped {
  if (transfer === null) return { files: [], folders: [], text: '' }
  const files: File[] = []
  const folders: FileSystemEntry[] = []
  for (const item of transfer.items) {
    if (item.kind !== 'file') continue
    const entry = item.webkitGetAsEntry?.() ?? null // Firefox for Android has it since 141
    const file = entry?.isDirectory === true ? null : item.getAsFile()
    if (file !== null) files.push(file)
    else if (entry !== null) folders.push(entry)
  }
  const none = files.length === 0 && folders.length === 0
  return { files: none ? [...transfer.files] : files, folders, text: none ? textOf(transfer) : '' }
}

/** The address of a link, or the words; the first has them too, but a link's words are its address. */
function textOf(transfer: DataTransfer): string {
  const link = transfer
    .getData('text/uri-list')
    .split(/\r?\n/)
    .find(line => line !== '' && !line.startsWith('#'))
  return link ?? transfer.getData('text/plain')
}

/**
 * Whether a paste means its files and not its text: a file manager puts the names there, a table or a letter its words
 * beside a picture of them.
 */
export function meansFiles(pasted: string, files: readonly File[]): boolean {
  if (files.length === 0) return false
  const lines = pasted
    .split(/\r?\n|\r/)
    .map(line => line.trim())
    .filter(line => line !== '')
  return lines.every(line =>
    files.some(({ name }) => line === name || line.endsWith(`/${name}`) || line.endsWith(`\\${name}`)),
  )
}
