/** Markdown as clean HTML that stands by itself: with formulas and coloured code, without buttons. Needs a DOM. */
import { formula } from '../markdown/formula.ts'
import { highlight } from '../markdown/highlight.ts'
import { escapeHtml, MarkdownStream } from '../markdown/markdown.ts'
import { cleanCode, cleanMath, cleanNodes } from '../markdown/sanitise.ts'
import type { Pause } from './pauses.ts'

const slice = 8_000 // UTF-16 units parsed at once: about 10 ms on 2 shared cores

/** HTML of a text whose writer may be hostile. Never throws. */
export async function staticMarkdown(text: string, pause: Pause): Promise<string> {
  const stream = new MarkdownStream()
  for (let reach = slice; reach < text.length; reach += slice) {
    stream.update(text.slice(0, reach))
    await pause()
  }
  const parts: string[] = []
  for (const { html } of stream.update(text)) {
    parts.push(await cleanHtml(html))
    await pause()
  }
  return parts.join('')
}

async function cleanHtml(html: string): Promise<string> {
  const nodes = cleanNodes(html)
  for (const code of nodes.querySelectorAll<HTMLElement>('pre > code')) {
    const language = code.parentElement?.dataset.language ?? ''
    const coloured = language === '' ? undefined : await highlight(code.textContent ?? '', language)
    if (coloured !== undefined) code.replaceChildren(cleanCode(coloured))
  }
  for (const code of nodes.querySelectorAll<HTMLElement>('code[data-math]')) await setFormula(code)
  const holder = document.createElement('div')
  holder.append(nodes)
  return holder.innerHTML
}

async function setFormula(code: HTMLElement): Promise<void> {
  const isDisplay = code.dataset.math === 'block'
  const html = await formula(code.textContent ?? '', isDisplay)
  if (html === undefined) return
  const holder = document.createElement('span')
  holder.className = isDisplay ? 'formula display' : 'formula'
  holder.dir = 'ltr' // formulas read from the left in every language
  holder.append(cleanMath(html))
  if (holder.querySelector('math') !== null) code.replaceWith(holder)
}

/** Text as it is, in an element that keeps its lines. */
export function plainHtml(text: string, tag: 'p' | 'pre'): string {
  return `<${tag} dir="auto" class="typed">${escapeHtml(text)}</${tag}>`
}
