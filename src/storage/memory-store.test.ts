import { describe, it } from 'vitest'
import { storeLaws } from './log-store.laws.ts'
import { MemoryStore } from './memory-store.ts'

describe('the store in Maps keeps the laws of every store', () => {
  for (const law of storeLaws) it(law.name, () => law.hold(new MemoryStore()))
})
