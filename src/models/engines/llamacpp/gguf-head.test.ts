import { expect, it } from 'vitest'
import { ggufWindow } from './gguf-head.ts'

const u32 = (value: number): Uint8Array => new Uint8Array(new Uint32Array([value]).buffer)
const u64 = (value: number): Uint8Array => new Uint8Array(new BigUint64Array([BigInt(value)]).buffer)
const text = (value: string): Uint8Array[] => [
  u64(new TextEncoder().encode(value).length),
  new TextEncoder().encode(value),
]
const file = (...values: [key: string, kind: number, ...value: Uint8Array[]][]): Blob =>
  new Blob([
    new TextEncoder().encode('GGUF'),
    u32(3),
    u64(0),
    u64(values.length),
    ...values.flatMap(([key, kind, ...value]) => [...text(key), u32(kind), ...value]),
  ] as BlobPart[])

it('finds the window behind texts, lists and numbers of every size', async () => {
  expect(
    await ggufWindow(
      file(
        ['general.architecture', 8, ...text('llama')],
        ['a', 0, new Uint8Array(1)],
        ['b', 3, new Uint8Array(2)],
        ['c', 6, u32(1)],
        ['d', 12, u64(1)],
        ['e', 7, new Uint8Array(1)],
        ['names', 9, u32(8), u64(2), ...text('one'), ...text('两个')],
        ['nested', 9, u32(9), u64(1), u32(4), u64(2), u32(1), u32(2)],
        ['llama.context_length', 4, u32(32_768)],
        ['later', 8, ...text('x')],
      ),
    ),
  ).toBe(32_768)
  expect(await ggufWindow(file(['qwen2.context_length', 10, u64(131_072)]))).toBe(131_072)
})

it('says nothing where nothing is said, or the file is none', async () => {
  expect(await ggufWindow(file(['llama.block_count', 4, u32(2)]))).toBeUndefined()
  expect(await ggufWindow(file(['odd', 77, u32(2)], ['llama.context_length', 4, u32(512)]))).toBeUndefined()
  expect(await ggufWindow(file(['llama.context_length', 8, ...text('many')]))).toBeUndefined()
  expect(
    await ggufWindow(file(['names', 9, u32(8), u64(9_000_000_000)], ['llama.context_length', 4, u32(512)])),
  ).toBeUndefined()
  expect(
    await ggufWindow(file(['numbers', 9, u32(4), u64(9_000_000_000)], ['llama.context_length', 4, u32(512)])),
  ).toBeUndefined()
  expect(
    await ggufWindow(file(['odd', 9, u32(77), u64(9_000_000_000_000)], ['llama.context_length', 4, u32(512)])),
  ).toBeUndefined()
  expect(await ggufWindow(new Blob(['GGUF']))).toBeUndefined()
  expect(await ggufWindow(new Blob(['<html>'.repeat(50)]))).toBeUndefined()
})
