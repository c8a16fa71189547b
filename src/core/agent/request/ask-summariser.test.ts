import { describe, expect, it } from 'vitest'
import { AgentError } from '../../errors.ts'
import type { ModelPart } from '../../log/message.ts'
import type { Model } from '../../ports/ports.ts'
import { stillWorld } from '../agent.fixture.ts'
import { askInOrder } from './ask-summariser.ts'

const world = stillWorld()
const never = new AbortController().signal
const prompt = { system: 'Sum up.', messages: [{ role: 'user' as const, content: 'The roses.' }] }

function model(name: string, generate: (signal: AbortSignal) => AsyncIterable<ModelPart>): Model {
  return {
    id: name,
    name,
    contextWindow: 8_192,
    maxOutput: 1_024,
    can: { tools: false, images: false, schema: false },
    local: false,
    reportsWholePrompt: true,
    generate: (_request, signal) => generate(signal),
  }
}

const fine = model('Fine', async function* () {
  yield { type: 'text', text: 'Roses.' }
  yield { type: 'finish', stop: 'stop' }
})
const silent = model('Silent', async function* (signal) {
  await new Promise(resolve => {
    signal.addEventListener('abort', resolve)
  })
  if (signal.aborted) throw new AgentError('stopped', 'Stopped')
  yield { type: 'finish', stop: 'stop' }
})
/** A word each ten seconds, for ever. */
const endless = model('Endless', async function* (signal) {
  while (!signal.aborted) {
    await world.sleep(10_000, never)
    yield { type: 'text', text: 'and ' }
  }
  yield { type: 'finish', stop: 'stop' }
})

describe('a summariser', () => {
  it('that is silent for a minute, or goes on after its time, has failed', async () => {
    await expect(askInOrder([silent], world)(prompt, { maxTokens: 100, signal: never })).rejects.toMatchObject({
      code: 'network',
      message: 'Silent sent nothing for too long',
    })
    const started = world.now()
    await expect(
      askInOrder([endless], world)(prompt, { maxTokens: 100, signal: never, until: started + 180_000 }),
    ).rejects.toMatchObject({ code: 'network', message: 'Endless took too long' })
    expect(world.now() - started).toBeLessThan(260_000)
  })

  it('is followed by the next one, which is named; where nobody answers the last fault is thrown', async () => {
    expect(await askInOrder([silent, fine], world)(prompt, { maxTokens: 100, signal: never })).toMatchObject({
      text: 'Roses.',
      finish: 'stop',
      model: 'Fine',
    })
    await expect(
      askInOrder([fine, silent].toReversed().slice(0, 1), world)(prompt, { maxTokens: 100, signal: never }),
    ).rejects.toMatchObject({ code: 'network' })
  })

  it('is stopped at once', async () => {
    const stop = new AbortController()
    const asked = askInOrder([silent, fine], world)(prompt, { maxTokens: 100, signal: stop.signal })
    stop.abort()
    await expect(asked).rejects.toMatchObject({ code: 'stopped' })
  })
})
