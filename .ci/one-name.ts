/**
 * One name for one thing: looks for names that more than one file under src/ exports, and for exported names and types
 * that hide one of TypeScript's or of the platform. What is passed on (`export … from`) is no second definition.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parseSync } from 'vite'

/** A name that stands at the top level of a file. */
export type Named = { file: string; name: string; isExported: boolean; isType: boolean }

/**
 * The names that a file defines at its top level. Of a component only what its module part does. Throws where it cannot
 * be parsed.
 */
export function namesIn(file: string, text: string): Named[] {
  const code = file.endsWith('.svelte') ? modulePart(text) : text
  const { program, errors } = parseSync(file.endsWith('.svelte') ? 'module.ts' : file, code, { sourceType: 'module' })
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]!.message}`)
  return program.body.flatMap(statement => {
    const isExported = statement.type === 'ExportNamedDeclaration'
    const declared = isExported ? statement.declaration : statement
    return declared === null ? [] : definedBy(declared).map(({ name, isType }) => ({ file, name, isExported, isType }))
  })
}

/** The script of a component that runs once, whatever its attributes. */
function modulePart(component: string): string {
  return [...component.matchAll(/<script\b(?=[^>]*\bmodule\b)[^>]*>([\s\S]*?)<\/script>/g)]
    .map(([, code]) => code)
    .join('\n')
}

type Declaration = { type: string; id?: unknown; declarations?: readonly { id: unknown }[] }

function definedBy(declaration: unknown): { name: string; isType: boolean }[] {
  const { type, id, declarations = [] } = declaration as Declaration
  switch (type) {
    case 'TSTypeAliasDeclaration':
    case 'TSInterfaceDeclaration':
    case 'TSEnumDeclaration':
    case 'ClassDeclaration':
      return boundIn(id).map(name => ({ name, isType: true }))
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
      return boundIn(id).map(name => ({ name, isType: false }))
    case 'VariableDeclaration':
      return declarations.flatMap(one => boundIn(one.id)).map(name => ({ name, isType: false }))
    default:
      return []
  }
}

/** The names that a pattern binds: a name alone, or those inside of brackets and braces. */
function boundIn(pattern: unknown): string[] {
  if (typeof pattern !== 'object' || pattern === null) return []
  const {
    type,
    name,
    elements = [],
    properties = [],
    value,
    left,
    argument,
  } = pattern as Record<'type' | 'name', string> & {
    elements?: unknown[]
    properties?: unknown[]
    value?: unknown
    left?: unknown
    argument?: unknown
  }
  if (type === 'Identifier') return [name]
  return [...elements, ...properties, value, left, argument].flatMap(boundIn)
}

/** Exported names that more than one file defines, in their order, with these files. */
export function definedTwice(names: readonly Named[]): { name: string; files: string[] }[] {
  const files = new Map<string, Set<string>>()
  for (const { name, file, isExported } of names)
    if (isExported) files.set(name, (files.get(name) ?? new Set()).add(file))
  return [...files]
    .filter(([, found]) => found.size > 1)
    .map(([name, found]) => ({ name, files: [...found].toSorted() }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/**
 * Exported names, and types whether exported or not, that are also one of the platform's. Other names of a file are
 * seen where they are used.
 */
export function hiding(names: readonly Named[], platform: ReadonlySet<string>): Named[] {
  return names.filter(({ name, isExported, isType }) => (isExported || isType) && platform.has(name))
}

/** What TypeScript and the platform define for every file: the names in TypeScript's own declarations of both. */
export function platformNames(): Set<string> {
  const folder = dirname(createRequire(import.meta.url).resolve('typescript'))
  const files = readdirSync(folder).filter(file => /^lib\.(?:es|dom|webworker).*\.d\.ts$/.test(file))
  return new Set(
    files.flatMap(file =>
      [
        ...readFileSync(join(folder, file), 'utf8').matchAll(
          /^(?:declare )?(?:abstract )?(?:interface|type|var|let|const|function|class|namespace|enum) (\w+)/gm,
        ),
      ].map(([, name]) => name!),
    ),
  )
}

/** Goes through the sources. Answers with what is wrong, line by line; empty: nothing. */
export function checkNames(root: string): string[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map(file => join(root, file))
    .filter(file => /\.(?:ts|svelte)$/.test(file) && !/\.(?:test|d)\.ts$/.test(file))
    .toSorted()
  const names = files.flatMap(file => namesIn(file, readFileSync(file, 'utf8')))
  return [
    ...definedTwice(names).map(({ name, files }) => `${name} is exported by ${files.join(', ')}`),
    ...hiding(names, platformNames()).map(
      ({ name, file }) => `${name} of ${file} hides what TypeScript or the platform calls so`,
    ),
  ]
}

if (process.argv[1]?.endsWith('one-name.ts')) {
  const wrong = checkNames('src')
  console.log(
    wrong.length === 0
      ? 'Every exported name is exported once, and none hides one of the platform.'
      : `One name for one thing (docs/glossary.md):\n  ${wrong.join('\n  ')}`,
  )
  process.exitCode = wrong.length === 0 ? 0 : 1
}
