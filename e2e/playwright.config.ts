/** The browser tests: the built app, served as static files, in a real Chromium. */
import { defineConfig } from '@playwright/test'
import { findChromium } from '../.ci/chromium.ts'

/** Not the port of `npm start`: a person's own data lives there. */
export const port = Number(process.env['HAVERSACK_E2E_PORT'] ?? 5148)

const executablePath = findChromium()

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../test-results',
  fullyParallel: false,
  workers: 2,
  forbidOnly: true,
  retries: 0,
  // How long something may take is measured by the benches. Here a limit only ends what hangs, also on a busy machine.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: process.env['PLAYWRIGHT_JSON_OUTPUT_NAME'] ? [['list'], ['json']] : [['list']],
  use: {
    baseURL: `http://localhost:${port}`,
    locale: 'en-US',
    // Installed only where a test is about it: to fill its cache takes as much of the processor as a whole short test
    // (3 s, 2026-11).
    serviceWorkers: 'block',
    // Records nothing by itself, which takes a third of the time: `--trace retain-on-failure` looks into a failure.
    trace: 'off',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        '--no-sandbox',
        '--disable-quic',
        '--disable-background-networking',
        '--no-first-run',
        '--disable-component-update',
        '--disable-sync',
        // a server beyond this machine, as far as its address tells
        '--host-resolver-rules=MAP far.example 127.0.0.1',
      ],
    },
  },
  webServer: {
    command: `node_modules/.bin/vite preview --port ${port} --strictPort`,
    cwd: '..',
    url: `http://localhost:${port}`,
    reuseExistingServer: false,
  },
})
