/** Whether this is a private window, where a browser lets that be seen. */

/**
 * Firefox and Safari open databases in a private window, for as long as it lasts, but refuse the private file system:
 * Firefox with a SecurityError (seen in 153), WebKit with an UnknownError (seen in 2.50). Chromium gives everything and
 * lets nobody tell. Where databases are refused too it is blocked site data; that is told as such. Never throws.
 */
export async function isPrivateWindow(manager: Partial<Pick<StorageManager, 'getDirectory'>>): Promise<boolean> {
  if (!manager.getDirectory) return false
  try {
    await manager.getDirectory()
    return false
  } catch (thrown) {
    return thrown instanceof Error && (thrown.name === 'SecurityError' || thrown.name === 'UnknownError')
  }
}
