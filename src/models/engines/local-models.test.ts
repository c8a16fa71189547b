import { describe, expect, it } from 'vitest'
import type { LocalModel } from '../../core/ports/local-engine.ts'
import { localModels } from './local-models.ts'
import { localModelOf, webllmRows } from './webllm/webllm-list.ts'

function source(value?: unknown): { kept: ReturnType<typeof localModels>; stored(): unknown } {
  const rows = new Map<string, unknown>(value === undefined ? [] : [['models.local', value]])
  const store = {
    setting: async (key: string) => rows.get(key),
    saveSetting: async (key: string, now: unknown) => {
      rows.set(key, now)
    },
  }
  return {
    kept: localModels({
      store,
      engines: {
        connect: async () => {},
        get: async () => {
          throw new Error('nobody asked')
        },
      },
    }),
    stored: () => rows.get('models.local'),
  }
}

const gguf: LocalModel = {
  id: 'cpu:a.gguf',
  kind: 'cpu',
  name: 'a',
  contextWindow: 4_096,
  tools: false,
  cpu: { file: 'a.gguf' },
}

describe('the kept models of this device', () => {
  it('are kept by id, changed in place, and dropped; what is none is passed over', async () => {
    const { kept } = source([{ id: 'cpu:b', kind: 'webllm' }, 7])
    await kept.saveModel(gguf)
    await kept.saveModel({ ...gguf, contextWindow: 8_192 })
    expect(await kept.savedModels()).toEqual([{ ...gguf, contextWindow: 8_192 }])
    await expect(kept.saveModel({ ...gguf, contextWindow: 12 })).rejects.toMatchObject({ code: 'bad_input' })
    await kept.removeModel(gguf.id)
    expect(await kept.savedModels()).toEqual([])
  })

  it("of an earlier version want the program of this one; the person's own keep theirs", async () => {
    const now = localModelOf(webllmRows[0]!)
    const old = { ...now, webllm: { ...now.webllm!, program: now.webllm!.program.replace('v0_2_86', 'v0_2_80') } }
    const own = {
      ...now,
      id: 'webllm:own',
      webllm: { ...now.webllm!, program: 'https://example.org/v0_2_80/base/mine.wasm' },
    }
    expect(await source([old, own, gguf]).kept.savedModels()).toEqual([now, own, gguf])
  })
})
