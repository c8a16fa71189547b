import { describe, expect, it } from 'vitest'
import { refusalError } from '../../../models/server-errors/server-errors.ts'
import type { Script, ScriptLine } from '../../../models/scripted.ts'
import type { Entry, SessionId } from '../../log/entry.ts'
import { modelView } from '../../log/model-view/model-view.ts'
import { testAgent, logSummary, sendAndSettle, type TestAgent, type TestAgentOptions } from '../agent.fixture.ts'

async function opened(script: Script, options: TestAgentOptions = {}): Promise<TestAgent & { id: SessionId }> {
  const b = testAgent(script, { model: { local: false }, ...options })
  return { ...b, id: (await b.agent.create('A chat')).id }
}

/** As a remote model throws it. */
function refusal(status: number, body: string): ScriptLine {
  const { code, message, data } = refusalError({
    server: { name: 'Workshop', baseUrl: 'https://llm.example.org/v1' },
    model: 'm',
    status,
    body,
  })
  return { fail: { code, message, data } }
}

const sizeOf = (messages: unknown): number => Math.ceil(JSON.stringify(messages).length / 4)
const notes = (log: readonly Entry[]) => log.filter(entry => entry.type === 'note')
const words = (kind: string, count: number): string => `${kind} ${'alpha beta gamma delta '.repeat(count)}`

describe('a request above the tokens of a minute', () => {
  const tpm = (limit: number, asked: number): string =>
    JSON.stringify({
      error: {
        message: `Request too large for model \`openai/gpt-oss-120b\` in organization \`org_x\` service tier \`on_demand\` on tokens per minute (TPM): Limit ${limit}, Requested ${asked}, please reduce your message size and try again.`,
        type: 'tokens',
        code: 'rate_limit_exceeded',
      },
    })

  it.each([413, 429])('is made to fit at once, told, and so is the next one (HTTP %i)', async status => {
    // As Groq counts: the output limit belongs to the request.
    const b = await opened(({ messages, tools, maxTokens = 0 }) => {
      const asked = sizeOf([messages, tools]) + maxTokens
      return asked <= 8_000 ? 'Alpha.' : refusal(status, tpm(8_000, asked))
    })
    for (const question of [words('Keep', 700), words('Keep too', 700), 'What was the first word?'])
      expect(await sendAndSettle(b, b.id, question)).toEqual({ state: 'idle' })
    const log = await b.log(b.id)
    expect(
      log.filter(entry => entry.type === 'assistant').map(entry => entry.type === 'assistant' && entry.text),
    ).toEqual(['Alpha.', 'Alpha.', 'Alpha.'])
    expect(notes(log).filter(entry => entry.type === 'note' && entry.code === 'window_learnt')).toMatchObject([
      { tokens: 8_000, text: expect.stringMatching(/one request.*a minute/) as string },
    ])
    expect(b.model.requests.length).toBeLessThanOrEqual(8)
    // waiting is no help here
    expect(b.events.filter(event => event.type === 'status' && event.status.state === 'retrying')).toEqual([])
  })

  it('is believed for a day', async () => {
    const b = await opened(({ messages, tools, maxTokens = 0 }) =>
      sizeOf([messages, tools]) + maxTokens > 8_000 ? refusal(413, tpm(8_000, 9_000)) : 'ok',
    )
    await sendAndSettle(b, b.id, words('Keep', 100))
    expect(b.model.requests.at(-1)?.maxTokens).toBe(1_600)
    await sendAndSettle(b, b.id, 'And?')
    expect(b.model.requests.at(-1)?.maxTokens).toBe(1_600)
    expect(await b.agent.context(b.id)).toMatchObject({ window: 131_072, ceiling: 8_000 }) // it is no window
    const told = async (): Promise<string> =>
      String(
        (await b.agent.command(b.id, '/context'), (await b.log(b.id)).findLast(entry => entry.type === 'note')?.text),
      )
    expect(await told()).toMatch(/One request: at most 8,000 tokens.*a minute/)
    await b.agent.setLanguage('zh')
    expect(await told()).toMatch(/单次请求：最多 8,000 个 token/)
    await b.world.sleep(25 * 3_600_000, new AbortController().signal)
    expect((await b.agent.context(b.id)).ceiling).toBeUndefined()
    await sendAndSettle(b, b.id, 'And now?')
    expect(b.model.requests.map(({ maxTokens }) => maxTokens).filter(tokens => tokens === 8_192).length).toBe(2)
  })
})

