/** Which packages a package.json declares that nothing uses, and which are used that it does not declare. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

type Package = {
  name?: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  bin?: string | Record<string, string>
  scripts?: Record<string, string>
}

/** `product`: what the app is built of, without its tests. `tools`: tests, checks, build. Each a list of texts. */
export type Uses = {
  product: readonly string[]
  tools: readonly string[]
  scripts: readonly string[]
  types: readonly string[]
}

/** `import … from 'x'`, `import('x')`, `require('x')`, `import 'x'`, also of types and in style sheets. */
const imported = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*(["'])([^"'\n]+)\1/g

/** Names of the packages that these texts import; of nothing relative, built in or virtual. */
export function importsOf(texts: readonly string[]): Set<string> {
  const names = new Set<string>()
  for (const text of texts)
    for (const [, , specifier] of text.matchAll(imported)) {
      const name = /^(?:@[a-z0-9-][\w.-]*\/)?[a-z0-9-][\w.-]*(?=$|\/)/.exec(specifier!)?.[0]
      if (name !== undefined) names.add(name)
    }
  return names
}

/**
 * A package of the product has to be imported by it, or be named by what builds it. A tool may also be called by a
 * script, be a peer that another one asks for, or bring types that a tsconfig names; that a package of the product is
 * somebody's peer is no reason to declare it.
 */
export function unusedOf(declared: Package, uses: Uses, installed: (name: string) => Package): string[] {
  const product = importsOf(uses.product)
  const all = importsOf([...uses.product, ...uses.tools])
  const named = (name: string): boolean =>
    uses.tools.some(text => text.includes(`'${name}'`) || text.includes(`'${name}/`))
  const calls = (name: string): boolean => {
    const { bin = {} } = installed(name)
    const commands = typeof bin === 'string' ? [name.split('/').at(-1)!] : Object.keys(bin)
    return commands.some(command =>
      uses.scripts.some(script => new RegExp(`(?:^|[\\s'/])${command}(?:$|[\\s'])`, 'm').test(script)),
    )
  }
  const tools = Object.keys(declared.devDependencies ?? {})
  const isPeer = (name: string): boolean => tools.some(other => installed(other).peerDependencies?.[name] !== undefined)
  const bringsTypes = (name: string): boolean => uses.types.some(types => name === `@types/${types}`)
  return [
    ...Object.keys(declared.dependencies ?? {}).filter(name => !product.has(name) && !named(name)),
    ...tools.filter(name => !all.has(name) && !named(name) && !calls(name) && !isPeer(name) && !bringsTypes(name)),
  ]
}

/** Texts of the files under these places that the filter takes. */
export function textsOf(places: readonly string[], takes: (path: string) => boolean): string[] {
  return places.flatMap(place =>
    readdirSync(place, { recursive: true, withFileTypes: true }).flatMap(file => {
      const path = join(file.parentPath, file.name)
      return file.isFile() && !/(?:^|\/)(?:node_modules|results)\//.test(path) && takes(path)
        ? [readFileSync(path, 'utf8')]
        : []
    }),
  )
}
