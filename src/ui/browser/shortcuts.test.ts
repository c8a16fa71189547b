import { expect, it } from 'vitest'
import { isOfField, isTyped, newChatKey, shortcutOf } from './shortcuts.ts'

const key = (code: string, more: Partial<KeyboardEvent> = {}) => ({
  code,
  key: '',
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  isComposing: false,
  ...more,
})

it('knows its keys by their place on the keyboard', () => {
  expect(shortcutOf(key('KeyN', { altKey: true }))).toBe('newChat')
  expect(shortcutOf(key('Comma', { altKey: true }))).toBe('settings')
  expect(shortcutOf(key('KeyK', { ctrlKey: true }))).toBe('search')
  expect(shortcutOf(key('KeyK', { metaKey: true }))).toBe('search')
})

it('opens the list of keys by the slash, wherever a keyboard has it', () => {
  expect(shortcutOf(key('Slash', { key: '/', ctrlKey: true }))).toBe('shortcuts')
  expect(shortcutOf(key('Digit7', { key: '/', metaKey: true, shiftKey: true }))).toBe('shortcuts')
  expect(shortcutOf(key('Slash', { key: '-', ctrlKey: true }))).toBeUndefined()
  expect(shortcutOf(key('Slash', { key: '/' }))).toBeUndefined()
})

it('leaves typing alone: plain keys, AltGr, input methods', () => {
  expect(shortcutOf(key('KeyN'))).toBeUndefined()
  expect(shortcutOf(key('KeyN', { altKey: true, ctrlKey: true }))).toBeUndefined()
  expect(shortcutOf(key('KeyN', { altKey: true, isComposing: true }))).toBeUndefined()
  expect(shortcutOf(key('KeyN', { altKey: true, shiftKey: true }))).toBeUndefined()
  expect(shortcutOf(key('KeyC', { ctrlKey: true }))).toBeUndefined()
})

it('moves by message, but leaves a text on a Mac its own arrows', () => {
  expect(shortcutOf(key('ArrowUp', { altKey: true }))).toBe('previousMessage')
  expect(shortcutOf(key('ArrowDown', { altKey: true }))).toBe('nextMessage')
  const field = (value: string) => ({ value }) as unknown as EventTarget
  expect([
    isOfField('nextMessage', field('words'), true),
    isOfField('nextMessage', field(''), true),
    isOfField('nextMessage', field('words'), false),
    isOfField('newChat', field('words'), true),
  ]).toEqual([true, false, false, false])
})

it('writes the keys as the machine does', () => {
  expect(newChatKey(true)).toBe('⌥N')
  expect(newChatKey(false)).toBe('Alt+N')
})

it('tells what types: letters of every keyboard and what was copied, but no command and no blank', () => {
  const typed = (letter: string, more: Partial<KeyboardEvent> = {}, mac = false) =>
    isTyped({ ...key('', more), key: letter }, mac)
  for (const letter of ['a', 'A', '?', 'é', '你', '😀']) expect(typed(letter), letter).toBe(true)
  for (const name of [' ', 'Enter', 'Tab', 'Escape', 'ArrowUp', 'F5', 'Dead', 'Process'])
    expect(typed(name), name).toBe(false)
  expect(typed('a', { isComposing: true })).toBe(false)
  expect([
    typed('v', { ctrlKey: true }),
    typed('V', { metaKey: true }),
    typed('c', { ctrlKey: true }),
    typed('v', { altKey: true }),
  ]).toEqual([true, true, false, false])
  // AltGr, Option
  expect([typed('@', { ctrlKey: true, altKey: true }), typed('å', { altKey: true }, true)]).toEqual([true, true])
})
