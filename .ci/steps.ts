/**
 * Runs the project's checks and counts them. `fast`: types, format, lint, unit tests. `all`: these, then build with
 * size budget, then the browser tests, and stories in Firefox and WebKit where they are installed. `fast` runs random
 * tests less often and leaves out those named `*.long.test.ts`. `near [COMMIT]`: of
 * the fast ones those that are nearest to what differs from the commit (near.ts). `types` and `lint`: these alone. One
 * that fails stops no other. A browser test that fails is run again alone, twice (unsteady.ts). Ends with a line "N
 * passed, N failed"; a check without tests of its own counts as one.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { findEngines, readStories, type Engine } from './engines.ts'
import { changedSince, nearest, sourcesOf, testsOfTheTree, testsReaching } from './near.ts'
import { countAgain, countUnsteady, failedTests, mostUnsteady, only, type PlaywrightReport } from './unsteady.ts'

type Count = { passed: number; failed: number; skipped?: number; unsteady?: string[] }
type Check = {
  name: string
  command: string[]
  env?: Record<string, string>
  report?: { file: string; read: (json: unknown) => Count }
}

const cache = '.cache'
const vitestReport = `${cache}/vitest.json`
const e2eReport = `${cache}/e2e.json`
/**
 * How often random tests run, and those that live through a whole agent each time; what the person has set wins.
 */
const full = { HAVERSACK_RUNS: '500', HAVERSACK_LIVES: '60' }
const few = { HAVERSACK_RUNS: '10', HAVERSACK_LIVES: '3' }
/** A quarter of what each test says, and none of `*.long.test.ts`. */
const quick = { HAVERSACK_QUICK: '1' }

const readVitest = (json: unknown): Count => {
  const { numPassedTests, numFailedTests, numFailedTestSuites } = json as Record<string, number>
  return { passed: numPassedTests ?? 0, failed: (numFailedTests ?? 0) || (numFailedTestSuites ?? 0) }
}
const readPlaywright = (json: unknown): Count => {
  const { expected, unexpected, flaky } = (json as PlaywrightReport).stats
  return { passed: expected, failed: unexpected + flaky }
}

/**
 * TypeScript 7 checks in a tenth of the time; svelte-check turns Svelte into TypeScript with 6, and both are called
 * `tsc`.
 */
