/** `npm run e2e` begins here: builds the app where what it is built of is newer than the build. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** All that the build reads, files and folders; of `.ci` it is the plugins. */
const inputs = ['src', 'workers', 'public', '.ci', 'index.html', 'vite.config.ts', 'package.json', 'package-lock.json']
const worker = 'dist/service-worker.js'
const isTest = (path: string): boolean => /\.(?:test|laws|fixture)\.ts$/.test(path)

/**
 * What is newer than the build, or 'nothing built' where none is whole: the service worker is written last. A folder
 * counts too, because a file that was removed or renamed leaves no other trace. Undefined: the build is of what stands
 * here.
 */
export function newerThanBuild(root = '.'): string | undefined {
  const last = join(root, worker)
  if (!existsSync(last)) return 'nothing built'
  const built = statSync(last).mtimeMs
  return inputs
    .map(input => join(root, input))
    .filter(existsSync)
    .flatMap(below)
    .find(path => !isTest(path) && statSync(path).mtimeMs > built)
}

function below(path: string): string[] {
  return [
    path,
    ...(statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true, encoding: 'utf8' }).map(name => join(path, name))
      : []),
  ]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const why = newerThanBuild()
  if (why !== undefined) {
    console.log(`Building: ${why === 'nothing built' ? why : `${why} is newer than the build`}.`)
    const { status } = spawnSync('node_modules/.bin/vite', ['build', '--logLevel', 'warn'], { stdio: 'inherit' })
    // above the size budget, say: not to be taken for a good one next time
    if (status !== 0) rmSync(worker, { force: true })
    process.exitCode = status ?? 1
  }
}
