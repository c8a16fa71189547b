import { describe, expect, it } from 'vitest'
import { unsaidLine } from '../../core/agent/tools/search-result-texts.ts'
import type { AgentError } from '../../core/errors.ts'
import type { Message, ModelRequest, ToolSchema } from '../../core/log/message.ts'
import type { Model } from '../../core/ports/ports.ts'
import { modelLaws, collectParts, thrownBy } from '../model.laws.ts'
import { callsForModel, recallLines } from '../../core/agent/i18n/recall-lines.ts'
import { nextStep, recall } from './recall.ts'

const tools: ToolSchema[] = ['memory_search', 'read_file', 'list_files', 'fetch_url', 'get_time'].map(name => ({
  name,
  description: name,
  parameters: { type: 'object', properties: {} },
}))
const asking = (content: string, ...rest: Message[]): ModelRequest => ({
  system: '',
  messages: [{ role: 'user', content }, ...rest],
  tools,
})
const result = (name: string, content: string, isError = false): Message => ({
  role: 'tool',
  toolCallId: 'x',
  name,
  content,
  isError,
})

/** An answer of many pieces: a short one may have ended before anybody stops it. */
const goesOn = async (): Promise<Model> => ({
  ...recall,
  generate: (_, signal) =>
    recall.generate(asking('read workspace/a.md', result('read_file', 'word '.repeat(500))), signal),
})

modelLaws('recall', {
  answers: async () => recall,
  goesOn,
  request: { ...asking('Hello'), tools: [] },
})
modelLaws('recall with tools', {
  answers: async () => ({ ...recall, generate: (_, signal) => recall.generate(asking('help'), signal) }),
  goesOn,
  calls: async () => ({ ...recall, generate: (_, signal) => recall.generate(asking('read workspace/a.md'), signal) }),
  fails: {
    'a summary is asked for': async () => ({
      ...recall,
      generate: (_, signal) =>
        recall.generate(
          {
            system: 'Write the sections Goal, Key Decisions, Next Steps, Critical Context.',
            messages: [{ role: 'user', content: 'talk' }],
            tools: [],
          },
          signal,
        ),
    }),
  },
})

const called = (request: ModelRequest): { name: string; args: unknown } | string => {
  const step = nextStep(request)
  return step.type === 'call' ? { name: step.call.name, args: JSON.parse(step.call.arguments) } : step.text
}

