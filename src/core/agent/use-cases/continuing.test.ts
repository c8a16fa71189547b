/**
 * C12: what came of an answer is gone on with, and is one answer then: for the model, the log's edits and the person.
 */
import { describe, expect, it } from 'vitest'
import { weighedFacts, requestSize } from '../../context/size/measure.ts'
import { byScript } from '../../log/counter.ts'
import { modelView } from '../../log/model-view/model-view.ts'
import { testAgent, logSummary, sendAndSettle, until, type TestAgent } from '../agent.fixture.ts'

type Opened = TestAgent & { id: string }
async function opened(
  script: Parameters<typeof testAgent>[0],
  options?: Parameters<typeof testAgent>[1],
): Promise<Opened> {
  const b = testAgent(script, options)
  const { id } = await b.agent.create('A chat')
  return { ...b, id }
}
async function goOn(b: Opened): Promise<void> {
  b.events.length = 0
  await b.agent.resume(b.id)
  await b.settled(b.id)
}
/** The answers of the newest request, as the provider sees them. */
const sent = (b: TestAgent) => b.model.requests.at(-1)!.messages.map(({ role, content }) => `${role}: ${content}`)

const half = 'First we take the eggs, then the fl'
const rest = 'our, and stir.'

describe('an answer that is gone on with is one', () => {
  it.each([
    ['the output limit', { text: half, stop: 'length' as const }],
    ['a stream that broke', { text: [half], fail: { code: 'network' as const, after: 1 } }],
  ])('after %s', async (_, first) => {
    const b = await opened([first, { text: rest }, 'Yes.'])
    await sendAndSettle(b, b.id, 'How?')
    await goOn(b)
    expect(sent(b).slice(-2)[0]).toBe(`assistant: ${half}`)
    expect(sent(b).at(-1)).toContain('First we take the eggs, then the fl') // the place, by its last words
    await sendAndSettle(b, b.id, 'Sure?')
    expect(sent(b)).toEqual(['user: How?', `assistant: ${half}${rest}`, 'user: Sure?'])
    expect((await b.agent.view(b.id)).filter(({ role }) => role === 'assistant').map(({ content }) => content)).toEqual(
      [half + rest, 'Yes.'],
    )
    expect(
      logSummary(await b.log(b.id))
        .filter(line => line.startsWith('assistant'))
        .map(line => line.replace(/^.*?: /, '')),
    ).toEqual([half, rest, 'Yes.']) // as it came
  })

  it('after Stop, also where the model says the end again, and as often as one likes', async () => {
    const b = await opened(request => {
      if (b.model.requests.length === 1) return { text: [half, ' and more'], delayMs: 150 }
      return request.messages.at(-1)!.content === 'Sure?'
        ? 'Yes.'
        : b.model.requests.length === 2
          ? { text: `then the flour${' '}`, stop: 'length' }
          : 'and stir.'
    })
    await b.agent.send(b.id, 'How?')
    await until(() => b.events.some(event => event.type === 'delta'))
    await b.agent.stop(b.id)
    expect(logSummary(await b.log(b.id))).toEqual(['user: How?', `assistant (stopped): ${half}`, 'note stopped'])
    await goOn(b)
    await goOn(b)
    await sendAndSettle(b, b.id, 'Sure?')
    expect(sent(b)).toEqual([
      'user: How?',
      'assistant: First we take the eggs, then the flour and stir.',
      'user: Sure?',
    ])
  })

  it('after the app was closed, twice', async () => {
    const b = await opened([])
    const [question] = await b.store.append(b.id, [{ type: 'user', text: 'How?', id: 'q', parent: null, at: 1 }])
    const broken = async (text: string, parent: string, prefix: string, script: Parameters<typeof testAgent>[0]) => {
      await b.store.savePartial({
        session: b.id,
        parent,
        at: 2,
        text,
        reasoning: '',
        calls: [],
        model: 'scripted',
        local: true,
      })
      const next = testAgent(script, { store: b.store, prefix })
      await next.agent.open(b.id)
      expect(await next.settled(b.id)).toEqual({ state: 'interrupted' })
      await until(async () => (await b.store.partial(b.id)) === undefined)
      return { ...next, id: b.id }
    }
    await broken(half, question!.entry.id, 'b', [])
    const third = await broken('our, ', (await b.log(b.id)).at(-1)!.id, 'c', ['and stir.', 'Yes.'])
    expect(logSummary(await b.log(b.id))).toEqual([
      'user: How?',
      `assistant (interrupted): ${half}`,
      'note restored',
      'assistant (interrupted): our, ',
      'note restored',
    ])
    await goOn(third)
    await sendAndSettle(third, b.id, 'Sure?')
    expect(sent(third)).toEqual(['user: How?', `assistant: ${half}${rest}`, 'user: Sure?'])
  })

  it('also where it then calls a tool', async () => {
    const b = await opened([
      { text: 'I lo', stop: 'length' },
      { text: 'ok.', calls: [{ name: 'get_time', arguments: {} }] },
      'Noon.',
    ])
    await sendAndSettle(b, b.id, 'When?')
    await goOn(b)
    expect(
      b.model.requests.at(-1)!.messages.map(({ role, content }) => (role === 'tool' ? role : `${role}: ${content}`)),
    ).toEqual(['user: When?', 'assistant: I look.', 'tool'])
  })

  it('and none with what follows another question, or with one that was whole', async () => {
    const b = await opened([{ text: half, stop: 'length' }, 'No.', 'Yes.'])
    await sendAndSettle(b, b.id, 'How?')
    await sendAndSettle(b, b.id, 'Is it bread?')
    await sendAndSettle(b, b.id, 'Sure?')
    expect(sent(b)).toEqual(['user: How?', `assistant: ${half}`, 'user: Is it bread?', 'assistant: No.', 'user: Sure?'])
  })
})

