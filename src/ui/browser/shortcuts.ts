/** Which keys do what, everywhere in the page. Pure; the list is shown in Settings. */

export type Shortcut = 'newChat' | 'search' | 'message' | 'library' | 'context' | 'settings'
type Key = Pick<KeyboardEvent, 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'code' | 'isComposing'>

/** By position of the key (`code`): with Option held, a Mac types other letters. */
const withAlt: Record<string, Shortcut> = {
  KeyN: 'newChat',
  KeyM: 'message',
  KeyL: 'library',
  KeyC: 'context',
  Comma: 'settings',
}

export function shortcutOf(key: Key): Shortcut | undefined {
  if (key.isComposing || key.shiftKey) return undefined
  const command = key.ctrlKey || key.metaKey
  if (command && !key.altKey) return key.code === 'KeyK' ? 'search' : undefined
  // AltGr arrives as Ctrl+Alt on Windows and types letters.
  return key.altKey && !command ? withAlt[key.code] : undefined
}

/** Whether the key types something: a letter, or what was copied. A blank scrolls, so it types nothing. */
export function isTyped(
  {
    altKey,
    ctrlKey,
    metaKey,
    key,
    isComposing,
  }: Pick<KeyboardEvent, 'altKey' | 'ctrlKey' | 'metaKey' | 'key' | 'isComposing'>,
  mac = isMac(),
): boolean {
  const letter = [...key].length === 1 && key !== ' ' && !isComposing
  if (ctrlKey && altKey) return letter // AltGr arrives so on Windows
  if (ctrlKey || metaKey) return letter && !altKey && key.toLowerCase() === 'v'
  return letter && (!altKey || mac) // Option types letters on a Mac
}

/** Whether nothing is focused that has a use for letters: the page itself, or a talk that is being read. */
export function isNothingFocused(): boolean {
  const focused = document.activeElement
  const nothing = focused === null || focused.matches('body, main, [role="log"], [role="log"] article')
  return nothing && document.querySelector('dialog[open]') === null // looked for last: each key comes by here
}

/** How the keys are written on this kind of machine. */
export function keyNames(mac: boolean): Record<Shortcut, string> {
  const alt = mac ? '⌥' : 'Alt+'
  return {
    newChat: `${alt}N`,
    search: mac ? '⌘K' : 'Ctrl+K',
    message: `${alt}M`,
    library: `${alt}L`,
    context: `${alt}C`,
    settings: `${alt},`,
  }
}

export function isMac(): boolean {
  return /mac|iphone|ipad/i.test(navigator.platform)
}
