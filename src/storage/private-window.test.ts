import { expect, it } from 'vitest'
import { isPrivateWindow } from './private-window.ts'

const refuses = (name: string) => ({
  getDirectory: async () => {
    throw new DOMException('no', name)
  },
})

it('knows the windows of Firefox and WebKit in which everything goes, and takes no other trouble for one', async () => {
  expect(await isPrivateWindow(refuses('SecurityError'))).toBe(true)
  expect(await isPrivateWindow(refuses('UnknownError'))).toBe(true)
  expect(await isPrivateWindow(refuses('QuotaExceededError'))).toBe(false)
  expect(await isPrivateWindow({ getDirectory: async () => ({}) as FileSystemDirectoryHandle })).toBe(false)
  expect(await isPrivateWindow({})).toBe(false)
})
