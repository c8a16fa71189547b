/**
 * `npm run release -- 0.2.0`, or `major`, `minor`, `patch`: makes a release of what is committed on main. It looks that
 * the tree is clean and the fast checks are green, sets the version, moves what is unreleased in CHANGELOG.md below it,
 * commits and tags. It builds, pushes and uploads nothing: that is said at the end, and in docs/releases.md.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const changelog = 'CHANGELOG.md'
const unreleased = '## [Unreleased]'
const steps = ['major', 'minor', 'patch'] as const

/** The version that is wanted: a step from the current one, or a higher one in digits. Throws with what is wrong. */
export function nextVersion(current: string, wanted: string | undefined): string {
  const now = partsOf(current)
  const at = steps.findIndex(step => step === wanted)
  if (at >= 0) return now.map((part, place) => (place < at ? part : place === at ? part + 1 : 0)).join('.')
  if (wanted === undefined || !/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(wanted))
    throw new Error(`Which version? Three numbers above ${current}, or one of ${steps.join(', ')}.`)
  const next = partsOf(wanted)
  const differs = next.findIndex((part, place) => part !== now[place])
  if (differs < 0 || next[differs]! < now[differs]!) throw new Error(`${wanted} is not above ${current}.`)
  return wanted
}

const partsOf = (version: string): number[] => version.split('.').map(Number)

/** Versions that the changelog has a section of, as they stand there. */
export function versionsIn(text: string): string[] {
  return [...text.matchAll(/^## \[(\d[^\]]*)\]/gm)].map(([, version]) => version!)
}

/**
 * What stands below the heading of what is unreleased; '' where nothing does. Throws where there is no such heading.
 */
export function unreleasedOf(text: string): string {
  const from = text.indexOf(`${unreleased}\n`)
  if (from < 0) throw new Error(`${changelog} has no "${unreleased}"`)
  const rest = text.slice(from + unreleased.length)
  const next = rest.search(/^## \[/m)
  return rest.slice(0, next < 0 ? undefined : next).trim()
}

/**
 * The changelog with what was unreleased below a version and its day, and nothing unreleased above it. Throws with what
 * is wrong.
 */
export function released(text: string, version: string, day: string): string {
  if (versionsIn(text).includes(version)) throw new Error(`${changelog} has ${version} already`)
  if (unreleasedOf(text) === '')
    throw new Error(`Nothing stands below "${unreleased}" in ${changelog}: say there what people will notice`)
  return text.replace(`${unreleased}\n`, `${unreleased}\n\n## [${version}] - ${day}\n`)
}

/** Why a release cannot be made here; empty where it can. `status` is git's, short. */
export function obstacles({
  branch,
  status,
  tags,
  version,
}: {
  branch: string
  status: string
  tags: readonly string[]
  version: string
}): string[] {
  return [
    ...(branch === 'main'
      ? []
      : [`This is ${branch === '' ? 'no branch' : `the branch ${branch}`}; releases are made on main.`]),
    ...(status.trim() === '' ? [] : [`Something is not committed:\n${status.trimEnd()}`]),
    ...(tags.includes(`v${version}`) ? [`The tag v${version} is there already.`] : []),
  ]
}

const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' })

function release(wanted: string | undefined): void {
  const { version: current } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  const version = nextVersion(current, wanted)
  const text = readFileSync(changelog, 'utf8')
  const next = released(text, version, new Date().toISOString().slice(0, 10))
  const wrong = obstacles({
    branch: git('branch', '--show-current').trim(),
    status: git('status', '--porcelain'),
    tags: git('tag', '--list').split('\n'),
    version,
  })
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
  if (spawnSync('npm', ['run', 'check'], { stdio: 'inherit' }).status !== 0)
    throw new Error('The checks are not green, so nothing was released.')

  // package.json and its lock
  execFileSync('npm', ['version', version, '--no-git-tag-version'], { stdio: ['ignore', 'ignore', 'inherit'] })
  writeFileSync(changelog, next)
  git('commit', '--quiet', '-m', `Release ${version}`, 'package.json', 'package-lock.json', changelog)
  git('tag', '--annotate', '--cleanup=verbatim', '-m', `Haversack ${version}\n\n${unreleasedOf(text)}`, `v${version}`)
  console.log(`
${version} is committed and tagged as v${version}, here only. Next (docs/releases.md):

  npm test                        all checks, also in the browsers
  npm ci && npm run build         makes dist/; Settings → About of it says ${version}
  upload dist/                    assets/ first, index.html and service-worker.js last
  git push origin main v${version}

To take it back before it was pushed: git tag -d v${version} && git reset --hard HEAD~1
`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    release(process.argv[2])
  } catch (thrown) {
    console.error(thrown instanceof Error ? thrown.message : String(thrown))
    process.exitCode = 1
  }
}
