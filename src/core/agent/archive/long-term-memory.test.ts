import { describe, expect, it } from 'vitest'
import { utf8Bytes } from '../../text/bytes.ts'
import { testAgent, sendAndSettle } from '../agent.fixture.ts'
import { memoryPromptPart } from './long-term-memory.ts'

const wide = { window: 1_000_000, room: 1_000_000 }
const linesOf = (part: string): string[] => /<memory>\n([\s\S]*)\n<\/memory>/.exec(part)?.[1]?.split('\n') ?? []

describe('memory in the system prompt', () => {
  it('shows the newest 200 lines and says how many are left out', () => {
    const part = memoryPromptPart(Array.from({ length: 250 }, (_, i) => `line ${i}`).join('\n'), wide)
    expect([linesOf(part).length, linesOf(part)[0], linesOf(part).at(-1)]).toEqual([200, 'line 50', 'line 249'])
    expect(part).toContain('Its first 50 lines are left out')
    expect(memoryPromptPart('one\ntwo\n', wide)).not.toContain('left out')
  })

  it('holds at most 25 000 bytes, in whole lines', () => {
    const lines = linesOf(
      memoryPromptPart(Array.from({ length: 100 }, (_, i) => `${i} ${'记'.repeat(300)}`).join('\n'), wide),
    )
    expect(utf8Bytes(lines.join('\n'))).toBeLessThanOrEqual(25_000)
    expect(lines.length).toBeGreaterThan(25)
    expect(lines.at(-1)).toMatch(/^99 /)
  })

  it.each([
    [8_192, 100_000],
    [131_072, 300],
  ])('takes at most 5 %% of a window of %i tokens, and never more than the %i that are left', (window, room) => {
    const part = memoryPromptPart(Array.from({ length: 199 }, (_, i) => `line ${i} about the harbour`).join('\n'), {
      window,
      room,
    })
    expect(utf8Bytes(part) / 3).toBeLessThanOrEqual(Math.min(window * 0.05, room) + 1)
    expect(linesOf(part).at(-1)).toBe('line 198 about the harbour')
  })

  it.each(['', '\n \n', 'x'.repeat(30_000)])('is absent where there is nothing to show', text => {
    expect(memoryPromptPart(text, { window: 8_192, room: 8_192 })).toBe('')
  })

  it('stays as it was while a chat goes on, and comes in anew with a cut and in new chats', async () => {
    const run = testAgent(['Hello.', 'Yes.', 'No.'])
    const { agent } = run
    await agent.saveDocument('MEMORY.md', 'The boat is called Aurora.', 0)
    const { id } = await agent.create()
    const systemOf = async (chat: string): Promise<string> => (await agent.view(chat))[0]?.content ?? ''
    await sendAndSettle(run, id, 'Hello')
    const first = await systemOf(id)
    expect(first).toContain('The boat is called Aurora.')
    expect(run.model.requests[0]?.system).toBe(first)
    await agent.saveDocument('MEMORY.md', 'The boat is called Borealis.', 1)
    await agent.saveDocument('MEMORY.md', 'The boat is called Corona.', 2)
    await sendAndSettle(run, id, 'Hello again')
    expect(run.model.requests[1]?.system).toBe(first)
    const other = await agent.create()
    expect(await systemOf(other.id)).toContain('Corona')
    await agent.command(id, '/clear')
    expect(await systemOf(id)).toContain('Corona')
    await agent.undo(id)
    expect(await systemOf(id)).toBe(first)
  })
})
