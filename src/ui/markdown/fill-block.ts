/** Puts a clean block into the page and gives its code, formulas and tables what they need. Touches the DOM. */
import { copyText } from '../browser/copy-text.ts'
import { formula } from './formula.ts'
import { markGrowing } from './growing-line.ts'
import { highlight, highlightNow } from './highlight.ts'
import { morph } from './morph.ts'
import { cleanCode, cleanMath, cleanNodes } from './sanitise.ts'

/**
 * Code that is still being written is coloured as often as this (ms), and longer code (UTF-16 units) when it is
 * finished: with each piece it would hold up the stream.
 */
const colourEachMs = 300
const longestLive = 4_000

/** When code that is being written was coloured last, ms. */
const colouredAt = new WeakMap<Element, number>()

export type BlockWords = {
  copy: string
  copied: string
  copyRefused: string
  copyCode: string
  code: string
  table: string
  imageBlocked: string
}

/**
 * Fills `element` with a block's HTML. `live`: the block is still being written, so nothing is loaded for it; `grows`:
 * the next words come at its end, which is marked.
 */
export function fillBlock(
  element: HTMLElement,
  html: string,
  { live, grows, words }: { live: boolean; grows: boolean; words: BlockWords },
): void {
  const nodes = cleanNodes(html)
  for (const image of nodes.querySelectorAll<HTMLElement>('a[data-image]'))
    image.title = `${image.title}\n${words.imageBlocked}`
  for (const table of nodes.querySelectorAll('[data-scroll]')) scrollable(table, words.table)
  const before = live ? [...element.querySelectorAll('pre code')] : []
  for (const [i, pre] of nodes.querySelectorAll('pre').entries()) dressCode(pre, { live, words, before: before[i] })
  if (!live) for (const code of nodes.querySelectorAll<HTMLElement>('code[data-math]')) void showFormula(code)
  markGrowing(element, false) // not there while nodes are compared: what stops growing stays the node that it is
  if (live && element.hasChildNodes()) morph(element, nodes)
  else element.replaceChildren(nodes)
  if (grows) markGrowing(element, true)
}

/** Reachable by keyboard, because it scrolls. */
function scrollable(element: Element, name: string): void {
  element.setAttribute('tabindex', '0')
  element.setAttribute('role', 'group')
  element.setAttribute('aria-label', name)
}

/** `before`: the same code as it stands in the page, a piece shorter. */
function dressCode(
  pre: HTMLPreElement,
  { live, words, before }: { live: boolean; words: BlockWords; before: Element | undefined },
): void {
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
  copy.addEventListener('click', () => void copyAndSay(code.textContent ?? '', copy, words))
  bar.append(label, copy)
  pre.replaceWith(figure)
  figure.append(bar, pre)
  scrollable(pre, language === '' ? words.code : language)
  const source = code.textContent ?? ''
  if (live) {
    if (source.length <= longestLive) colourNowAndThen(code, source, language, before)
    return
  }
  const coloured = highlightNow(source, language)
  if (coloured !== undefined) code.replaceChildren(cleanCode(coloured))
  else if (language !== '') {
    void highlight(source, language).then(found =>
      found === undefined ? undefined : code.replaceChildren(cleanCode(found)),
    )
  }
}

/** Colours the code, or takes over what is coloured already and adds the rest plain. */
function colourNowAndThen(code: Element, source: string, language: string, before: Element | undefined): void {
  const known = before?.textContent ?? ''
  const last = before && colouredAt.get(before)
  if (
    before !== undefined &&
    last !== undefined &&
    performance.now() - last < colourEachMs &&
    source.startsWith(known)
  ) {
    code.replaceChildren(...[...before.childNodes].map(node => node.cloneNode(true)), source.slice(known.length))
    code.normalize()
    return
  }
  const coloured = highlightNow(source, language)
  if (coloured === undefined) return
  code.replaceChildren(cleanCode(coloured))
  colouredAt.set(before ?? code, performance.now())
}

async function copyAndSay(text: string, button: HTMLButtonElement, words: BlockWords): Promise<void> {
  const copied = await copyText(text)
  button.textContent = copied ? words.copied : words.copyRefused
  setTimeout(
    () => {
      button.textContent = words.copy
    },
    copied ? 1_500 : 4_000,
  )
}

async function showFormula(code: HTMLElement): Promise<void> {
  const tex = code.textContent ?? ''
  const display = code.dataset.math === 'block'
  const html = await formula(tex, display)
  if (html === undefined) return
  const holder = document.createElement('span')
  holder.className = display ? 'formula display' : 'formula'
  holder.title = tex
  holder.dir = 'ltr' // formulas read from the left in every language of the app
  holder.append(cleanMath(html))
  if (holder.querySelector('math') !== null) code.replaceWith(holder)
}
