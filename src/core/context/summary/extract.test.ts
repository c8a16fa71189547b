import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { FactEntry } from '../../log/entry.ts'
import type { ToolCall } from '../../log/message.ts'
import { cuesOf, isOnlyQuestion, isOrder, sentencesOf } from './cues.ts'
import { extract } from './extract.ts'
import { itemsOf, sectionNames, parseSections } from './sections.ts'
import { summaryCap } from './summarize.ts'
import { summaryAssistant, bytesCounter, summaryResult, summaryUser } from './summarize.fixture.ts'

type Line = {
  id: string
  timestamp: number
  message: {
    role: string
    content: string
    toolCalls?: { id: string; function: { name: string; arguments: string } }[]
    toolCallId?: string
    name?: string
    isError?: boolean
  }
}
type Expected = {
  identifiers: string[]
  decisions: string[]
  open: string[]
  constraints: string[]
  most: string[]
  failures?: number
}

const logs = [
  'coding',
  'travel',
  'tax-letter',
  'meeting-zh',
  'debugging',
  'data-analysis',
  'garden',
  'multi-day',
  'mixed',
  'error-heavy',
]
const read = (name: string): string => readFileSync(new URL(`./extract.fixtures/${name}`, import.meta.url), 'utf8')
const factsOf = (name: string): FactEntry[] =>
  read(`${name}.jsonl`)
    .trim()
    .split('\n')
    .map(line => {
      const { id, timestamp, message } = JSON.parse(line) as Line
      const calls: ToolCall[] = (message.toolCalls ?? []).map(call => ({ id: call.id, ...call.function }))
      const fact =
        message.role === 'user'
          ? summaryUser(id, message.content)
          : message.role === 'assistant'
            ? summaryAssistant(id, message.content, calls)
            : summaryResult(id, message.toolCallId ?? '', message.name ?? '', message.content, message.isError)
      return { ...fact, at: timestamp }
    })
const expectedOf = (name: string): Expected => JSON.parse(read(`${name}.expected.json`)) as Expected
const missing = (text: string, wanted: readonly string[]): string[] => wanted.filter(one => !text.includes(one))
const count = bytesCounter.text

describe.each(logs)('the summary by rule of %s', name => {
  const facts = factsOf(name)
  const wanted = expectedOf(name)

  it('holds identifiers, decisions, demands and open items under the cap', async () => {
    const cap = summaryCap(32_768)
    const text = await extract({ facts, cap, count })
    expect(count(text)).toBeLessThanOrEqual(cap)
    const { found, inOrder } = parseSections(text)
    expect(inOrder).toBe(true)
    expect(missing(text, wanted.identifiers)).toEqual([])
    expect(missing(found.get('Key Decisions') ?? '', wanted.decisions)).toEqual([])
    expect(missing(found.get('Constraints & Preferences') ?? '', wanted.constraints)).toEqual([])
    const open = ['Next Steps', 'Progress', 'Goal'] as const
    expect(missing(open.map(section => found.get(section)).join('\n'), wanted.open)).toEqual([])
    if (wanted.failures !== undefined) expect((text.match(/^- Failed: /gm) ?? []).length).toBe(wanted.failures)
  })

  it('keeps what matters most in a window of 4 096', async () => {
    const cap = summaryCap(4_096)
    const text = await extract({ facts, cap, count })
    expect(count(text)).toBeLessThanOrEqual(cap)
    expect(missing(text, wanted.most)).toEqual([])
  })

  it('loses none of the weightiest when it is merged ten times', async () => {
    const cap = summaryCap(32_768)
    let text = await extract({ facts, cap, count })
    for (let round = 0; round < 10; round++)
      text = await extract({
        facts: [summaryUser(`x${round}`, `Please look at page ${round}.`), summaryAssistant(`y${round}`, 'I looked.')],
        previous: text,
        cap,
        count,
      })
    expect(count(text)).toBeLessThanOrEqual(cap)
    expect(missing(text, [...wanted.most, ...wanted.decisions, ...wanted.identifiers])).toEqual([])
  })
})

