import { expect, it } from 'vitest'
import { recall } from '../../../models/recall/recall.ts'
import { testAgent, sendAndSettle } from '../agent.fixture.ts'

it('the built-in model finds what was said in another chat, through the same loop', async () => {
  const b = testAgent(['Noted: 8443.'], { others: [recall] })
  const one = await b.agent.create()
  await sendAndSettle(b, one.id, 'We chose port 8443 for the proxy because 443 is taken.')
  const two = await b.agent.create()
  await b.agent.choose(two.id, { model: 'recall' })
  expect(await sendAndSettle(b, two.id, 'Which port did we choose for the proxy?')).toEqual({ state: 'idle' })
  const log = await b.log(two.id)
  expect(log.map(entry => entry.type)).toContain('result')
  const answer = log.findLast(entry => entry.type === 'assistant')
  expect(answer?.type === 'assistant' && answer.text).toContain('8443')
})
