/** A request that does not fit is made smaller, and what the answers teach about the window. */
import { describe, expect, it } from 'vitest'
import { logSummary, sendAndSettle } from '../agent.fixture.ts'
import { openedChat } from './run-turn.fixture.ts'

describe('a request that does not fit', () => {
  it('learns the window from the provider’s numbers, makes it fit, and loses nothing', async () => {
    const long = 'The quick brown fox jumps over the lazy dog. '.repeat(900)
    const b = await openedChat(request => {
      const size = Math.ceil(JSON.stringify(request.messages).length / 4)
      return size > 7000 ? { overflow: { limit: 8000, actual: size } } : `ok ${size}`
    })
    for (let n = 0; n < 3; n++) await sendAndSettle(b, b.id, `${n}: ${long}`)
    const log = await b.log(b.id)
    expect(log.filter(entry => entry.type === 'user')).toHaveLength(3)
    expect(log.some(entry => entry.type === 'note' && entry.code === 'window_learnt')).toBe(true)
    expect(log.at(-1)).toMatchObject({ type: 'assistant' })
    expect((await b.agent.context(b.id)).window).toBe(8000)
  })

  it('is noticed where the server fills its window and ends the answer before it began, and by nothing less', async () => {
    const long = 'The quick brown fox jumps over the lazy dog. '.repeat(100)
    const b = await openedChat(
      request => (request.messages.length > 10 ? { stop: 'length', usage: { input: 131_000, output: 0 } } : 'ok'),
      { model: { local: false } },
    )
    for (let n = 0; n < 7; n++) expect(await sendAndSettle(b, b.id, `${n}: ${long}`)).toEqual({ state: 'idle' })
    const log = await b.log(b.id)
    expect(log.filter(entry => entry.type === 'note').map(entry => entry.code)).toContain('overflow_rung')
    expect(log.filter(entry => entry.type === 'user')).toHaveLength(7)
    const own = await openedChat([{ stop: 'length', usage: { input: 2000, output: 8_192 } }])
    await sendAndSettle(own, own.id, 'Hi')
    expect(logSummary(await own.log(own.id))).toEqual(['user: Hi', 'assistant (length): ', 'note thought_limit'])
  })

  it('is noticed where the server says itself that it left something out, whatever its numbers are', async () => {
    const b = await openedChat([{ text: 'Hi.', truncated: true, usage: { input: 900 } }])
    await sendAndSettle(b, b.id, 'Hi')
    expect((await b.log(b.id)).at(-1)).toMatchObject({
      type: 'note',
      code: 'suspect_truncation',
      tokens: 900,
      text: expect.stringMatching(/window was full/) as string,
    })
    expect((await b.agent.context(b.id)).factor).toBe(1) // what it read is not what was sent
    const half = await openedChat(request =>
      request.messages.length < 2 ? { text: 'half', stop: 'length', truncated: true } : 'rest',
    )
    await sendAndSettle(half, half.id, 'Hi')
    expect(logSummary(await half.log(half.id))).toContain('assistant: rest')
  })

  it('is noticed whatever the empty answer says about its end', async () => {
    const long = 'The quick brown fox jumps over the lazy dog. '.repeat(100)
    const b = await openedChat(
      request =>
        request.messages.length > 10 ? { stop: 'stop', usage: { input: 100_000, cacheRead: 31_000, output: 0 } } : 'ok',
      { model: { local: false } },
    )
    for (let n = 0; n < 7; n++) expect(await sendAndSettle(b, b.id, `${n}: ${long}`)).toEqual({ state: 'idle' })
    expect((await b.log(b.id)).filter(entry => entry.type === 'note').map(entry => entry.code)).toContain(
      'overflow_rung',
    )
  })

  it('that ended an answer in its middle is made smaller, and the answer goes on by itself, once', async () => {
    const long = 'The quick brown fox jumps over the lazy dog. '.repeat(100)
    const half = { text: 'half', stop: 'length', usage: { input: 131_000, output: 50 } } as const
    const b = await openedChat(
      request =>
        request.messages.filter(({ content }) => content.includes(long)).length > 5
          ? half
          : { text: `rest ${request.messages.length}` },
      { model: { local: false } },
    )
    for (let n = 0; n < 6; n++) await sendAndSettle(b, b.id, `${n}: ${long}`)
    const log = logSummary(await b.log(b.id))
    expect(log.filter(line => line.startsWith('assistant (length)'))).toHaveLength(1)
    expect(log.at(-1)).toMatch(/^assistant: rest \d+$/)
    expect(log).toContain('cut overflow')
    const always = await openedChat(() => ({ text: 'half', stop: 'length', usage: { input: 131_000, output: 50 } }), {
      model: { local: false },
    })
    expect(await sendAndSettle(always, always.id, 'Hi')).toEqual({ state: 'idle' })
    expect(always.model.requests.length).toBeLessThanOrEqual(2)
  })

  it('fails visibly when nothing helps, with the parts and their sizes', async () => {
    const b = await openedChat([
      { overflow: true },
      { overflow: true },
      { overflow: true },
      { overflow: true },
      { overflow: true },
    ])
    expect(await sendAndSettle(b, b.id, 'Hi')).toEqual({ state: 'interrupted' })
    const note = (await b.log(b.id)).at(-1)
    expect(note).toMatchObject({ type: 'note', code: 'model_overflow' })
    expect(note?.type === 'note' && note.text).toMatch(/system prompt \d+, tools \d+/)
  })

  it('is not sent at all when our own count says so', async () => {
    const b = await openedChat(['Short.', 'Fits now.'], { model: { contextWindow: 6000 } })
    await sendAndSettle(b, b.id, 'word '.repeat(6000))
    for (const request of b.model.requests)
      expect(Math.ceil(JSON.stringify(request.messages).length / 4)).toBeLessThan(6000)
    expect((await b.log(b.id)).find(entry => entry.type === 'user')).toMatchObject({ text: 'word '.repeat(6000) })
  })
})

