/** Every key that does something, by where it does. Pure. */
import type { ShortcutsTexts } from '../i18n/shortcuts.ts'

export type ShortcutGroup = keyof ShortcutsTexts['groups']
export type ShortcutRow = {
  name: keyof ShortcutsTexts['names']
  /** Keys that are held together; several in the order of the name's parts. */
  keys: readonly (readonly string[])[]
  /** Each does the same. */
  either?: true
}

/** `Alt` and `Ctrl` are written as this kind of machine calls them; single keys as they are labelled. */
export function shortcutList(mac: boolean): Readonly<Record<ShortcutGroup, readonly ShortcutRow[]>> {
  const alt = mac ? 'Option' : 'Alt'
  const ctrl = mac ? 'Command' : 'Ctrl'
  return {
    everywhere: [
      { name: 'newChat', keys: [[alt, 'N']] },
      { name: 'search', keys: [[ctrl, 'K']] },
      { name: 'message', keys: [[alt, 'M']] },
      { name: 'library', keys: [[alt, 'L']] },
      { name: 'context', keys: [[alt, 'C']] },
      { name: 'settings', keys: [[alt, ',']] },
      { name: 'shortcuts', keys: [[ctrl, '/'], ['?']], either: true },
    ],
    chat: [
      {
        name: 'byMessage',
        keys: [
          [alt, '↑'],
          [alt, '↓'],
        ],
      },
      { name: 'find', keys: [[ctrl, 'F']] },
      { name: 'nextHit', keys: [['Enter'], ['Shift', 'Enter']] },
      { name: 'endFind', keys: [['Esc']] },
      { name: 'newest', keys: [['End']] },
      { name: 'saveEdit', keys: [[ctrl, 'Enter']] },
      { name: 'endEdit', keys: [['Esc']] },
    ],
    message: [
      { name: 'send', keys: [['Enter']] },
      { name: 'newLine', keys: [['Shift', 'Enter']] },
      { name: 'commands', keys: [['/']] },
      { name: 'complete', keys: [['Tab'], ['Enter']], either: true },
      { name: 'slash', keys: [['//']] },
    ],
    lists: [
      { name: 'hits', keys: [['↓']] },
      { name: 'walk', keys: [['↓'], ['↑']] },
      { name: 'ends', keys: [['Home'], ['End']] },
      { name: 'leave', keys: [['Esc']] },
    ],
    timeline: [
      { name: 'steps', keys: [['←'], ['→']] },
      { name: 'zoom', keys: [['+'], ['−'], ['0']] },
      { name: 'border', keys: [['←'], ['→']] },
    ],
  }
}