describe('a body above the bytes of a proxy', () => {
  const nginx =
    '<html>\r\n<head><title>413 Request Entity Too Large</title></head>\r\n<body>\r\n<center><h1>413 Request Entity Too Large</h1></center>\r\n<hr><center>nginx/1.25.3</center>\r\n</body>\r\n</html>\r\n'

  it('cuts no history, blames no window, and says whose limit it is', async () => {
    const b = await opened((_, n) => (n === 0 ? 'Short answer.' : refusal(413, nginx)))
    await sendAndSettle(b, b.id, 'Short question')
    expect(await sendAndSettle(b, b.id, 'Another short question')).toEqual({ state: 'interrupted' })
    const log = await b.log(b.id)
    expect(b.model.requests.length).toBe(2)
    expect(logSummary(log)).toEqual([
      'user: Short question',
      'assistant: Short answer.',
      'user: Another short question',
      'note model_too_large',
    ])
    const note = log.at(-1)
    expect(note?.type === 'note' && note.text).toMatch(/bytes.*proxy.*413.*client_max_body_size/)
    expect(note?.type === 'note' && note.text).not.toMatch(/does not fit the/)
  })

  it('shortens long texts where that helps, down to the bytes that are told', async () => {
    const b = await opened(({ messages }) =>
      JSON.stringify(messages).length > 40_000 ? refusal(413, '{"detail":"Request body exceeds 65536 bytes"}') : 'ok',
    )
    await sendAndSettle(b, b.id, words('First', 400))
    await sendAndSettle(b, b.id, words('Second', 3_000))
    const log = await b.log(b.id)
    expect(logSummary(log).at(-1)).toBe('assistant: ok')
    expect(log.filter(entry => entry.type === 'cut')).toEqual([])
    expect(log.filter(entry => entry.type === 'shorten')).toMatchObject([{ unit: 'bytes', keep: 10_000 }])
    expect(notes(log)).toMatchObject([{ code: 'overflow_rung', text: expect.stringContaining('bytes') as string }])
  })

  it('puts back what was shortened in vain', async () => {
    const b = await opened(() => refusal(413, nginx))
    await sendAndSettle(b, b.id, words('Long', 2_000))
    const log = await b.log(b.id)
    expect(log.filter(entry => entry.type === 'shorten').length).toBeGreaterThan(0)
    expect(log.filter(entry => entry.type === 'undo')).toHaveLength(1)
    expect(modelView(log)[0]?.message.content).toBe(words('Long', 2_000))
    expect(log.at(-1)).toMatchObject({ type: 'note', code: 'model_too_large' })
  })
})

describe('a text above the characters that a server takes in one', () => {
  const cap = (place: string, most: number, had: number): string =>
    JSON.stringify({
      error: {
        message: `Invalid '${place}': string too long. Expected a string with maximum length ${most}, but got a string with length ${had} instead.`,
        type: 'invalid_request_error',
        param: place,
        code: 'string_above_max_length',
      },
    })
  /** As OpenAI refuses it: each text by itself, whatever the whole has. `sizeIn`: how it counts. */
  const strict =
    (most: number, sizeIn = (text: string): number => [...text].length): Script =>
    ({ messages }) => {
      const at = messages.findIndex(({ content }) => sizeIn(content) > most)
      return at < 0 ? 'ok' : refusal(400, cap(`messages[${at + 1}].content`, most, sizeIn(messages[at]!.content)))
    }

  it.each(['en', 'zh'] as const)('is shortened to that, and said in %s; nothing else leaves', async language => {
    const b = await opened(strict(20_000))
    await b.agent.setLanguage(language)
    await sendAndSettle(b, b.id, words('Kept', 300))
    await sendAndSettle(b, b.id, words('Much', 1_200))
    await sendAndSettle(b, b.id, words('More', 1_300))
    const log = await b.log(b.id)
    expect(logSummary(log).at(-1)).toBe('assistant: ok')
    expect(log.filter(entry => entry.type === 'shorten')).toHaveLength(2)
    expect(log.filter(entry => entry.type === 'cut')).toEqual([])
    expect(notes(log)).toMatchObject(
      [1, 2].map(() => ({
        code: 'overflow_rung',
        text: expect.stringMatching(
          language === 'en' ? /at most 20000 characters in one text.*shortened/ : /单段文本最多 20,000 个字符.*已缩短/,
        ) as string,
      })),
    )
    expect(
      modelView(log)
        .filter(({ message }) => message.role === 'user')
        .map(({ message }) => message.content.length > 19_000),
    ).toEqual([false, true, true])
    expect(b.model.requests).toHaveLength(5) // each refused once
  })

  it('is shortened by bytes where those are meant', async () => {
    const b = await opened(strict(20_000, text => new TextEncoder().encode(text).length))
    await sendAndSettle(b, b.id, '背包里的东西'.repeat(2_000))
    expect(logSummary(await b.log(b.id)).at(-1)).toBe('assistant: ok')
  })

  it('is no text of the chat where a name, a tool or something else is meant: then it stays whole', async () => {
    for (const place of ['messages[0].name', 'tools[0].function.description']) {
      const b = await opened(() => refusal(400, cap(place, place.endsWith('name') ? 64 : 1_024, 5_000)))
      expect(await sendAndSettle(b, b.id, words('Long', 1_000))).toEqual({ state: 'interrupted' })
      expect(b.model.requests).toHaveLength(1)
      expect((await b.log(b.id)).some(entry => entry.type === 'shorten')).toBe(false)
    }
    const b = await opened(() => refusal(400, cap('messages[0].content', 9_000, 9_900))) // the system prompt
    await sendAndSettle(b, b.id, words('Long', 1_000))
    const log = await b.log(b.id)
    expect(modelView(log)[0]?.message.content).toBe(words('Long', 1_000))
    expect(log.at(-1)).toMatchObject({
      type: 'note',
      code: 'model_too_large',
      text: expect.stringMatching(/at most 9,000 characters.*none is left.*string too long/) as string,
    })
  })
})

