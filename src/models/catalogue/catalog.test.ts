import { describe, expect, it } from 'vitest'
import { defaultWindow, isLocalAddress, presets } from './catalog.ts'

describe('the catalogue', () => {
  it('has addresses that parse, words in both languages, and the windows of known servers', () => {
    for (const preset of presets) {
      expect(URL.canParse(preset.baseUrl)).toBe(true)
      expect(preset.hint.en && preset.hint.zh).toBeTruthy()
      expect(isLocalAddress(preset.baseUrl)).toBe(preset.local)
    }
    expect(defaultWindow('http://127.0.0.1:11434/v1')).toBe(4_096)
    expect(defaultWindow('https://api.openai.com/v1')).toBe(128_000)
    expect(defaultWindow('https://unknown.example/v1')).toBe(32_768)
    expect(isLocalAddress('http://127.0.0.1.evil.example/')).toBe(false)
  })
})
