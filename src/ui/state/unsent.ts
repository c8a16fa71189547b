/**
 * What was in the message box when the page was left, for the same tab after a reload: the last keystrokes may not have
 * been stored.
 */

const key = 'haversack unsent'

/** `isNew`: nothing was said in the chat yet. */
type Unsent = { chat: string; typed: string; isNew: boolean }

/**
 * Keeps what is typed in this chat. Never throws: a browser that keeps nothing loses at most half a second of typing.
 */
export function saveUnsent(unsent: Unsent): void {
  try {
    window.sessionStorage.setItem(key, JSON.stringify(unsent))
  } catch {
    // blocked or full
  }
}

/** The new chat that was on the screen when the page was left, where something was typed in it. */
export function unsentNewChat(): string | undefined {
  const unsent = read()
  return unsent?.isNew && unsent.typed !== '' ? unsent.chat : undefined
}

/** The chat that was on the screen before a reload, if it has messages. */
export function chatBeforeReload(): string | undefined {
  const [navigation] = performance.getEntriesByType('navigation')
  const unsent = (navigation as PerformanceNavigationTiming | undefined)?.type === 'reload' ? read() : undefined
  return unsent?.isNew === false ? unsent.chat : undefined
}

/** What was typed in this chat when the page was left, once; empty for nothing. */
export function takeUnsent(chat: string): string {
  const unsent = read()
  if (unsent?.chat !== chat) return ''
  try {
    window.sessionStorage.removeItem(key)
  } catch {
    // it could be read, so it is here; it is overwritten when the page is left again
  }
  return unsent.typed
}

function read(): Unsent | undefined {
  try {
    const { chat, typed, isNew } = JSON.parse(window.sessionStorage.getItem(key) ?? '{}') as Record<string, unknown>
    return typeof chat === 'string' && typeof typed === 'string' ? { chat, typed, isNew: isNew === true } : undefined
  } catch {
    return undefined
  }
}
