/** What the search over all chats finds, through the agent. */
import { describe, expect, it } from 'vitest'
import { recall } from '../../../models/recall/recall.ts'
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

  it('ranks what a person types as it ranks what an agent asks', async () => {
    const said = [
      'The mast of the boat is made of larch.',
      'Can you list what the boat needs?',
      'A list for the boat: oars, an anchor, a larch mast.',
      'The list is long.',
      'The larch in the garden lost its needles.',
    ]
    const queries = ['larch mast', 'can you list what the boat needs?', 'what is the mast made of?', 'list']
    const b = testAgent([
      ...said.map(() => 'Noted.'),
      ...queries.flatMap(query => [
        { calls: [{ name: 'memory_search', arguments: { where: 'messages', query } }] },
        'Found.',
      ]),
    ])
    const { id } = await b.agent.create()
    for (const text of said) await sendAndSettle(b, id, text)
    for (const query of queries) {
      const person = (await b.agent.search(query, { kinds: ['message'] })).map(({ path, from }) => `${path}:${from}`)
      expect(person.length).toBeGreaterThan(0)
      const { id: chat } = await b.agent.create()
      await sendAndSettle(b, chat, 'Go.')
      const [found] = (await b.log(chat)).flatMap(entry => (entry.type === 'result' ? [entry.text] : []))
      const agent = [...found!.matchAll(/^\d+\. (\S+) /gm)].map(([, place]) => place)
      expect(agent.filter(place => person.includes(place!))).toEqual(person)
    }
  })

  it('does not find answers of the built-in model, which repeat what was found', async () => {
    const b = testAgent([], { others: [recall] })
    const { id } = await b.agent.create()
    await b.agent.choose(id, { model: 'recall' })
    await sendAndSettle(b, id, 'The boat is called Aurora.')
    await sendAndSettle(b, id, 'What is the boat called?')
    expect((await b.agent.search('Aurora', { kinds: ['message'] })).map(({ text }) => text)).toEqual([
      'The boat is called Aurora.',
    ])
  })
})