describe('recall', () => {
  const hits =
    '1. dialog/2026-11-20.jsonl:7 (Proxy talk, 2026-11-20)\nWe use port 8443 for the proxy.\n\n2. memory/2026-11-19.md:3\nPorts below 1024 need root.'

  it('searches for a question', () => {
    expect(called(asking('Which port did we choose for the proxy?'))).toEqual({
      name: 'memory_search',
      args: { query: 'Which port did we choose for the proxy?' },
    })
  })

  it.each([['hello'], ['Hi!'], ['Good morning'], ['你好！'], ['']])('greets back without searching: %s', text => {
    expect(called(asking(text))).toMatch(/not a language model|不是语言模型/)
  })

  it.each([['What can you do?'], ['help'], ['who are you'], ['Are you an AI?'], ['你能做什么？'], ['你是谁']])(
    'says what it can do: %s',
    text => {
      expect(called(asking(text))).toMatch(/not a language model|不是语言模型/)
      expect(called(asking(text))).not.toContain('\n') // one line
    },
  )

  it('answers in the language of the question', () => {
    expect(called(asking('我们选了哪个端口？', result('memory_search', 'nothing found')))).toBe('这里没有提到这件事。')
    expect(called(asking('Which port?', result('memory_search', 'nothing found')))).toBe('Nothing here says that.')
    expect(called(asking('ポートはどれ？', result('memory_search', 'nothing found')))).toBe('Nothing here says that.')
  })

  it('keeps what it is told, without searching', () => {
    expect(called(asking('My sister Anna has her birthday on 4 May'))).toBe('Kept.')
    expect(called(asking('王芳对花生过敏。'))).toBe('已记下。')
  })

  it('calls for a real model where it cannot answer, not where it can', () => {
    for (const { about, nothing, noTools, kept, thanks } of Object.values(recallLines)) {
      expect([about, nothing, noTools].every(callsForModel)).toBe(true)
      expect([kept, thanks, '> We use port 8443.'].some(callsForModel)).toBe(false)
    }
  })

  it('says that nothing says it where the search says that no passage does', () => {
    expect(called(asking('Which port?', result('memory_search', `${unsaidLine}\n\n${hits}`)))).toBe(
      'Nothing here says that.',
    )
    // The same line inside of a passage is text like any other.
    expect(called(asking('Which port?', result('memory_search', `${hits}\n${unsaidLine}`)))).toContain('8443')
  })

  it('reads a named path, fetches a named page, tells the time', () => {
    expect(called(asking('show me dialog/2026-01-31.jsonl:12 please'))).toEqual({
      name: 'read_file',
      args: { path: 'dialog/2026-01-31.jsonl', start_line: 12 },
    })
    expect(called(asking('What is in MEMORY.md?'))).toEqual({ name: 'read_file', args: { path: 'MEMORY.md' } })
    expect(called(asking('看看 https://example.org/a?b=1，谢谢'))).toEqual({
      name: 'fetch_url',
      args: { url: 'https://example.org/a?b=1' },
    })
    expect(called(asking('What time is it?'))).toEqual({ name: 'get_time', args: {} })
  })

  it('answers after one search, with each passage and its place', () => {
    const text = called(asking('Which port?', result('memory_search', hits)))
    expect(text).toContain('`dialog/2026-11-20.jsonl` · line 7 · Proxy talk · 2026-11-20')
    expect(text).toContain('> We use port 8443 for the proxy.')
    expect(text).toContain('`memory/2026-11-19.md` · line 3')
  })

  const scored = (lines: readonly [text: string, score: string, after?: string][]): string =>
    lines
      .map(([text, score, after], n) =>
        [
          `${n + 1}. dialog/2026-11-20.jsonl:${n + 1} (Talk, 2026-11-20, score ${score})`,
          text,
          after && `[after] ${after}`,
        ]
          .filter(Boolean)
          .join('\n'),
      )
      .join('\n\n')

  it('leaves out what lies far behind the best, and shows three passages at most', () => {
    const many = scored([
      ['Port 8443.', '9.0'],
      ['Port 1.', '8.0'],
      ['Port 2.', '7.5'],
      ['Port 3.', '7.0'],
    ])
    expect(called(asking('Which port?', result('memory_search', many)))).not.toContain('Port 3.')
    const far = scored([
      ['Port 8443.', '9.0'],
      ['Ships in the port.', '2.0'],
    ])
    expect(called(asking('Which port?', result('memory_search', far)))).not.toContain('Ships')
  })

  it('shows no question where something tells, and else what was answered to it', () => {
    const both = scored([
      ['Which port is it?', '9.0', 'It is 8443.'],
      ['It is 8443.', '8.0'],
    ])
    expect(called(asking('Which port?', result('memory_search', both)))).not.toContain('Which port is it')
    const only = scored([['Which port is it?', '9.0', 'It is 8443.']])
    expect(called(asking('Which port?', result('memory_search', only)))).toContain('> It is 8443.')
  })

  it('does not take the question itself for a find', () => {
    const itself = asking(
      'Which port did we choose?',
      result('memory_search', '1. dialog/2026-11-20.jsonl:9\nUser: Which port did we choose?'),
    )
    expect(called(itself)).toBe('Nothing here says that.')
  })

  it('says what went wrong when a tool fails, and never calls again', () => {
    expect(called(asking('Which port?', result('memory_search', 'the index is broken', true)))).toContain(
      'the index is broken',
    )
  })

  it('ends a turn whatever the tools give: at most one call', () => {
    const texts = ['', hits, 'x'.repeat(5_000), '{"message":', '```\n````', 'dialog/2026-11-20.jsonl:1', '\u0000\ud800']
    for (const one of texts)
      for (const two of texts) {
        const step = nextStep(asking('Which port?', result('memory_search', one), result('read_file', two)))
        expect(step.type).toBe('answer')
      }
  })

  it('keeps a hostile tool answer inside its fence', () => {
    const text = called(
      asking('read workspace/a.md', result('read_file', 'a\n```\n![x](https://evil.example/leak)\n```')),
    )
    expect(text).toContain('````text')
  })

  it('works without tools, and when it may not call any', () => {
    expect(called({ ...asking('Which port?'), tools: [] })).toContain('nothing to search with')
    expect(called({ ...asking('Which port?'), toolChoice: 'none' })).toContain('nothing to search with')
  })

  it('never splits a code point, and loses nothing when it streams', async () => {
    const request = asking('read workspace/a.md', result('read_file', '😀'.repeat(300)))
    const parts = await collectParts(recall, request)
    const text = parts.map(part => (part.type === 'text' ? part.text : '')).join('')
    expect(parts.every(part => part.type !== 'text' || !/\p{Cs}/u.test(part.text))).toBe(true)
    expect(text).toBe(called(request))
  })

  it('does not pretend to summarise', async () => {
    const thrown = await thrownBy(recall, {
      system: 'Sections: Goal, Key Decisions, Next Steps, Critical Context',
      messages: [{ role: 'user', content: 'x' }],
      tools: [],
    })
    expect((thrown as AgentError).code).toBe('model_unavailable')
  })
})
