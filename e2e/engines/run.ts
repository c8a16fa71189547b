/**
 * Drives one engine through its stories: `tsx e2e/engines/run.ts webkit|firefox [part of a name]`. HAVERSACK_BROWSER is
 * the path of the browser, HAVERSACK_REPORT of a JSON file to write: each story with its time, and why it failed. One
 * that fails is told twice more, alone; if it goes well both times it counts as passed, and as unsteady.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startFakeServer } from '../servers/fake-server.ts'
import { serveStatic } from '../servers/static-server.ts'
import { Page } from './page.ts'
import { runs, type EngineId, type Run } from './runs.ts'
import type { Story } from './story.ts'
import type { Driven } from './webdriver.ts'

export type Told = { name: string; ms: number; failed?: string; unsteady?: true }

/** Each story ends after this at the latest, ms. */
const storyMs = 240_000
const shots = 'test-results'
const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

/** The browser of a run, started when it is first needed and anew after a failure. */
class Stage {
  #driven: Driven | undefined
  readonly #run: Run
  readonly #browser: string
  constructor(run: Run, browser: string) {
    this.#run = run
    this.#browser = browser
  }

  /** Tells a story; answers with why it failed. */
  async tell(story: Story): Promise<string | undefined> {
    const [app, server] = await Promise.all([serveStatic(), startFakeServer()])
    const { host = 'localhost', workerError } = this.#run
    let timer: ReturnType<typeof setTimeout> | undefined
    try {
      if (workerError !== undefined)
        app.change(agentWorker(), text => `throw new Error(${JSON.stringify(workerError)});${text}`)
      const page = new Page((this.#driven ??= await this.#start()))
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          reject(new Error(`It did not end within ${seconds(storyMs)}`))
        }, storyMs)
      })
      await Promise.race([story.tell({ page, url: app.url.replace('localhost', host), server }), late])
      return undefined
    } catch (thrown) {
      await this.#shot(story.name)
      await this.end() // what comes next gets a browser that nobody has left in the middle
      return thrown instanceof Error ? thrown.message : String(thrown)
    } finally {
      clearTimeout(timer)
      await Promise.all([app.close(), server.stop()])
    }
  }

  async end(): Promise<void> {
    const driven = this.#driven
    this.#driven = undefined
    await driven?.close().catch(() => {})
  }

  async #start(): Promise<Driven> {
    const driven = await this.#run.start(this.#browser)
    await driven.say('WebDriver:SetTimeouts', { script: 60_000, pageLoad: 60_000, implicit: 0 })
    return driven
  }

  async #shot(name: string): Promise<void> {
    if (!this.#driven) return
    try {
      mkdirSync(shots, { recursive: true })
      writeFileSync(
        join(shots, `${engine}-${name.replace(/\W+/g, '-')}.png`),
        await new Page(this.#driven).screenshot(),
      )
    } catch {
      /* a browser that died has no picture */
    }
  }
}

/** The address of the agent's script in this build. */
function agentWorker(): string {
  return `/assets/${readdirSync('dist/assets').find(name => /^agent\.worker-.*\.js$/.test(name))}`
}

async function tellAll(id: EngineId, browser: string, only: string): Promise<Told[]> {
  const told: Told[] = []
  for (const run of runs[id]) {
    const stage = new Stage(run, browser)
    for (const story of run.stories.filter(({ name }) => name.includes(only))) {
      const began = Date.now()
      const failed = await stage.tell(story)
      const passedLater =
        failed !== undefined && (await stage.tell(story)) === undefined && (await stage.tell(story)) === undefined
      const ms = Date.now() - began
      told.push({
        name: story.name,
        ms,
        ...(failed === undefined ? {} : passedLater ? { unsteady: true } : { failed }),
      })
      print(
        `${failed === undefined ? '✓' : passedLater ? '~' : '✗'} ${story.name} (${seconds(ms)})${failed === undefined ? '' : `\n  ${failed}`}`,
      )
    }
    await stage.end()
  }
  return told
}

const [engine = '', only = ''] = process.argv.slice(2)
// which ends the browsers
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!Object.hasOwn(runs, engine))
    throw new Error(`There are stories for ${Object.keys(runs).join(' and ')}, not for "${engine}"`)
  const told = await tellAll(engine as EngineId, process.env['HAVERSACK_BROWSER'] ?? '', only)
  const report = process.env['HAVERSACK_REPORT']
  if (report) writeFileSync(report, JSON.stringify(told))
  print(
    `${told.filter(({ failed }) => failed === undefined).length} of ${told.length} stories, ${seconds(told.reduce((sum, { ms }) => sum + ms, 0))}`,
  )
  process.exit(told.length > 0 && told.every(({ failed }) => failed === undefined) ? 0 : 1)
}
