/** HTML to Markdown of its main content. Loaded only when a page is read: the parser is large. */
import rehypeParse from 'rehype-parse'
import rehypeRemark from 'rehype-remark'
import remarkGfm from 'remark-gfm'
import remarkStringify from 'remark-stringify'
import { unified } from 'unified'

/** The part of a syntax tree that is read here. */
type HtmlNode = {
  type: string
  tagName?: string
  properties?: Record<string, unknown>
  children?: HtmlNode[]
  value?: string
}

/** Never content. */
const dropped = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'iframe',
  'object',
  'embed',
  'svg',
  'canvas',
  'form',
  'input',
  'button',
  'select',
  'textarea',
  'dialog',
  'link',
  'meta',
  'base',
  'audio',
  'video',
  'source',
  'track',
])
/** Furniture around the content. */
const furniture = new Set(['nav', 'aside', 'footer', 'header'])
const furnitureRoles = new Set([
  'navigation',
  'banner',
  'contentinfo',
  'search',
  'complementary',
  'menu',
  'menubar',
  'dialog',
  'alert',
])
/** Least share of the page's text that a main part must have to stand for the page, 0…1. */
const mainShare = 0.25
/**
 * Pages with more are given as bare text: parsing and converting 600 000 tags took 25 s, 38 000 took 2 s (two busy
 * cores, Node 20, 2026-11).
 */
const mostTags = 60_000
/**
 * Tags opened and not closed; the parser looks through all of them again and again (4 s for 50 000 on a busy machine).
 */
const mostOpen = 3_000
/** Nested deeper than any page made for readers; the converter is quadratic in nested tables (50 s for 20 000). */
const mostDepth = 300
/** As many articles are measured; each costs a walk through it. */
const mostArticles = 20

/**
 * Title and Markdown of a page. Content is `main` or the largest `article` where they hold enough of the text, else the
 * body without its furniture. Images become their alt text, links are made absolute and keep only http, https and
 * mailto. Never throws, whatever the page.
 */
export function htmlToMarkdown(html: string, url: string): { title: string; markdown: string } {
  const { tags, depth } = tagsIn(html)
  if (tags > mostTags || depth > mostOpen)
    return { title: /<title[^>]*>([^<]{1,300})/i.exec(html)?.[1]?.trim() ?? '', markdown: bareText(html) }
  try {
    return converted(html, url)
  } catch (thrown) {
    // The converter is recursive: a page nested deeper than the stack is read as its bare text.
    if (thrown instanceof RangeError) return { title: '', markdown: bareText(html) }
    throw thrown
  }
}

function converted(html: string, url: string): { title: string; markdown: string } {
  const tree = unified().use(rehypeParse).parse(html) as HtmlNode
  const title = titleOf(tree)
  const body = find(tree, node => node.tagName === 'body') ?? tree
  // Empty links say nothing, and the converter is quadratic in them.
  clean(
    body,
    node => dropped.has(node.tagName ?? '') || isHidden(node) || (node.tagName === 'a' && node.children?.length === 0),
  )
  const main = mainOf(body)
  if (main === body)
    clean(body, node => furniture.has(node.tagName ?? '') || furnitureRoles.has(String(node.properties?.['role'])))
  else
    clean(
      main,
      node => node.tagName === 'nav' || node.tagName === 'aside' || node.properties?.['role'] === 'navigation',
    )
  if (depthOf(main) > mostDepth) return { title, markdown: bareText(html) }
  mendLinks(main, baseOf(tree, url))
  const root = { type: 'root', children: main.children ?? [] }
  const processor = unified()
    .use(rehypeRemark)
    .use(remarkGfm)
    .use(remarkStringify, { bullet: '-', fences: true, rule: '-' })
  type Tree = Parameters<typeof processor.runSync>[0]
  const markdown = processor.stringify(
    processor.runSync(root as unknown as Tree) as Parameters<typeof processor.stringify>[0],
  )
  return { title, markdown: markdown.replace(/\n{3,}/g, '\n\n').trim() }
}

function titleOf(tree: HtmlNode): string {
  const og = find(tree, node => node.tagName === 'meta' && node.properties?.['property'] === 'og:title')?.properties?.[
    'content'
  ]
  const title =
    textOf(find(tree, node => node.tagName === 'title')) ||
    (typeof og === 'string' ? og : '') ||
    textOf(find(tree, node => node.tagName === 'h1'))
  return title.replace(/\s+/g, ' ').trim().slice(0, 300)
}

function mainOf(body: HtmlNode): HtmlNode {
  const all = textOf(body).length
  const main = find(body, node => node.tagName === 'main' || node.properties?.['role'] === 'main')
  const articles: HtmlNode[] = []
  walk(body, node => {
    if (node.tagName === 'article' && articles.length < mostArticles) articles.push(node)
  })
  const sizes = new Map(articles.map(node => [node, textOf(node).length]))
  const article = articles.sort((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0))[0]
  // Several articles of like size are a list (a blog's front page): then their common place is the content.
  const candidate = main ?? (articles.length < 3 ? article : undefined)
  return candidate && textOf(candidate).length >= all * mainShare ? candidate : body
}

