/** Chats of this device and of elsewhere, and what a person answers when one of them asks. */
import { expect } from 'vitest'
import { scripted } from '../../../models/scripted.ts'
import type { Model } from '../../ports/ports.ts'
import { testAgent, sendAndSettle, type TestAgent } from '../agent.fixture.ts'
import type { Status } from '../api/api.ts'

export const secret = 'The pin of the safe is 4711.'
const shared = 'The boat is moored at pier 9.'
export const elsewhere = { local: false }
export const callOfTool = (name: string, args: object) => ({
  calls: [{ name, arguments: args as Record<string, unknown> }],
})

/** A chat that never left this device, one that was answered elsewhere, and an empty one with the model elsewhere. */
export async function chats(script: Parameters<typeof testAgent>[0], ...more: Model[]): Promise<TestAgent> {
  const here = scripted(() => 'Noted.', { id: 'here', local: true })
  const away = scripted(() => 'Noted.', { id: 'away', local: false })
  const b = testAgent(script, { model: elsewhere, others: [here, away, ...more] })
  for (const [id, model, text] of [
    ['private', 'here', secret],
    ['open', 'away', shared],
  ] as const) {
    await b.store.createSession({ id, title: `Chat ${id}`, createdAt: 0, updatedAt: 0, leaf: null, model })
    await sendAndSettle(b, id, text)
  }
  await b.store.append(
    'private',
    [{ id: 'memo1', parent: null, at: b.world.now(), type: 'memory', text: 'Memo: 4711 again.' }],
    { keepLeaf: true },
  )
  await b.store.saveDocument('MEMORY.md', 'The boat is blue.\n', 0, 0)
  await b.store.createSession({ id: 's', title: 'x', createdAt: 0, updatedAt: 0, leaf: null, model: 'scripted' })
  return b
}
/** The app after a reload: all of it new, but for what is stored. */
export const reloaded = (b: TestAgent, ...more: Model[]): TestAgent =>
  testAgent(() => 'x', { model: elsewhere, others: more, store: b.store, locks: b.locks, prefix: 'later ' })

export async function answer(
  b: TestAgent,
  status: Status,
  said: 'allow' | 'deny' | 'always here' | 'with this device',
): Promise<Status> {
  expect(status.state).toBe('asking')
  b.events.length = 0
  await b.agent.resolvePermission('s', (status as Status & { state: 'asking' }).question.call.id, said)
  return b.settled('s')
}
export const found = async (b: TestAgent): Promise<string> =>
  (await b.log('s')).flatMap(entry => (entry.type === 'result' ? [entry.text] : [])).join('\n')
