/**
 * `LLAMA_SERVER=/path/to/llama-server npm run --silent bench -- llama-server [MODE]`: the built app in Chromium against
 * the real server of llama.cpp with a tiny model, in the ways that people start it (README.md). Each cell is a
 * yes with what was seen, or a no with why. Writes bench/results/llama-server.json. Without the variable it says that
 * it was skipped.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { findChromium } from '../../.ci/chromium.ts'
import { serveStatic } from '../../e2e/servers/static-server.ts'
import { tinyGguf } from '../../e2e/fixtures/tiny-gguf.ts'
import type { Cells, Place } from './llama-cells.ts'
import { modes } from './llama-modes.ts'
import { llama, type Llama } from './llama-process.ts'
import { toolTemplate, thinkTemplate } from './llama-templates.ts'
import { openTab, plain, type Tab } from './llama-tab.ts'
import { machine, type Bench } from '../shared/machine.ts'

export const llamaServer: Bench = async only => {
  const binary = process.env['LLAMA_SERVER']
  if (!binary) return { skipped: 'LLAMA_SERVER names no llama-server' }
  const folder = mkdtempSync(join(tmpdir(), 'haversack-llama-'))
  const files = writeFiles(folder)
  const app = await serveStatic()
  const executablePath = findChromium()
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--disable-background-networking',
      '--no-first-run',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  const table: Record<string, Cells> = {}
  try {
    for (const [name, mode] of Object.entries(modes)) {
      if (only !== undefined && !name.startsWith(only)) continue
      const [servers, tabs]: [Llama[], Tab[]] = [[], []]
      const place: Place = {
        files,
        async server(...args) {
          const made = await llama(binary, folder, args)
          servers.push(made)
          await made.start()
          return made
        },
        async tab() {
          const made = await openTab(browser, app.url)
          tabs.push(made)
          return made
        },
      }
      try {
        table[name] = await mode(place)
      } catch (thrown) {
        const shown =
          (await tabs
            .at(-1)
            ?.page.locator('[role="dialog"], main')
            .last()
            .innerText()
            .catch(() => '')) ?? ''
        table[name] = {
          mode: {
            no: `${String(thrown).slice(0, 300)}; shown: ${plain(shown).slice(0, 600)}; log: ${servers.at(-1)?.log().slice(-200) ?? ''}`,
          },
        }
      } finally {
        for (const tab of tabs) await tab.close()
        for (const server of servers) {
          server.goOn()
          await server.kill()
        }
      }
      console.error(`${name}: ${JSON.stringify(table[name], null, 1)}`)
    }
  } finally {
    await browser.close()
    await app.close()
    rmSync(folder, { recursive: true })
  }
  return { server: versionOf(binary), ...kept(table, only === undefined) }
}

/**
 * Writes the rows into the results; with `all` of them in place of what was there. Answers with how many cells are a
 * yes and a no, and the table.
 */
function kept(rows: Record<string, Cells>, all: boolean): { yes: number; no: number; table: Record<string, Cells> } {
  const path = join(import.meta.dirname, '..', 'results', 'llama-server.json')
  const before =
    all || !existsSync(path) ? {} : (JSON.parse(readFileSync(path, 'utf8')) as { table: Record<string, Cells> }).table
  const table = Object.fromEntries(
    Object.keys(modes).flatMap(name => {
      const row = rows[name] ?? before[name]
      return row ? [[name, row]] : []
    }),
  )
  const cells = Object.values(table).flatMap(row => Object.values(row))
  const result = {
    yes: cells.filter(cell => 'yes' in cell).length,
    no: cells.filter(cell => 'no' in cell).length,
    table,
  }
  writeFileSync(
    path,
    `${JSON.stringify({ bench: 'llama-server', server: versionOf(process.env['LLAMA_SERVER'] ?? ''), ...result, ...machine() }, null, 2)}\n`,
  )
  return result
}

/** The only answer that the tiny model has. */
const story = Array.from({ length: 380 }, (_, at) => `${at === 0 ? 'Once' : ` and ${at} more`}`)
/** More than the longest answer that the bench allows. */
const thoughts = Array.from({ length: 500 }, (_, at) => ` thought ${at}`)

function writeFiles(folder: string): Place['files'] {
  const at = (name: string, content: string | Buffer): string => {
    writeFileSync(join(folder, name), content)
    return name
  }
  const tiny = tinyGguf({ context: 32_768, layers: 1, says: { '#': story, '%': ['Done.'] } })
  const endless = tinyGguf({ context: 32_768 })
  const models = (name: string, list: readonly string[], model = tiny): string => {
    mkdirSync(join(folder, name))
    for (const file of list) at(join(name, file), model)
    return name
  }
  return {
    tiny: at('tiny.gguf', tiny),
    tools: at('tools.jinja', toolTemplate),
    thinks: at('thinks.jinja', thinkTemplate),
    says: at(
      'says.gguf',
      tinyGguf({
        context: 32_768,
        says: {
          '#': ['<tool_call>\n{"name": "get_time", "arguments": {}}\n</tool_call>'],
          '%': ['The clock has answered.'],
        },
      }),
    ),
    thinker: at(
      'thinker.gguf',
      tinyGguf({ context: 32_768, layers: 1, says: { '>': thoughts, '\n': ['Here is the answer.'] } }),
    ),
    endless: at('endless.gguf', endless),
    two: models('two', ['alpha.gguf', 'beta.gguf', 'nomic-embed-tiny.gguf']),
    one: models('one', ['alpha.gguf', 'nomic-embed-tiny.gguf'], endless),
  }
}

function versionOf(binary: string): string {
  const { stdout, stderr } = spawnSync(binary, ['--version'], { encoding: 'utf8' })
  return /^version.*$/m.exec(`${stdout}\n${stderr}`)?.[0] ?? '' // which of the two differs from build to build
}