const tsc = '../@typescript/native/bin/tsc'
const screen: Check = {
  name: 'types of the page',
  command: [
    'svelte-check',
    '--tsconfig',
    './tsconfig.json',
    '--fail-on-warnings',
    '--output',
    'human',
    '--tsgo-experimental-api',
  ],
}
/** `more`: what else the compiler is told. */
const typesOf = (folder: string, ...more: string[]): Check => ({
  name: `types of ${folder}`,
  command: [tsc, '-p', folder, ...more],
})
const types: Check[] = [screen, ...['src/core', 'workers', 'bench'].map(folder => typesOf(folder))]
const lint: Check[] = [
  { name: 'format', command: ['oxfmt', '--check', '.'] },
  { name: 'width of lines, length of files', command: ['tsx', '.ci/layout.ts'] },
  { name: 'one name for one thing', command: ['tsx', '.ci/one-name.ts'] },
  { name: 'lint', command: ['oxlint'] },
  { name: 'walls and cycles', command: ['depcruise', 'src', 'workers', 'bench', 'e2e'] },
]
const unit = (env: Record<string, string>, name = 'unit tests', files: readonly string[] = []): Check => ({
  name,
  command: ['vitest', 'run', ...files, '--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`],
  env: process.env['HAVERSACK_RUNS'] || process.env['HAVERSACK_LIVES'] ? {} : env,
  report: { file: vitestReport, read: readVitest },
})
/**
 * What a change can break first: the nearest tests, and those that read the tree as text; types of where it is, going
 * on from the last run; format and lint of its files, walls of these and of all that they import, so cycles too.
 */
const near = (base: string): Check[] => {
  const changed = changedSince(base)
  if (changed.length === 0) return []
  const sources = sourcesOf()
  const reaching = testsReaching(changed, sources)
  const files = new Set([...nearest(reaching), ...testsOfTheTree(changed, sources)])
  const left = reaching.filter(({ path }) => !files.has(path)).length
  const farther = left > 0 ? `; ${left} farther ones are left to npm run check` : ''
  const code = changed.filter(file => sources.has(file))
  const walled = code.filter(file => /^(?:src|workers|bench|e2e)\//.test(file))
  const where = (pattern: RegExp, check: Check): Check[] => (code.some(file => pattern.test(file)) ? [check] : [])
  const goingOn = (folder: string): Check =>
    typesOf(folder, '--incremental', '--tsBuildInfoFile', `${cache}/types-${folder.replace('/', '-')}.json`)
  return [
    ...where(/^src\/(?:ui|bridge|models|core)\//, screen),
    unit(few, `unit tests near what differs from ${base}: ${files.size} files${farther}`, [...files]),
    ...where(/\.ts$/, goingOn('bench')), // and of all tests
    ...where(/^(?:workers|src\/(?:bridge|models|storage|net))\//, goingOn('workers')),
    ...where(/^src\/core\//, goingOn('src/core')),
    ...(walled.length > 0 ? [{ name: 'walls and cycles', command: ['depcruise', ...walled] }] : []),
    ...where(/./, { name: 'lint', command: ['oxlint', ...code] }),
    ...where(/./, { name: 'format', command: ['oxfmt', '--check', ...code] }),
  ]
}
const build: Check = { name: 'build and size budget', command: ['vite', 'build'] }
const features: Check = { name: 'the build in the oldest browsers', command: ['tsx', '.ci/browser-features.ts'] }
const stories = (engine: Engine & { browser: string }): Check => ({
  name: `stories in ${engine.name}`,
  command: ['tsx', 'e2e/engines/run.ts', engine.id],
  env: { HAVERSACK_BROWSER: engine.browser, HAVERSACK_REPORT: engine.report },
  report: { file: engine.report, read: readStories },
})
const e2e = (chromium: string, name = 'browser tests', more: string[] = []): Check => ({
  name,
  command: ['playwright', 'test', '--config', 'e2e/playwright.config.ts', ...more],
  env: { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: resolve(e2eReport) },
  report: { file: e2eReport, read: readPlaywright },
})

async function run(check: Check): Promise<Count> {
  if (check.report) rmSync(check.report.file, { force: true })
  const started = Date.now()
  const [command, ...args] = check.command
  const { code, output } = await new Promise<{ code: number; output: string }>(resolve => {
    const child = spawn(`node_modules/.bin/${command}`, args, {
      env: { ...process.env, FORCE_COLOR: '0', ...check.env },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', chunk => {
        output += chunk
      })
    child.on('error', error => resolve({ code: 1, output: String(error) }))
    child.on('close', code => resolve({ code: code ?? 1, output }))
  })
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  console.log(`\n${code === 0 ? '✓' : '✗'} ${check.name} (${seconds} s)`)
  console.log(code === 0 ? lastLines(output, 6) : output)
  const own = { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 }
  if (!check.report || !existsSync(check.report.file)) return own
  const count = check.report.read(JSON.parse(readFileSync(check.report.file, 'utf8')))
  // A run that failed without a failed test (no test found, a crash) must not look green.
  return code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count
}

/** The browser tests; those that failed once more each, alone and twice. Tells which of them are unsteady. */
async function browserTests(chromium: string): Promise<Count> {
  const count = await run(e2e(chromium))
  if (count.failed === 0 || !existsSync(e2eReport)) return count
  const failed = failedTests(JSON.parse(readFileSync(e2eReport, 'utf8')) as PlaywrightReport)
  // Something else went wrong as well, or too much for bad luck.
  if (failed.length !== count.failed || failed.length > mostUnsteady) return count
  const steady: boolean[] = []
  for (const test of failed) {
    const again = await run(
      e2e(chromium, `again, alone: ${test.title}`, [...only(test), '--repeat-each', '2', '--workers', '1']),
    )
    steady.push(again.failed === 0 && again.passed === 2)
  }
  return {
    ...countAgain(count, steady),
    unsteady: failed.filter((_, index) => steady[index]).map(({ title }) => title),
  }
}

const lastLines = (text: string, count: number) => text.trimEnd().split('\n').slice(-count).join('\n')

/** Two at a time: the machine this is meant for has two cores. Short ones wait much for files: more of them fit in. */
async function together(checks: Check[], lanes = 2): Promise<Count[]> {
  const waiting = [...checks]
  const counts: Count[] = []
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) counts.push(await run(next))
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return counts
}

/** What runs for each word on the command line, the longest first. */
const ways: Record<string, () => Check[]> = {
  all: () => [unit(full), ...types, ...lint],
  fast: () => [unit(quick), ...types, ...lint],
  near: () => near(process.argv[3] ?? 'main'),
  types: () => types,
  lint: () => lint,
}

mkdirSync(cache, { recursive: true })
const way = process.argv[2] ?? 'fast'
const checks = ways[way]
if (checks === undefined) throw new Error(`${way}: one of ${Object.keys(ways).join(', ')} is known`)
const all = way === 'all'
const counts = await together(checks(), way === 'near' ? 3 : 2)
if (all) {
  const built = await run(build)
  counts.push(built)
  if (built.failed === 0) {
    counts.push(await run(features))
    try {
      const { ensureChromium } = await import('./chromium.ts') // loads the runner of browser tests
      counts.push(await browserTests(ensureChromium()))
    } catch (error) {
      console.log(`\n✗ browser tests\n${error instanceof Error ? error.message : String(error)}`)
      counts.push({ passed: 0, failed: 1 })
    }
    const engines = findEngines(cache)
    counts.push(...(await together(engines.flatMap(engine => ('browser' in engine ? [stories(engine)] : [])))))
    for (const engine of engines) {
      if ('browser' in engine) continue
      console.log(`\n– stories in ${engine.name}: ${engine.missing}`)
      for (const name of engine.stories) console.log(`skipped: ${engine.name}: ${name}`)
      counts.push({ passed: 0, failed: 0, skipped: engine.stories.length })
    }
  }
}
const unsteady = counts.flatMap(({ unsteady = [] }) => unsteady)
const sum = counts.reduce<Required<Omit<Count, 'unsteady'>>>(
  (total, { passed, failed, skipped = 0 }) => ({
    passed: total.passed + passed,
    failed: total.failed + failed,
    skipped: total.skipped + skipped,
  }),
  { passed: 0, failed: 0, skipped: 0 },
)
const { passed, failed } = countUnsteady(sum, unsteady.length)
const line = `${passed} passed, ${failed} failed${sum.skipped > 0 ? `, ${sum.skipped} skipped` : ''}`
writeFileSync(`${cache}/summary.txt`, `${line}\n`)
console.log(['', ...unsteady.map(name => `unsteady: ${name}`), line].join('\n'))
process.exitCode = failed === 0 ? 0 : 1