it('answers that are held back on their way are told of once in a chat', async () => {
  const b = await openedChat([{ text: 'One.', heldBack: true }, { text: 'Two.', heldBack: true }, 'Three.'])
  for (const question of ['Hi', 'And?', 'So?']) await sendAndSettle(b, b.id, question)
  const notes = (await b.log(b.id)).filter(entry => entry.type === 'note' && entry.code === 'held_back')
  expect(notes).toMatchObject([{ data: { model: 'scripted' } }])
})

describe('what the usage teaches', () => {
  it('is kept per model and used', async () => {
    const b = await openedChat([{ text: 'Hi.', usage: { input: 3000 } }])
    await sendAndSettle(b, b.id, 'Hi')
    const { factor } = await b.agent.context(b.id)
    expect(factor).toBeGreaterThan(1)
    expect(await b.store.setting('learnt:scripted')).toMatchObject({ factors: { 'bytes/4': factor } })
  })

  it('a report that is far too small is a suspicion, not a lesson', async () => {
    const b = await openedChat([{ text: 'Hi.', usage: { input: 20 } }])
    await sendAndSettle(b, b.id, 'Hi')
    expect((await b.log(b.id)).at(-1)).toMatchObject({
      type: 'note',
      code: 'suspect_truncation',
      data: { reported: 20 },
    })
    expect((await b.agent.context(b.id)).factor).toBe(1)
  })

  it('a prompt above the window that was taken without a word is said, and the next one is made to fit', async () => {
    const long = 'The quick brown fox jumps over the lazy dog. '.repeat(100)
    // three times what is counted
    const usage = (size: number): { input: number; cacheRead: number } => ({ input: size, cacheRead: 2 * size })
    const b = await openedChat(
      request => ({ text: 'ok', usage: usage(Math.ceil(JSON.stringify(request.messages).length / 4)) }),
      { model: { local: false, contextWindow: 16_384 } },
    )
    for (let n = 0; n < 12; n++) expect(await sendAndSettle(b, b.id, `${n}: ${long}`)).toEqual({ state: 'idle' })
    const log = await b.log(b.id)
    const reads = b.model.requests.map(request => 3 * Math.ceil(JSON.stringify(request.messages).length / 4))
    const over = reads.findIndex(tokens => tokens > 16_384)
    if (over >= 0) {
      expect(log.filter(entry => entry.type === 'note' && entry.code === 'suspect_truncation').length).toBeGreaterThan(
        0,
      )
      expect(reads[over + 1]).toBeLessThanOrEqual(16_384)
    }
    // A count that is far off, learnt from one answer: the window of another server was smaller than what it took.
    const small = await openedChat([{ text: 'one', usage: { input: 9_000 } }, 'two', 'three'], {
      model: { local: false, contextWindow: 8_192 },
    })
    await sendAndSettle(small, small.id, long)
    const note = (await small.log(small.id)).find(entry => entry.type === 'note')
    expect(note).toMatchObject({ code: 'suspect_truncation', tokens: 9_000, data: { reported: 9_000, window: 8_192 } })
    await sendAndSettle(small, small.id, 'And now?')
    expect(
      (await small.log(small.id)).some(
        entry => (entry.type === 'note' && entry.code === 'overflow_rung') || entry.type === 'cut',
      ),
    ).toBe(true)
  })

  it('is suspected once a turn, not at every call', async () => {
    const call = { calls: [{ name: 'get_time', arguments: {} }], usage: { input: 20 } }
    const b = await openedChat([call, call, { text: 'Late.', usage: { input: 20 } }])
    await sendAndSettle(b, b.id, 'What time is it?')
    expect(
      (await b.log(b.id)).filter(entry => entry.type === 'note' && entry.code === 'suspect_truncation'),
    ).toHaveLength(1)
  })
})

describe('a small window', () => {
  it('gets a short prompt and fewer tools, and says so once', async () => {
    const b = await openedChat(['Hi.', 'Again.'], { model: { contextWindow: 2048 } })
    await sendAndSettle(b, b.id, 'Hi')
    await sendAndSettle(b, b.id, 'Hi again')
    const notes = (await b.log(b.id)).filter(entry => entry.type === 'note' && entry.code === 'small_window')
    expect(notes).toHaveLength(1)
    const { system, tools } = b.model.requests[0]!
    expect((system.length + JSON.stringify(tools).length) / 4).toBeLessThan(2048 / 4)
  })
})
