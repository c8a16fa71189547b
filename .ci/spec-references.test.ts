import { expect, it } from 'vitest'
import {
  anchorsOf,
  faultOfLink,
  linksOf,
  numbersIn,
  problemsOf,
  rulesOf,
  treeAt,
  type Tree,
} from './spec-references.ts'

/** A number of a rule, made so that this file itself names none that is not there. */
const C = (number: string): string => `C${number}`

const treeOf = (texts: Record<string, string>): Tree => ({
  text: path => texts[path],
  has: path => Object.keys(texts).some(name => name === path || name.startsWith(`${path}/`)),
  heads: path => anchorsOf(texts[path] ?? ''),
})

it('finds numbers of rules in comments, in texts and in Markdown', () => {
  expect(numbersIn(`/** Where a cut may fall (${C('4.2')}, ${C('4')}). */`, true)).toEqual([C('4.2'), C('4')])
  expect(numbersIn(` * Source: ${C('12')}.`, true)).toEqual([C('12')])
  expect(numbersIn(`it('${C('2.2')}: a result')`, true)).toEqual([C('2.2')])
  expect(numbersIn(`See ${C('9')} and [${C('9.4')}](storage.md#c94), ${C('5')}–${C('7')}.`, false)).toEqual([
    C('9'),
    C('9.4'),
    C('5'),
    C('7'),
  ])
  expect(numbersIn(`const limit = 5_000 // bytes, ${C('5.1')}`, true)).toEqual([C('5.1')])
})

it.each([
  ['a colour', `color: #${C('99')}; background: #F${C('90')}`],
  ['a code of an address', `'/a%${C('3')}%A9'`],
  ['an escape', `'\\${C('3')}'`],
  ['a name', `const ${C('90')} = x${C('91')} + ${C('92')}_max + a.${C('93')} + $${C('94')}`],
  ['a longer name', `'${C('95')}a', "AB${C('96')}", 'Q4_${C('97')}'`],
  ['a version', `'${C('1.2')}.3'`],
  ['three digits', `'${C('123')}' // ${C('4')}567`],
  ['a lower-case letter', `'c4.2' // docs/spec/cutting.md#c42`],
])('takes nothing else for one: %s', (_, line) => {
  expect(numbersIn(line, true)).toEqual([])
})

it('takes headings that are a number alone for rules, and none inside a fence', () => {
  const text = [
    '# Cutting',
    '',
    `## ${C('4')}`,
    '',
    `### ${C('4.1')}`,
    '```',
    `### ${C('4.2')}`,
    '```',
    `### ${C('4.3')} and more`,
  ].join('\n')
  expect([...rulesOf([{ path: 'docs/spec/cutting.md', text }])]).toEqual([
    [C('4'), [{ file: 'docs/spec/cutting.md', line: 3 }]],
    [C('4.1'), [{ file: 'docs/spec/cutting.md', line: 5 }]],
  ])
})

it('makes anchors of headings as GitHub does', () => {
  const text = [
    '# The app, "in a tab"',
    `## ${C('4.2')}`,
    '## `read_file` & more',
    '## Same',
    '## Same',
    '## [A link](x.md) here ##',
    '## 中文 标题',
    '<a id="old"></a>',
    '~~~',
    '# no',
    '~~~',
  ].join('\n')
  expect([...anchorsOf(text)]).toEqual([
    'the-app-in-a-tab',
    'c42',
    'read_file--more',
    'same',
    'same-1',
    'a-link-here',
    '中文-标题',
    'old',
  ])
})

it('reads links of every kind, but no code and no address of the web', () => {
  const text = [
    '[a](a.md) ![b](<b.png>) [c](c.md#x "title")',
    '[web](https://example.org) [mail](mailto:a@b.c) `[code](no.md)`',
    '',
    '[d]: d.md',
    '<a href="e.md">e</a> [f][d]',
    '```',
    '[no](no.md)',
    '```',
  ].join('\n')
  expect(linksOf(text)).toEqual([
    { line: 1, target: 'a.md' },
    { line: 1, target: 'b.png' },
    { line: 1, target: 'c.md#x' },
    { line: 4, target: 'd.md' },
    { line: 5, target: 'e.md' },
  ])
})

it('says why a link leads nowhere', () => {
  const tree = treeOf({ 'README.md': '# Top\n', 'docs/a.md': '# A\n## Part one\n', 'src/x.ts': '' })
  const fault = (file: string, target: string) => faultOfLink(file, target, tree)
  for (const target of ['docs/a.md', 'docs/a.md#part-one', 'docs', 'docs/', '#top', 'src/x.ts#L3', './docs/a.md'])
    expect(fault('README.md', target)).toBeUndefined()
  for (const target of ['../README.md#top', '/src/x.ts', 'a.md#a', '#part-one'])
    expect(fault('docs/a.md', target)).toBeUndefined()
  expect(fault('README.md', 'docs/b.md')).toBe('no such file: docs/b.md')
  expect(fault('README.md', 'docs/a.md#part-two')).toBe('no such heading: docs/a.md#part-two')
  expect(fault('README.md', '#bottom')).toBe('no such heading: #bottom')
  expect(fault('README.md', '../other/c.md')).toBe('leads out of the repository: ../other/c.md')
  expect(fault('README.md', 'src/x.ts#part')).toBe('no such anchor: src/x.ts#part')
})

it('lists what does not resolve with its place, rules that come twice, and rules without a row', () => {
  const texts = {
    'docs/spec/README.md': `[${C('4')}](cutting.md#c4)\n`,
    'docs/spec/cutting.md': `## ${C('4')}\n\n### ${C('4.1')}\n`,
    'docs/spec/steps.md': `## ${C('4')}\n`,
    'src/a.ts': `/** ${C('4')}, ${C('4.9')} */\nconst x = 1 // ${C('88')}\n`,
    'README.md': `${C('4.1')} [a](docs/spec/cutting.md#c42)\n`,
    'public/b.md': `${C('77')}\n`,
  }
  expect(
    problemsOf(Object.keys(texts), treeOf(texts)).map(({ file, line, problem }) => `${file}:${line}  ${problem}`),
  ).toEqual([
    `docs/spec/steps.md:1  ${C('4')} is a heading already, in docs/spec/cutting.md`,
    `docs/spec/cutting.md:3  ${C('4.1')} has no row in docs/spec/README.md`,
    `src/a.ts:1  no such rule: ${C('4.9')}`,
    `src/a.ts:2  no such rule: ${C('88')}`,
    'README.md:1  no such heading: docs/spec/cutting.md#c42',
  ])
})

it('every rule, link and anchor of the repository is there', () => {
  const { files, tree } = treeAt('.')
  const problems = problemsOf(files, tree)
  expect(files.filter(file => file.startsWith('docs/spec/')).length).toBeGreaterThan(10)
  expect(problems.map(({ file, line, problem }) => `${file}:${line}  ${problem}`)).toEqual([])
})
