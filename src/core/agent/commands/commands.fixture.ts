/** A chat to type commands in, for tests. */
import { expect } from 'vitest'
import { bench, say, type Bench } from '../agent.fixture.ts'

/** Types a line; answers with the note that it left. */
export async function noteOf(b: Bench, id: string, line: string): Promise<string> {
  const reply = await b.agent.command(id, line)
  expect(reply.error).toBeUndefined()
  const note = (await b.log(id)).at(-1)
  expect(note).toMatchObject({ type: 'note', code: 'command' })
  return note?.type === 'note' ? note.text : ''
}

/** A chat with two questions and their answers. */
export async function talked(): Promise<Bench & { id: string }> {
  const b = bench(['One.', 'Two.', 'Three.'])
  const { id } = await b.agent.create('A chat')
  await say(b, id, 'First question')
  await say(b, id, 'Second question')
  return { ...b, id }
}
