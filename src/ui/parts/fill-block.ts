/** Puts a clean block into the page and gives its code, formulas and tables what they need. Touches the DOM. */
import { formula } from './formula.ts'
import { highlight, highlightNow } from './highlight.ts'
import { cleanCode, cleanMath, cleanNodes } from './sanitise.ts'

export type BlockWords = { copy: string; copied: string; copyCode: string; code: string; table: string; imageBlocked: string }

/** Fills `element` with a block's HTML. `live`: the block is still being written, so nothing is loaded for it. */
export function fillBlock(element: HTMLElement, html: string, { live, words }: { live: boolean; words: BlockWords }): void {
  const nodes = cleanNodes(html)
  for (const image of nodes.querySelectorAll<HTMLElement>('a[data-image]')) image.title = `${image.title}\n${words.imageBlocked}`
  for (const table of nodes.querySelectorAll('[data-scroll]')) scrollable(table, words.table)
  for (const pre of nodes.querySelectorAll('pre')) dressCode(pre, { live, words })
  if (!live) for (const code of nodes.querySelectorAll<HTMLElement>('code[data-math]')) void showFormula(code)
  element.replaceChildren(nodes)
}

/** Reachable by keyboard, because it scrolls. */
function scrollable(element: Element, name: string): void {
  element.setAttribute('tabindex', '0')
  element.setAttribute('role', 'group')
  element.setAttribute('aria-label', name)
}

function dressCode(pre: HTMLPreElement, { live, words }: { live: boolean; words: BlockWords }): void {
  const code = pre.querySelector('code')
  if (code === null) return
  const language = pre.dataset.language ?? ''
  const figure = document.createElement('figure')
  const bar = document.createElement('figcaption')
  const label = document.createElement('span')
  label.textContent = language
  const copy = document.createElement('button')
  copy.type = 'button'
  copy.className = 'small ghost'
  copy.textContent = words.copy
  copy.ariaLabel = words.copyCode
  copy.addEventListener('click', () => void copyText(code.textContent ?? '', copy, words))
  bar.append(label, copy)
  pre.replaceWith(figure)
  figure.append(bar, pre)
  scrollable(pre, language === '' ? words.code : language)
  const source = code.textContent ?? ''
  const coloured = highlightNow(source, language)
  if (coloured !== undefined) code.replaceChildren(cleanCode(coloured))
  else if (!live && language !== '') {
    void highlight(source, language).then(found => found === undefined ? undefined : code.replaceChildren(cleanCode(found)))
  }
}

async function copyText(text: string, button: HTMLButtonElement, words: BlockWords): Promise<void> {
  await navigator.clipboard.writeText(text)
  button.textContent = words.copied
  setTimeout(() => { button.textContent = words.copy }, 1_500)
}

async function showFormula(code: HTMLElement): Promise<void> {
  const tex = code.textContent ?? ''
  const display = code.dataset.math === 'block'
  const html = await formula(tex, display)
  if (html === undefined) return
  const holder = document.createElement('span')
  holder.className = display ? 'formula display' : 'formula'
  holder.title = tex
  holder.append(cleanMath(html))
  if (holder.querySelector('math') !== null) code.replaceWith(holder)
}
