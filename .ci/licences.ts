/**
 * The licences of all that the build may hold, as one file beside it: the packages of package.json and theirs, as the
 * lock file has them.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

export type Licensed = { name: string; version: string; licence: string; text: string }
type Wanted = Record<string, string>
type Locked = {
  version?: string
  license?: string
  dev?: boolean
  dependencies?: Wanted
  optionalDependencies?: Wanted
  peerDependencies?: Wanted
}

/** Where the file lies in the build; the settings name it too (ui/settings/AboutTab.svelte). */
export const licencesFile = 'licences.txt'

/** What lies in the build, by itself or compiled into a package, and has a licence of its own. */
const inside: readonly Licensed[] = [
  {
    name: 'Gelasio (the reading face)',
    version: '1.008',
    licence: 'OFL-1.1',
    text: readFileSync(new URL('../src/ui/fonts/OFL.txt', import.meta.url), 'utf8'),
  },
  {
    name: 'llama.cpp and ggml (in the programs of @wllama/wllama)',
    version: '',
    licence: 'MIT',
    text: `Copyright (c) 2023-2026 The ggml authors\n\n${mit()}`,
  },
  {
    name: 'Emscripten (in the programs of @wllama/wllama)',
    version: '',
    licence: 'MIT',
    text: `Copyright (c) 2010-2026 Emscripten authors, see AUTHORS file.\n\n${mit()}`,
  },
]

/**
 * Every package that the product depends on, by name; twice where it has two versions. Throws for one without a
 * licence.
 */
export function licensed(root: string): Licensed[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  const found = new Map<string, Licensed>()
  const visit = (
    from: string,
    { dependencies = {}, optionalDependencies = {}, peerDependencies = {} }: Locked,
  ): void => {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const path = installed(packages, from, name)
      if (path === undefined || found.has(path) || packages[path]?.dev) continue
      found.set(path, licenceOf(root, path, packages[path]!))
      visit(path, packages[path]!)
    }
  }
  visit('', { dependencies: packages['']?.dependencies ?? {} })
  return [...found.values(), ...inside].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

export function licencesText(all: readonly Licensed[]): string {
  const head = 'Haversack is free software (MIT). It is built of the following, each under its own licence.\n'
  return `${head}${all.map(({ name, version, licence, text }) => `\n${'='.repeat(78)}\n${[name, version, `(${licence})`].filter(part => part !== '').join(' ')}\n\n${text.trim()}\n`).join('')}`
}

/**
 * Writes the file, and fails the build where it holds a package that the file does not name. `writes`: not in the build
 * of a worker.
 */
export function licences({ writes }: { writes: boolean }): Plugin {
  let root = '.'
  return {
    name: 'licences',
    apply: 'build',
    configResolved(config) {
      root = config.root
    },
    generateBundle(_, bundle) {
      const all = licensed(root)
      const named = new Set(all.map(({ name }) => name))
      const modules = Object.values(bundle).flatMap(part => (part.type === 'chunk' ? Object.keys(part.modules) : []))
      const missing = new Set(packagesOf(modules).filter(name => !named.has(name)))
      if (missing.size > 0)
        this.error(`The build holds packages that ${licencesFile} does not name: ${[...missing].join(', ')}`)
      if (writes) this.emitFile({ type: 'asset', fileName: licencesFile, source: licencesText(all) })
    },
  }
}

/** Names of the packages that these files are of. */
export function packagesOf(files: readonly string[]): string[] {
  return files.flatMap(file => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file.replaceAll('\\', '/'))?.[1] ?? [])
}

/** Where a package lies that one at `from` asks for: the nearest above it. */
function installed(packages: Record<string, Locked>, from: string, name: string): string | undefined {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf('node_modules/') - 1))) {
    const path = `${base === '' ? '' : `${base}/`}node_modules/${name}`
    if (packages[path]) return path
    if (base === '') return undefined
  }
}

function licenceOf(root: string, path: string, { version = '', license }: Locked): Licensed {
  const folder = join(root, path)
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const files = existsSync(folder)
    ? readdirSync(folder).filter(file => /^(?:licen[sc]e|copying|notice)/i.test(file))
    : []
  const { author, contributors } = existsSync(folder)
    ? (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { author?: Person; contributors?: Person[] })
    : {}
  const texts = files.map(file => readFileSync(join(folder, file), 'utf8').trim())
  const licence = license ?? (/\bMIT\b/.test(texts[0] ?? '') ? 'MIT' : undefined)
  if (licence === undefined) throw new Error(`${name} has no licence`)
  if (texts.length > 0) return { name, version, licence, text: texts.join('\n\n') }
  // Some packages name their licence and leave its text out.
  const by = nameOf(author) ?? nameOf(contributors?.[0]) ?? `The authors of ${name}`
  if (licence === 'MIT') return { name, version, licence, text: `Copyright (c) ${by}\n\n${mit()}` }
  if (licence === 'Apache-2.0')
    return {
      name,
      version,
      licence,
      text: `Copyright ${by}\n\nLicensed under the Apache License, Version 2.0, whose text stands with other packages in this file and at http://www.apache.org/licenses/LICENSE-2.0`,
    }
  throw new Error(`${name} has a licence (${licence}) and no text of it`)
}

type Person = string | { name?: string }

function nameOf(person: Person | undefined): string | undefined {
  return typeof person === 'string' ? person : person?.name
}

function mit(): string {
  return `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`
}
