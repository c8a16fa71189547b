/** What stood in the message box when the page was left, for the same tab after a reload: the store may not have heard of the last keys. */

const key = 'haversack unsent'

/** `unstored`: nothing of the chat was stored yet, as far as the page knew. */
type Unsent = { chat: string; typed: string; unstored: boolean }

/** Keeps what is typed in this chat. Never throws: a browser that keeps nothing loses at most half a second of typing. */
export function keepUnsent(unsent: Unsent): void {
  try {
    window.sessionStorage.setItem(key, JSON.stringify(unsent))
  } catch {
    // blocked or full
  }
}

/** The new chat that was on the screen when the page was left, where something was typed in it. */
export function unsentNewChat(): string | undefined {
  const unsent = read()
  return unsent?.unstored && unsent.typed !== '' ? unsent.chat : undefined
}

/** What was typed in this chat when the page was left, once. */
export function takeUnsent(chat: string): string | undefined {
  const unsent = read()
  if (unsent?.chat !== chat) return undefined
  try {
    window.sessionStorage.removeItem(key)
  } catch {
    // it could be read, so it is here; it is overwritten when the page is left again
  }
  return unsent.typed
}

function read(): Unsent | undefined {
  try {
    const { chat, typed, unstored } = JSON.parse(window.sessionStorage.getItem(key) ?? '{}') as Record<string, unknown>
    return typeof chat === 'string' && typeof typed === 'string' ? { chat, typed, unstored: unstored === true } : undefined
  } catch {
    return undefined
  }
}
