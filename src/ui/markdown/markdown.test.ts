/** What an answer looks like: marks, links, code and formulas, and nothing that it did not mean. */
import { describe, expect, it } from 'vitest'
import { sampleAnswers } from './answers.fixture.ts'
import { hostileMarkdown } from './hostile.fixture.ts'
import { markdownBlocks, safeLink } from './markdown.ts'
import { html } from './markdown.fixture.ts'

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
    expect(html(markdownBlocks('[https://bank.example](https://evil.example)'))).toContain(
      '<small dir="ltr" data-host="">evil.example</small>',
    )
    expect(html(markdownBlocks('<https://bank.example@evil.example/>'))).toContain(
      '<small dir="ltr" data-host="">evil.example</small>',
    )
    expect(html(markdownBlocks('https://plain.example/x'))).not.toContain('data-host')
  })

  it('refuses every scheme but http, https and mailto', () => {
    for (const href of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'java\nscript:alert(1)',
      '\u0001javascript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'file:///etc/passwd',
      'blob:https://a.example/1',
      '/settings',
      '#/chat',
      '//evil.example',
      'about:blank',
      '',
    ])
      expect(safeLink(href), href).toBeUndefined()
    expect(safeLink('https://a.example')).toEqual({ href: 'https://a.example/', host: 'a.example' })
    expect(safeLink('mailto:me@b.example')?.host).toBe('b.example')
  })

  const inside = (text: string, tag: string): string[] =>
    [...html(markdownBlocks(text)).matchAll(new RegExp(`<${tag}(?: [^>]*)?>([^]*?)</${tag}>`, 'g'))].map(([, part]) =>
      plain(part!),
    )
  const plain = (part: string): string =>
    part
      .replace(/<[^>]*>/g, '')
      .replace(/&(?:#(\d+)|amp|lt|gt|quot);/g, (entity, code: string | undefined) =>
        code === undefined
          ? { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }[entity]!
          : String.fromCharCode(Number(code)),
      )

  it.each(sampleAnswers)('shows what was meant: $name', ({ text, bold, struck, math, code, shows = [], dirs }) => {
    const all = html(markdownBlocks(text))
    const formulas = [...all.matchAll(/data-math="[a-z]+">([^<]*)</g)].map(([, tex]) => plain(tex!))
    if (bold) expect(inside(text, 'strong')).toEqual(bold)
    if (struck) expect(inside(text, 'del')).toEqual(struck)
    if (math) expect(formulas).toEqual(math)
    if (code) expect(inside(text, 'code').filter(part => !formulas.includes(part))).toEqual(code)
    for (const words of shows) expect(plain(all)).toContain(words)
    if (dirs)
      expect([...all.matchAll(/<(?:ul|ol|blockquote|table)[^>]* dir="([a-z]+)"/g)].map(([, dir]) => dir)).toEqual(dirs)
    expect(plain(all.replace(/<(pre|code)[^]*?<\/\1>/g, ''))).not.toContain('**')
  })

  it('reads each block from its own side, and code never from the right', () => {
    const all = html(
      markdownBlocks(
        '`npm` الأمر\n\nEnglish\n\n# عنوان\n\n- `a` عنصر\n\n- b\n\n1. one\n   - اثنان\n\n> > שלום\n\n| `x` | ب |\n|---|---|\n| 1 | 2 |\n\n123\n\n- 1\n\n```js\nx\n```',
      ),
    )
    expect(all).toMatch(/<p dir="auto"><code dir="ltr">npm<\/code> الأمر/)
    expect(all).toContain('<h3 dir="auto">')
    expect([...all.matchAll(/<(ul|ol|blockquote|table)( dir="[a-z]+")?>/g)].map(([tag]) => tag)).toEqual([
      '<ul dir="rtl">',
      '<ol dir="ltr">',
      '<ul dir="rtl">',
      '<blockquote dir="rtl">',
      '<blockquote dir="rtl">',
      '<table dir="rtl">',
      '<ul>',
    ])
    expect(all).toContain('<pre dir="ltr" data-language="js">')
    expect(html(markdownBlocks('```\nنص\n```'))).toContain('<pre dir="auto"')
    for (const tag of all.match(/<(?:p|h\d|td|th|pre|code)(?: [^>]*)?>/g) ?? [])
      if (tag !== '<code>') expect(tag).toContain(' dir=')
  })

  it.each([
    'costs $5 or $10',
    '5$ to 10$',
    '5$-10$',
    'US$5 and US$ 10',
    '$5 or A$10',
    '$HOME and $PATH',
    '$HOME:$PATH',
    'costs $5-$10',
    '$20/$30',
    'between $5 (USD) and 10$',
    'HK$100/NT$200',
    'R$50 e R$ 60',
    '$5 and 10$',
    'It costs $5, not 6$.',
    'costs $5 (6$)',
    '$(a)-$(b)',
    '$1/$2',
    '$$ is the pid, $! the last, $$ again',
    'price $$ or $$$',
    '$$–$$$',
    '价格$100元到200$',
    '单价$5，共$50',
    '${name}-${age}',
    '${a}${b}',
    '$a$b',
    '$A-$B',
    '$x->$y',
    '$USER@$HOST',
    '$5–10$ und',
    'from 5$ up to 6$',
    'echo $FOO/$BAR/baz$',
    'CA$5 and CA$6',
    '1.000$ bis 2.000$',
    'A$AP Rocky and A$AP Ferg',
    '$foo_bar, $foo_baz',
    '$i=$j',
    '"$5" and "6$"',
    '从$5涨到$8，再到10$',
    'fee: $10 per 5$ spent',
    'שילמתי 5$ ואז 10$',
    'دفعت $5 و10$',
    '$100 млн и 200$',
    '月額$20（税込$22）と$30',
    'Use $x in shell and $y in php',
  ])('takes no money and no variable for a formula: %s', text => {
    expect(html(markdownBlocks(text))).not.toContain('data-math')
    expect(plain(html(markdownBlocks(text))).trim()).toBe(text)
  })

  it.each([
    '$x$',
    '设$x$为实数',
    '$5$',
    '$2n+1$',
    '$O(n \\log n)$',
    '$(a, b)$',
    '$[0, 1)$',
    '$a, b, c$',
    '$ABC$',
    '$x_i$',
    "$f'$",
    '$+$',
    '$\\%$',
    '$速度 = 5$',
    '$10-5$',
    '$$E = mc^2$$',
    '（$a$）',
    '$n!$',
    '$sin x$',
    '$-1$',
    '$1/2$',
    '$p < 0.05$',
    '$90^\\circ$',
    '**$x$**',
    '$|x|$',
    '$x + y$',
    '$a:b$',
    '$x\\,$',
    '$f: A \\to B$',
    '$P(A|B)$',
    '10$\\mu$m',
    'the $n$th',
    '$n$-th',
    'two $x$s',
    '\\(a\\)',
  ])('finds the formula in %s', text => {
    expect(html(markdownBlocks(text)).match(/data-math/g)).toHaveLength(1)
  })

  it('finds formulas but no prices', () => {
    expect(html(markdownBlocks('costs $5 or $10'))).not.toContain('data-math')
    expect(html(markdownBlocks('so $a^2 + b^2$ holds'))).toContain(
      '<code dir="ltr" data-math="inline">a^2 + b^2</code>',
    )
    expect(html(markdownBlocks('$$\nx < 1\n$$'))).toContain('<code dir="ltr" data-math="block">x &#60; 1</code>')
    expect(html(markdownBlocks('\\(a\\) and \\[b\\]'))).toMatch(/inline">a<.*block">b</)
    expect(html(markdownBlocks('$$\na\n\nb\n$$'))).not.toContain('data-math')
  })

  it('shows what is nested very deep, or has more marks than anybody reads, as it was written', () => {
    const deep = html(markdownBlocks('>'.repeat(20_000)))
    expect(deep.split('<blockquote>').length).toBeLessThan(60)
    expect(deep).toContain('&gt;'.repeat(1_000))
    expect(html(markdownBlocks('*a_'.repeat(10_000)))).toBe(`<p dir="auto">${'*a_'.repeat(10_000)}</p>\n`)
    expect(html(markdownBlocks('**a** '.repeat(150)))).toContain('<strong>')
  })
})

