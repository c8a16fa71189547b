import { prebuiltAppConfig, modelLibURLPrefix, modelVersion } from '@mlc-ai/web-llm'
import { describe, expect, it } from 'vitest'
import type { EngineDevice } from '../../../core/ports/local-engine.ts'
import {
  aboutBytes,
  adviceFor,
  customModel,
  folderModel,
  localModelOf,
  rowFor,
  webllmChoices,
  webllmRows,
} from './webllm-list.ts'

const card: EngineDevice = { f16: true, bufferBytes: 1 << 30, fallback: false, name: 'a card' }

describe('the list of models for the graphics card', () => {
  it('says of every model exactly what the installed engine says', () => {
    const records = new Map(prebuiltAppConfig.model_list.map(record => [record.model_id, record]))
    expect(webllmRows.length).toBeGreaterThan(140)
    for (const row of webllmRows) {
      const record = records.get(row.id)
      const model = localModelOf(row)
      expect(record, row.id).toBeDefined()
      expect(Math.round(record!.vram_required_MB!) * 1_048_576).toBe(row.memory)
      expect(record!.overrides?.context_window_size).toBe(row.window)
      expect(record!.buffer_size_required_bytes).toBe(row.bufferBytes)
      expect(record!.model_manifest).toBe(row.manifest)
      expect(model.webllm?.program).toBe(record!.model_lib)
      expect(model.webllm?.program).toContain(modelLibURLPrefix + modelVersion)
      expect(model.webllm?.weights).toBe(`${record!.model}/resolve/main/`)
      for (const feature of record!.required_features ?? []) expect(model.webllm?.features).toContain(feature)
    }
    const left = prebuiltAppConfig.model_list
      .filter(record => !webllmRows.some(row => row.id === record.model_id))
      .map(record => record.model_id)
    expect(left.filter(id => !/embed|vision|70B/i.test(id))).toEqual([])
  })

  it('takes half precision where the card has it, full where it has not, and nothing where no buffer is large enough', () => {
    const choice = webllmChoices().find(({ name }) => name === 'Qwen3-1.7B')!
    expect(rowFor(choice, card)?.id).toBe('Qwen3-1.7B-q4f16_1-MLC')
    expect(rowFor(choice, { ...card, f16: false })?.id).toBe('Qwen3-1.7B-q4f32_1-MLC')
    const gemma = webllmChoices().find(({ name }) => name === 'gemma-2b-it')!
    expect(rowFor(gemma, { ...card, bufferBytes: 1 << 27 })).toBeUndefined()
    const halfOnly = webllmChoices().find(({ name }) => name === 'gemma3-1b-it')!
    expect(rowFor(halfOnly, { ...card, f16: false })).toBeUndefined()
  })

  it('advises what fits the memory, and nothing for an adapter in software', () => {
    expect(adviceFor(card, 8)?.choice.name).toBe('Qwen3-4B')
    expect(adviceFor(card, 4)?.choice.name).toBe('Qwen3-1.7B')
    expect(adviceFor(card, 2)?.choice.name).toBe('Llama-3.2-1B-Instruct')
    expect(adviceFor(card, 1)).toBeUndefined()
    expect(adviceFor({ ...card, fallback: true }, 8)).toBeUndefined()
  })

  it('tells about how much each takes to download: of all rows, between a tenth and all of the memory it needs', () => {
    for (const row of webllmRows) {
      const bytes = aboutBytes(row)
      expect(bytes, row.id).toBeDefined()
      expect(bytes! / row.memory, row.id).toBeGreaterThan(0.1)
      expect(bytes! / row.memory, row.id).toBeLessThan(1.3)
    }
    expect(aboutBytes(webllmRows.find(({ id }) => id === 'Llama-3.2-1B-Instruct-q4f16_1-MLC')!)).toBe(700_000_000)
    expect(aboutBytes(webllmRows.find(({ id }) => id === 'SmolLM2-360M-Instruct-q4f16_1-MLC')!)).toBe(200_000_000)
  })

  it("takes a folder of the person's own, under the address that the engine will look for", () => {
    const made = customModel({
      weights: 'https://huggingface.co/somebody/Some-1B-q4f16_1-MLC',
      program: 'https://example.org/some.wasm',
      window: 8_192,
    })
    expect(made).toMatchObject({
      name: 'Some-1B-q4f16_1-MLC',
      contextWindow: 8_192,
      webllm: {
        weights: 'https://huggingface.co/somebody/Some-1B-q4f16_1-MLC/resolve/main/',
        features: ['shader-f16'],
      },
    })
    expect(
      customModel({ weights: 'C:\\models', program: 'https://example.org/some.wasm', window: 8_192 }),
    ).toBeUndefined()
    expect(
      customModel({ weights: 'https://example.org/a', program: 'https://example.org/a.wasm', window: 10 }),
    ).toBeUndefined()
  })

  it('finds the model in a folder, knows those of the list, and says when a program is wanted', () => {
    const at = (...paths: string[]) => paths.map(path => ({ path, bytes: { size: 1 } }))
    const own = folderModel(
      at('Mine-q4f16_1-MLC/mlc-chat-config.json', 'Mine-q4f16_1-MLC/params_shard_0.bin', 'other.txt'),
      2_048,
    )!
    expect(own).toMatchObject({
      needsProgram: true,
      model: {
        name: 'Mine-q4f16_1-MLC',
        contextWindow: 2_048,
        webllm: {
          weights: 'https://folder.haversack.invalid/Mine-q4f16_1-MLC/resolve/main/',
          features: ['shader-f16'],
        },
      },
    })
    expect(own.files.map(({ path }) => path)).toEqual(['mlc-chat-config.json', 'params_shard_0.bin'])
    expect(folderModel(at('a/b/My model/mlc-chat-config.json', 'a/b/My model/lib.wasm'), 2_048)).toMatchObject({
      needsProgram: false,
      model: { webllm: { weights: 'https://folder.haversack.invalid/My%20model/resolve/main/' } },
    })
    const listed = folderModel(at('Qwen3-1.7B-q4f32_1-MLC/mlc-chat-config.json'), 2_048)!
    expect([listed.needsProgram, listed.model]).toEqual([
      false,
      localModelOf(webllmRows.find(({ id }) => id === 'Qwen3-1.7B-q4f32_1-MLC')!),
    ])
    expect(folderModel(at('mlc-chat-config.json'), 2_048)?.model.name).toBe('model')
    expect(folderModel(at('readme.md'), 2_048)).toBeUndefined()
  })
})
