import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** A browser with site data blocked: the class is there, and cannot be opened. */
function refused(): never {
  throw new DOMException('The operation is insecure.', 'SecurityError')
}

it('loads the database where the browser refuses to open a channel', async () => {
  vi.stubGlobal('BroadcastChannel', refused)
  vi.resetModules()
  const { openStore } = await import('../open-store.ts')
  const refusing = {
    open() {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    },
  } as unknown as IDBFactory
  const platform = {
    from: { indexedDB: refusing, IDBKeyRange: undefined },
    marker: { isSet: async () => false, set: async () => {} },
  }
  const { state } = await openStore({ onState: () => {}, platform })
  expect(await state()).toMatchObject({ state: 'memory', reason: expect.stringContaining('insecure') })
})

it('takes nothing away where channels can be opened', async () => {
  const before = globalThis.BroadcastChannel
  vi.resetModules()
  expect((await import('./channels.ts')).canOpenChannels).toBe(true)
  expect(globalThis.BroadcastChannel).toBe(before)
})
