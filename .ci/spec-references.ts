/**
 * Resolves what names something else in the repository: numbers of rules (`C4.2`) to headings of docs/spec, and
 * relative links and anchors of Markdown files to files and headings. `npx tsx .ci/spec-references.ts` prints what does
 * not resolve as file:line and ends with 1.
 *
 * What counts as a number of a rule: a capital C, one or two digits, and perhaps a point and one or two digits more,
 * standing alone: no letter, digit or one of `_$#%\.+&` in front (colours, codes, names), no letter, digit, `_` or `$`
 * behind it, and no further `.1`. In code, one without a point counts only behind `//`, `/*`, `<!--`, a leading `*`, or
 * a quotation mark of the same line: elsewhere it is a variable.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** A place in a file, 1-based, and what is wrong there. */
export type Problem = { file: string; line: number; problem: string }

/** Files by their path from the root of the repository; `text` is undefined of what is only linked to. */
export type Tree = {
  text(path: string): string | undefined
  has(path: string): boolean
  heads(path: string): ReadonlySet<string>
}

export const specFolder = 'docs/spec'
/** Where numbers of rules are looked for. */
const places = ['src', 'workers', 'bench', 'e2e', '.ci', 'docs']
const withNumbers = /\.(?:ts|svelte|css|cjs|mjs|html|md|vectors\.json|expected\.json)$/
/** Not the repository's own. */
const foreign = /(?:^|\/)(?:node_modules|dist|\.git|\.cache|results|test-results)(?:\/|$)/

