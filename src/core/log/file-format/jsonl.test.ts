/** Lines of our own format: out and in again, attachments, and ids that change. */
import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { blobLines, dialogLine, documentLine, entryLine, parseLine, sessionLine } from './jsonl.ts'
import { asStored } from '../huge.ts'
import { isUsableId, renamed, sameEntry } from './new-ids.ts'
import { modelView } from '../model-view/model-view.ts'
import { isFact } from '../query.ts'
import { a, call, e, pathOfEntries, r, summaryOf, u } from '../log.fixture.ts'
import { anyLog } from '../random-log.fixture.ts'
import { runs } from '../../text/laws.fixture.ts'
import type { Entry, FactEntry, Log } from '../entry.ts'
import { linesOf, logOfLines } from './jsonl.fixture.ts'

describe('the round trip', () => {
  it('gives the same entries, the same lines and the same view', () => {
    fc.assert(
      fc.property(anyLog, log => {
        const lines = linesOf(log)
        const back = logOfLines(lines)
        expect(back).toEqual(log)
        expect(linesOf(back)).toEqual(lines)
        expect(JSON.stringify(modelView(back))).toBe(JSON.stringify(modelView(log)))
      }),
      runs(),
    )
  })

  it('carries a huge text whole, and splits it again the same way', () => {
    const text = `${'你好 🎒\n'.repeat(30_000)}\ud83c end`
    const stored = asStored(pathOfEntries([u(text)])[0] as Entry)
    const line = entryLine(stored.entry, 0, stored.whole === undefined ? {} : { whole: stored.whole }) ?? ''
    expect(line).not.toContain('"rest"')
    const [back] = logOfLines([line])
    expect(back).toMatchObject({ text })
    expect(asStored(back as Entry)).toEqual(stored)
    expect(sameEntry(stored.entry, back as Entry, stored.whole)).toBe(true)
  })

  it('keeps the ends of a huge text whose whole is not to be had', () => {
    const { entry } = asStored(pathOfEntries([r('1', 'x'.repeat(140_000))])[0] as Entry)
    expect(logOfLines([entryLine(entry, 0) ?? ''])).toEqual([entry])
  })

  it('writes the fields of C9.4 in their order', () => {
    const log = pathOfEntries([u('hello'), a('', [call('c1', '{"x": 1}')]), r('c1', 'out', 'read_file')])
    expect(linesOf(log)).toEqual([
      '{"type":"message","id":"0","parent":null,"seq":0,"timestamp":1772359200000,"message":{"role":"user","content":"hello"}}',
      '{"type":"message","id":"1","parent":"0","seq":1,"timestamp":1772359201000,"message":{"role":"assistant","content":"","toolCalls":[{"id":"c1","function":{"name":"tool","arguments":"{\\"x\\": 1}"}}],"model":"m","local":true}}',
      '{"type":"message","id":"2","parent":"1","seq":2,"timestamp":1772359202000,"message":{"role":"tool","content":"out","toolCallId":"c1","name":"read_file"}}',
    ])
    expect(sessionLine({ id: 's', name: 'Garden', createdAt: 5 })).toBe(
      '{"type":"session","harness":"haversack","id":"s","name":"Garden","createdAt":5,"format":1}',
    )
  })

  it('keeps a provider’s own JSON as it came, whatever it is, and says where it came from', () => {
    for (const value of [
      [
        { type: 'reasoning.encrypted', data: 'b3BhcXVl', index: 0, id: null },
        { id: 'c', extra_content: { google: { thought_signature: 's' } } },
      ],
      { z: 1, a: [1.5, null, { deep: true }] },
      'text',
      7,
      null,
      false,
    ]) {
      const line = JSON.stringify({
        type: 'message',
        id: 'm1',
        parent: null,
        seq: 0,
        timestamp: 1,
        message: {
          role: 'assistant',
          content: 'x',
          reasoningContent: 'hm',
          reasoningDetails: value,
          reasoningFrom: 'mark',
          model: 'm',
        },
      })
      const [entry] = logOfLines([line])
      expect(entry).toMatchObject({ reasoning: 'hm', details: { from: 'mark', value } })
      expect(linesOf([entry!])).toEqual([line])
      expect(dialogLine(entry as FactEntry, 's')).not.toMatch(/reasoningDetails|reasoningFrom/) // nobody can read it
    }
    const foreign =
      '{"type":"message","id":"m1","parent":null,"seq":0,"timestamp":1,"message":{"role":"assistant","content":"x","reasoningDetails":[{"data":"x"}]}}'
    expect(linesOf(logOfLines([foreign]))).toEqual([foreign])
    expect(modelView(logOfLines([foreign]), { reasoning: { text: 'every answer', from: 'mark' } })[0]?.message).toEqual(
      { role: 'assistant', content: 'x', reasoning: '' },
    )
    expect(parseLine(foreign.replace('[{"data":"x"}]', `${'['.repeat(200_000)}${']'.repeat(200_000)}`)).kind).toBe(
      'bad',
    )
  })

  it('brings back a line of another program byte for byte', () => {
    const line =
      '{"type":"message","id":"m1","parent":null,"seq":0,"timestamp":1772452801000,"message":{"role":"assistant","content":"","toolCalls":[{"id":"call_0","function":{"name":"look","arguments":"{}"}}]}}'
    expect(linesOf(logOfLines([line]))).toEqual([line])
  })
})

