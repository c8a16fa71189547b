import { describe, expect, it } from 'vitest'
import { testAgent, logSummary, sendAndSettle } from '../../core/agent/agent.fixture.ts'
import { recall } from './recall.ts'

describe('recall in the ordinary loop', () => {
  it('finds what was said in another chat, and answers with it', async () => {
    const house = testAgent([], { others: [recall] })
    const { agent } = house
    const first = await agent.create('Proxy talk')
    await agent.choose(first.id, { model: 'recall' })
    await sendAndSettle(house, first.id, 'The staging proxy listens on port 8443 because 443 needs root.')
    const second = await agent.create()
    await agent.choose(second.id, { model: 'recall' })
    await sendAndSettle(house, second.id, 'Which port does the staging proxy use?')
    const log = await house.log(second.id)
    expect(logSummary(log)[0]).toBe('user: Which port does the staging proxy use?')
    const answer = log.findLast(entry => entry.type === 'assistant')
    expect(answer).toMatchObject({ model: 'recall', local: true, stop: 'stop' })
    expect(answer?.type === 'assistant' ? answer.text : '').toContain('> The staging proxy listens on port 8443')
    expect(answer?.type === 'assistant' ? answer.text : '').not.toContain('to read on')
    expect(
      log.filter(entry => entry.type === 'result').map(entry => entry.type === 'result' && entry.isError),
    ).not.toContain(true)
  })

  it('says that nothing says it, without an error', async () => {
    const house = testAgent([], { others: [recall] })
    const chat = await house.agent.create()
    await house.agent.choose(chat.id, { model: 'recall' })
    await sendAndSettle(house, chat.id, '备份的端口是八千。')
    await sendAndSettle(house, chat.id, '我们的备份密码放在哪里？')
    const log = await house.log(chat.id)
    const answer = log.findLast(entry => entry.type === 'assistant')
    expect(answer?.type === 'assistant' ? answer.text : '').toBe('这里没有提到这件事。')
    expect(log.some(entry => entry.type === 'note')).toBe(false)
  })
})
