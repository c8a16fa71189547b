import { expect, it } from 'vitest'
import { validSettings } from './page-settings.ts'

it('keeps what is valid', () => {
  const kept = { theme: 'dark', language: 'zh', text: 'large', panes: { library: false, context: true }, hadChats: 4, lastChat: 'a', mirrors: { weights: 'https://mirror.example/' } }
  expect(validSettings(kept)).toEqual(kept)
})

it('takes the standard for anything damaged', () => {
  const standard = { theme: 'system', language: 'system', text: 'normal', panes: { library: true, context: true }, hadChats: 0 }
  for (const damaged of [null, 7, 'x', [], {}, { theme: 'pink', language: 3, text: null, panes: 'no', hadChats: -2, lastChat: {}, mirrors: { weights: 'javascript:alert(1)', programs: 3 } }]) expect(validSettings(damaged)).toEqual(standard)
})
