import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesTokens } from '../../text/tokens.ts'
import { runs } from '../../text/laws.fixture.ts'
import { sendAndSettle, testAgent } from '../agent.fixture.ts'
import { checkedInstructions, instructionsPart, longestInstructions } from './instructions.ts'

describe('instructions', () => {
  it('take no room where there are none, and say whose they are', () => {
    expect(instructionsPart({ all: '', chat: ' \n' }, 32_768)).toEqual({ text: '', cut: 0 })
    const { text, cut } = instructionsPart({ all: 'Answer in French.', chat: 'Be brief.' }, 32_768)
    expect(cut).toBe(0)
    expect(text).toMatch(/all chats:\n<instructions>\nAnswer in French\.[^]+this chat; where they differ[^]+Be brief\./)
  })

  it('keep their room at any length, those of the chat first, and never part a letter', () => {
    const typed = fc.array(fc.constantFrom('word ', 'Ω', '好的。', '😀', '\n', 'x'.repeat(300))).map(it => it.join(''))
    fc.assert(
      fc.property(typed, typed, fc.integer({ min: 512, max: 40_000 }), (all, chat, window) => {
        const { text, cut } = instructionsPart({ all, chat }, window)
        expect(bytesTokens(text, 3)).toBeLessThanOrEqual(Math.floor(window * 0.15) + 120 /* what they are named */)
        const whole = all.trim().length + chat.trim().length
        expect(cut).toBeLessThanOrEqual(whole)
        if (bytesTokens(all + chat, 3) < Math.floor(window * 0.15)) expect(cut).toBe(0)
        if (bytesTokens(chat, 3) < Math.floor(window * 0.15)) expect(text).toContain(chat.trim())
        expect(text).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/)
      }),
      runs(),
    )
  })

  it('are refused where they are too long, with what to do', () => {
    expect(checkedInstructions('  ')).toBeUndefined()
    expect(() => checkedInstructions('x'.repeat(longestInstructions + 1))).toThrow(/20000 characters; these have 20001/)
  })
})

describe('instructions in a chat', () => {
  const systems = (b: ReturnType<typeof testAgent>): string[] => b.model.requests.map(({ system }) => system)

  it('are sent with each request, and change it no more once they are gone', async () => {
    const b = testAgent(['One.', 'Two.', 'Three.', 'Four.'])
    const { id } = await b.agent.create()
    await sendAndSettle(b, id, 'a')
    await b.agent.setDefaults({ instructions: 'Answer in French.' })
    await b.agent.choose(id, { instructions: 'Be brief.' })
    await sendAndSettle(b, id, 'b')
    await b.agent.choose(id, { instructions: '' })
    await sendAndSettle(b, id, 'c')
    await b.agent.setDefaults({ instructions: '' })
    await sendAndSettle(b, id, 'd')
    const [before, both, all, none] = systems(b)
    expect(before).not.toContain('<instructions>')
    expect(both).toMatch(/Answer in French\.[^]+Be brief\./)
    expect(all).toContain('Answer in French.')
    expect(all).not.toContain('Be brief.')
    expect(none).toBe(before)
  })

  it('are counted, and the pane says what has no room', async () => {
    const b = testAgent(['One.'])
    const { id } = await b.agent.create()
    const before = await b.agent.context(id)
    await b.agent.choose(id, { instructions: 'Name each file whole.\n'.repeat(20) })
    const after = await b.agent.context(id)
    expect(after.zones.system).toBeGreaterThan(before.zones.system + 50)
    expect(after.instructionsCut).toBeUndefined()
    await b.agent.setConfig(id, { max_input_length: 4_096 })
    await b.agent.choose(id, { instructions: 'Name each file whole.\n'.repeat(200) })
    expect((await b.agent.context(id)).instructionsCut).toBeGreaterThan(1_000)
  })

  it('hold in their chat alone, and come with no import', async () => {
    const b = testAgent(['One.', 'Two.'])
    const [{ id }, other] = [await b.agent.create(), await b.agent.create()]
    await b.agent.choose(id, { instructions: 'Be brief.' })
    await sendAndSettle(b, id, 'a')
    await sendAndSettle(b, other.id, 'b')
    expect(systems(b)[1]).not.toContain('Be brief.')
    const { lines } = await b.agent.exportLines({ kind: 'session', session: id }, undefined)
    expect(lines.join('\n')).not.toContain('Be brief.')
  })

  it('leave the temperature to the model until it is set', async () => {
    const b = testAgent(['One.', 'Two.', 'Three.'])
    const { id } = await b.agent.create()
    await sendAndSettle(b, id, 'a')
    await b.agent.setConfig(id, { temperature: 0.2 })
    await sendAndSettle(b, id, 'b')
    await b.agent.setConfig(id, { temperature: 'default' })
    await sendAndSettle(b, id, 'c')
    expect(b.model.requests.map(({ temperature }) => temperature)).toEqual([undefined, 0.2, undefined])
    await expect(b.agent.setConfig(id, { temperature: 3 })).rejects.toThrow(/between 0 and 2/)
  })
})