function isHidden({ properties }: HtmlNode): boolean {
  if (!properties) return false
  return (
    properties['hidden'] === true ||
    properties['hidden'] === '' ||
    properties['ariaHidden'] === 'true' ||
    /display\s*:\s*none|visibility\s*:\s*hidden/i.test(String(properties['style'] ?? ''))
  )
}

function baseOf(tree: HtmlNode, url: string): string {
  const href = find(tree, node => node.tagName === 'base')?.properties?.['href']
  return typeof href === 'string' && URL.canParse(href, url) ? new URL(href, url).href : url
}

/** Links that run something lose their address; images are not shown, only named. */
function mendLinks(root: HtmlNode, base: string): void {
  walk(root, node => {
    if (node.tagName === 'a' && node.properties) {
      const href = String(node.properties['href'] ?? '')
      const to = URL.canParse(href, base) ? new URL(href, base) : undefined
      if (to && ['http:', 'https:', 'mailto:'].includes(to.protocol) && !href.startsWith('#'))
        node.properties['href'] = to.href
      else node.tagName = 'span'
    }
    if (node.tagName === 'img' || node.tagName === 'picture') {
      const alt = String(
        (node.tagName === 'img' ? node : find(node, inner => inner.tagName === 'img'))?.properties?.['alt'] ?? '',
      ).trim()
      node.tagName = 'span'
      node.children = alt === '' ? [] : [{ type: 'text', value: `[image: ${alt}]` }]
    }
  })
}

function clean(root: HtmlNode, unwanted: (node: HtmlNode) => boolean): void {
  walk(root, node => {
    if (node.children)
      node.children = node.children.filter(
        child => child.type !== 'comment' && !(child.type === 'element' && unwanted(child)),
      )
  })
}

/** Visits all nodes without recursion: a hostile page is nested a hundred thousand deep. */
function walk(root: HtmlNode, visit: (node: HtmlNode) => void): void {
  const waiting = [root]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    visit(node)
    pushReversed(waiting, node.children)
  }
}

function find(root: HtmlNode, wanted: (node: HtmlNode) => boolean): HtmlNode | undefined {
  const waiting = [root]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (wanted(node)) return node
    pushReversed(waiting, node.children)
  }
  return undefined
}

/** One by one: a spread of a million children is more than a call takes. */
function pushReversed(waiting: HtmlNode[], children: HtmlNode[] | undefined): void {
  for (let index = (children?.length ?? 0) - 1; index >= 0; index--) {
    const child = children?.[index]
    if (child) waiting.push(child)
  }
}

/** Text of a page without its tags, in one pass. */
function bareText(html: string): string {
  const lower = html.toLowerCase()
  let kept = ''
  for (let from = 0; from < html.length;) {
    const opens = ['<script', '<style'].map(tag => lower.indexOf(tag, from)).filter(at => at >= 0)
    const open = opens.length > 0 ? Math.min(...opens) : html.length
    kept += html.slice(from, open)
    if (open === html.length) break
    const close = lower.indexOf(lower.startsWith('<style', open) ? '</style' : '</script', open)
    from = close < 0 ? html.length : close
  }
  return kept
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

function depthOf(root: HtmlNode): number {
  let deepest = 0
  const waiting: { node: HtmlNode; depth: number }[] = [{ node: root, depth: 0 }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    deepest = Math.max(deepest, next.depth)
    for (const child of next.node.children ?? []) waiting.push({ node: child, depth: next.depth + 1 })
  }
  return deepest
}

/** Tags, and how deep they nest at most, by counting alone: the parser itself is what must be spared. */
function tagsIn(html: string): { tags: number; depth: number } {
  let tags = 0
  let open = 0
  let depth = 0
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
    tags++
    const name = /^\/?[a-z0-9]+/i.exec(html.slice(at + 1, at + 12))?.[0].toLowerCase()
    if (name === undefined || unclosed.has(name)) continue
    open = name.startsWith('/') ? Math.max(0, open - 1) : open + 1
    depth = Math.max(depth, open)
  }
  return { tags, depth }
}

/** Tags that need no end, or mostly get none. */
const unclosed = new Set([
  'p',
  'li',
  'td',
  'tr',
  'th',
  'dt',
  'dd',
  'option',
  'br',
  'img',
  'hr',
  'input',
  'meta',
  'link',
  'source',
  'wbr',
  'col',
  'area',
  '/p',
  '/li',
  '/td',
  '/tr',
  '/th',
  '/dt',
  '/dd',
  '/option',
])

function textOf(root: HtmlNode | undefined): string {
  if (!root) return ''
  const out: string[] = []
  walk(root, node => {
    if (node.type === 'text' && node.value) out.push(node.value)
  })
  return out.join('').trim()
}
