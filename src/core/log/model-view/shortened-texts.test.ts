/** Texts that are sent as head, notice and tail: shortened results, huge texts, and how to read them whole. */
import { describe, expect, it } from 'vitest'
import { modelView } from './model-view.ts'
import { splitHuge } from '../huge.ts'
import { utf8Bytes } from '../../text/bytes.ts'
import { a, call, e, pathOfEntries, r, u } from '../log.fixture.ts'
import type { Message } from '../message.ts'
import { sentLines, shortenEdit } from './model-view.fixture.ts'

describe('shorten', () => {
  const long = 'line of ten\n'.repeat(100)

  it('shows head, notice and tail, with a path of the fact; the newest one holds', () => {
    const log = [u('q'), a('', ['c']), r('c', long), shortenEdit('2', 600, 's1'), shortenEdit('2', 240, 's2')]
    const [, , result] = modelView(pathOfEntries(log))
    expect(result?.shortened).toEqual({ bytes: 1_200, omitted: 960, startLine: 11, path: 'tool_result/2.txt' })
    expect(result?.message.content.startsWith(`${'line of ten\n'.repeat(10)}[960 bytes`)).toBe(true)
    expect(result?.message.content.endsWith(`start_line=11.]\n${'line of ten\n'.repeat(10)}`)).toBe(true)
    expect(modelView(pathOfEntries([...log, e({ type: 'undo', target: 'g-s2' }, 'u1')]))[2]?.shortened?.omitted).toBe(
      600,
    )
  })

  it('names the place of each kind of text', () => {
    const log = pathOfEntries([
      u(long),
      a(long, [call('c', JSON.stringify({ content: long }))]),
      r('c', 'x'),
      shortenEdit('0', 100, 's0'),
      shortenEdit('1', 100, 's1'),
      shortenEdit('1', 100, 's2', 'arguments'),
    ])
    const [question, answer] = modelView(log)
    expect([question?.shortened?.path, answer?.shortened?.path]).toEqual(['user_text/0.txt', 'answer/1.txt'])
    const message = answer?.message as Message & { role: 'assistant' }
    expect((JSON.parse(message.toolCalls?.[0]?.arguments ?? '') as { content: string }).content).toContain(
      'call/1.json',
    )
    expect(utf8Bytes(message.toolCalls?.[0]?.arguments ?? '')).toBeLessThan(400)
  })

  it('leaves a look-alike notice alone', () => {
    const text = '[960 bytes omitted from line 11 on; whole text: 1 bytes]'
    expect(sentLines(pathOfEntries([u(text), shortenEdit('0', 100, 's')]))).toEqual([`0 user ${text}`])
  })
})

describe('huge texts', () => {
  const text = `${'一行中文 and words\n'.repeat(9_000)}end`

  it('are shown with at most 100 000 bytes, split or not, with the same bytes', () => {
    const { whole: _whole, ...parts } = splitHuge(text)
    const split = modelView(
      pathOfEntries([{ ...r('c', ''), ...parts } as ReturnType<typeof r>].flatMap(result => [a('', ['c']), result])),
    )[1]
    const whole = modelView(pathOfEntries([a('', ['c']), r('c', text)]))[1]
    expect(split?.message.content).toBe(whole?.message.content)
    expect(utf8Bytes(split?.message.content ?? '')).toBeLessThanOrEqual(100_300)
    expect(split?.shortened).toMatchObject({ bytes: utf8Bytes(text), path: 'tool_result/1.txt' })
  })

  it('stay within it when a shortening would show more, and get a smaller one exactly', () => {
    const { whole: _whole, ...parts } = splitHuge(text)
    const shown = (keep: number, unit: 'bytes' | 'chars'): number => {
      const log = pathOfEntries([
        a('', ['c']),
        { ...r('c', ''), ...parts } as ReturnType<typeof r>,
        e({ type: 'shorten', target: '1', keep, unit, headShare: 70, path: 'x' }, 's'),
      ])
      return utf8Bytes(modelView(log)[1]?.message.content ?? '')
    }
    expect(shown(90_000, 'chars')).toBeLessThanOrEqual(100_300)
    expect(shown(1_000_000, 'bytes')).toBeLessThanOrEqual(100_300)
    expect(shown(3_000, 'bytes')).toBeLessThanOrEqual(3_300)
  })
})

describe('page tools', () => {
  it('say how to read their result again, also when it is whole', () => {
    const log = pathOfEntries([a('', ['c']), r('c', 'page', 'fetch_url')])
    expect(modelView(log, { toolsWithReadOnLine: new Set(['fetch_url']) })[1]?.message.content).toMatch(
      /^page\n\[.*tool_result\/1\.txt.*\]\n$/,
    )
    expect(modelView(log)[1]?.message.content).toBe('page')
  })

  it('say nothing under a call that failed', () => {
    const failed = { ...r('c', 'example.org could not be read', 'fetch_url'), isError: true } as ReturnType<typeof r>
    expect(
      modelView(pathOfEntries([a('', ['c']), failed]), { toolsWithReadOnLine: new Set(['fetch_url']) })[1]?.message
        .content,
    ).toBe('example.org could not be read')
  })
})
