/**
 * No line is wider than 120 columns, but for what cannot be broken: one text, pattern or address. The formatter breaks
 * code; comments, long texts and markup it leaves alone, so this looks at what is left. No file is longer than a reader
 * keeps in mind, and no folder holds more of them than can be looked over. Run by itself it prints each fault.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'

/** Columns; the formatter's `printWidth` is the same. */
const maxWidth = 120
/** Lines of a file, tests too. */
const maxLines = 350
/** Files of a folder that are not tests, or what tests share. */
const maxFiles = 25
/** Half-open, in UTF-16 units of the source. */
type Span = { from: number; to: number }

/** The lines of a file that are too wide, as `path:line …`. */
export function wideLines(path: string, source: string): string[] {
  const lines = source.split('\n')
  const faults: string[] = []
  if (!lines.some(line => columns(line) > maxWidth)) return faults
  const unbreakable = path.endsWith('.svelte') ? spansOfMarkup(source) : spansOfScript(source)
  let start = 0
  for (const [index, line] of lines.entries()) {
    const end = start + line.length
    if (columns(line) > maxWidth && !holdsOneText({ from: start, to: end }, source, unbreakable)) {
      faults.push(`${path}:${index + 1} is ${columns(line)} columns wide`)
    }
    start = end + 1
  }
  return faults
}

/** How many lines a file has, where they are too many. */
export function longFile(path: string, source: string): string[] {
  const lines = source.trimEnd().split('\n').length
  return lines > maxLines ? [`${path} has ${lines} lines, ${maxLines} are allowed: find its second subject`] : []
}

/** The folders that hold too many files. */
export function fullFolders(paths: readonly string[]): string[] {
  const sizes = new Map<string, number>()
  for (const path of paths) {
    if (/\.(?:test|fixture|laws|spec)\.[a-z]+$/.test(path)) continue
    sizes.set(dirname(path), (sizes.get(dirname(path)) ?? 0) + 1)
  }
  return [...sizes].flatMap(([folder, size]) =>
    size > maxFiles ? [`${folder} holds ${size} files, ${maxFiles} are allowed: find its second subject`] : [],
  )
}

/** Letters of East Asia are two columns wide, as in the formatter. */
function columns(line: string): number {
  const wide = line.match(
    /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/g,
  )
  const pairs = line.match(/[\ud800-\udbff][\udc00-\udfff]/g)
  return line.length + (wide?.length ?? 0) - (pairs?.length ?? 0)
}

/** Whether the line would be narrow enough without one of its texts. */
function holdsOneText(line: Span, source: string, texts: readonly Span[]): boolean {
  return texts.some(text => {
    const from = Math.max(line.from, text.from)
    const to = Math.min(line.to, text.to)
    return from < to && columns(source.slice(line.from, from) + source.slice(to, line.to)) <= maxWidth
  })
}

/** Texts, templates and patterns of a script; addresses anywhere, also in comments. */
function spansOfScript(source: string, offset = 0): Span[] {
  const spans = addresses(source, offset)
  const tree = ts.createSourceFile('any.ts', source, ts.ScriptTarget.Latest, true)
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || ts.isRegularExpressionLiteral(node)) {
      spans.push({ from: node.getStart(tree) + offset, to: node.getEnd() + offset })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return spans
}

/** The same of a component: its scripts, and in its markup and styles what stands between quotes. */
function spansOfMarkup(source: string): Span[] {
  const spans = addresses(source)
  for (const script of source.matchAll(/(<script[^>]*>)([\s\S]*?)<\/script>/g)) {
    spans.push(...spansOfScript(script[2]!, script.index + script[1]!.length))
  }
  for (const quoted of source.matchAll(/"[^"\n]*"|'[^'\n]*'|`[^`\n]*`/g)) {
    spans.push({ from: quoted.index, to: quoted.index + quoted[0].length })
  }
  return spans
}

function addresses(source: string, offset = 0): Span[] {
  return [...source.matchAll(/https?:\/\/\S+/g)].map(({ index, 0: address }) => ({
    from: index + offset,
    to: index + address.length + offset,
  }))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const files = execFileSync(
    'git',
    ['ls-files', '-co', '--exclude-standard', '*.ts', '*.svelte', '*.css', '*.js', '*.mjs', '*.cjs'],
    { encoding: 'utf8' },
  )
    .split('\n')
    .filter(path => path !== '')
  const faults = files.flatMap(path => {
    const source = readFileSync(path, 'utf8')
    return [...wideLines(path, source), ...longFile(path, source)]
  })
  faults.push(...fullFolders(files))
  console.log(
    faults.length > 0
      ? faults.join('\n')
      : `${files.length} files: no line wider than ${maxWidth} columns, no file longer than ${maxLines} lines, no folder above ${maxFiles} files.`,
  )
  process.exitCode = faults.length > 0 ? 1 : 0
}
