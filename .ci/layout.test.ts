import { expect, it } from 'vitest'
import { fullFolders, longFile, wideLines } from './layout.ts'

const word = 'abcdefghi '

it('finds wide code and comments, with file, line and width', () => {
  const comment = `// ${word.repeat(12)}`.trimEnd()
  const code = `const sum = ${'a + '.repeat(30)}b`
  expect(wideLines('a.ts', `let a\n${comment}\n${code}\n`)).toEqual([
    `a.ts:2 is ${comment.length} columns wide`,
    `a.ts:3 is ${code.length} columns wide`,
  ])
  expect(wideLines('a.ts', `${'x'.repeat(120)}\n`)).toEqual([])
})

it('lets one text, pattern or address be as long as it is, and not two of them', () => {
  const long = word.repeat(12).trim()
  for (const line of [
    `say('${long}')`,
    `say(\`${long} ${'${b}'}\`)`,
    `const a = /${long}/u`,
    `// https://example.org/${'x'.repeat(110)}`,
  ]) {
    expect(wideLines('a.ts', `${line}\n`), line).toEqual([])
  }
  expect(wideLines('a.ts', `say('${long}', '${long}')\n`)).toHaveLength(1)
})

it('knows a template of several lines, and where in a component a script stands', () => {
  const long = word.repeat(13).trim()
  expect(wideLines('a.ts', `const a = \`one\n${long}\n\`\n`)).toEqual([])
  expect(
    wideLines('A.svelte', `<script lang="ts">\n  const a = /${long}/\n</script>\n<p title="${long}">{a}</p>\n`),
  ).toEqual([])
  expect(wideLines('A.svelte', `<script lang="ts">\n  // ${long}\n</script>\n`)).toHaveLength(1)
})

it('counts letters of East Asia as two columns', () => {
  expect(wideLines('a.ts', `// ${'字'.repeat(58)}\n`)).toEqual([])
  expect(wideLines('a.ts', `// ${'字'.repeat(59)}\n`)).toEqual(['a.ts:1 is 121 columns wide'])
})

it('finds a file that is too long and a folder that is too full, tests apart', () => {
  expect(longFile('a.ts', 'x\n'.repeat(350))).toEqual([])
  expect(longFile('a.ts', 'x\n'.repeat(351))).toEqual(['a.ts has 351 lines, 350 are allowed: find its second subject'])
  const files = Array.from({ length: 26 }, (_, n) => `src/a/f${n}.ts`)
  const tests = Array.from({ length: 40 }, (_, n) => `src/b/f${n}.test.ts`)
  expect(fullFolders([...files.slice(1), ...tests])).toEqual([])
  expect(fullFolders(files)).toEqual(['src/a holds 26 files, 25 are allowed: find its second subject'])
})
