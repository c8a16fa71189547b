import { expect, it } from 'vitest'
import { applyAppearance, validSettings } from './page-settings.ts'

it('keeps what is valid', () => {
  const kept = {
    theme: 'dark',
    language: 'zh',
    text: 'large',
    panes: { library: false, context: true },
    hadChats: 4,
    lastChat: 'a',
    mirrors: { weights: 'https://mirror.example/' },
  }
  expect(validSettings(kept)).toEqual(kept)
})

it('takes the standard for anything damaged', () => {
  const standard = {
    theme: 'system',
    language: 'system',
    text: 'normal',
    panes: { library: true, context: true },
    hadChats: 0,
  }
  for (const damaged of [
    null,
    7,
    'x',
    [],
    {},
    {
      theme: 'pink',
      language: 3,
      text: null,
      panes: 'no',
      hadChats: -2,
      lastChat: {},
      mirrors: { weights: 'javascript:alert(1)', programs: 3 },
    },
  ])
    expect(validSettings(damaged)).toEqual(standard)
})

it('writes to the page only what it does not say yet', () => {
  const attributes = new Map<string, string>()
  let written = 0
  const root = {
    getAttribute: (name: string) => attributes.get(name) ?? null,
    setAttribute: (name: string, value: string) => {
      written++
      attributes.set(name, value)
    },
    removeAttribute: (name: string) => {
      written++
      attributes.delete(name)
    },
  }
  const apply = (theme: 'system' | 'dark', language: 'en' | 'zh') => {
    applyAppearance({ theme, text: 'large' }, language, root)
    return [written, Object.fromEntries(attributes)]
  }
  expect(apply('dark', 'zh')).toEqual([3, { lang: 'zh-Hans', 'data-theme': 'dark', 'data-text': 'large' }])
  expect(apply('dark', 'zh')[0]).toBe(3)
  expect(apply('system', 'en')).toEqual([5, { lang: 'en', 'data-text': 'large' }])
  expect(apply('system', 'en')[0]).toBe(5)
})
