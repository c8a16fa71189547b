/** What a measurement is, and what it was made on: every result names that. */
import { cpus, totalmem, type } from 'node:os'
import { readFileSync } from 'node:fs'

/** One measurement. Its answer goes to stdout beside machine, versions and date. */
export type Bench = (file?: string) => object | Promise<object>

export type Machine = { machine: string; versions: Record<string, string>; date: string }

/** Machine, versions and date of this run. */
export function machine(): Machine {
  const cores = cpus()
  const version = (
    JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
  ).version
  return {
    machine: `${cores[0]?.model.trim() ?? 'unknown'}, ${cores.length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ${type()}`,
    versions: { haversack: version, node: process.versions.node },
    date: new Date().toISOString(),
  }
}
