/** Which stories are told in which browser, and how it is started for them. */
import { startFirefox } from './firefox.ts'
import { everywhere, tabs } from './stories.ts'
import { blocked, brokenStart, plainHttp, privateWindow } from './limited-stories.ts'
import type { Story } from './story.ts'
import type { Driven } from './webdriver.ts'
import { startWebkit } from './webkit.ts'

export type EngineId = 'webkit' | 'firefox'

/**
 * Stories that share one browser. `host` stands in for localhost; `workerError` is thrown in the first line of the
 * agent's worker.
 */
export type Run = {
  start: (browser: string) => Promise<Driven>
  stories: readonly Story[]
  host?: string
  workerError?: string
}

const firefox =
  (prefs: Record<string, boolean | number | string> = {}) =>
  (browser: string): Promise<Driven> =>
    startFirefox(browser, { prefs })

export const runs: Record<EngineId, readonly Run[]> = {
  webkit: [
    { start: browser => startWebkit(browser), stories: everywhere },
    // As Safari has them; with them its private windows can be told.
    { start: browser => startWebkit(browser, { features: ['FileSystem', 'StorageAPI'] }), stories: [privateWindow] },
  ],
  firefox: [
    { start: firefox(), stories: [...everywhere, tabs] },
    // The name stands for this computer, but is no `localhost`: without https the browser trusts it with less.
    { start: firefox({ 'network.dns.localDomains': 'plain.test' }), stories: [plainHttp], host: 'plain.test' },
    { start: firefox({ 'browser.privatebrowsing.autostart': true }), stories: [privateWindow] },
    { start: firefox({ 'network.cookie.cookieBehavior': 2 }), stories: [blocked] },
    { start: firefox(), stories: [brokenStart], workerError: 'This browser is too old' },
  ],
}

export const storyNames = (engine: EngineId): string[] =>
  runs[engine].flatMap(({ stories }) => stories.map(({ name }) => name))
