/** The size budget of the first load: page and agent worker together, as script, gzipped. The build fails above it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** Bytes of gzipped script that may be loaded before the app can be used. */
export const budget = 160_000

/** A static import or re-export; `import(` has a bracket behind it and so does not match. */
const staticImport = /(?:\bimport|\bfrom)\s*["'](\.{1,2}\/[^"']+\.js)["']/g

/** The file and all that it imports statically, transitively. */
function closure(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file) || !existsSync(file)) return seen
  seen.add(file)
  for (const [, path] of readFileSync(file, 'utf8').matchAll(staticImport)) closure(resolve(dirname(file), path!), seen)
  return seen
}

/** Script files loaded before the app can be used, with their gzipped size in bytes. */
export function firstLoad(dist: string): { file: string; gzip: number }[] {
  const html = readFileSync(join(dist, 'index.html'), 'utf8')
  const page = [...html.matchAll(/(?:src|href)="(?:\.?\/)?([^"]+\.js)"/g)].map(match => join(dist, match[1]!))
  const assets = join(dist, 'assets')
  const worker = readdirSync(assets)
    .filter(name => /^agent\.worker-.*\.js$/.test(name))
    .map(name => join(assets, name))
  if (page.length === 0 || worker.length !== 1)
    throw new Error(
      `Size budget: expected page scripts and one agent worker in ${dist}, found ${page.length} and ${worker.length}`,
    )
  const files = new Set([...page, ...worker].flatMap(file => [...closure(file)]))
  return [...files].map(file => ({
    file: file.slice(dist.length + 1),
    gzip: gzipSync(readFileSync(file), { level: 9 }).length,
  }))
}

/** Fails the build when the first load is above the budget, and prints its size. */
export function sizeBudget(): Plugin {
  let dist = 'dist'
  return {
    name: 'size-budget',
    apply: 'build',
    enforce: 'post',
    configResolved(config) {
      dist = resolve(config.root, config.build.outDir)
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      handler() {
        if (this.environment && this.environment.name !== 'client') return
        if (!existsSync(join(dist, 'index.html'))) return // the build has failed, and says why itself
        const files = firstLoad(dist)
        const sum = files.reduce((total, { gzip }) => total + gzip, 0)
        console.log(
          `first load: ${(sum / 1000).toFixed(1)} kB gzip of script in ${files.length} files (budget ${budget / 1000} kB)`,
        )
        if (sum > budget) {
          const list = files
            .toSorted((a, b) => b.gzip - a.gzip)
            .map(({ file, gzip }) => `  ${(gzip / 1000).toFixed(1)} kB  ${file}`)
            .join('\n')
          throw new Error(`The first load has ${sum} bytes of gzipped script, the budget is ${budget}:\n${list}`)
        }
      },
    },
  }
}
