/** Streamed in any steps, a text is shown as it is when it comes at once. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../core/text/laws.fixture.ts'
import { sampleAnswers } from './answers.fixture.ts'
import { markdownBlocks, MarkdownStream, wholeHtml } from './markdown.ts'
import { html } from './markdown.fixture.ts'

/** Pieces in which what comes later changes what came before. */
const nasty = [
  'Title\n',
  '===\n',
  '---\n',
  '- a\n',
  '-',
  ' b',
  '\n',
  '\n\n',
  '1. one\n',
  '2',
  '. two\n',
  '  - nested\n',
  '    deeper\n',
  '      - deepest\n',
  '| a | b |\n',
  '|---|:-:|\n',
  '| 1 | 2 |\n',
  '> quote\n',
  'lazy continuation\n',
  '> ',
  '```js\n',
  'const a = 1\n',
  '```\n',
  '~~~\n',
  '``',
  '`code`',
  '    indented\n',
  '\tTab\n',
  '[ref]',
  '[ref]: https://a.example/x\n',
  '[ref]: https://b.example/y "title"\n',
  '[text][ref]\n',
  '[x](https://c.example)',
  '![alt](https://d.example/i.png)',
  '![alt][ref]',
  '*em',
  '**strong**',
  '_',
  '~~del~~',
  '<b>',
  '<!-- ',
  ' -->',
  '<script>',
  '</script>\n',
  '# H\n',
  '#',
  '## ',
  '***\n',
  '* * *\n',
  '- [ ] todo\n',
  '- [x] done\n',
  '$',
  '$$',
  '$$\nx = 1\n$$\n',
  '\\(a\\)',
  '\\[',
  '\\]',
  '\\',
  '\r\n',
  '\r',
  '&amp;',
  '&#x41;',
  '中文',
  '。',
  '\u00a0',
  'https://auto.example/x ',
  'word ',
  ' ',
  '   \n',
  '10) ten\n',
  '+ plus\n',
  '[^1]',
  'a\\\n',
  'b  \n',
  '\u0000',
  '😀',
  '\ud800',
  ':---',
  '|',
  '"t"\n',
  '[',
  ']',
  ']: ',
  '(',
  ')',
  '```md\n',
  '```text\n',
  '````markdown\n',
  '````\n',
  '~~~markdown\n',
  '**注意：**',
  '**“',
  '”**',
  '~',
  '$5',
  '5$',
  '[a]\\[',
  '[a]: https://',
  'e.x\n',
  '[a]',
  'שלום ',
  '- ב\n',
]
const anyText = fc
  .array(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...nasty) }, { weight: 1, arbitrary: fc.string() }), {
    maxLength: 30,
  })
  .map(parts => parts.join(''))

describe('MarkdownStream', () => {
  it('streamed in any steps equals the text at once', () => {
    fc.assert(
      fc.property(anyText, fc.array(fc.nat(300), { maxLength: 12 }), (whole, cuts) => {
        const stream = new MarkdownStream()
        for (const cut of cuts.filter(at => at < whole.length).sort((a, b) => a - b)) {
          expect(html(stream.update(whole.slice(0, cut)))).toBe(html(markdownBlocks(whole.slice(0, cut))))
        }
        expect(html(stream.update(whole))).toBe(html(markdownBlocks(whole)))
      }),
      runs(150),
    )
  })

  it.each(sampleAnswers)('streamed in any steps equals the whole: $name', ({ text }) => {
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 30 }), cuts => {
        const stream = new MarkdownStream()
        for (const cut of [...cuts.toSorted((a, b) => a - b), text.length])
          expect(html(stream.update(text.slice(0, cut)))).toBe(html(markdownBlocks(text.slice(0, cut))))
      }),
      { numRuns: Math.ceil(runs(150).numRuns / 10) },
    )
    const stream = new MarkdownStream()
    for (let cut = 1; cut <= text.length; cut++) stream.update(text.slice(0, cut))
    expect(html(stream.update(text))).toBe(html(markdownBlocks(text)))
    expect(html(markdownBlocks(text))).toBe(wholeHtml(text))
  })

  it('streamed letter by letter equals the whole, whatever is defined later', () => {
    fc.assert(
      fc.property(anyText, whole => {
        const stream = new MarkdownStream()
        for (let cut = 1; cut < whole.length; cut++) stream.update(whole.slice(0, cut))
        expect(html(stream.update(whole))).toBe(html(markdownBlocks(whole)))
      }),
      runs(150),
    )
  })

  it('blocks add up to what the parser makes of the whole', () => {
    fc.assert(
      fc.property(anyText, whole => {
        expect(html(markdownBlocks(whole))).toBe(wholeHtml(whole))
      }),
      runs(150),
    )
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
    expect(html(stream.update('see [ref]\n\na\n\nb\n\nc\n\n[ref]: https://a.example/x\n'))).toContain(
      '<a href="https://a.example/x"',
    )
  })

  it('starts anew when the text is another one', () => {
    const stream = new MarkdownStream()
    stream.update('one\n\ntwo\n\nthree\n\nfour')
    expect(html(stream.update('other'))).toBe('<p dir="auto">other</p>\n')
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
    for (let i = 1; i <= steps; i++) stream.update(whole.slice(0, Math.floor((whole.length * i) / steps)))
    const each = (performance.now() - from) / steps
    if (process.env.HAVERSACK_FIGURES)
      process.stderr.write(`100 kB at once ${atOnce.toFixed(0)} ms, per step ${each.toFixed(2)} ms\n`)
    expect(each).toBeLessThan(Math.max(atOnce / 4, 16))
  })
})
