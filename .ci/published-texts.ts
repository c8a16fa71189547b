/**
 * Reads docs/published-texts.md: the checkable sentences of the published texts, each with the tests that hold it.
 * Finds the tests that a file has by reading its code, so that a test that was renamed, removed or skipped is missed
 * without running anything. `npx tsx .ci/published-texts.ts` numbers the rows and counts them anew, after one was put
 * in or taken out.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parseSync } from 'vite'

/**
 * One row of a table: a sentence, whether it holds, the row of the README where it differs on purpose, and what holds
 * it.
 */
export type Sentence = { number: number; group: string; says: string; differs?: string; heldBy: readonly string[] }
export type Table = { sentences: Sentence[]; counts: Count[]; problems: string[] }
/** Of one system, or of all of them: how many sentences, how many hold, how many differ on purpose. */
export type Count = { group: string; sentences: number; hold: number; differ: number }

/** A test of a file, with the groups around it; `…` stands for what is only known when it runs. */
export type FoundTest = { title: string; runs: boolean }

const all = 'all'

/** The tables of the page: first the counts, then one table of sentences below the heading of each system. */
export function tableOf(markdown: string): Table {
  const table: Table = { sentences: [], counts: [], problems: [] }
  let group = ''
  for (const line of markdown.split('\n')) {
    if (line.startsWith('## ')) group = line.slice(3).trim()
    const cells = cellsOf(line)
    if (cells === undefined) continue
    const [first = '', says = '', holds = '', tests = ''] = cells
    if (group === '') {
      if (/^\d/.test(says))
        table.counts.push({ group: first, sentences: Number(says), hold: Number(holds), differ: Number(tests) })
    } else if (/^\d+$/.test(first)) {
      const differs = /^differs: (.+)$/.exec(plain(holds))?.[1]
      if (holds !== 'holds' && differs === undefined) table.problems.push(`${first}: neither "holds" nor "differs: …"`)
      if (says === '') table.problems.push(`${first}: says nothing`)
      const heldBy = [...tests.matchAll(/`([^`]+)`/g)].flatMap(([, text = '']) => text)
      if (heldBy.length === 0) table.problems.push(`${first}: no test holds it`)
      table.sentences.push({ number: Number(first), group, says, ...(differs !== undefined && { differs }), heldBy })
    } else if (!/^(#|-+)$/.test(first)) table.problems.push(`A row without a number: ${line}`)
  }
  return table
}

/** What the table of counts should say, in the order of the page. */
export function countsOf(sentences: readonly Sentence[]): Count[] {
  const groups = [...new Set(sentences.map(({ group }) => group)), all]
  return groups.map(group => {
    const rows = sentences.filter(row => group === all || row.group === group)
    const differ = rows.filter(row => row.differs !== undefined).length
    return { group, sentences: rows.length, hold: rows.length - differ, differ }
  })
}

/** The page with its rows numbered and counted anew. */
export function numbered(markdown: string): string {
  let number = 0
  let isHead = true
  const counts = countsOf(tableOf(markdown).sentences).map(
    ({ group, sentences, hold, differ }) => `| ${group} | ${sentences} | ${hold} | ${differ} |`,
  )
  return markdown
    .split('\n')
    .flatMap(line => {
      if (line.startsWith('## ')) isHead = false
      if (!isHead) return [line.replace(/^\| \d+ \|/, () => `| ${++number} |`)]
      if (!/^\| [^|]+ \| \d+ \| \d+ \| \d+ \|$/.test(line)) return [line]
      return counts.splice(0) // all of them where the first one stood
    })
    .join('\n')
}

/** The names of the README's table of differences: the first cell of each row below that heading. */
export function differencesOf(readme: string, heading: string): string[] {
  const from = readme.split('\n').findIndex(line => line === `## ${heading}`)
  if (from < 0) return []
  const lines = readme.split('\n').slice(from + 1)
  const to = lines.findIndex(line => line.startsWith('## '))
  const rows = lines.slice(0, to < 0 ? undefined : to).flatMap(line => {
    const cells = cellsOf(line)
    return cells === undefined ? [] : [plain(cells[0] ?? '')]
  })
  return rows.slice(2) // the head and the line below it
}

/** Why a reference (`file › title`) names no test that runs; undefined where it does. */
export function faultOf(
  reference: string,
  root: string,
  known: Map<string, readonly FoundTest[]> = new Map(),
): string | undefined {
  const [file = '', ...rest] = reference.split(' › ')
  const title = rest.join(' › ')
  const path = join(root, file)
  if (title === '') return 'names no title'
  if (!existsSync(path)) return 'no such file'
  const tests = (test: string): readonly FoundTest[] => {
    const found = known.get(test) ?? testsIn(readFileSync(join(root, test), 'utf8'), test)
    known.set(test, found)
    return found
  }
  if (/^((src|workers|bench|\.ci)\/.*\.test|e2e\/.*\.spec)\.ts$/.test(file))
    return tests(file).some(test => test.runs && test.title === title) ? undefined : 'no such test that runs'
  if (!hasCase(file, readFileSync(path, 'utf8'), title)) return 'no such case'
  return readersOf(file, root).some(reader => tests(reader).some(test => test.runs && /…|\$name/.test(test.title)))
    ? undefined
    : 'no test reads these cases'
}

/**
 * Whether a file of cases has one of this name: vectors by their `name`, laws by theirs, a run of replay by its own
 * file.
 */
function hasCase(file: string, text: string, title: string): boolean {
  if (file.endsWith('.laws.ts')) return text.includes(`name: '${title}'`)
  if (file.endsWith('.expected.json')) return (JSON.parse(text) as { why?: string }).why === title
  if (file.endsWith('.vectors.json'))
    return (JSON.parse(text) as { name: string; why: string }[]).some(({ name, why }) => `${name}: ${why}` === title)
  return false
}

/**
 * The tests that name a file of cases, beside it or one folder above; where each case is a file, its folder. Laws may
 * be gathered by other laws.
 */
function readersOf(file: string, root: string): string[] {
  const named = file.endsWith('.expected.json') ? '/vectors/' : basename(file)
  const beside = [dirname(file), dirname(dirname(file))].flatMap(folder =>
    readdirSync(join(root, folder)).map(name => join(folder, name)),
  )
  const naming = beside.filter(
    other =>
      other !== file && /\.(test|laws)\.ts$/.test(other) && readFileSync(join(root, other), 'utf8').includes(named),
  )
  return naming.flatMap(other => (other.endsWith('.laws.ts') ? readersOf(other, root) : [other]))
}

type Node = { type: string; [key: string]: unknown }
/** What may stand behind `it`, `test` and `describe` without the test being left out. */
const harmless = new Set(['each', 'for', 'concurrent', 'sequential', 'describe'])

/** All tests of a test file, in order. Where one is marked `only`, the others do not run. */
export function testsIn(code: string, file = 'a.test.ts'): FoundTest[] {
  const parsed = parseSync(file, code, { sourceType: 'module', lang: 'ts' })
  if (parsed.errors.length > 0) throw new Error(`${file} cannot be read: ${parsed.errors[0]!.message}`)
  const tests: (FoundTest & { only: boolean })[] = []
  const walk = (node: unknown, groups: readonly string[], runs: boolean, only: boolean): void => {
    if (Array.isArray(node)) for (const one of node) walk(one, groups, runs, only)
    if (!isNode(node)) return
    const chain = node.type === 'CallExpression' ? namesOf(node['callee'] as Node) : []
    const rest = (node['arguments'] ?? []) as Node[]
    const body = rest.find(argument => isFunction(argument))
    if (
      !['it', 'test', 'describe'].includes(chain[0] ?? '') ||
      rest[0] === undefined ||
      body === undefined ||
      isFunction(rest[0])
    ) {
      for (const value of Object.values(node)) walk(value, groups, runs, only)
      return
    }
    const isGroup = chain.includes('describe')
    const title = [...groups, titleOf(rest[0])]
    const isOnly = only || chain.includes('only')
    const options = rest.filter(argument => argument.type === 'ObjectExpression').flatMap(argument => keysOf(argument))
    const left =
      chain.slice(1).some(name => !harmless.has(name) && name !== 'only') ||
      options.some(name => ['skip', 'todo', 'fails'].includes(name)) ||
      (!isGroup && leavesItself(body))
    if (isGroup) walk(body, title, runs && !left, isOnly)
    else tests.push({ title: title.join(' › '), runs: runs && !left, only: isOnly })
  }
  walk(parsed.program, [], true, false)
  const some = tests.some(test => test.only)
  return tests.map(({ title, runs, only }) => ({ title, runs: runs && (!some || only) }))
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
}

function isFunction(node: Node): boolean {
  return node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression'
}

/** `describe.each(list)` → describe, each. */
function namesOf(node: Node): string[] {
  if (node.type === 'Identifier') return [String(node['name'])]
  if (node.type === 'MemberExpression')
    return [...namesOf(node['object'] as Node), ...namesOf(node['property'] as Node)]
  if (node.type === 'CallExpression') return namesOf(node['callee'] as Node)
  if (node.type === 'TaggedTemplateExpression') return namesOf(node['tag'] as Node)
  return []
}

function titleOf(node: Node): string {
  if (node.type === 'Literal') return String(node['value'])
  if (node.type !== 'TemplateLiteral') return '…'
  return (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('…')
}

function keysOf(node: Node): string[] {
  return (node['properties'] as Node[]).flatMap(property => (isNode(property['key']) ? namesOf(property['key']) : []))
}

/** A body may leave its own test out: `test.skip(…)`, `context.skip()`, `test.fixme()`. */
function leavesItself(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(leavesItself)
  if (!isNode(node)) return false
  if (
    node.type === 'CallExpression' &&
    ['skip', 'fixme', 'todo'].includes(namesOf(node['callee'] as Node).at(-1) ?? '') &&
    (node['callee'] as Node).type === 'MemberExpression'
  )
    return true
  return Object.values(node).some(leavesItself)
}

function cellsOf(line: string): string[] | undefined {
  if (!line.startsWith('|')) return undefined
  return line
    .slice(1)
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
    .map(cell => cell.trim().replaceAll('\\|', '|'))
}

/** A cell without the marks of Markdown. */
function plain(cell: string): string {
  return cell
    .replaceAll(/[*`]/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
}

if (process.argv[1]?.endsWith('published-texts.ts') === true) {
  const page = 'docs/published-texts.md'
  writeFileSync(page, numbered(readFileSync(page, 'utf8')))
}
