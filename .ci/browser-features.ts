/**
 * Looks through the built scripts and styles for what the oldest browsers lack, by MDN's data
 * (@mdn/browser-compat-data). It reads names, not types: for a method that is called on a value of unknown type it
 * takes the oldest thing that has one of this name, and a name that the build defines itself is taken for its own. So
 * what it finds is too new for certain, and a method whose name something old has too is passed over.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parseSync, Visitor } from 'vite'
import type { CompatStatement, Identifier, SupportStatement } from '@mdn/browser-compat-data'
import { oldest, type Browser } from './browsers.ts'
import { allowed } from './browser-features-allowed.ts'

/** What a built file uses: MDN's keys, of which one is enough, under the name that is told. */
export type Use = { name: string; keys: readonly string[] }
export type Lack = { name: string; lacking: string[] }

type Data = Record<string, Identifier>
const data = createRequire(import.meta.url)('@mdn/browser-compat-data') as Data
const browsers = Object.keys(oldest) as Browser[]

/** The browsers of the floor that have none of these features. */
export function lackingOf(keys: readonly string[], floor: Readonly<Record<Browser, string>> = oldest): string[] {
  const supports = keys.map(key => compatOf(key)?.support).filter(support => support !== undefined)
  if (supports.length === 0) return [] // not a feature of browsers
  return browsers
    .filter(browser => !supports.some(support => since(support[browser], floor[browser])))
    .map(
      browser =>
        `${browser} ${supports.map(support => versionOf(support[browser])).find(version => version !== undefined) ?? 'never'}`,
    )
}

function compatOf(key: string): CompatStatement | undefined {
  let at: Identifier | undefined = { __compat: undefined, ...data } as unknown as Identifier
  for (const part of key.split('.')) at = Object.hasOwn(at ?? {}, part) ? at?.[part] : undefined
  return at?.__compat
}

type Since = {
  version_added: unknown
  version_removed?: unknown
  flags?: unknown
  prefix?: unknown
  alternative_name?: unknown
}

/**
 * Versions that have it by its own name and without a switch. What was there in part and became whole was there all the
 * time.
 */
function plain(support: SupportStatement | undefined): Since[] {
  const all = (support === undefined ? [] : Array.isArray(support) ? support : [support]) as Since[]
  const own = all.filter(
    one => one.flags === undefined && one.prefix === undefined && one.alternative_name === undefined,
  )
  return own.filter(
    ({ version_removed: removed }) => !removed || own.some(({ version_added: added }) => added === removed),
  )
}

const versionOf = (support: SupportStatement | undefined): string | undefined =>
  plain(support)
    .map(one => one.version_added)
    .find((version): version is string => typeof version === 'string')

function since(support: SupportStatement | undefined, floor: string): boolean {
  return plain(support).some(
    ({ version_added: added }) =>
      added === true || (typeof added === 'string' && added !== 'preview' && !isNewer(added.replace('≤', ''), floor)),
  )
}

function isNewer(version: string, floor: string): boolean {
  const [a, b] = [version, floor].map(text => text.split('.').map(Number))
  for (let place = 0; place < 3; place++)
    if ((a![place] ?? 0) !== (b![place] ?? 0)) return (a![place] ?? 0) > (b![place] ?? 0)
  return false
}

/** MDN's keys of everything that has a member of this name, except those of classes themselves. */
const membersByName = ((): Map<string, string[]> => {
  const found = new Map<string, string[]>()
  for (const [root, things] of [
    ['api', data['api']],
    ['javascript.builtins', data['javascript']?.['builtins']],
  ] as const) {
    for (const [thing, members] of Object.entries(things ?? {})) {
      for (const member of Object.keys(members as object)) {
        if (member === '__compat' || member === thing || /_(?:static|event|permission)$/.test(member)) continue
        found.set(member, [...(found.get(member) ?? []), `${root}.${thing}.${member}`])
      }
    }
  }
  return found
})()

const isKnown = (key: string): boolean => compatOf(key) !== undefined
const globalKeys = (name: string): string[] =>
  [`javascript.builtins.${name}`, `api.${name}`, `api.Window.${name}`, `api.WorkerGlobalScope.${name}`].filter(isKnown)
const ownKeys = (thing: string, member: string): string[] =>
  ['javascript.builtins', 'api']
    .flatMap(root => [`${root}.${thing}.${member}_static`, `${root}.${thing}.${member}`])
    .filter(isKnown)
/** Names under which the browser's own things stand everywhere. */
const things: Readonly<Record<string, string>> = {
  navigator: 'Navigator',
  document: 'Document',
  window: 'Window',
  self: 'Window',
  globalThis: 'Window',
  location: 'Location',
  history: 'History',
  performance: 'Performance',
  crypto: 'Crypto',
  caches: 'CacheStorage',
  indexedDB: 'IDBFactory',
}

