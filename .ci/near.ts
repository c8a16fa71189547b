/**
 * What `npm run check:near` looks at: the files that differ from another commit, and the unit tests that these can
 * break.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** Texts of files by their paths from the root. */
export type Sources = ReadonlyMap<string, string>

/**
 * Files that differ from where this branch left `base`, committed or not, new ones too; without those that are gone.
 */
export function changedSince(base: string, root = '.'): string[] {
  const [fork = base] = git(root, 'merge-base', base, 'HEAD')
  const changed = git(root, 'diff', '--name-only', '--diff-filter=d', fork)
  return [...new Set([...changed, ...git(root, 'ls-files', '--others', '--exclude-standard')])].toSorted()
}

/** All code of the tree, tracked or not. */
export function sourcesOf(root = '.'): Sources {
  const paths = git(root, 'ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '*.ts', '*.svelte')
  return new Map(
    paths.flatMap(path => (existsSync(join(root, path)) ? [[path, readFileSync(join(root, path), 'utf8')]] : [])),
  )
}

/** A unit test, and over how many imports it reaches what changed; -1: it is named like it. */
export type Reaching = { path: string; over: number }

/**
 * Unit tests that reach one of these files, over however many imports: first those named like a changed file, then
 * those with the fewest imports between, of these those that lie beside it.
 */
export function testsReaching(changed: readonly string[], sources: Sources): Reaching[] {
  const importers = new Map<string, string[]>()
  for (const [path, text] of sources) {
    for (const used of importsOf(path, text)) importers.set(used, [...(importers.get(used) ?? []), path])
  }
  const distances = new Map(changed.flatMap(path => [path, ...foldersOf(path)]).map(path => [path, 0]))
  for (const [path, distance] of distances) {
    // grows while it is walked
    for (const importer of importers.get(path) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1)
  }
  const own = new Set(changed.flatMap(path => [path, path.replace(/(?:\.svelte)?\.\w+$/, '.test.ts')]))
  const folders = new Set(changed.map(path => posix.dirname(path)))
  const reaching = [...distances].flatMap(([path, over]) =>
    isUnitTest(path) && sources.has(path) ? [{ path, over: own.has(path) ? -1 : over }] : [],
  )
  const isFar = ({ path }: Reaching): number => (folders.has(posix.dirname(path)) ? 0 : 1)
  return reaching.toSorted((a, b) => a.over - b.over || isFar(a) - isFar(b))
}

/** Those that are worth their time between two commits: ten at most that are near; where none is, the two nearest. */
export function nearest(reaching: readonly Reaching[]): string[] {
  const near = reaching.filter(({ path, over }) => over <= 3 && !path.endsWith('.long.test.ts')).slice(0, 10)
  return (near.length > 0 ? near : reaching.slice(0, 2)).map(({ path }) => path)
}

/**
 * Unit tests that read the tree as text, so that no import tells what can break them: those of `.ci` that read, and
 * those that walk a folder in which something changed.
 */
export function testsOfTheTree(changed: readonly string[], sources: Sources): string[] {
  const folders = new Set(changed.flatMap(foldersOf))
  const walks = (path: string, text: string): boolean =>
    /recursive: true|import\.meta\.glob/.test(text) && folders.has(`${posix.dirname(path)}/`)
  const reads = (path: string, text: string): boolean => path.startsWith('.ci/') && /readFileSync\(|\('\.'/.test(text)
  return [...sources].flatMap(([path, text]) =>
    isUnitTest(path) && (reads(path, text) || walks(path, text)) ? [path] : [],
  )
}

const isUnitTest = (path: string): boolean => /^(?:src|workers|bench|\.ci)\/.*\.test\.ts$/.test(path)

/**
 * Files that a file imports, now or later, or reads beside itself, or the folder that it reads them of; types alone do
 * not count.
 */
function importsOf(path: string, text: string): string[] {
  const code = text.replace(/\b(?:import|export) type\b[^'"]*['"][^'"]*['"]/g, '')
  const named = code.matchAll(/(?:\bfrom|\bimport|new URL)\s*\(?\s*['"`](\.{1,2}\/[^'"`$]+)/g)
  return [...named].map(([, used]) => posix.join(posix.dirname(path), used!))
}

/** `a/b/` and `a/` of `a/b/c.json`. */
function foldersOf(path: string): string[] {
  return path
    .split('/')
    .slice(0, -1)
    .map((_, at, parts) => `${parts.slice(0, at + 1).join('/')}/`)
}

function git(root: string, ...args: string[]): string[] {
  return execFileSync('git', ['-c', 'core.quotePath=false', ...args], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter(line => line !== '')
}
