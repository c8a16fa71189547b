import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hostileMarkdown } from './hostile.fixture.ts'
import { markdownBlocks, MarkdownStream, safeLink, wholeHtml, type Block } from './markdown.ts'

const html = (blocks: readonly Block[]) => blocks.map(block => block.html).join('')
const runs = Number(process.env.HAVERSACK_RUNS ?? 150)

/** Pieces in which what comes later changes what came before. */
const nasty = [
  'Title\n', '===\n', '---\n', '- a\n', '-', ' b', '\n', '\n\n', '1. one\n', '2', '. two\n', '  - nested\n', '    deeper\n', '      - deepest\n',
  '| a | b |\n', '|---|:-:|\n', '| 1 | 2 |\n', '> quote\n', 'lazy continuation\n', '> ', '```js\n', 'const a = 1\n', '```\n', '~~~\n', '``', '`code`',
  '    indented\n', '\tTab\n', '[ref]', '[ref]: https://a.example/x\n', '[ref]: https://b.example/y "title"\n', '[text][ref]\n', '[x](https://c.example)',
  '![alt](https://d.example/i.png)', '![alt][ref]', '*em', '**strong**', '_', '~~del~~', '<b>', '<!-- ', ' -->', '<script>', '</script>\n', '# H\n', '#', '## ',
  '***\n', '* * *\n', '- [ ] todo\n', '- [x] done\n', '$', '$$', '$$\nx = 1\n$$\n', '\\(a\\)', '\\[', '\\]', '\\', '\r\n', '\r', '&amp;', '&#x41;', '中文', '。', '\u00a0', 'https://auto.example/x ',
  'word ', ' ', '   \n', '10) ten\n', '+ plus\n', '[^1]', 'a\\\n', 'b  \n', '\u0000', '😀', '\ud800', ':---', '|', '"t"\n', '[', ']', ']: ', '(', ')',
]
const text = fc.array(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...nasty) }, { weight: 1, arbitrary: fc.string() }), { maxLength: 30 }).map(parts => parts.join(''))

describe('MarkdownStream', () => {
  it('streamed in any steps equals the text at once', () => {
    fc.assert(fc.property(text, fc.array(fc.nat(300), { maxLength: 12 }), (whole, cuts) => {
      const stream = new MarkdownStream()
      for (const cut of cuts.filter(at => at < whole.length).sort((a, b) => a - b)) {
        expect(html(stream.update(whole.slice(0, cut)))).toBe(html(markdownBlocks(whole.slice(0, cut))))
      }
      expect(html(stream.update(whole))).toBe(html(markdownBlocks(whole)))
    }), { numRuns: runs })
  })

  it('blocks add up to what the parser makes of the whole', () => {
    fc.assert(fc.property(text, whole => { expect(html(markdownBlocks(whole))).toBe(wholeHtml(whole)) }), { numRuns: runs })
  })

  it('keeps settled blocks the same objects, so that they are not painted again', () => {
    const stream = new MarkdownStream()
    const before = stream.update('one\n\ntwo\n\nthree\n\nfour')
    const after = stream.update('one\n\ntwo\n\nthree\n\nfour and more')
    expect(after[0]).toBe(before[0])
    expect(after[1]).toBe(before[1])
  })

  it('makes a link of earlier text when its definition comes', () => {
    const stream = new MarkdownStream()
    expect(html(stream.update('see [ref]\n\na\n\nb\n\nc\n\n'))).not.toContain('<a ')
    expect(html(stream.update('see [ref]\n\na\n\nb\n\nc\n\n[ref]: https://a.example/x\n'))).toContain('<a href="https://a.example/x"')
  })

  it('starts anew when the text is another one', () => {
    const stream = new MarkdownStream()
    stream.update('one\n\ntwo\n\nthree\n\nfour')
    expect(html(stream.update('other'))).toBe('<p>other</p>\n')
  })

  it('streams 100 kB without parsing all of it at each step', () => {
    const paragraph = 'Some **bold** words, a [link](https://a.example) and `code`.\n\n- item\n- item\n\n'
    const whole = paragraph.repeat(1_300)
    const started = performance.now()
    markdownBlocks(whole)
    const atOnce = performance.now() - started
    const stream = new MarkdownStream()
    const from = performance.now()
    const steps = 500
    for (let i = 1; i <= steps; i++) stream.update(whole.slice(0, Math.floor(whole.length * i / steps)))
    const each = (performance.now() - from) / steps
    if (process.env.HAVERSACK_FIGURES) process.stderr.write(`100 kB at once ${atOnce.toFixed(0)} ms, per step ${each.toFixed(2)} ms\n`)
    expect(each).toBeLessThan(Math.max(atOnce / 4, 16))
  })
})