describe('strict export', () => {
  it('holds messages only', () => {
    const log = pathOfEntries([
      u('q'),
      e({ type: 'cut', before: null, reason: 'clear' }),
      { type: 'note', code: 'command', text: 'n' },
    ])
    expect(log.map((entry, seq) => entryLine(entry, seq, { strict: true }) === null)).toEqual([false, true, true])
  })
})

describe('attachments and documents', () => {
  it('come back byte for byte in pieces of 256 kB', () => {
    const bytes = Uint8Array.from({ length: 500_001 }, (_, i) => (i * 7) % 256)
    const lines = [...blobLines('b', 'image/png', bytes)]
    const pieces = lines.map(line => parseLine(line)).map(parsed => (parsed.kind === 'blob' ? [...parsed.bytes] : []))
    expect(lines).toHaveLength(3)
    expect(pieces.flat().every((byte, i) => byte === bytes[i])).toBe(true)
    expect(pieces.flat()).toHaveLength(bytes.length)
    expect([...blobLines('b', 'x', new Uint8Array())]).toHaveLength(1)
  })

  it('reads a document line', () => {
    const document = { path: 'workspace/a.md', revision: 2, at: 7, text: 'x\ud800' }
    expect(parseLine(documentLine(document))).toEqual({ kind: 'document', ...document })
  })
})

describe('dialog lines', () => {
  it('are one line a fact, a huge text as its excerpt, a removed one as what is said of it', () => {
    const [huge, gone] = pathOfEntries([
      r('1', 'line\n'.repeat(40_000)),
      { ...u(''), gone: { bytes: 12, day: '2026-05-01', why: '5-day rule' } },
    ])
    const text = dialogLine(asStored(huge as Entry).entry as Parameters<typeof dialogLine>[0], 's')
    expect(text).not.toContain('\n')
    expect(text.length).toBeLessThan(140_000)
    expect(text).toContain('tool_result/0.txt')
    expect(dialogLine(gone as Parameters<typeof dialogLine>[0], 's')).toMatch(/2026-05-01.*5-day rule/)
  })
})

describe('other ids', () => {
  it('follow wherever they are named, and leave no old one behind', () => {
    const log = pathOfEntries([
      { ...u('q'), attachments: [{ name: 'p', mime: 'image/png', bytes: 1, blob: 'B' }] } as Parameters<
        typeof pathOfEntries
      >[0][number],
      a('', [call('c')]),
      r('c', 'out'),
      e({ type: 'shorten', target: '2', keep: 1, unit: 'bytes', headShare: 50, path: 'tool_result/2.txt' }),
      e({ type: 'strip', before: '0' }),
      e({ type: 'cut', before: '1', pin: '0', reason: 'compact' }),
      summaryOf('5', 'S'),
      e({ type: 'pin', target: '1', on: true }),
      e({ type: 'undo', target: 'g' }),
      { type: 'memory', text: '', supersedes: '1', cut: '5' },
    ])
    const copy = log.map(entry => renamed(entry, id => `new-${id}`))
    expect(copy.map(entry => entry.parent)).toEqual([null, ...copy.slice(0, -1).map(entry => entry.id)])
    expect(copy[3]).toMatchObject({ target: 'new-2', path: 'tool_result/new-2.txt' })
    expect(copy[5]).toMatchObject({ before: 'new-1', pin: 'new-0' })
    expect(copy[6]).toMatchObject({ of: 'new-5', covers: { first: 'new-0', last: 'new-1' } })
    expect(copy[9]).toMatchObject({ supersedes: 'new-1', cut: 'new-5' })
    expect(copy[1]).toMatchObject({ calls: [call('c')] })
    const back = copy.map(entry => renamed(entry, id => id.replace(/^new-/, '')))
    expect(back).toEqual(log)
  })

  it('do not change what the model sees', () => {
    fc.assert(
      fc.property(anyLog, log => {
        const name = (id: string): string => `n-${id}`
        const texts = (them: Log): string =>
          JSON.stringify(
            modelView(them).map(({ message, kind }) => [kind, message.role, message.content.replaceAll('n-e', 'e')]),
          )
        // The notices name paths, so they are compared without the new part of the id.
        const spoken = log.every(entry => !isFact(entry) || !entry.text.includes('n-e'))
        if (spoken) expect(texts(log.map(entry => renamed(entry, name)))).toBe(texts(log))
      }),
      runs(),
    )
  })

  it('are taken over from a file only where a path can hold them', () => {
    expect(['m0', 'k3:x', 'a_b-c.d'].every(isUsableId)).toBe(true)
    expect(['', '..', '.', '../x', 'a/b', 'a\\b', 'a b', 'a\u0000', 'x'.repeat(129), '你'].some(isUsableId)).toBe(false)
  })
})
