import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { licencesFile, licencesText, licensed, packagesOf } from './licences.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const all = licensed(root)

it('names all that package.json declares, and what these packages need', () => {
  const names = all.map(({ name }) => name)
  const { dependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
    dependencies: Record<string, string>
  }
  expect(names).toEqual(
    expect.arrayContaining([...Object.keys(dependencies), 'workbox-core', 'hast-util-to-mdast', 'zod']),
  )
  expect(new Set(all.map(({ name, version }) => `${name} ${version}`)).size).toBeGreaterThan(100)
})

it('every licence lets the app be given on, and is there as a text', () => {
  for (const { name, licence, text } of all) {
    expect(licence, name).toMatch(/\b(?:OFL-1\.1|MIT|Apache-2\.0|BSD-[23]-Clause|ISC|0BSD)\b/)
    expect(text.length, name).toBeGreaterThan(100)
  }
  const whole = licencesText(all)
  // of Apache-2.0, which has to come along
  expect(whole).toContain('TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION')
  for (const { name, version } of all) expect(whole).toContain(version === '' ? name : `${name} ${version} (`)
})

it('tells the package of a module', () => {
  expect(
    packagesOf([
      '/a/node_modules/dexie/dist/x.mjs',
      '/a/node_modules/x/node_modules/@s/y/z.js?worker',
      '/a/src/main.ts',
      '\0virtual:x',
    ]),
  ).toEqual(['dexie', '@s/y'])
})

it('is named where the app tells about itself', () => {
  expect(readFileSync(`${root}src/ui/settings/AboutTab.svelte`, 'utf8')).toContain(`href="${licencesFile}"`)
})

it('the build has no source maps unless they are asked for', () => {
  expect(readFileSync(`${root}vite.config.ts`, 'utf8')).toContain(
    "sourcemap: process.env['HAVERSACK_SOURCEMAPS'] === '1'",
  )
})