const ruleNumber = /C(?<![\w$#%\\.+&]C)\d{1,2}(?:\.\d{1,2})?(?![\w$]|\.\d)/g
const beforeText = /\/\/|\/\*|<!--|^\s*\*|['"`]/

/** The numbers of rules that a line names, in order. `code`: it is one of a program, not of Markdown. */
export function numbersIn(line: string, code: boolean): string[] {
  return [...line.matchAll(ruleNumber)].flatMap(({ 0: named, index }) => {
    const isVariable = code && !named.includes('.') && !beforeText.test(line.slice(0, index))
    return isVariable ? [] : [named]
  })
}

/** The numbers that pages of the spec define, each with the page and line where it is a heading of its own. */
export function rulesOf(
  pages: readonly { path: string; text: string }[],
): Map<string, { file: string; line: number }[]> {
  const rules = new Map<string, { file: string; line: number }[]>()
  for (const { path, text } of pages)
    for (const [at, line] of plainLines(text).entries()) {
      const rule = /^#{2,3} (C\d{1,2}(?:\.\d{1,2})?)$/.exec(line)?.[1]
      if (rule === undefined) continue
      rules.set(rule, [...(rules.get(rule) ?? []), { file: path, line: at + 1 }])
    }
  return rules
}

/** The anchors of a Markdown text, as GitHub makes them of its headings, and those that HTML names. */
export function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>()
  for (const line of plainLines(markdown)) {
    for (const [, id = ''] of line.matchAll(/<[a-z][^>]*\s(?:id|name)="([^"]+)"/g)) anchors.add(id)
    const heading = /^ {0,3}#{1,6}\s+(.*?)(?:\s+#+)?\s*$/.exec(line)?.[1]
    if (heading === undefined) continue
    const slug = slugOf(heading)
    let own = slug
    for (let again = 1; anchors.has(own); again++) own = `${slug}-${again}`
    anchors.add(own)
  }
  return anchors
}

function slugOf(heading: string): string {
  const shown = heading
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/<[^>]+>/g, '')
  return shown
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-')
}

/** A relative link of a Markdown text. */
type Link = { line: number; target: string }

/** What a Markdown text links to, without addresses of the web; code in it links to nothing. */
export function linksOf(markdown: string): Link[] {
  return plainLines(markdown).flatMap((line, at) => {
    const plain = line.replace(/(`+)(?:(?!\1).)+?\1/g, code => '`'.repeat(code.length))
    const inline = [...plain.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+["'][^)]*)?\)/g)]
    const defined = [...plain.matchAll(/^ {0,3}\[[^\]^]+\]:\s*<?([^\s>]+)/g)]
    const html = [...plain.matchAll(/<(?:a|img|source)\s[^>]*?(?:href|src)="([^"]+)"/g)]
    return [...inline, ...defined, ...html].flatMap(([, target = '']) =>
      /^(?:[a-z][\w+.-]*:|\/\/)/i.test(target) ? [] : [{ line: at + 1, target }],
    )
  })
}

/** The lines of a Markdown text, empty where they are inside a fence. */
function plainLines(markdown: string): string[] {
  let fence: string | undefined
  return markdown.split('\n').map(line => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    const isEnd = fence !== undefined && mark !== undefined && mark.startsWith(fence) && line.trim() === mark
    if (isEnd) {
      fence = undefined
      return ''
    }
    if (fence === undefined && mark !== undefined) {
      fence = mark
      return ''
    }
    return fence === undefined ? line : ''
  })
}

/** Why a link of this file leads nowhere; undefined where it resolves. */
export function faultOfLink(file: string, target: string, tree: Tree): string | undefined {
  const [address = '', anchor] = decoded(target).split('#', 2)
  const path =
    address === ''
      ? file
      : normalize(address.startsWith('/') ? address.slice(1) : join(dirname(file), address)).replace(/\/$/, '')
  if (path === '..' || path.startsWith('../')) return `leads out of the repository: ${target}`
  if (path !== '.' && !tree.has(path)) return `no such file: ${target}`
  if (anchor === undefined || anchor === '') return undefined
  if (!path.endsWith('.md')) return /^L\d+(?:-L\d+)?$/.test(anchor) ? undefined : `no such anchor: ${target}`
  return tree.heads(path).has(anchor) ? undefined : `no such heading: ${target}`
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target)
  } catch {
    return target // a % that is only a %
  }
}

/** All that does not resolve in these files. */
export function problemsOf(files: readonly string[], tree: Tree): Problem[] {
  const pages = files.filter(file => file.startsWith(`${specFolder}/`) && file.endsWith('.md'))
  const rules = rulesOf(pages.map(path => ({ path, text: tree.text(path) ?? '' })))
  const problems: Problem[] = []
  for (const [rule, [first, ...more]] of rules)
    for (const { file, line } of more)
      problems.push({ file, line, problem: `${rule} is a heading already, in ${first!.file}` })
  const table = tree.text(`${specFolder}/README.md`) ?? ''
  for (const [rule, [at]] of rules)
    if (!table.includes(`[${rule}](`))
      problems.push({ ...at!, problem: `${rule} has no row in ${specFolder}/README.md` })
  for (const file of files) {
    const text = tree.text(file)
    if (text === undefined) continue
    const isMarkdown = file.endsWith('.md')
    if (isMarkdown)
      for (const { line, target } of linksOf(text)) {
        const problem = faultOfLink(file, target, tree)
        if (problem !== undefined) problems.push({ file, line, problem })
      }
    if (!/C\d/.test(text) || (file !== 'README.md' && !places.some(place => file.startsWith(`${place}/`)))) continue
    for (const [at, line] of text.split('\n').entries()) {
      for (const named of numbersIn(line, !isMarkdown))
        if (!rules.has(named)) problems.push({ file, line: at + 1, problem: `no such rule: ${named}` })
    }
  }
  return problems
}

/** The files of a repository that may name something, and a look at all that they may name. */
export function treeAt(root: string): { files: string[]; tree: Tree } {
  const files: string[] = []
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (foreign.test(path)) continue
      if (entry.isDirectory()) walk(path)
      else if (entry.isFile() && withNumbers.test(path)) files.push(path)
    }
  }
  walk('')
  const texts = new Map<string, string>()
  const heads = new Map<string, ReadonlySet<string>>()
  const text = (path: string): string | undefined => {
    const known = texts.get(path)
    if (known !== undefined) return known
    const full = join(root, path)
    if (!existsSync(full) || !statSync(full).isFile()) return undefined
    const read = readFileSync(full, 'utf8')
    texts.set(path, read)
    return read
  }
  return {
    files: files.toSorted(),
    tree: {
      text,
      has: path => existsSync(join(root, path)),
      heads: path => {
        const known = heads.get(path) ?? anchorsOf(text(path) ?? '')
        heads.set(path, known)
        return known
      },
    },
  }
}

if (process.argv[1]?.endsWith('spec-references.ts') === true) {
  const { files, tree } = treeAt('.')
  const problems = problemsOf(files, tree)
  for (const { file, line, problem } of problems) console.log(`${file}:${line}  ${problem}`)
  console.log(
    problems.length === 0
      ? `${files.length} files: every rule, link and anchor is there`
      : `${problems.length} do not resolve`,
  )
  process.exitCode = problems.length === 0 ? 0 : 1
}
