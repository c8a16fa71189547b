import { expect, it, vi } from 'vitest'
import type { CompactOptions, ContextInfo } from '../../core/agent/api/context-api.ts'
import { entry, opened, worker } from './session.fixture.ts'

it('compacts where the border stands: as the strategy keeps, or as the person put it, once', async () => {
  const { api } = worker([entry(0)])
  const asked: (CompactOptions | undefined)[] = []
  const { session } = await opened({
    ...api,
    context: async () => ({ window: 100, reserve: 35 }) as ContextInfo,
    compact: async (_, how) => void asked.push(how),
  })
  expect(await session.compactAtBorder()).toBe(false) // what the strategy keeps is not known yet
  await vi.waitFor(() => {
    expect(session.border.tokens).toBe(35)
  })
  await session.compactAtBorder()
  session.border.keep = 12
  expect(session.border.tokens).toBe(12)
  await session.compactAtBorder()
  expect(session.border.tokens).toBe(35)
  expect(asked).toEqual([{ keep: 35 }, { keep: 12 }])
})
