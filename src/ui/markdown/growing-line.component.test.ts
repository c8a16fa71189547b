/** The caret stands in the line that grows, and nowhere once the text is whole. */
import { expect, it } from 'vitest'
import { markGrowing } from './growing-line.ts'
import { markdownBlocks } from './markdown.ts'

const written = (text: string): HTMLElement => {
  const block = document.createElement('div')
  block.innerHTML = markdownBlocks(text).at(-1)!.html
  markGrowing(block, true)
  return block
}
const marked = (block: HTMLElement): [string, string][] =>
  [...block.querySelectorAll('[data-writing]')].map(one => [one.tagName, one.textContent.trim()])

it.each<[string, [string, string][]]>([
  ['One.\n\nTwo', [['P', 'Two']]],
  ['Two with **bold**', [['P', 'Two with bold']]],
  ['A [link](https://a.example)', [['P', 'A link a.example']]],
  ['## Title', [['H4', 'Title']]],
  ['- a\n- b', [['LI', 'b']]],
  ['- a\n- **b**', [['LI', 'b']]],
  ['- a\n- b\n  - c', [['LI', 'c']]],
  ['- a\n\n- b', [['P', 'b']]],
  ['> a\n>\n> b', [['P', 'b']]],
  ['```js\nlet a\nlet b', [['CODE', 'let a\nlet b']]],
  ['| a | b |\n|---|---|\n| 1 | 2 |', [['TD', '2']]],
  ['One.\n\n---', []],
])('is marked in %j', (text, expected) => {
  expect(marked(written(text))).toEqual(expected)
})

it('is one line, and none when the answer is whole', () => {
  const block = written('- a\n- b')
  block.querySelector('ul')!.insertAdjacentHTML('beforeend', '<li>c</li>')
  markGrowing(block, true)
  expect(marked(block)).toEqual([['LI', 'c']])
  markGrowing(block, false)
  expect(marked(block)).toEqual([])
})
