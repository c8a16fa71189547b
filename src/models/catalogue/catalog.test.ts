import { describe, expect, it } from 'vitest'
import { defaultWindow, isLocalAddress, needsNetwork, presets, serverNameOf } from './catalog.ts'
import { presetHints } from './preset-hints.ts'

describe('the catalogue', () => {
  it('has addresses that parse, words in both languages, and the windows of known servers', () => {
    for (const preset of presets) {
      expect(URL.canParse(preset.baseUrl)).toBe(true)
      const { hint, keyPage } = presetHints[preset.id]!
      expect(hint.en && hint.zh).toBeTruthy()
      expect(keyPage !== undefined, preset.id).toBe(preset.key === 'needed')
      expect(isLocalAddress(preset.baseUrl)).toBe(preset.local)
    }
    expect(defaultWindow('http://127.0.0.1:11434/v1')).toBe(4_096)
    expect(defaultWindow('https://api.openai.com/v1')).toBe(128_000)
    expect(defaultWindow('https://unknown.example/v1')).toBe(32_768)
    expect(isLocalAddress('http://127.0.0.1.evil.example/')).toBe(false)
    expect(Object.keys(presetHints).toSorted()).toEqual(presets.map(({ id }) => id).toSorted())
  })

  it('tells a server beyond this machine and its own network from one within', () => {
    for (const near of [
      'http://localhost:11434/v1',
      'http://192.168.1.20:8080/v1',
      'http://nas.local/v1',
      'http://nas/v1',
    ])
      expect(needsNetwork(near), near).toBe(false)
    for (const far of ['https://api.openai.com/v1', 'http://127.0.0.1.evil.example/', 'http://8.8.8.8/v1'])
      expect(needsNetwork(far), far).toBe(true)
  })

  it('calls a server by its kind on this machine only', () => {
    expect(serverNameOf('http://localhost:11434/v1', 'ollama')).toBe('Ollama')
    expect(serverNameOf('http://nas.local:11434/v1', 'ollama')).toBe('nas.local:11434')
    expect(serverNameOf('http://localhost:8080/v1', undefined)).toBe('localhost:8080')
  })
})