describe('what is done with it is done with all of it', () => {
  async function grown(): Promise<Opened & { parts: string[] }> {
    const b = await opened([{ text: half, stop: 'length' }, { text: rest }, 'Another.'])
    await sendAndSettle(b, b.id, 'How?')
    await goOn(b)
    return { ...b, parts: (await b.log(b.id)).flatMap(entry => (entry.type === 'assistant' ? [entry.id] : [])) }
  }

  it('deleted', async () => {
    const b = await grown()
    await b.agent.deleteMessage(b.id, b.parts[0]!)
    expect((await b.log(b.id)).filter(({ gone }) => gone).map(({ id }) => id)).toEqual(b.parts)
  })

  it('pinned, and not any more', async () => {
    const b = await grown()
    await b.agent.pin(b.id, b.parts[0]!, true)
    expect((await b.agent.context(b.id)).tiles.filter(({ pinned }) => pinned).map(({ entry }) => entry)).toEqual(
      b.parts,
    )
    await b.agent.pin(b.id, b.parts[0]!, false)
    expect((await b.agent.context(b.id)).tiles.some(({ pinned }) => pinned)).toBe(false)
  })

  it('made anew: a version of the whole', async () => {
    const b = await grown()
    b.events.length = 0
    await b.agent.regenerate(b.id, b.parts[1]!)
    await b.settled(b.id)
    expect(sent(b)).toEqual(['user: How?'])
  })

  it('kept by a strip, and never cut through', async () => {
    const b = await grown()
    await sendAndSettle(b, b.id, 'Next')
    const log = await b.log(b.id)
    const strip = {
      type: 'strip' as const,
      before: log.findLast(({ type }) => type === 'user')!.id,
      group: 'g',
      id: 's',
      parent: log.at(-1)!.id,
      at: 1,
    }
    expect(modelView([...log, strip]).map(({ entry }) => entry)).toEqual(expect.arrayContaining(b.parts))
    const { facts } = weighedFacts(requestSize(log, { system: '', tools: [], counter: byScript() }))
    expect(facts.map(fact => fact.type === 'assistant' && fact.goesOn === true)).toEqual([
      false,
      false,
      true,
      false,
      false,
    ])
  })
})
