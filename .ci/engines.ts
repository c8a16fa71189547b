/** Finds Firefox and WebKit for their stories (e2e/engines), or says what is missing. CI gets the Debian packages. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { storyNames, type EngineId } from '../e2e/engines/runs.ts'
import type { Told } from '../e2e/engines/run.ts'

export type Engine = { id: EngineId; name: string; report: string; stories: string[] } & (
  | { browser: string }
  | { missing: string }
)

const packages: Record<EngineId, string[]> = {
  webkit: ['webkit2gtk-driver', 'xvfb', 'xauth', 'dbus-x11'],
  firefox: ['firefox-esr'],
}
const names: Record<EngineId, string> = { webkit: 'WebKit', firefox: 'Firefox' }

/** Both engines, each with its browser or with what is missing. With CI=true what is missing is installed first. */
export function findEngines(cache: string): Engine[] {
  return (['webkit', 'firefox'] as const).map(id => {
    const found = browserOf[id]() ?? (process.env['CI'] === 'true' ? installed(id) : undefined)
    const about = { id, name: names[id], report: `${cache}/${id}.json`, stories: storyNames(id) }
    return found === undefined
      ? { ...about, missing: `not installed; Debian: apt-get install ${packages[id].join(' ')}` }
      : { ...about, browser: found }
  })
}

/** What a report of stories says. */
export function readStories(json: unknown): { passed: number; failed: number; unsteady: string[] } {
  const told = json as Told[]
  return {
    passed: told.filter(({ failed }) => failed === undefined).length,
    failed: told.filter(({ failed }) => failed !== undefined).length,
    unsteady: told.filter(({ unsteady }) => unsteady).map(({ name }) => name),
  }
}

const browserOf: Record<EngineId, () => string | undefined> = {
  firefox() {
    const named = process.env['FIREFOX_PATH']
    if (named) return existing(named, 'FIREFOX_PATH')
    return ['firefox-esr', 'firefox'].map(onPath).find(path => path !== undefined && !isSnap(path))
  },
  webkit() {
    if (['WebKitWebDriver', 'xvfb-run', 'dbus-run-session'].some(name => onPath(name) === undefined)) return undefined
    const named = process.env['WEBKIT_PATH']
    return named ? existing(named, 'WEBKIT_PATH') : miniBrowser()
  },
}

/** Debian puts it beside the libraries of its architecture; the newest comes last. */
function miniBrowser(): string | undefined {
  const inside = (folder: string): string[] =>
    existsSync(folder) ? readdirSync(folder).map(name => join(folder, name)) : []
  return inside('/usr/lib')
    .flatMap(folder => (/-linux-gnu/.test(folder) ? inside(folder) : [folder]))
    .filter(folder => /webkit2?gtk-[\d.]+$/.test(folder))
    .map(folder => join(folder, 'MiniBrowser'))
    .filter(path => existsSync(path))
    .toSorted()
    .at(-1)
}

/** A Firefox in a snap may read no profile of ours. */
function isSnap(path: string): boolean {
  const real = realpathSync(path)
  return (
    /\/snap\b/.test(real) ||
    ((real.endsWith('.sh') || readFileSync(real).subarray(0, 2).toString() === '#!') &&
      readFileSync(real, 'utf8').includes('/snap/'))
  )
}

function installed(id: EngineId): string | undefined {
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo']
  try {
    for (const args of [
      ['apt-get', 'update', '-qq'],
      ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...packages[id]],
    ]) {
      const [command, ...rest] = [...asRoot, ...args]
      execFileSync(command!, rest, { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
    }
  } catch {
    return undefined // a system without these packages: its stories are skipped, and named
  }
  return browserOf[id]()
}

function onPath(name: string): string | undefined {
  const found = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' })
  return found.status === 0 ? found.stdout.trim() : undefined
}

function existing(path: string, variable: string): string {
  if (!existsSync(path)) throw new Error(`${variable} names ${path}, which is not there. Correct it or unset it.`)
  return path
}
