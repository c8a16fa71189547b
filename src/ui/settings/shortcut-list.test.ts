import { expect, it } from 'vitest'
import { shortcutOf } from '../browser/shortcuts.ts'
import { shortcutsEn } from '../i18n/en/shortcuts-en.ts'
import { shortcutList } from './shortcut-list.ts'

it('lists every name once, in words of the machine', () => {
  const names = Object.values(shortcutList(false)).flatMap(rows => rows.map(({ name }) => name))
  expect(names.toSorted()).toEqual(Object.keys(shortcutsEn.names).toSorted())
  const words = (mac: boolean): string => JSON.stringify(shortcutList(mac))
  expect(words(true)).not.toMatch(/Ctrl|Alt|[⌘⌥]/)
  expect(words(false)).not.toMatch(/Option|Command/)
})

it('says of the keys that hold everywhere what they do', () => {
  const codes: Record<string, string> = { ',': 'Comma', '/': 'Slash' }
  for (const { name, keys } of shortcutList(false).everywhere) {
    const [held, key] = keys[0] ?? []
    const event = { altKey: held === 'Alt', ctrlKey: held === 'Ctrl', metaKey: false, shiftKey: false }
    const code = codes[key ?? ''] ?? `Key${key}`
    expect(shortcutOf({ ...event, key: key ?? '', code, isComposing: false }), name).toBe(name)
  }
})