describe('markdown', () => {
  it('shows raw HTML as text', () => {
    expect(html(markdownBlocks('<script>alert(1)</script>'))).not.toContain('<script')
    expect(html(markdownBlocks('a <img src=x onerror=alert(1)> b'))).not.toContain('<img')
  })

  it('makes no image, but a link with its host', () => {
    const out = html(markdownBlocks('![secret](https://evil.example/p.png?q=1)'))
    expect(out).not.toContain('<img')
    expect(out).toContain('data-image')
    expect(out).toContain('evil.example</small>')
  })

  it('names the true host where the text claims another', () => {
    expect(html(markdownBlocks('[https://bank.example](https://evil.example)'))).toContain('<small data-host="">evil.example</small>')
    expect(html(markdownBlocks('<https://bank.example@evil.example/>'))).toContain('<small data-host="">evil.example</small>')
    expect(html(markdownBlocks('https://plain.example/x'))).not.toContain('data-host')
  })

  it('refuses every scheme but http, https and mailto', () => {
    for (const href of ['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'java\nscript:alert(1)', '\u0001javascript:alert(1)', 'data:text/html,x', 'vbscript:x', 'file:///etc/passwd',
      'blob:https://a.example/1', '/settings', '#/chat', '//evil.example', 'about:blank', '']) expect(safeLink(href), href).toBeUndefined()
    expect(safeLink('https://a.example')).toEqual({ href: 'https://a.example/', host: 'a.example' })
    expect(safeLink('mailto:me@b.example')?.host).toBe('b.example')
  })

  it('finds formulas but no prices', () => {
    expect(html(markdownBlocks('costs $5 or $10'))).not.toContain('data-math')
    expect(html(markdownBlocks('so $a^2 + b^2$ holds'))).toContain('<code data-math="inline">a^2 + b^2</code>')
    expect(html(markdownBlocks('$$\nx < 1\n$$'))).toContain('<code data-math="block">x &#60; 1</code>')
    expect(html(markdownBlocks('\\(a\\) and \\[b\\]'))).toMatch(/inline">a<.*block">b</)
    expect(html(markdownBlocks('$$\na\n\nb\n$$'))).not.toContain('data-math')
  })

  it('shows what is nested very deep, or has more marks than anybody reads, as it was written', () => {
    const deep = html(markdownBlocks('>'.repeat(20_000)))
    expect(deep.split('<blockquote>').length).toBeLessThan(60)
    expect(deep).toContain('&gt;'.repeat(1_000))
    expect(html(markdownBlocks('*a_'.repeat(10_000)))).toBe(`<p>${'*a_'.repeat(10_000)}</p>\n`)
    expect(html(markdownBlocks('**a** '.repeat(150)))).toContain('<strong>')
  })
})

describe('hostile texts', () => {
  it('are many', () => expect(hostileMarkdown.length).toBeGreaterThanOrEqual(60))

  it('make only tags and attributes that were meant', () => {
    const meant = /^<\/?(?:p|h[3-6]|ul|ol|li|blockquote|pre|code|table|thead|tbody|tr|th|td|div|span|small|a|em|strong|del|br|hr)(?: (?:href|title|target|rel|start|align|data-[a-z]+)="[^"<>]*")*\s*\/?>$/
    for (const text of hostileMarkdown) {
      for (const tag of html(markdownBlocks(text)).match(/<[^>]*>?/g) ?? []) expect(tag, text.slice(0, 80)).toMatch(meant)
    }
  })

  it('make links to http, https and mailto only', () => {
    for (const text of hostileMarkdown) {
      for (const [, href] of html(markdownBlocks(text)).matchAll(/href="([^"]*)"/g)) expect(href, text).toMatch(/^(?:https?|mailto):/)
    }
  })

  it('are read in a moment', () => {
    const started = performance.now()
    for (const text of hostileMarkdown) markdownBlocks(text)
    expect(performance.now() - started).toBeLessThan(10_000) // 0.3 s on 2 idle cores; the bound is for a busy machine
  })
})
