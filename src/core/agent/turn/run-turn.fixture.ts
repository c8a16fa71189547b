/** A chat that is open, and a call of a tool as a scripted model makes it. */
import { testAgent, type TestAgent } from '../agent.fixture.ts'

export const scriptedCall = (name: string, args: Record<string, unknown> | string = {}, id?: string) => ({
  calls: [{ name, arguments: args, ...(id ? { id } : {}) }],
})

export async function openedChat(
  script: Parameters<typeof testAgent>[0],
  options?: Parameters<typeof testAgent>[1],
): Promise<TestAgent & { id: string }> {
  const b = testAgent(script, options)
  const { id } = await b.agent.create('A chat')
  return { ...b, id }
}
