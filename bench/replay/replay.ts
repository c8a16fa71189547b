/**
 * `npm run --silent replay -- FILE.jsonl [options]`: a conversation runs through the context engine, one JSON object
 * comes out (C13).
 */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { defaultsOf, type Config } from '../../src/core/context/config/config.ts'
import { configFaultTexts } from '../../src/core/context/config/config-fault-texts.ts'
import { contradictions } from '../../src/core/context/config/config-faults.ts'
import { importConfig, linesUnder } from '../../src/core/context/config/config-import.ts'
import { configFileTexts } from '../../src/core/agent/i18n/config-file-texts.ts'
import { strategies } from '../../src/core/context/strategies/index.ts'
import { defaultStrategy, strategyNamed, strategyNames, type StrategyName } from '../../src/core/context/strategy.ts'
import { BadUsage } from '../shared/bad-usage.ts'
import { readConversation } from './replay-file.ts'
import { outcome } from './replay-outcome.ts'
import { replay, type ScriptLine } from './replay-run.ts'

const usage = `usage: replay FILE.jsonl [--strategy ${strategyNames.join('|')}] [--config FILE.json] [--script FILE.json] [--window TOKENS] [--system TEXT] [--guard]`

/**
 * Runs the command; answers with what goes to stdout, and says what the settings file does apart from it. Throws
 * BadUsage.
 */
export async function run(args: readonly string[], say: (line: string) => void = () => {}): Promise<string> {
  process.env['TZ'] = 'UTC' // days are those of UTC on every machine
  const { file, options } = readArgs(args)
  const given = options.config === undefined ? undefined : await readJson(options.config)
  const strategy = strategyOf(options.strategy, given)
  const config = configOf(strategy, given, options.config)
  const typed = options.window === undefined ? Infinity : windowOf(options.window)
  const script = options.script === undefined ? [] : scriptOf(await readJson(options.script), options.script)
  const conversation = readConversation(await readText(file), file)
  const window = Math.min(typed, config.max_input_length)
  const done = await replay(conversation, {
    strategy: strategies[strategy](config),
    countsExactly: isSet(given, 'token_counter'),
    window,
    system: options.system ?? '',
    script,
    outputLimit: config.max_output_tokens,
    guard: options.guard === true,
  })
  if (given !== undefined)
    for (const line of toldOf(given, strategy, options.strategy !== undefined)) say(`${options.config}: ${line}`)
  return JSON.stringify(outcome(conversation, done), null, 2)
}

function readArgs(args: readonly string[]) {
  try {
    const text = { type: 'string' } as const
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { strategy: text, config: text, script: text, window: text, system: text, guard: { type: 'boolean' } },
    })
    const [file, ...more] = positionals
    if (file === undefined || more.length > 0) throw new BadUsage(usage)
    return { file, options: values }
  } catch (error) {
    throw error instanceof BadUsage ? error : new BadUsage(`${oneLine(error)}; ${usage}`)
  }
}

function strategyOf(named: string | undefined, given: unknown): StrategyName {
  if (named === undefined)
    return importConfig(given ?? {}, defaultsOf(defaultStrategy)).strategy?.name ?? defaultStrategy
  const name = strategyNamed(named.toLowerCase())
  if (name === undefined) throw new BadUsage(`there is no strategy "${named}"; there are ${strategyNames.join(', ')}`)
  return name
}

/** As `/config` says it: the strategy that the file chose, and which lines do nothing under the one that holds. */
function toldOf(given: unknown, strategy: StrategyName, named: boolean): string[] {
  const words = configFileTexts.en
  const current = defaultsOf(strategy)
  const file = importConfig(given, current)
  const chosen = !named && file.strategy !== undefined ? [`${strategy}, because ${words.because(file.strategy)}`] : []
  const mixed = !named && file.mixed !== undefined ? [words.mixed(file.mixed, strategy)] : []
  const idle = linesUnder(strategy, file, current).flatMap(({ noEffect, ...line }) =>
    noEffect ? [`no effect under ${strategy}: ${words.idle(words.change(line), words.noEffect(noEffect))}`] : [],
  )
  return [...chosen, ...mixed, ...idle, ...file.unknown.map(path => `not known: ${path}`)]
}

function configOf(strategy: StrategyName, given: unknown, file: string | undefined): Config {
  const defaults = defaultsOf(strategy)
  if (given === undefined) return defaults
  const { changes, problems } = importConfig(given, defaults)
  if (problems.length > 0) throw new BadUsage(`${file}: ${problems.map(configFaultTexts.en).join('; ')}`)
  const config = { ...defaults, ...changes } as Config
  const wrong = contradictions(config)
  if (wrong.length > 0) throw new BadUsage(`${file}: ${wrong.map(configFaultTexts.en).join('; ')}`)
  return config
}

function isSet(given: unknown, key: keyof Config): boolean {
  return given !== undefined && importConfig(given, defaultsOf(defaultStrategy)).changes[key] !== undefined
}

function windowOf(text: string): number {
  const window = Number(text)
  if (!Number.isInteger(window) || window < 1)
    throw new BadUsage(`--window is a whole number of tokens above 0, not "${text}"`)
  return window
}

function scriptOf(json: unknown, file: string): ScriptLine[] {
  if (!Array.isArray(json)) throw new BadUsage(`${file}: a script is a list of {"text": …} or {"error": …}`)
  return json.map((line: unknown, at) => {
    if (typeof line === 'object' && line !== null) {
      if ('text' in line && typeof line.text === 'string') return { text: line.text }
      if ('error' in line) return { error: typeof line.error === 'string' ? line.error : JSON.stringify(line.error) }
    }
    throw new BadUsage(`${file}: line ${at + 1} of the script has neither "text" nor "error"`)
  })
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new BadUsage(`${file} cannot be read: ${oneLine(error)}`)
  }
}

async function readJson(file: string): Promise<unknown> {
  const text = await readText(file)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new BadUsage(`${file} is no JSON: ${oneLine(error)}`)
  }
}

function oneLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    process.stdout.write(
      `${await run(process.argv.slice(2), line => {
        process.stderr.write(`${line}\n`)
      })}\n`,
    )
  } catch (error) {
    if (!(error instanceof BadUsage)) throw error
    process.stderr.write(`${error.message.replace(/\s+/g, ' ')}\n`)
    process.exitCode = 2
  }
}
