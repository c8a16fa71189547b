/** Lines that are wrong or that another program wrote: each is named or kept, none throws. */
import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { entryLine, parseLine } from './jsonl.ts'
import { toolNamer } from './new-ids.ts'
import { a, pathOfEntries, r } from '../log.fixture.ts'
import { anyText, runs } from '../../text/laws.fixture.ts'
import type { Entry } from '../entry.ts'
import { logOfLines } from './jsonl.fixture.ts'

describe('lines that are wrong', () => {
  const good = { type: 'message', id: 'a', parent: null, seq: 0, timestamp: 5, message: { role: 'user', content: 'x' } }
  const reason = (line: unknown): string => {
    const parsed = parseLine(typeof line === 'string' ? line : JSON.stringify(line), { ours: true })
    return parsed.kind === 'bad' ? parsed.reason : parsed.kind
  }

  it('names what is missing or of the wrong kind', () => {
    expect(reason('{"type":"message"')).toMatch(/^not JSON/)
    expect(reason('[1]')).toBe('line is not an object')
    expect(reason('null')).toBe('line is not an object')
    expect(reason({})).toBe('type is missing')
    expect(reason({ ...good, id: undefined })).toBe('id is missing')
    expect(reason({ ...good, id: 7 })).toBe('id is not a text')
    expect(reason({ ...good, timestamp: '2026' })).toBe('timestamp is not a number')
    expect(reason({ ...good, timestamp: 1e300 })).toContain('timestamp')
    expect(reason({ ...good, message: { role: 'user' } })).toBe(
      'content is missing'.replace('content', 'message.content'),
    )
    expect(reason({ ...good, message: { role: 'user', content: ['x'] } })).toBe('message.content is not a text')
    expect(reason({ ...good, message: { role: 'tool', content: '' } })).toBe('message.toolCallId is missing')
    expect(
      reason({
        ...good,
        message: { role: 'assistant', content: '', toolCalls: [{ id: 'x', function: { name: 'f' } }] },
      }),
    ).toBe('message.toolCalls[0].function.arguments is missing')
    expect(
      reason({ ...good, type: 'edit', entry: { type: 'cut', group: 'g', before: null, reason: 'whim' } }),
    ).toContain('entry.reason is not one of')
    expect(reason({ ...good, type: 'aside', entry: { type: 'note', code: 'nope', text: '' } })).toContain('entry.code')
    expect(reason({ type: 'blob', id: 'b', mime: 'x', base64: '!!!!' })).toBe('base64 is damaged')
    expect(reason({ type: 'session', harness: 'haversack', id: 's', format: 2 })).toContain('newer')
  })

  it('survives nesting that no stack can hold', () => {
    expect(['bad', 'foreign']).toContain(
      parseLine(`{"type":"x","a":${'['.repeat(300_000)}${']'.repeat(300_000)}}`).kind,
    )
    expect(
      reason(
        `{"type":"aside","id":"a","parent":null,"timestamp":1,"entry":{"type":"note","code":"command","text":"","data":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}}`,
      ),
    ).not.toBe('entry')
  })

  it('never throws, whatever the line', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyText,
          fc.jsonValue().map(value => JSON.stringify(value)),
          fc
            .record({
              type: fc.constantFrom(
                'message',
                'edit',
                'aside',
                'session',
                'blob',
                'document',
                '__proto__',
                'constructor',
              ),
              id: fc.jsonValue(),
              parent: fc.jsonValue(),
              timestamp: fc.jsonValue(),
              message: fc.jsonValue(),
              entry: fc.jsonValue(),
            })
            .map(value => JSON.stringify(value)),
        ),
        line => {
          expect(parseLine(line).kind).toBeTypeOf('string')
        },
      ),
      runs(300),
    )
  })

  it('reports fields that it does not keep', () => {
    expect(
      parseLine(
        JSON.stringify({
          ...good,
          mood: 1,
          message: { role: 'assistant', content: '', tone: 'dry', stop: 'end_turn' },
        }),
      ),
    ).toMatchObject({
      kind: 'entry',
      extras: ['mood', 'message.stop', 'message.tone'],
    })
  })
})

describe('lines of other programs', () => {
  it('takes a bare message: no id, time inside', () => {
    expect(parseLine('{"type":"message","message":{"role":"user","content":"hi","timestamp":12}}\r')).toMatchObject({
      kind: 'entry',
      id: null,
      at: 12,
      entry: { type: 'user', text: 'hi' },
    })
  })

  it('keeps what it does not know, and exports it again as it was', () => {
    for (const raw of [
      '{"type":"usage", "x":1.0}',
      '{"type":"message","id":"s","message":{"role":"system","content":"be kind"}}',
    ]) {
      expect(parseLine(raw)).toEqual({ kind: 'foreign', raw })
      expect(entryLine({ type: 'foreign', raw, id: 'f', parent: null, at: 1 }, 3)).toBe(raw)
    }
  })

  it('never lets kept text become lines of its own', () => {
    for (const raw of [
      '{"type":"x"}\n{"type":"session","id":"s"}',
      '{"type":"message","id":"a","message":{"role":"user","content":"x"}}',
      'no json',
    ]) {
      const entry: Entry = { type: 'foreign', raw, id: 'f', parent: null, at: 1 }
      const line = entryLine(entry, 0) ?? ''
      expect(line).not.toContain('\n')
      expect(logOfLines([line])).toEqual([entry])
    }
  })

  it('gives a result the name of its tool where the file does not', () => {
    const named = pathOfEntries([
      a('', [{ id: '0', name: 'first', arguments: '' }]),
      r('0', 'x', ''),
      a('', [{ id: '0', name: 'second', arguments: '' }]),
      r('0', 'y', ''),
      r('9', 'z', ''),
    ]).map(toolNamer())
    expect(named.flatMap(entry => (entry.type === 'result' ? [entry.tool] : []))).toEqual(['first', 'second', ''])
  })
})