describe('a refusal that tells the size of the prompt', () => {
  it('corrects the count of this very request, so that the next one is sent smaller', async () => {
    // A vocabulary of bytes: four times what is counted.
    const sent: number[] = []
    const b = await opened(({ messages, tools }) => {
      const read = JSON.stringify([messages, tools]).length
      if (tools.length > 0) sent.push(read) // not the summary
      return read <= 36_000
        ? { text: 'ok', usage: { input: read, output: 1 } }
        : refusal(
            400,
            `{"error":{"code":400,"message":"request (${read} tokens) exceeds the available context size (36000 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":${read},"n_ctx":36000}}`,
          )
    })
    await sendAndSettle(b, b.id, words('Much', 2_000))
    expect(logSummary(await b.log(b.id)).at(-1)).toBe('assistant: ok')
    expect(sent.length).toBe(2)
    expect(sent[1]).toBeLessThan(36_000)
    expect((await b.agent.context(b.id)).factor).toBeGreaterThan(2.5)
  })

  it('is no report where it counts the answer too', async () => {
    const b = await opened([
      refusal(
        400,
        '{"error":{"message":"Invalid request: Your request exceeded model token limit: 8192 (requested: 40000)","type":"invalid_request_error"}}',
      ),
      'ok',
    ])
    await sendAndSettle(b, b.id, 'Hi')
    expect((await b.agent.context(b.id)).factor).toBe(1)
  })

  it('lifts all edits of a run in which nothing helped', async () => {
    const b = await opened(({ messages }) =>
      messages.length < 5 && !JSON.stringify(messages).includes('Long 6')
        ? 'ok'
        : refusal(400, '{"error":{"message":"prompt is too long"}}'),
    )
    for (let n = 0; n < 2; n++) await sendAndSettle(b, b.id, words(`Long ${n}`, 700))
    expect(await sendAndSettle(b, b.id, words('Long 6', 700))).toEqual({ state: 'interrupted' })
    const log = await b.log(b.id)
    expect(log.filter(entry => entry.type === 'undo')).toHaveLength(1)
    expect(modelView(log).map(({ message }) => message.content)).toEqual([
      words('Long 0', 700),
      'ok',
      words('Long 1', 700),
      'ok',
      words('Long 6', 700),
    ])
    expect(log.at(-1)).toMatchObject({ type: 'note', code: 'model_overflow' })
  })
})

describe('an answer of nothing', () => {
  const quiet =
    (limit: number): Script =>
    ({ messages }) => {
      const input = sizeOf(messages)
      return input > limit ? { usage: { input, output: 0 } } : { text: 'Noted.', usage: { input, output: 3 } }
    }

  it('to a prompt that is larger than any that was answered is an overflow', async () => {
    const b = await opened(quiet(5_500))
    for (const question of [words('Keep', 500), words('Keep too', 500), 'And?'])
      expect(await sendAndSettle(b, b.id, question)).toEqual({ state: 'idle' })
    const log = await b.log(b.id)
    expect(log.filter(entry => entry.type === 'assistant')).toHaveLength(3)
    expect(notes(log).map(entry => entry.type === 'note' && entry.code)).toContain('suspect_truncation')
  })

  it('is none where larger ones were answered, or nothing can leave', async () => {
    const b = await opened(
      ({ messages }, n) =>
        n === 1
          ? { usage: { input: 2_500, output: 0 } }
          : { text: 'ok', usage: { input: n === 0 ? 9_000 : sizeOf(messages), output: 1 } },
      { model: { local: false, contextWindow: 32_000 } },
    )
    await sendAndSettle(b, b.id, words('Keep', 500))
    await sendAndSettle(b, b.id, 'And?')
    expect(
      notes(await b.log(b.id)).filter(entry => entry.type === 'note' && entry.code !== 'suspect_truncation'),
    ).toEqual([])
    const one = await opened([{ usage: { input: 2_500, output: 0 } }, 'Late.'])
    await sendAndSettle(one, one.id, 'Hi')
    expect(logSummary(await one.log(one.id))).toEqual(['user: Hi', 'note suspect_truncation', 'assistant: Late.'])
  })
})

it('says that the tools did not arrive where just they are missing', async () => {
  const b = await opened(({ messages, system }) => ({
    text: 'ok',
    usage: { input: sizeOf([system, messages]), output: 1 },
  }))
  await sendAndSettle(b, b.id, 'Hi')
  expect((await b.log(b.id)).at(-1)).toMatchObject({
    type: 'note',
    code: 'suspect_truncation',
    text: expect.stringMatching(/tools.*not to have reached/) as string,
  })
})
