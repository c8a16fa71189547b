import { describe, expect, it } from 'vitest'
import { testAgent, logSummary, sendAndSettle } from '../agent.fixture.ts'

describe('a conversation', () => {
  it('stores question and answer, tells them after that, and names the chat', async () => {
    const b = testAgent(['Hello to you.'])
    const { id } = await b.agent.create()
    expect(await sendAndSettle(b, id, 'Hello there, my friend')).toEqual({ state: 'idle' })
    expect(logSummary(await b.log(id))).toEqual(['user: Hello there, my friend', 'assistant: Hello to you.'])
    expect((await b.agent.sessions())[0]?.title).toBe('Hello there, my friend')
    const opened = await b.agent.open(id)
    expect(opened.entries.map(entry => entry.type)).toEqual(['user', 'assistant'])
    expect(opened.status).toEqual({ state: 'idle' })
  })

  it('keeps attached texts attached when the words before them are edited, and no longer where they were edited too', async () => {
    const b = testAgent(['One.', 'Two.', 'Three.'])
    const { id } = await b.agent.create()
    const piece = '\n\n[a.txt]\nabc'
    await b.agent.send(id, `look${piece}`, [
      { name: 'a.txt', mime: 'text/plain', bytes: 3, span: [4, 4 + piece.length] },
      { name: 'b.png', mime: 'image/png', bytes: 9, blob: 'blob' },
    ])
    await b.settled(id)
    const [first] = await b.log(id)
    b.events.length = 0
    await b.agent.editMessage(id, first!.id, `look again${piece}`)
    await b.settled(id)
    const moved = (await b.log(id)).findLast(entry => entry.type === 'user')
    expect(moved).toMatchObject({
      text: `look again${piece}`,
      attachments: [{ name: 'a.txt', span: [10, 10 + piece.length] }, { blob: 'blob' }],
    })
    b.events.length = 0
    await b.agent.editMessage(id, moved!.id, 'without')
    await b.settled(id)
    expect((await b.log(id)).findLast(entry => entry.type === 'user')).toMatchObject({
      text: 'without',
      attachments: [{ blob: 'blob' }],
    })
  })

  it('runs tools and gives their results back to the model', async () => {
    const b = testAgent([{ calls: [{ name: 'get_time', arguments: {} }] }, 'It is noon.'])
    const { id } = await b.agent.create()
    await sendAndSettle(b, id, 'What time is it?')
    const log = await b.log(id)
    expect(log.map(entry => entry.type)).toEqual(['user', 'assistant', 'result', 'assistant'])
    expect(b.model.requests[1]?.messages.map(message => message.role)).toEqual(['user', 'assistant', 'tool'])
  })
})
