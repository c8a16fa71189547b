/**
 * Firefox without a screen, driven over its own socket (Marionette): WebDriver's commands as JSON, each with its length
 * in front.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until, type Driven } from './webdriver.ts'

const usual: Record<string, boolean | number | string> = {
  'marionette.port': 0, // a free one, which it writes into the profile
  'intl.locale.requested': 'en-US',
  'intl.accept_languages': 'en-US',
  'browser.download.folderList': 2,
  'browser.download.always_ask_before_handling_new_types': false,
  'browser.download.useDownloadDir': true,
  // Nothing of its own over the network.
  'app.update.enabled': false,
  'toolkit.telemetry.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'browser.safebrowsing.downloads.enabled': false,
  'extensions.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'browser.region.network.url': '',
  'browser.aboutwelcome.enabled': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'ui.primaryPointerCapabilities': 6,
  'ui.allPointerCapabilities': 6, // a mouse, which a machine without a screen may lack
}

/** `prefs` are settings of the browser, as in about:config. */
export async function startFirefox(
  browser: string,
  { prefs = {} }: { prefs?: Record<string, boolean | number | string> } = {},
): Promise<Driven> {
  const profile = mkdtempSync(join(tmpdir(), 'haversack-firefox-'))
  const downloads = join(profile, 'downloads')
  mkdirSync(downloads)
  writeFileSync(
    join(profile, 'user.js'),
    Object.entries({ ...usual, 'browser.download.dir': downloads, ...prefs })
      .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
      .join(''),
  )
  const child = spawn(
    browser,
    [
      '--headless',
      '--marionette',
      '--no-remote',
      '--profile',
      profile,
      '--width',
      '1280',
      '--height',
      '900',
      'about:blank',
    ],
    {
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, HOME: profile, MOZ_HEADLESS_WIDTH: '1280', MOZ_HEADLESS_HEIGHT: '900' },
    },
  )
  const end = (): void => {
    process.off('exit', end)
    try {
      process.kill(-child.pid!, 'SIGKILL')
    } catch {
      /* ended already */
    }
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
  process.once('exit', end)
  try {
    const port = await until(
      'Firefox',
      async () => Number(readFileSync(join(profile, 'MarionetteActivePort'), 'utf8')),
      60_000,
    )
    const line = await marionette(port)
    await line.say('WebDriver:NewSession', { capabilities: { alwaysMatch: { acceptInsecureCerts: true } } })
    return {
      downloads,
      say: line.say,
      async close() {
        line.end()
        end()
      },
    }
  } catch (thrown) {
    end()
    throw thrown
  }
}

/** Its line: `length:[0, id, command, body]` there, `length:[1, id, error, value]` back. */
async function marionette(
  port: number,
): Promise<{ say(command: string, body?: Record<string, unknown>): Promise<unknown>; end(): void }> {
  const socket = await new Promise<Socket>((resolve, reject) => {
    const opening = connect(port, '127.0.0.1', () => {
      resolve(opening)
    })
    opening.once('error', reject)
  })
  const waiting = new Map<number, (error: { error: string; message: string } | null, value: unknown) => void>()
  let last = 0
  let rest = Buffer.alloc(0)
  const lost = (): void => {
    for (const answer of waiting.values()) answer({ error: 'lost', message: 'Firefox closed the line' }, null)
  }
  socket.on('close', lost).on('error', lost)
  socket.on('data', (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes])
    for (;;) {
      const colon = rest.indexOf(':')
      if (colon < 0) return
      const from = colon + 1
      const to = from + Number(rest.subarray(0, colon).toString())
      if (rest.length < to) return
      const message = JSON.parse(rest.subarray(from, to).toString()) as unknown
      rest = rest.subarray(to)
      if (!Array.isArray(message)) continue // its greeting
      const [, id, error, value] = message as [number, number, { error: string; message: string } | null, unknown]
      waiting.get(id)?.(error, value)
      waiting.delete(id)
    }
  })
  return {
    say: (command, body = {}) =>
      new Promise((resolve, reject) => {
        const id = ++last
        waiting.set(id, (error, value) => {
          if (error) return reject(new Error(`${error.error}: ${error.message}`))
          resolve(
            typeof value === 'object' && value !== null && 'value' in value && Object.keys(value).length === 1
              ? value.value
              : value,
          )
        })
        const bytes = Buffer.from(JSON.stringify([0, id, command, body]))
        socket.write(Buffer.concat([Buffer.from(`${bytes.length}:`), bytes]))
      }),
    end: () => {
      socket.destroy()
    },
  }
}
