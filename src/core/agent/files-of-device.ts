/** Files of the workspace that hold what never left this device: written in a chat that was only ever answered here. */
import { parsePath } from '../log/paths.ts'
import type { LogStore } from '../ports.ts'

const keyOf = (path: string): string => `stays here: ${path}`

/** Remembers of a file that a chat of this device wrote it. `path` as the model gave it. */
export async function noteWritten(store: LogStore, path: unknown): Promise<void> {
  const file = typeof path === 'string' ? parsePath(path.trim()) : undefined
  if (file?.kind === 'workspace') await store.saveSetting(keyOf(file.path), true)
}

/** Whether a document is one of them. */
export async function fileStays(store: LogStore, path: string): Promise<boolean> {
  return await store.setting(keyOf(path)) === true
}
