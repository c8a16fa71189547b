/**
 * What pages of words (Markdown) name that has to be there: paths of the tree, and scripts that people are told to run.
 */
import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

const { orders } = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as { orders: Record<string, string[]> }

/** Pages that tell people where things are and what to run, as paths from the root. */
export function pagesIn(root: string): string[] {
  const inside = (folder: string): string[] =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(name => join(folder, name))
  const top = readdirSync(root).filter(name => name.endsWith('.md') && name !== 'CHANGELOG.md') // which tells what was
  return [...top, ...['docs', '.github'].flatMap(inside).filter(path => path.endsWith('.md'))].toSorted()
}

/** Paths of the code, in `code` of a text and from the root, that name no file; `*` stands for any part of a name. */
export function missingPaths(markdown: string, root: string): string[] {
  return codeIn(markdown)
    .filter(path => /^(?:src|workers|bench|e2e|\.ci|public|\.github)\//.test(path))
    .filter(path => !isThere(path, root))
}

/** What stands in `code` without a blank, but for fences. */
function codeIn(markdown: string): string[] {
  return [...markdown.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\s]+)`/g)].map(([, text]) => text!)
}

function isThere(path: string, root: string): boolean {
  if (!path.includes('*')) return existsSync(join(root, path))
  const folder = join(root, dirname(path))
  const name = new RegExp(`^${basename(path).replaceAll('.', '\\.').replaceAll('*', '.*')}$`)
  return existsSync(folder) && readdirSync(folder).some(one => name.test(one))
}

/** Scripts of package.json that a text tells people to run. */
export function scriptsIn(markdown: string): string[] {
  return [...markdown.matchAll(/\bnpm run (?:--silent )?([a-z][\w:-]*)/g)].map(([, script]) => script!)
}

/** The folders that have a README: those of `orders` in .dependency-cruiser.cjs, and `workers`. */
export const foldersWithReadme: readonly string[] = [
  ...new Set(
    Object.entries(orders).flatMap(([folder, layers]) => [
      folder,
      ...layers.flatMap(layer => layer.split('|')).flatMap(subject => (subject === '.' ? [] : `${folder}/${subject}`)),
    ]),
  ),
  'workers',
].toSorted()

/** Files and folders that the README of a folder names in `code`, relative to the folder or to the root. */
export function namedFiles(markdown: string): string[] {
  return codeIn(markdown).filter(text => /^[.\w*][\w.*/-]*$/.test(text) && (text.includes('/') || isFileName(text)))
}

/** Those of them that are in neither place. */
export function missingInReadme(markdown: string, folder: string, root: string): string[] {
  return namedFiles(markdown).filter(path => !isThere(path, join(root, folder)) && !isThere(path, root))
}

function isFileName(text: string): boolean {
  return /\.(?:ts|svelte|js|cjs|mjs|json|gz|md|css|html)$/.test(text)
}
