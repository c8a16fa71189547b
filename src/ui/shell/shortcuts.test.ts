import { expect, it } from 'vitest'
import { keyNames, shortcutOf } from './shortcuts.ts'

const key = (code: string, more: Partial<KeyboardEvent> = {}) => ({ code, altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, isComposing: false, ...more })

it('knows its keys by their place on the keyboard', () => {
  expect(shortcutOf(key('KeyN', { altKey: true }))).toBe('newChat')
  expect(shortcutOf(key('Comma', { altKey: true }))).toBe('settings')
  expect(shortcutOf(key('KeyK', { ctrlKey: true }))).toBe('search')
  expect(shortcutOf(key('KeyK', { metaKey: true }))).toBe('search')
})

it('leaves typing alone: plain keys, AltGr, input methods', () => {
  expect(shortcutOf(key('KeyN'))).toBeUndefined()
  expect(shortcutOf(key('KeyN', { altKey: true, ctrlKey: true }))).toBeUndefined()
  expect(shortcutOf(key('KeyN', { altKey: true, isComposing: true }))).toBeUndefined()
  expect(shortcutOf(key('KeyN', { altKey: true, shiftKey: true }))).toBeUndefined()
  expect(shortcutOf(key('KeyC', { ctrlKey: true }))).toBeUndefined()
})

it('writes the keys as the machine does', () => {
  expect(keyNames(true).newChat).toBe('⌥N')
  expect(keyNames(false).newChat).toBe('Alt+N')
})