const flagKeys: Readonly<Record<string, string>> = {
  v: 'javascript.builtins.RegExp.unicodeSets',
  d: 'javascript.builtins.RegExp.hasIndices',
  s: 'javascript.builtins.RegExp.dotAll',
  y: 'javascript.builtins.RegExp.sticky',
  u: 'javascript.builtins.RegExp.unicode',
}
const patternKeys: readonly [RegExp, string][] = [
  [/\(\?<[=!]/, 'javascript.regular_expressions.lookbehind_assertion'],
  [/\(\?<[A-Za-z_$]/, 'javascript.regular_expressions.named_capturing_group'],
  [/\(\?[ims]*-?[ims]+:/, 'javascript.regular_expressions.modifier'],
  [/\\[pP]\{/, 'javascript.regular_expressions.unicode_character_class_escape'],
]

/**
 * What a script uses, and the names of members that it defines itself. Calls with `?.` behind the name, and what
 * `typeof` looks at, are guarded and not told.
 */
export function usesOfScript(code: string): { uses: Use[]; defined: Set<string> } {
  const uses = new Map<string, Use>()
  const use = (name: string, keys: readonly string[]): void => {
    if (keys.length > 0 && !uses.has(name)) uses.set(name, { name, keys })
  }
  const guarded = new Set<object>()
  const called = new Set<object>()
  const taken = new Set<object>() // what is taken out of an object defines nothing
  const defined = new Set<string>()
  const define = (key: { type: string; name?: unknown; value?: unknown }): void => {
    defined.add(String(key.name ?? key.value))
  }
  const regExp = (pattern: string, flags: string): void => {
    for (const flag of flags)
      if (flagKeys[flag] !== undefined) use(`flag ${flag} of a regular expression`, [flagKeys[flag]])
    for (const [sign, key] of patternKeys)
      if (sign.test(pattern)) use(`${key.split('.').at(-1)!.replaceAll('_', ' ')} in a regular expression`, [key])
  }
  const parsed = parseSync('built.js', code, { sourceType: 'module' })
  if (parsed.errors.length > 0) throw new Error(`A built script cannot be parsed: ${parsed.errors[0]!.message}`)
  new Visitor({
    UnaryExpression(node) {
      if (node.operator === 'typeof') guarded.add(node.argument)
    },
    CallExpression(node) {
      if (node.optional) guarded.add(node.callee)
      called.add(node.callee)
      if (node.callee.type === 'Identifier') use(node.callee.name, globalKeys(node.callee.name))
    },
    NewExpression(node) {
      if (node.callee.type !== 'Identifier') return
      use(node.callee.name, globalKeys(node.callee.name))
      const [pattern, flags] = node.arguments
      if (node.callee.name === 'RegExp' && flags?.type === 'Literal' && typeof flags.value === 'string')
        regExp(pattern?.type === 'Literal' && typeof pattern.value === 'string' ? pattern.value : '', flags.value)
    },
    MemberExpression(node) {
      if (guarded.has(node) || node.computed || node.property.type !== 'Identifier') return
      const member = node.property.name
      if (node.object.type === 'Identifier') {
        const thing = things[node.object.name] ?? node.object.name
        if (globalKeys(node.object.name).length > 0 || node.object.name in things) {
          const own = ownKeys(thing, member)
          if (own.length > 0) return use(`${node.object.name}.${member}`, own)
        }
      }
      if (called.has(node)) use(`.${member}()`, membersByName.get(member) ?? [])
    },
    ObjectPattern(node) {
      for (const property of node.properties) taken.add(property)
    },
    Property(node) {
      if (!taken.has(node)) define(node.key)
    },
    MethodDefinition(node) {
      define(node.key)
    },
    PropertyDefinition(node) {
      define(node.key)
    },
    AssignmentExpression(node) {
      if (node.left.type === 'MemberExpression') define(node.left.property)
    },
    Literal(node) {
      if ('regex' in node && node.regex) regExp(node.regex.pattern, node.regex.flags)
    },
  }).visit(parsed.program)
  return { uses: [...uses.values()], defined }
}

/** What a style sheet uses: properties, functions and units in values, selectors, at-rules. */
export function usesOfStyle(css: string): Use[] {
  const uses = new Map<string, Use>()
  const use = (name: string, ...keys: string[]): void => {
    const known = keys.filter(isKnown)
    if (known.length > 0) uses.set(name, { name, keys: known })
  }
  const text = css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""')
    .replace(/url\([^)]*\)/g, 'url()')
  for (const [, rule] of text.matchAll(/@([a-z-]+)/g)) use(`@${rule}`, `css.at-rules.${rule}`)
  for (const [, feature] of text.matchAll(/@media[^{]*?\(\s*([a-z-]+)/g))
    use(`@media (${feature})`, `css.at-rules.media.${feature}`)
  for (const [block] of text.matchAll(/[^{}]+(?=\{)/g)) {
    if (block.trimStart().startsWith('@')) continue
    for (const [, selector] of block.matchAll(/::?([a-z-]+)/g)) use(`:${selector}`, `css.selectors.${selector}`)
    if (block.includes('&')) use('nesting', 'css.selectors.nesting')
  }
  for (const [, property, value] of text.matchAll(/(?<=[{;])\s*([a-z-]+)\s*:\s*([^;{}]+)(?=[;}])/g)) {
    use(property!, `css.properties.${property}`)
    for (const [word] of value!.matchAll(/(?<![\w-])[a-z-]+(?![\w-]|\s*\()/g))
      use(
        `${property}: ${word}`,
        `css.properties.${property}.${word}`,
        `css.properties.${property}.${word.replaceAll('-', '_')}`,
      )
    for (const [, name] of value!.matchAll(/([a-z-]+)\(/g))
      use(
        `${name}()`,
        `css.types.color.${name}`,
        `css.types.${name}`,
        `css.types.image.${name}`,
        `css.types.gradient.${name}`,
        `css.types.easing-function.${name}`,
        `css.types.transform-function.${name}`,
        `css.types.basic-shape.${name}`,
        `css.types.filter-function.${name}`,
      )
    if (/\d[sld]v(?:h|w|i|b|min|max)\b/.test(value!))
      use('units svh, lvh, dvh', 'css.types.length.viewport_percentage_units_dynamic')
    if (/\dcq(?:h|w|i|b|min|max)\b/.test(value!))
      use('units of containers', 'css.types.length.container_query_length_units')
  }
  return [...uses.values()]
}

/** What files use and one of the oldest browsers lacks. */
export function lacksOf(uses: Iterable<Use>, floor?: Readonly<Record<Browser, string>>): Lack[] {
  return [...uses]
    .map(({ name, keys }) => ({ name, lacking: lackingOf(keys, floor) }))
    .filter(({ lacking }) => lacking.length > 0)
}

/**
 * Engines of models are megabytes that run only where the device was found able to, and tell by name when they are not.
 */
const engines = /^(?:webllm-engine|wllama-)/

/** Goes through a build. Answers with what is wrong, line by line; empty: nothing. */
export function checkBuild(dist: string, readme: string): string[] {
  const wrong: string[] = []
  const files = [...readdirSync(join(dist, 'assets')).map(name => join('assets', name)), 'service-worker.js'].filter(
    file => /\.(?:js|css)$/.test(file) && !engines.test(file.slice('assets/'.length)),
  )
  const found = new Map<string, { lacking: string[]; files: string[] }>()
  const ownNames = new Set<string>()
  for (const file of files) {
    const text = readFileSync(join(dist, file), 'utf8')
    const { uses, defined } = file.endsWith('.css') ? { uses: usesOfStyle(text), defined: [] } : usesOfScript(text)
    for (const name of defined) ownNames.add(`.${name}()`)
    for (const { name, lacking } of lacksOf(uses))
      found.set(name, { lacking, files: [...(found.get(name)?.files ?? []), file] })
  }
  for (const name of ownNames) found.delete(name)
  for (const [name, { lacking, files }] of found)
    if (!Object.hasOwn(allowed, name)) wrong.push(`${name} came with ${lacking.join(', ')}: ${files.join(', ')}`)
  for (const name of Object.keys(allowed))
    if (!found.has(name)) wrong.push(`${name} is allowed and not used any more: take its row away`)
  for (const sign of [`Chrome and Edge ${oldest.chrome}`, `Firefox ${oldest.firefox}`, `Safari ${oldest.safari}`])
    if (!readme.includes(sign)) wrong.push(`The README does not name ${sign}`)
  return wrong
}

if (process.argv[1]?.endsWith('browser-features.ts')) {
  const wrong = checkBuild('dist', readFileSync('README.md', 'utf8'))
  console.log(
    wrong.length === 0
      ? 'Everything in the build is known to the oldest browsers.'
      : `The oldest browsers (.ci/browsers.ts) lack what the build uses. Do without, or ask for it first and say so in .ci/browser-features-allowed.ts:\n  ${wrong.join('\n  ')}`,
  )
  process.exitCode = wrong.length === 0 ? 0 : 1
}
