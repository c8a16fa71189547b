/** `npm run --silent bench -- NAME [FILE]`: one JSON object on stdout, progress on stderr (C14). */
import { machine, type Bench } from './shared/machine.ts'

/** Loaded when asked for, so that one measurement does not need the packages of another. */
const benches: Record<string, () => Promise<Bench>> = {
  answerable: async () => (await import('./memory/answerable.ts')).answerable,
  browser: async () => (await import('./browser/browser.ts')).browser,
  imports: async () => (await import('./imports/imports.ts')).imports,
  latency: async () => (await import('./context/latency.ts')).latency,
  lighthouse: async () => (await import('./browser/lighthouse.ts')).lighthouse,
  'llama-server': async () => (await import('./llama-server/llama-server.ts')).llamaServer,
  languages: async () => (await import('./memory/languages.ts')).planted,
  literal: async () => (await import('./memory/literal.ts')).literal,
  ledger: async () => (await import('./real-work/ledger.ts')).ledger,
  memory: async () => (await import('./memory/memory.ts')).memory,
  'memory-ablation': async () => (await import('./memory/memory-ablation.ts')).memoryAblation,
  'memory-browser': async () => (await import('./memory/memory-browser.ts')).memoryBrowser,
  'new-chat': async () => (await import('./browser/new-chat.ts')).newChat,
  overflow: async () => (await import('./context/overflow.ts')).overflow,
  retention: async () => (await import('./context/retention.ts')).retention,
  strategies: async () => (await import('./context/strategies.ts')).compareStrategies,
  summaries: async () => (await import('./context/summaries.ts')).summaries,
  tokens: async () => (await import('./context/tokens.ts')).tokens,
  work: async () => (await import('./real-work/work-search.ts')).work,
  traces: async () => (await import('./real-work/traces.ts')).traces,
}

const [name, file, ...rest] = process.argv.slice(2)
const load = name === undefined ? undefined : benches[name]
if (load === undefined || rest.length > 0) {
  console.error(`usage: npm run --silent bench -- ${Object.keys(benches).join(' | ')} [FILE]`)
  process.exitCode = 2
} else {
  try {
    const bench = await load()
    const result = await bench(file)
    console.log(JSON.stringify({ bench: name, ...result, ...machine() }, null, 2))
  } catch (thrown) {
    console.error(`bench ${name}: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
    process.exitCode = 2
  }
}
