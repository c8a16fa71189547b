/** Finds a Chromium for the browser tests, or gets one, or says what to do. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

const onPath = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** The path of a Chromium that is here already: CHROMIUM_PATH, then Playwright's own, then one on PATH. */
export function findChromium(): string | undefined {
  const named = process.env['CHROMIUM_PATH']
  if (named) {
    if (!existsSync(named)) throw new Error(`CHROMIUM_PATH names ${named}, which is not there. Correct it or unset it.`)
    return named
  }
  const own = chromium.executablePath()
  if (own && existsSync(own)) return own
  for (const name of onPath) {
    const found = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' })
    if (found.status === 0) return found.stdout.trim()
  }
  return undefined
}

/**
 * Finds a Chromium or installs one: Playwright's download, then, only in CI, the Debian package. Throws with what to
 * do.
 */
export function ensureChromium(): string {
  const found = findChromium()
  if (found) return found
  console.log("No Chromium found; trying Playwright's own download …")
  spawnSync('npx', ['playwright', 'install', 'chromium'], { stdio: 'inherit', timeout: 300_000 })
  const downloaded = findChromium()
  if (downloaded) return downloaded
  if (process.env['CI'] === 'true') {
    console.log('The download did not work; CI=true, so trying apt-get …')
    const asRoot = process.getuid?.() === 0 ? [] : ['sudo']
    for (const args of [
      ['apt-get', 'update', '-qq'],
      ['apt-get', 'install', '-y', '-qq', 'chromium'],
    ]) {
      const [command, ...rest] = [...asRoot, ...args]
      execFileSync(command!, rest, { stdio: 'inherit' })
    }
    const installed = findChromium()
    if (installed) return installed
  }
  throw new Error(
    'The browser tests need a Chromium. Do one of these and run the command again:\n' +
      '  npx playwright install chromium\n' +
      '  install the package "chromium" of your system (Debian: apt-get install chromium)\n' +
      '  CHROMIUM_PATH=/path/to/chromium npm test',
  )
}
