/** What the search over all chats finds, through the agent. */
import { describe, expect, it } from 'vitest'
import { testAgent, sendAndSettle } from '../agent.fixture.ts'

describe('search', () => {
  it('finds what was said in other chats, with its place, and never the question itself', async () => {
    const b = testAgent([
      'Noted.',
      { calls: [{ name: 'memory_search', arguments: { query: 'which port did we choose for the proxy' } }] },
      { calls: [{ name: 'memory_search', arguments: { query: 'which port did we choose for the proxy' } }] },
      'It is 8443.',
    ])
    const one = await b.agent.create()
    await sendAndSettle(b, one.id, 'For the proxy we choose port 8443')
    const two = await b.agent.create()
    await sendAndSettle(b, two.id, 'Which port did we choose for the proxy?')
    const results = (await b.log(two.id)).flatMap(entry => (entry.type === 'result' ? [entry.text] : []))
    expect(results[0]).toMatch(
      /1\. dialog\/2026-01-31\.jsonl:1 \(For the proxy we choose port 8443, 2026-01-31, score [\d.]+\)\nFor the proxy/,
    )
    expect(results[0]).not.toContain('Which port')
    expect(results[1]).not.toContain('8443') // no passage twice in a turn
  })

  it('finds after a clear what the model has forgotten: what was noted, and what was only said', async () => {
    const look = { calls: [{ name: 'memory_search', arguments: { query: 'larch mast, aurora boat' } }] }
    const b = testAgent(['Noted.', look, 'Found.'])
    const { id } = await b.agent.create()
    await b.agent.command(id, '/memory The boat is called Aurora.')
    await sendAndSettle(b, id, 'The mast is made of larch.')
    await b.agent.command(id, '/context clear')
    await sendAndSettle(b, id, 'What do you know of the boat?')
    const [before, after] = b.model.requests.slice(1).map(({ messages }) => JSON.stringify(messages))
    for (const word of ['larch', 'Aurora'])
      expect([before!.includes(word), after!.includes(word)]).toEqual([false, true])
  })

  it('finds Chinese words, documents and notes of the day', async () => {
    const b = testAgent([])
    const { id } = await b.agent.create()
    await b.agent.command(id, '/memory 代理的端口是八千')
    await b.agent.saveDocument('workspace/plan.md', 'line one\nthe zebra plan\nline three', 0)
    expect((await b.agent.search('代理端口'))[0]).toMatchObject({ kind: 'memory', path: 'memory/2026-01-31.md' })
    expect((await b.agent.search('zebra'))[0]).toMatchObject({
      kind: 'document',
      path: 'workspace/plan.md',
      from: 1,
      to: 3,
    })
    await b.agent.saveDocument('workspace/plan.md', 'nothing here', 1)
    expect(await b.agent.search('zebra')).toEqual([])
  })
})
