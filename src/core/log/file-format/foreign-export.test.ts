/**
 * Shapes as the programs write them: each was read in a file of that program, or in the code that writes or reads it.
 */
import { describe, expect, it } from 'vitest'
import { jsonBeginning } from '../../text/json-beginning.ts'
import { chatFile, foreignApps } from './foreign-export.ts'
import { documentLine, sessionLine } from './jsonl.ts'
import { json, lines, files } from './foreign-export.fixture.ts'

describe('the export of another program', () => {
  it.each(files)('is known for %s: %s', (app, _what, text) => {
    expect(chatFile(text)).toEqual({ of: app })
    expect(chatFile(`\uFEFF${text.replaceAll('\n', '\r\n')}`)).toEqual({ of: app })
  })

  it('has a file for each name', () => {
    expect([...new Set(files.map(([app]) => app))].sort()).toEqual(Object.keys(foreignApps).sort())
  })

  it('is known however it is indented, and by its beginning alone', () => {
    for (const [app, what, text] of files.filter(([, , one]) => !one.includes('\n') && /^[[{]/.test(one))) {
      const wide = JSON.stringify(JSON.parse(text), null, 2)
      expect(chatFile(wide), what).toEqual({ of: app })
      const cut = `${wide.slice(0, wide.lastIndexOf('"', wide.length - 10))}`
      expect([{ of: app }, undefined], `${what}: ${cut}`).toContainEqual(chatFile(cut))
    }
    const long = json([
      { title: 'x'.repeat(1_000), mapping: { r: { id: 'r', message: { content: { parts: ['y'.repeat(600_000)] } } } } },
    ])
    expect(chatFile(long.slice(0, 512 * 1024))).toEqual({ of: 'chatgpt' })
  })
})

describe('what is no export of another program', () => {
  it.each([
    ['a package', json({ name: 'x', version: '1.0.0', dependencies: {} })],
    ['settings', json({ agents: { running: { max_input_length: 1 } } })],
    ['numbers', '[1, 2, 3]'],
    ['nothing', ''],
    ['a map', json({ type: 'FeatureCollection', features: [] })],
    ['a table of lines', lines({ a: 1 }, { a: 2 })],
    ['a log', lines({ level: 'info', msg: 'x', time: 1 }, { level: 'warn', msg: 'y', time: 2 })],
    ['Markdown', '# aider is a program\n'],
    ['a page', '<html><body>Gemini Apps</body></html>'],
    [
      'a search in Takeout',
      json([{ header: 'Search', title: 'Searched for gemini', time: 'x', products: ['Search'] }]),
    ],
    ['roles', json({ role: 'admin', content: 'x' })],
    ['no JSON', '{"title": oops'],
  ])('%s', (_name, text) => {
    expect(chatFile(text)).toBeUndefined()
  })

  it('is ours, whatever stands around the line that says so', () => {
    const header = { id: 's', name: 'x', createdAt: 1 }
    for (const text of [
      sessionLine(header),
      sessionLine(header, { canonical: true }),
      documentLine({ path: 'workspace/a', revision: 1, at: 1, text: 'x' }),
      `\n${sessionLine(header)}`,
      lines({ type: 'message', message: { role: 'user', content: 'x' } }),
      lines({ type: 'message', id: 'a', parent: null, seq: 0, timestamp: 1, message: { role: 'user', content: 'x' } }),
      lines({ harness: 'pocket', type: 'session', id: 'v', name: '' }),
    ])
      expect(chatFile(text), text).toEqual({ of: 'haversack' })
  })
})

describe('the beginning of a JSON text', () => {
  it('is the whole where nothing is cut off', () => {
    for (const value of [null, true, [1, -2.5e3, 'a"\\\n\u2028'], { a: { b: [] } }, {}, [], [[[]]]])
      expect(jsonBeginning(`${JSON.stringify(value, null, 1)} `)).toEqual(value)
  })

  it('never throws, whatever is cut off or wrong in it, and takes no longer for being deep', () => {
    const text = JSON.stringify(files.map(([, , one]) => one))
    for (let to = 0; to < text.length; to += 7) expect(() => jsonBeginning(text.slice(0, to))).not.toThrow()
    for (const wrong of ['{]', '[}', '{"a" 1}', '["\\x"]', 'nul', '[tru e]', '{"a":}', '\u0000'])
      expect(() => chatFile(wrong)).not.toThrow()
    expect(jsonBeginning('['.repeat(500_000))).toBeUndefined()
    expect(jsonBeginning('{"__proto__":{"polluted":1}}')).toBeDefined()
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })
})
