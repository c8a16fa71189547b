/** WebKit as Debian has it: WebKitGTK's small browser, driven over HTTP by WebKitWebDriver, on a display of its own. */
import { spawn } from 'node:child_process'
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commands, until, type Driven } from './webdriver.ts'

/**
 * `features` are switches of WebKit that GNOME's builds leave off and Safari has on. Its sessions are always private
 * windows.
 */
export async function startWebkit(browser: string, { features = [] }: { features?: string[] } = {}): Promise<Driven> {
  const home = mkdtempSync(join(tmpdir(), 'haversack-webkit-'))
  const downloads = join(home, 'Downloads')
  mkdirSync(downloads)
  mkdirSync(join(home, '.config'))
  writeFileSync(join(home, '.config', 'user-dirs.dirs'), 'XDG_DOWNLOAD_DIR="$HOME/Downloads"\n')
  const port = await freePort()
  // A process group of its own: display, bus, driver and browser end together.
  const child = spawn(
    'xvfb-run',
    ['-a', '-s', '-screen 0 1400x1000x24', 'dbus-run-session', '--', 'WebKitWebDriver', '-p', String(port)],
    {
      detached: true,
      stdio: 'ignore',
      env: {
        ...process.env,
        HOME: home,
        XDG_CONFIG_HOME: join(home, '.config'),
        XDG_DATA_HOME: join(home, '.local'),
        LANG: 'en_US.UTF-8',
        LANGUAGE: 'en',
      },
    },
  )
  const end = (): void => {
    process.off('exit', end)
    try {
      process.kill(-child.pid!, 'SIGTERM')
    } catch {
      /* ended already */
    }
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
  const base = `http://127.0.0.1:${port}`
  process.once('exit', end)
  try {
    await until('WebKitWebDriver', async () => (await fetch(`${base}/status`)).ok)
    const args = [
      '--automation',
      ...(features.length > 0 ? [`--features=${features.map(name => `+${name}`).join(',')}`] : []),
    ]
    const { sessionId } = (await ask('POST', `${base}/session`, {
      capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': { binary: browser, args } } },
    })) as { sessionId: string }
    const session = `${base}/session/${sessionId}`
    return {
      downloads,
      async say(command, body = {}) {
        const [method, path] = commands[command]
        const { id, ...rest } = body
        return ask(method, session + path.replace('{id}', String(id)), rest)
      },
      async close() {
        await ask('DELETE', session).catch(() => {}) // one that hangs is ended anyway
        end()
      },
    }
  } catch (thrown) {
    end()
    throw thrown
  }
}

async function ask(method: string, url: string, body?: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method,
    ...(method === 'POST' ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) } : {}),
    signal: AbortSignal.timeout(60_000),
  })
  const { value } = (await response.json()) as { value: unknown }
  if (!response.ok)
    throw new Error(`${(value as { error?: string }).error}: ${(value as { message?: string }).message}`)
  return value
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => {
        resolve(port)
      })
    })
  })
}
