import { describe, expect, it } from 'vitest'
import type { ServerKind } from '../../core/ports/server-diagnosis.ts'
import { presets } from '../catalogue/catalog.ts'
import { stepsFor, systemOf, systems, type CommandContext } from './server-commands.ts'

const origin = 'https://app.example'
const kinds = presets.filter(preset => preset.local).map(preset => preset.id as ServerKind)
const asker = (kind: ServerKind, more: Partial<CommandContext> = {}): CommandContext => ({
  system: 'linux',
  origin,
  baseUrl: presets.find(preset => preset.id === kind)?.baseUrl ?? '',
  ...more,
})
const commands = (...given: Parameters<typeof stepsFor>): string =>
  stepsFor(...given)
    .map(step => step.command ?? step.purpose)
    .join('\n')

describe('the command', () => {
  it('exists for each server of this machine on each system, and names this page where it is to be allowed', () => {
    for (const kind of kinds) {
      for (const system of systems) {
        expect(commands({ fault: 'off' }, kind, asker(kind, { system }))).toMatch(/ollama|lms|llama-server|vllm/i)
        expect(commands({ fault: 'no models' }, kind, asker(kind, { system }))).toMatch(/pull|get|-m model|serve/)
        const allow = commands({ fault: 'cors' }, kind, asker(kind, { system }))
        expect(allow).toMatch(kind === 'lmstudio' ? /lms server start --port 1234 --cors/ : /https:\/\/app\.example/)
        expect(commands({ fault: 'preflight' }, kind, asker(kind, { system }))).toBe(allow)
      }
    }
  })

  it('is that of the system', () => {
    expect(commands({ fault: 'cors' }, 'ollama', asker('ollama'))).toContain(
      'Environment="OLLAMA_ORIGINS=https://app.example"',
    )
    expect(commands({ fault: 'cors' }, 'ollama', asker('ollama', { system: 'macos' }))).toBe(
      "launchctl setenv OLLAMA_ORIGINS 'https://app.example'\nrestart",
    )
    expect(commands({ fault: 'cors' }, 'ollama', asker('ollama', { system: 'windows' }))).toBe(
      'setx OLLAMA_ORIGINS "https://app.example"\nrestart',
    )
    expect(commands({ fault: 'cors' }, 'vllm', asker('vllm'))).toContain(`--allowed-origins '["https://app.example"]'`)
    expect(commands({ fault: 'cors' }, 'vllm', asker('vllm', { system: 'windows' }))).toContain(
      '"[\\"https://app.example\\"]"',
    )
  })

  it('keeps the port, and opens a server of the network', () => {
    expect(commands({ fault: 'off' }, 'llamacpp', asker('llamacpp', { baseUrl: 'http://localhost:9999/v1' }))).toBe(
      'llama-server -m model.gguf --jinja --port 9999',
    )
    expect(
      commands({ fault: 'off' }, 'llamacpp', asker('llamacpp', { baseUrl: 'http://192.168.1.5:8080/v1' })),
    ).toContain('--host 0.0.0.0')
    expect(commands({ fault: 'off' }, 'ollama', asker('ollama', { baseUrl: 'http://192.168.1.5:11434/v1' }))).toContain(
      'OLLAMA_HOST=0.0.0.0',
    )
    expect(
      commands({ fault: 'off' }, 'lmstudio', asker('lmstudio', { baseUrl: 'http://192.168.1.5:1234/v1' })),
    ).toContain('lan switch')
  })

  it('takes no name into a shell that could be more than a name', () => {
    expect(commands({ fault: 'model', model: 'qwen3:4b' }, 'ollama', asker('ollama'))).toBe('ollama pull qwen3:4b')
    for (const model of ['x; rm -rf ~', '$(id)', '`id`', '-rf', 'a b', 'a\nb', "a'b", 'a&b', '']) {
      for (const kind of kinds)
        expect(commands({ fault: 'model', model }, kind, asker(kind))).not.toMatch(/rm -rf|\$\(|`|a b|'b|a&b|pull -rf/)
    }
  })

  it('for an unknown server is the headers that it must send; where none helps there is none', () => {
    expect(commands({ fault: 'cors' }, undefined, asker('ollama'))).toContain(
      'Access-Control-Allow-Origin: https://app.example',
    )
    expect(stepsFor({ fault: 'key wrong' }, 'ollama', asker('ollama'))).toEqual([])
    expect(stepsFor({ fault: null }, 'ollama', asker('ollama'))).toEqual([])
  })

  it('knows systems by what browsers say of themselves', () => {
    expect(systemOf('Mozilla/5.0 (Windows NT 10.0; Win64; x64)')).toBe('windows')
    expect(systemOf('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)')).toBe('macos')
    expect(systemOf('Mozilla/5.0 (X11; Linux x86_64)')).toBe('linux')
  })
})
