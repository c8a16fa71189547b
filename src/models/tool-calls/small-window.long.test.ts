/**
 * Long talks in the small windows that models of the graphics card have, with tools in words, on a double that counts
 * as an engine does (C7.6).
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { testAgent, sendAndSettle, type TestAgent } from '../../core/agent/agent.fixture.ts'
import { AgentError } from '../../core/errors.ts'
import type { ModelPart, ModelRequest } from '../../core/log/message.ts'
import type { Model, Tokenizer } from '../../core/ports/ports.ts'
import { plainMessages } from '../engines/shared/plain-messages.ts'
import { createTokenizer } from '../tokenizer.ts'
import { withTextTools } from './with-text-tools.ts'

const turns = 200
/** Tokens that a chat template adds to each message. */
const perMessage = 5
/** Engines count with tokenizers of their own; this one finds a tenth more than ours. */
const more = 1.1
const filler =
  'The rooms on this floor were painted again last spring, and the keys hang behind the desk as they always did. '

const codeOf = (room: number): string => `RX-${(room * 7_919) % 9_973}-${room}`
let count: (text: string) => number
beforeAll(async () => {
  const tokenizer = createTokenizer()
  await tokenizer.load()
  count = tokenizer.count!
})

type Double = { model: Model; overflows: number; largest: number; searched: number; summaries: number; most: number }

/** Speaks text only, and knows nothing but what stands in front of it. */
function engine(window: number): Double {
  const double: Double = {
    overflows: 0,
    largest: 0,
    searched: 0,
    summaries: 0,
    most: window,
    model: withTextTools({
      id: 'small',
      name: 'Small',
      contextWindow: window,
      maxOutput: Math.floor(window / 4),
      local: true,
      reportsWholePrompt: false,
      can: { tools: false, images: false, schema: false },
      async *generate(request: ModelRequest): AsyncGenerator<ModelPart> {
        const messages = plainMessages(request)
        const prompt = Math.ceil(messages.reduce((sum, { content }) => sum + count(content) + perMessage, 0) * more)
        double.largest = Math.max(double.largest, prompt)
        if (prompt > window) {
          double.overflows++
          throw new AgentError('model_overflow', `The prompt has ${prompt} tokens, the window ${window}.`, {
            data: { kind: 'overflow_prompt', limit: window },
          })
        }
        const text = answer(
          messages.map(({ content }) => content),
          double,
        )
        const room = Math.min(window - prompt, request.maxTokens ?? Infinity)
        const cut = count(text) * more > room
        yield { type: 'text', text: cut ? text.slice(0, room * 3) : text }
        yield { type: 'finish', stop: cut ? 'length' : 'stop', usage: { input: 10, output: count(text) } }
      },
    }),
  }
  return double
}

function answer(contents: readonly string[], double: Double): string {
  const last = contents.at(-1)!
  if (/summary-so-far|<conversation>/.test(last)) {
    double.summaries++
    return 'I am too small a model to sum that up.' // then it is made by rule
  }
  // The newest words of the person, which follow a summary in the same message; results quote older questions.
  const asked =
    contents
      .filter((_, n) => n % 2 !== contents.length % 2)
      .map(content => content.replace(/<tool_response[\s\S]*<\/tool_response>/g, '').trim())
      .findLast(content => content !== '') ?? ''
  const room = /code of room (\d+)\?$/.exec(asked)?.[1]
  if (room !== undefined) {
    const seen = contents
      .join('\n')
      .match(new RegExp(`room ${room} (?:is|has) (?:the code )?(RX-\\d+-${room})\\b`))?.[1]
    if (seen) return `It is ${seen}.`
    if (last.includes('<tool_response')) return 'I searched and did not find it.'
    if (!contents[0]!.includes('memory_search')) return 'I do not know.'
    double.searched++
    return `I look.\n<tool_call>\n{"name": "memory_search", "arguments": {"query": "code of room ${room}"}}\n</tool_call>`
  }
  if (last.includes('<tool_response'))
    return `The file says: ${/\n([\s\S]{0,80})/.exec(last.slice(last.lastIndexOf('<tool_response')))?.[1] ?? ''}`
  // A summary in front of these words may name an older wish.
  if (/Read the plan, please, this is time \d+\.$/.test(asked) && contents[0]!.includes('read_file'))
    return '<tool_call>{"name": "read_file", "arguments": {"path": "workspace/plan.md"}}</tool_call>'
  return `Noted. ${filler}`
}

async function talk(window: number, tokenizer: Tokenizer): Promise<{ b: TestAgent; double: Double }> {
  const double = engine(window)
  const b = testAgent([], { others: [double.model], tokenizer })
  await b.store.createSession({ id: 's', title: 'Rooms', createdAt: 0, updatedAt: 0, leaf: null, model: 'small' })
  await b.store.saveDocument('workspace/plan.md', filler.repeat(400), 0, 0) // 44 kB
  for (let turn = 1; turn <= turns; turn++) {
    const status = await sendAndSettle(
      b,
      's',
      turn % 10 === 0
        ? `Read the plan, please, this is time ${turn}.`
        : `The code of room ${turn} is ${codeOf(turn)}. ${filler}`,
    )
    expect(status.state, `turn ${turn}`).toBe('idle')
  }
  return { b, double }
}

describe.each([1_024, 2_048, 4_096])('a window of %i tokens', window => {
  it('holds a talk of 200 turns with tools, and what left it is still answered', { timeout: 240_000 }, async () => {
    const { b, double } = await talk(window, { load: async () => undefined, count })
    const log = await b.log('s')
    expect(log.filter(entry => entry.type === 'user')).toHaveLength(turns)
    expect(log.filter(entry => entry.type === 'note' && entry.code.startsWith('model_'))).toEqual([])
    expect(log.filter(entry => entry.type === 'summary').length).toBeGreaterThan(3)
    expect(log.filter(entry => entry.type === 'result' && entry.tool === 'read_file' && !entry.isError)).toHaveLength(
      turns / 10,
    )

    const right: number[] = []
    const rooms = [1, 7, 42, 99, 101, 158, 199]
    for (const room of rooms) {
      await sendAndSettle(b, 's', `What was the code of room ${room}?`)
      const said = (await b.log('s')).findLast(entry => entry.type === 'assistant')
      if (said?.type === 'assistant' && said.text.includes(codeOf(room))) right.push(room)
    }
    expect(right).toEqual(rooms)
    expect(double.searched).toBeGreaterThan(2)
    expect(double.overflows).toBe(0)
    expect(double.largest).toBeLessThanOrEqual(window)
  })
})
