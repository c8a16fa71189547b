import { describe, expect, it } from 'vitest'
import type { AgentError } from '../core/errors.ts'
import { htmlToMarkdown } from './html-to-markdown.ts'
import { createReadPage, maxPageBytes } from './read-page.ts'

const signal = new AbortController().signal
const reading = (
  body: BodyInit | null,
  type: string,
  status = 200,
): Promise<{ title: string; markdown: string; url: string }> =>
  createReadPage(async () => new Response(body, { status, headers: type === '' ? {} : { 'content-type': type } }))(
    'https://site.example/docs/a',
    signal,
  )
const failure = (promise: Promise<unknown>): Promise<AgentError> =>
  promise.then(
    () => {
      throw new Error('it did not fail')
    },
    (thrown: unknown) => thrown as AgentError,
  )
const markdown = (html: string): string => htmlToMarkdown(html, 'https://site.example/docs/a').markdown

describe('a page', () => {
  it('becomes Markdown of its main content, with absolute links', async () => {
    const page = await reading(
      `<!doctype html><html><head><title> The
      title </title><style>p{}</style></head><body><header>Logo</header><nav><a href="/x">Menu</a></nav>
      <main><h1>Head</h1><p>Some <strong>words</strong> and a <a href="../b?c=1#d">link</a>.</p><ul><li>one</li><li>two</li></ul>
      <pre><code class="language-ts">const a = 1</code></pre><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table></main>
      <footer>Imprint</footer><script>steal()</script></body></html>`,
      'text/html; charset=utf-8',
    )
    expect(page).toEqual({
      url: 'https://site.example/docs/a',
      title: 'The title',
      markdown:
        '# Head\n\nSome **words** and a [link](https://site.example/b?c=1#d).\n\n- one\n- two\n\n```ts\nconst a = 1\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |',
    })
  })

  it('without a main part loses only its furniture', () => {
    expect(
      markdown('<body><nav>Menu</nav><div><p>Text one.</p></div><aside>Ads</aside><footer>Imprint</footer></body>'),
    ).toBe('Text one.')
  })

  it('whose main part is nearly empty is taken whole', () => {
    expect(markdown(`<body><main></main><div>${'Real content. '.repeat(20)}</div></body>`)).toContain('Real content.')
  })

  it('of several articles keeps them all', () => {
    expect(markdown('<body><article>One</article><article>Two</article><article>Three</article></body>')).toMatch(
      /One[^]*Two[^]*Three/,
    )
  })

  it('brings nothing that runs, hides, or loads', () => {
    const text =
      markdown(`<main><p onclick="x()">Visible<!-- secret comment --></p><p hidden>hidden</p><p style="display: none">none</p><p aria-hidden="true">aria</p>
      <a href="javascript:alert(1)">js</a><a href="data:text/html,x">data</a><a href="vbscript:x">vb</a><iframe src="https://evil.example"></iframe>
      <img src="https://evil.example/pixel" alt="a cat"><img src="https://evil.example/pixel2"><svg><script>x</script></svg><form><input value="typed"><button>Send</button></form><template>t</template></main>`)
    expect(text).toContain('Visible')
    expect(text).toContain('image: a cat')
    for (const bad of [
      'secret comment',
      'hidden',
      'none',
      'aria',
      'javascript:',
      'data:',
      'vbscript:',
      'evil.example',
      'typed',
      'Send',
      'onclick',
    ])
      expect(text).not.toContain(bad)
  })

  it.each([
    ['text/plain', 'a <b> c'],
    ['application/json', '{"a":1}'],
    ['text/markdown', '# Hi'],
    ['application/ld+json', '{}'],
    ['', 'plain'],
  ])('of %s stays as it is', async (type, body) => {
    expect((await reading(body, type)).markdown).toBe(body)
  })

  it('in another charset is read in it', async () => {
    const gbk = new Uint8Array([0xc4, 0xe3, 0xba, 0xc3])
    expect((await reading(gbk, 'text/plain; charset=gbk')).markdown).toBe('你好')
    const meta = new Uint8Array([...new TextEncoder().encode('<html><head><meta charset="gbk"></head><body>'), ...gbk])
    expect((await reading(meta, 'text/html')).markdown).toBe('你好')
    expect((await reading('ok', 'text/plain; charset=nonsense')).markdown).toBe('ok')
  })

  it('that is no text, too large, missing or failing is said so', async () => {
    expect(await failure(reading(new Uint8Array(4), 'image/png'))).toMatchObject({
      code: 'bad_input',
      message: expect.stringContaining('image/png') as string,
    })
    expect(await failure(reading(new Uint8Array(maxPageBytes + 1), 'text/plain'))).toMatchObject({
      code: 'bad_input',
      message: expect.stringContaining('5 MB') as string,
    })
    expect((await failure(reading('x', 'text/html', 404))).code).toBe('not_found')
    expect((await failure(reading('x', 'text/html', 500))).message).toContain('HTTP 500')
  })

  it('made to hang the reader ends in time', () => {
    const pages = [
      '<div>'.repeat(50_000),
      '<p>a<br>'.repeat(100_000),
      '<table><tr>'.repeat(20_000),
      '<a href=x>'.repeat(3_000),
      '<'.repeat(1_000_000),
      '<script>'.repeat(100_000),
      '<b>'.repeat(5_000),
      '<title>'.repeat(10_000),
    ]
    const start = performance.now()
    for (const page of pages) expect(typeof markdown(`${page}x`)).toBe('string')
    // 2 s in all on a busy machine; before the limits a single one took a minute
    expect(performance.now() - start).toBeLessThan(20_000)
  })
})
