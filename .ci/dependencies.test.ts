import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { expect, it } from 'vitest'
import { importsOf, textsOf, unusedOf } from './dependencies.ts'

const json = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Parameters<typeof unusedOf>[0]
const isCode = (path: string): boolean => /\.(?:ts|svelte|css|cjs)$/.test(path)
const isTest = (path: string): boolean => /\.(?:test|laws|fixture)\.ts$/.test(path)
const product = textsOf(['src', 'workers'], path => isCode(path) && !isTest(path))
const tests = textsOf(['src', 'workers'], isTest)
const around = [
  ...textsOf(['.ci'], path => isCode(path) && !isTest(path)),
  ...readdirSync('.')
    .filter(isCode)
    .map(path => readFileSync(path, 'utf8')),
]
const e2e = textsOf(['e2e'], isCode)
const bench = textsOf(['bench'], isCode)
const types = ['.', 'src/core', 'workers', 'bench'].flatMap(folder =>
  readdirSync(folder)
    .filter(name => /^tsconfig.*\.json$/.test(name))
    .flatMap(name => {
      const { compilerOptions } = JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as {
        compilerOptions?: { types?: string[] }
      }
      return compilerOptions?.types ?? []
    }),
)
const own = json('package.json')
const peers = json('bench/package.json')

it("finds what is declared and never used, also where it is another one's passenger", () => {
  const declared = {
    dependencies: { used: '1', passenger: '1', built: '1', '@scope/deep': '1' },
    devDependencies: { runner: '1', asked: '1', idle: '1', '@types/node': '1' },
  }
  const installed = (name: string) =>
    (
      {
        used: { peerDependencies: { passenger: '1' } },
        runner: { bin: { run: './x' }, peerDependencies: { asked: '1', passenger: '1' } },
      } as Record<string, object>
    )[name] ?? {}
  const uses = {
    product: ["import { a } from 'used/part'\nconst b = import('@scope/deep/x')\n// passenger"],
    tools: ["folder('built')"],
    scripts: ['run all'],
    types: ['node'],
  }
  expect(unusedOf(declared, uses, installed)).toEqual(['passenger', 'idle'])
})

it('every package that is declared is used', () => {
  const scripts = [...Object.values(own.scripts ?? {}), ...around.filter(text => text.includes('command:'))]
  expect(
    unusedOf(own, { product, tools: [...around, ...tests, ...e2e, ...bench], scripts, types }, name =>
      json(`node_modules/${name}/package.json`),
    ),
  ).toEqual([])
  expect(unusedOf(peers, { product: bench, tools: [], scripts: [], types: [] }, () => ({}))).toEqual([])
})

it('every package that is used is declared', () => {
  const names = (...declared: (Record<string, string> | undefined)[]): Set<string> =>
    new Set(declared.flatMap(one => Object.keys(one ?? {})))
  const missing = (texts: readonly string[], declared: ReadonlySet<string>): string[] =>
    [...importsOf(texts)].filter(
      name => !declared.has(name) && !builtinModules.includes(name) && existsSync(`node_modules/${name}`),
    )
  expect(missing(product, names(own.dependencies))).toEqual([])
  expect(missing([...tests, ...around, ...e2e], names(own.dependencies, own.devDependencies))).toEqual([])
  expect(missing(bench, names(own.dependencies, own.devDependencies, peers.dependencies))).toEqual([])
})
