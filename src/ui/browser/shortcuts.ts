/** Which keys do what, everywhere in the page. Pure; `../settings/shortcut-list.ts` lists them for people. */

export type Shortcut =
  | 'newChat'
  | 'search'
  | 'message'
  | 'previousMessage'
  | 'nextMessage'
  | 'library'
  | 'context'
  | 'settings'
  | 'shortcuts'
type Key = Pick<KeyboardEvent, 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'code' | 'key' | 'isComposing'>

/** By position of the key (`code`): with Option held, a Mac types other letters. */
const withAlt: Record<string, Shortcut> = {
  KeyN: 'newChat',
  KeyM: 'message',
  ArrowUp: 'previousMessage',
  ArrowDown: 'nextMessage',
  KeyL: 'library',
  KeyC: 'context',
  Comma: 'settings',
}

export function shortcutOf(key: Key): Shortcut | undefined {
  if (key.isComposing) return undefined
  const command = key.ctrlKey || key.metaKey
  // By what it types: on many keyboards the slash needs Shift, and lies where others zoom the page.
  if (command && !key.altKey && key.key === '/') return 'shortcuts'
  if (key.shiftKey) return undefined
  if (command && !key.altKey) return key.code === 'KeyK' ? 'search' : undefined
  // AltGr arrives as Ctrl+Alt on Windows and types letters.
  return key.altKey && !command ? withAlt[key.code] : undefined
}

/** Whether the key belongs to the field that it is pressed in: on a Mac Option and an arrow move through a text. */
export function isOfField(shortcut: Shortcut, field: EventTarget | null, mac = isMac()): boolean {
  if (shortcut !== 'previousMessage' && shortcut !== 'nextMessage') return false
  const { value } = (field ?? {}) as { value?: unknown }
  return mac && typeof value === 'string' && value !== ''
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

/** How the key of a new chat is written beside its button on this kind of machine. */
export function newChatKey(mac: boolean): string {
  return mac ? '⌥N' : 'Alt+N'
}

export function isMac(): boolean {
  return /mac|iphone|ipad/i.test(navigator.platform)
}
