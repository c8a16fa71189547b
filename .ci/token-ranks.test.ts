import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { asJson } from './token-ranks.ts'

const path = createRequire(import.meta.url)
  .resolve('gpt-tokenizer/package.json')
  .replace('package.json', 'esm/bpeRanks/o200k_base.js')

it('the table in the build is the library’s', async () => {
  const { default: library } = (await import(path)) as { default: unknown }
  const url = `data:text/javascript,${encodeURIComponent(await asJson(path))}`
  const { default: built } = (await import(/* @vite-ignore */ url)) as { default: unknown }
  expect(built).toEqual(library)
})

it('a module without a table is refused', async () => {
  await expect(asJson(import.meta.filename)).rejects.toThrow('holds no token table')
})
