import { describe, expect, it } from 'vitest'
import { MemoryStore } from '../../src/storage/memory-store.ts'
import { foundBySearch, namedReads, readsTwice, toolContext } from './two-calls.ts'

const session = 's'
const window = 8_192

async function storeOf(...texts: string[]): Promise<MemoryStore> {
  const store = new MemoryStore()
  await store.createSession({ id: session, title: 'Test', createdAt: 0, updatedAt: 0, leaf: null })
  await store.append(
    session,
    texts.map((text, at) => ({ type: 'user', text, id: `m${at}`, parent: at === 0 ? null : `m${at - 1}`, at: 0 })),
  )
  return store
}

describe('namedReads', () => {
  const fact = { id: 'm4', place: { day: '2026-01-02', line: 40 }, session }

  it('are the paths that a request names: the own one, and the line of a day that it gives', () => {
    expect(namedReads('see user_text/m4.txt', fact)).toEqual([{ path: 'user_text/m4.txt', line: 1 }])
    const day = { path: 'dialog/2026-01-02.jsonl', line: 40 }
    expect(namedReads('- dialog/2026-01-02.jsonl, lines 3 to 80', fact)).toEqual([day])
    expect(namedReads('- dialog/s/2026-01-02.jsonl, lines 3 to 80', fact)).toEqual([day])
  })

  it('are none for a fact of another name, day or line', () => {
    expect(namedReads('user_text/m5.txt, dialog/2026-01-03.jsonl, lines 3 to 80', fact)).toEqual([])
    expect(namedReads('dialog/2026-01-02.jsonl, lines 41 to 80', fact)).toEqual([])
    expect(namedReads('dialog/2026-01-02.jsonl, lines 3 to 80', { ...fact, place: undefined })).toEqual([])
  })
})

it('reads a second time where the first read ended, and not a third time', async () => {
  const { maxBytes } = toolContext(new MemoryStore(), { session, window })
  const line = `${'x'.repeat(79)}\n`
  const at = (bytes: number): string => `${line.repeat(Math.floor(bytes / 80))}here: value-1\n${line.repeat(300)}`
  const reads = async (text: string): Promise<boolean> => {
    const store = await storeOf(text)
    return readsTwice({ path: 'user_text/m0.txt', line: 1 }, 'value-1', toolContext(store, { session, window }))
  }
  expect(await reads(at(maxBytes * 0.5))).toBe(true)
  expect(await reads(at(maxBytes * 1.5))).toBe(true)
  expect(await reads(at(maxBytes * 2.5))).toBe(false)
})

it('finds by the words of a question what stands in a passage, or near it', async () => {
  const store = await storeOf(
    'The colour of the north door is green-17.',
    'The window in the south is shut.',
    `The inventory of the cellar follows. ${'Shelf after shelf of jars. '.repeat(80)} The last is jar-99.`,
  )
  const found = (question: string, answer: string) =>
    foundBySearch(question, answer, toolContext(store, { session, window }))
  expect(await found('Which colour has the north door?', 'green-17')).toBe('passage')
  expect(await found('What is in the inventory of the cellar?', 'jar-99')).toBe('read')
  expect(await found('Which colour has the north door?', 'blue-18')).toBeUndefined()
})
