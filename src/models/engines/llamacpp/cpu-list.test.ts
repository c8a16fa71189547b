import { expect, it } from 'vitest'
import { cpuModelAt, cpuModelOf, expectedSpeed, smallModels } from './cpu-list.ts'
import { weightsPerSecond } from './cpu-speed.ts'

it('knows a GGUF file by its address or name', () => {
  expect(cpuModelAt('https://huggingface.co/a/b/blob/main/C-1B-Q4_K_M.gguf', 2_048)).toMatchObject({
    id: 'cpu:huggingface.co~a~b~resolve~main~C-1B-Q4_K_M.gguf',
    name: 'C-1B-Q4_K_M',
    tools: false,
    cpu: {
      url: 'https://huggingface.co/a/b/resolve/main/C-1B-Q4_K_M.gguf',
      file: 'huggingface.co~a~b~resolve~main~C-1B-Q4_K_M.gguf',
    },
  })
  expect(cpuModelAt('https://example.org/a/model.gguf', 2_048)?.id).not.toBe(
    cpuModelAt('https://example.org/b/model.gguf', 2_048)?.id,
  )
  expect(cpuModelAt(' http://localhost:1/my%20model.gguf?x=1 ', 2_048)?.cpu).toEqual({
    url: 'http://localhost:1/my%20model.gguf?x=1',
    file: 'localhost~1~my model.gguf',
  })
  for (const wrong of ['https://huggingface.co/a/b', 'file:///x.gguf', 'x.gguf', 'https://'])
    expect(cpuModelAt(wrong, 2_048), wrong).toBeUndefined()
  expect(cpuModelOf({ name: 'x.gguf', size: 7 }, 100)).toBeUndefined()
  expect(cpuModelOf({ name: 'x.bin', size: 7 }, 1_024)).toBeUndefined()
  expect(cpuModelOf({ name: 'x.gguf', size: 7 }, 1_024)?.cpu).toEqual({ file: 'x.gguf', bytes: 7 })
})

it('each small model is an address that the engine can be given', () => {
  for (const { url, bytes } of smallModels) {
    expect(cpuModelAt(url, 4_096)?.cpu?.url, url).toBe(url)
    expect(bytes).toBeLessThan(2 ** 31)
  }
})

it('expects as many tokens a second as the weights can be read, rounded as a guess', () => {
  expect([
    expectedSpeed(100e6, 2e9),
    expectedSpeed(500e6, 2e9),
    expectedSpeed(1.1e9, 2e9),
    expectedSpeed(1.9e9, 0.3e9),
    expectedSpeed(2e9, 1e6),
  ]).toEqual([20, 4, 1.8, 0.2, 0.1])
})

it('measures in a moment, and more threads bring more', () => {
  const begin = performance.now()
  const one = weightsPerSecond(1)
  expect(performance.now() - begin).toBeLessThan(10_000)
  expect(one).toBeGreaterThan(1e6)
  let clock = 0
  const steady = (): number => (clock += 20) // ms at each look
  expect(weightsPerSecond(4, steady) / weightsPerSecond(1, steady)).toBeCloseTo(3.4)
})
