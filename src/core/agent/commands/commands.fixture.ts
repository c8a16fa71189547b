/** A chat to type commands in, for tests. */
import { expect } from 'vitest'
import { testAgent, sendAndSettle, type TestAgent } from '../agent.fixture.ts'

/** Types a line; answers with the note that it left. */
export async function noteOf(b: TestAgent, id: string, line: string): Promise<string> {
  const reply = await b.agent.command(id, line)
  expect(reply.error).toBeUndefined()
  const note = (await b.log(id)).at(-1)
  expect(note).toMatchObject({ type: 'note', code: 'command' })
  return note?.type === 'note' ? note.text : ''
}

/** A chat with two questions and their answers. */
export async function chatWithTwoTurns(): Promise<TestAgent & { id: string }> {
  const b = testAgent(['One.', 'Two.', 'Three.'])
  const { id } = await b.agent.create('A chat')
  await sendAndSettle(b, id, 'First question')
  await sendAndSettle(b, id, 'Second question')
  return { ...b, id }
}
