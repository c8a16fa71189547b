import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { changedSince, nearest, sourcesOf, testsOfTheTree, testsReaching } from './near.ts'

describe('what differs', () => {
  let root = ''
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: root, encoding: 'utf8' })
  const write = (file: string, text: string): void => writeFileSync(join(root, file), text)
  const commit = (): void => {
    git('add', '-A')
    git('commit', '-qm', 'commit')
  }

  beforeAll(() => {
    // in a hook they name another repository
    for (const name of Object.keys(process.env)) if (name.startsWith('GIT_')) vi.stubEnv(name, undefined)
    root = mkdtempSync(join(tmpdir(), 'near-'))
    git('init', '-q', '-b', 'main')
    for (const file of ['kept.ts', 'gone.ts', 'edited.ts']) write(file, '1')
    write('.gitignore', 'out.ts\n')
    commit()
    git('checkout', '-q', '-b', 'own')
    write('edited.ts', '2')
    rmSync(join(root, 'gone.ts'))
    commit()
    git('checkout', '-q', 'main')
    write('kept.ts', '2')
    commit()
    git('checkout', '-q', 'own')
    for (const file of ['neu é.ts', 'a.md', 'out.ts']) write(file, '1')
  })
  afterAll(() => {
    vi.unstubAllEnvs()
    rmSync(root, { recursive: true, force: true })
  })

  it('is what was changed on this branch, committed or not, and nothing that main did meanwhile', () => {
    expect(changedSince('main', root)).toEqual(['a.md', 'edited.ts', 'neu é.ts'])
    expect(changedSince('HEAD', root)).toEqual(['a.md', 'neu é.ts'])
  })

  it('is looked for in the code that is there, tracked or not', () => {
    expect(sourcesOf(root)).toEqual(
      new Map([
        ['edited.ts', '2'],
        ['kept.ts', '1'],
        ['neu é.ts', '1'],
      ]),
    )
    rmSync(join(root, 'kept.ts'))
    expect([...sourcesOf(root).keys()].toSorted()).toEqual(['edited.ts', 'neu é.ts'])
  })
})

describe('tests that a change can break', () => {
  const sources = new Map([
    ['src/a.ts', ''],
    ['src/b.ts', "import { a } from './a.ts'\nimport type { C } from './c.ts'"],
    ['src/c.ts', "const b = await import('./b.ts')\nimport {\n  d,\n} from '../src/d.ts'"],
    ['src/d.ts', "export * from './c.ts'"],
    ['src/sub/a.test.ts', "import { a } from '../a.ts'"],
    ['src/b.test.ts', "import { b } from './b.ts'\nreadFileSync(new URL('./b.cases.json', import.meta.url))"],
    ['src/other.test.ts', "import { b } from './b.ts'\nread(new URL(`./cases/${name}.json`, import.meta.url))"],
    ['src/sub/deep.test.ts', "import { b } from '../b.ts'"],
    ['src/far.test.ts', "import type { A } from './a.ts'\nimport { d } from './d.ts'"],
    ['src/types.test.ts', "import type { A } from './a.ts'"],
    ['src/walk.test.ts', "import.meta.glob('./**')"],
    ['.ci/pages.test.ts', "readFileSync('README.md')"],
    ['.ci/tree.test.ts', "treeAt('.')"],
    ['.ci/pure.test.ts', ''],
    ['e2e/chat.spec.ts', "import { a } from '../src/a.ts'"],
  ])

  const paths = (...changed: string[]): string[] => testsReaching(changed, sources).map(({ path }) => path)

  it('are those that import it, the nearest first, also in circles and by parts that are loaded later', () => {
    expect(paths('src/a.ts')).toEqual([
      'src/sub/a.test.ts',
      'src/b.test.ts',
      'src/other.test.ts',
      'src/sub/deep.test.ts',
      'src/far.test.ts',
    ])
    expect(paths('src/d.ts')).toEqual(['src/far.test.ts'])
  })

  it('are before all others its own, and of others as near those beside it', () => {
    expect(paths('src/b.ts')).toEqual(['src/b.test.ts', 'src/other.test.ts', 'src/sub/deep.test.ts', 'src/far.test.ts'])
    expect(paths('src/a.ts', 'src/far.test.ts', 'src/sub/deep.svelte.ts').slice(0, 2)).toEqual([
      'src/far.test.ts',
      'src/sub/deep.test.ts',
    ])
  })

  it('are itself, and those that read it or its folder beside themselves', () => {
    expect(paths('src/types.test.ts', 'src/b.cases.json')).toEqual(['src/types.test.ts', 'src/b.test.ts'])
    expect(paths('src/cases/one.json')).toEqual(['src/other.test.ts'])
    expect(paths('src/gone.test.ts', 'README.md')).toEqual([])
  })

  it('are run where they are near, and where none is, the two nearest', () => {
    const at = (...overs: number[]) => overs.map((over, n) => ({ path: `${n}`, over }))
    expect(nearest(at(-1, 1, 3, 3, 4, 5))).toEqual(['0', '1', '2', '3'])
    expect(nearest(at(3, 6, 6))).toEqual(['0'])
    expect(nearest(at(5, 6, 6, 7))).toEqual(['0', '1'])
    expect(nearest(at(...Array.from({ length: 20 }, () => 1)))).toHaveLength(10)
    expect(testsReaching(['src/b.ts'], sources).map(({ over }) => over)).toEqual([-1, 1, 1, 3])
  })

  it('are also those that read the tree as text, of folders where something changed there', () => {
    expect(testsOfTheTree(['src/a.ts'], sources)).toEqual(['src/walk.test.ts', '.ci/pages.test.ts', '.ci/tree.test.ts'])
    expect(testsOfTheTree(['src/sub/new.svelte'], sources)).toEqual([
      'src/walk.test.ts',
      '.ci/pages.test.ts',
      '.ci/tree.test.ts',
    ])
    expect(testsOfTheTree(['README.md'], sources)).toEqual(['.ci/pages.test.ts', '.ci/tree.test.ts'])
  })
})
