/** Which keys do what, everywhere in the page. Pure; the list is shown in Settings. */

export type Shortcut = 'newChat' | 'search' | 'message' | 'library' | 'context' | 'settings'
type Key = Pick<KeyboardEvent, 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'code' | 'isComposing'>

/** By position of the key (`code`): with Option held, a Mac types other letters. */
const withAlt: Record<string, Shortcut> = { KeyN: 'newChat', KeyM: 'message', KeyL: 'library', KeyC: 'context', Comma: 'settings' }

export function shortcutOf(key: Key): Shortcut | undefined {
  if (key.isComposing || key.shiftKey) return undefined
  const command = key.ctrlKey || key.metaKey
  if (command && !key.altKey) return key.code === 'KeyK' ? 'search' : undefined
  // AltGr arrives as Ctrl+Alt on Windows and types letters.
  return key.altKey && !command ? withAlt[key.code] : undefined
}

/** How the keys are written on this kind of machine. */
export function keyNames(mac: boolean): Record<Shortcut, string> {
  const alt = mac ? '⌥' : 'Alt+'
  return { newChat: `${alt}N`, search: mac ? '⌘K' : 'Ctrl+K', message: `${alt}M`, library: `${alt}L`, context: `${alt}C`, settings: `${alt},` }
}

export function isMac(): boolean {
  return /mac|iphone|ipad/i.test(navigator.platform)
}