describe('extract', () => {
  it('keeps six headings when there is room for nothing else', async () => {
    const text = await extract({ facts: factsOf('coding'), cap: 1, count })
    expect(sectionNames.every(name => text.includes(`## ${name}`))).toBe(true)
  })

  it('holds any cap, and more of it never says less about demands', async () => {
    const facts = logs.flatMap(factsOf)
    let demands = 0
    for (const cap of [60, 100, 200, 400, 900, 2_000, 5_000]) {
      const text = await extract({ facts, cap, count })
      expect(count(text)).toBeLessThanOrEqual(cap)
      const now = itemsOf(parseSections(text).found.get('Constraints & Preferences') ?? '').length
      expect(now).toBeGreaterThanOrEqual(demands)
      demands = now
    }
    expect(demands).toBeGreaterThan(10)
  })

  it('takes an open item off the list when it was finished later', async () => {
    const text = await extract({
      facts: [
        summaryUser('u', 'We need to migrate the billing table.'),
        summaryAssistant('a', 'I migrated the billing table.'),
      ],
      cap: 500,
      count,
    })
    const { found } = parseSections(text)
    expect(found.get('Next Steps')).toBe('(none)')
    expect(found.get('Progress')).toContain('migrated the billing table')
  })

  it.each([
    [
      'English',
      'Next, implement the password reset feature.',
      (n: number) => `And the next point, number ${n}?`,
      (n: number) => `Point ${n} stands in the list of what was agreed.`,
      'What does src/auth/login.ts do?',
    ],
    [
      'English, as a polite question behind another one',
      'Is that all? Could you implement the password reset feature next?',
      (n: number) => `What is the next point, number ${n}?`,
      () => 'It stands in the list.',
      'What does src/auth/login.ts do?',
    ],
    [
      'Chinese',
      '接下来请实现密码重置功能。',
      (n: number) => `接下来的第 ${n} 点呢？`,
      (n: number) => `第 ${n} 点在清单里。`,
      'src/auth/login.ts 是做什么的？',
    ],
    [
      'Chinese, without a word for next',
      '实现密码重置功能，邮件里只放一个链接。',
      (n: number) => `那第 ${n} 点呢？`,
      (n: number) => `第 ${n} 点在清单里。`,
      'src/auth/login.ts 是做什么的？',
    ],
  ])(
    'keeps the one real task among sixty questions that were answered, also when it is merged: %s',
    async (_, task, ask, answer, first) => {
      const filler = (from: number): FactEntry[] =>
        Array.from({ length: 60 }, (_, at) => [
          summaryUser(`u${from + at}`, ask(from + at)),
          summaryAssistant(`a${from + at}`, answer(from + at)),
        ]).flat()
      const cap = summaryCap(4_096)
      let text = await extract({
        facts: [
          summaryUser('u', first),
          summaryAssistant('a', 'It signs people in.'),
          summaryUser('t', task),
          summaryAssistant('b', 'I look at the table of users first.'),
          ...filler(0),
        ],
        cap,
        count,
      })
      for (let round = 1; round <= 3; round++) {
        const { found } = parseSections(text)
        const said = task.slice(task.indexOf('? ') + 1).trim()
        expect(`${found.get('Goal')}\n${found.get('Next Steps')}`).toContain(said)
        // The newest question of each round may look unanswered: its answer shares no word with it.
        expect(itemsOf(found.get('Next Steps') ?? '').filter(item => item !== said).length).toBeLessThanOrEqual(round)
        expect(count(text)).toBeLessThanOrEqual(cap)
        text = await extract({ facts: filler(60 * round), previous: text, cap, count })
      }
    },
  )

  it('names a question as open only until it is answered', async () => {
    const open = async (...facts: FactEntry[]): Promise<string[]> =>
      itemsOf(parseSections(await extract({ facts, cap: 500, count })).found.get('Next Steps') ?? '')
    const asked = summaryUser('u', 'What is the next deadline of the harbour report?')
    expect(await open(asked)).toEqual([asked.text])
    expect(await open(asked, summaryAssistant('a', 'Let me think about something else.'))).toEqual([asked.text])
    expect(await open(asked, summaryAssistant('a', 'The deadline of the harbour report is Friday.'))).toEqual([])
    expect(await open(asked, summaryAssistant('a', 'It is Friday.'), summaryUser('v', 'Good, thank you.'))).toEqual([])
    expect(
      await open(
        summaryUser('u', 'Could you also send the harbour report next?'),
        summaryAssistant('a', 'Yes.'),
        summaryUser('v', 'Good, thank you.'),
      ),
    ).toEqual(['Could you also send the harbour report next?'])
  })

  it('lets other work through between slices, and stops when the pause throws', async () => {
    const facts = Array.from({ length: 4_000 }, (_, index) =>
      summaryUser(
        `u${index}`,
        `Please check src/file${index}.ts, it must stay below ${index} MB. ${'The quick garden report. '.repeat(30)}`,
      ),
    )
    let pauses = 0
    await extract({
      facts,
      cap: 4_000,
      count,
      pause: () => {
        pauses++
        return new Promise(resolve => {
          setImmediate(resolve)
        })
      },
    })
    expect(pauses).toBeGreaterThan(5)
    await expect(
      extract({ facts, cap: 4_000, count, pause: () => Promise.reject(new Error('stopped')) }),
    ).rejects.toThrow('stopped')
  })
})

describe('cues', () => {
  it.each([
    ['We must never deploy on Friday.', ['constraint']],
    ["Let's go with SQLite.", ['decision']],
    ['I fixed the login.', ['done']],
    ['It is not finished.', []],
    ['Next we need to test it.', ['next']],
    ['We are stuck, waiting for legal.', ['blocked']],
    ['预算不超过三万元。', ['constraint']],
    ['大家决定采用方案二。', ['decision']],
    ['还没完成测试。', ['next']],
  ])('%s', (sentence, cues) => {
    expect([...cuesOf(sentence)].filter(cue => cue !== 'personal' && cue !== 'finding')).toEqual(cues)
  })

  it.each([
    ['Next, implement the password reset feature.', true, false],
    ['And the next point, number 7?', false, true],
    ['Could you add a test?', true, false],
    ['Can you tell me why?', false, true],
    ['What next?', false, true],
    ['It needs to be implemented.', false, false],
    ['ok, then fix the login', true, false],
    ['Does it work?”', false, true],
    ['接下来请实现密码重置功能。', true, false],
    ['接下来的第 7 点呢？', false, true],
    ['能帮我改一下标题吗？', true, false],
    ['请问下一步是什么？', false, true],
    ['把标题改成蓝色', true, false],
    ['写得怎么样？', false, true],
  ])('%s orders: %s, only asks: %s', (sentence, order, ask) => {
    expect([isOrder(sentence), isOnlyQuestion(sentence)]).toEqual([order, ask])
  })

  it('parts sentences without parting abbreviations and numbers', () => {
    expect([
      ...sentencesOf('See e.g. page 3.5 of it. Then go! 好的。下一步?\n```\ncode. More.\n```\n- last one'),
    ]).toEqual(['See e.g. page 3.5 of it.', 'Then go!', '好的。', '下一步?', 'last one'])
  })
})