describe('hostile texts', () => {
  it('are many', () => expect(hostileMarkdown.length).toBeGreaterThanOrEqual(60))

  it('make only tags and attributes that were meant', () => {
    const meant =
      /^<\/?(?:p|h[3-6]|ul|ol|li|blockquote|pre|code|table|thead|tbody|tr|th|td|div|span|small|a|em|strong|del|br|hr)(?: (?:href|title|target|rel|start|align|dir|data-[a-z]+)="[^"<>]*")*\s*\/?>$/
    for (const text of hostileMarkdown) {
      for (const tag of html(markdownBlocks(text)).match(/<[^>]*>?/g) ?? [])
        expect(tag, text.slice(0, 80)).toMatch(meant)
    }
  })

  it('make links to http, https and mailto only', () => {
    for (const text of hostileMarkdown) {
      for (const [, href] of html(markdownBlocks(text)).matchAll(/href="([^"]*)"/g))
        expect(href, text).toMatch(/^(?:https?|mailto):/)
    }
  })

  it('are read in a moment', () => {
    const started = performance.now()
    for (const text of hostileMarkdown) markdownBlocks(text)
    for (const part of ['```md\n```js\n```\n', '```md\n', '**注意：**正', '~~a：', '$a', '[a]: x\n\n'])
      markdownBlocks(part.repeat(Math.ceil(60_000 / part.length)))
    expect(performance.now() - started).toBeLessThan(10_000) // 1 s on 2 idle cores; the bound is for a busy machine
  })
})
