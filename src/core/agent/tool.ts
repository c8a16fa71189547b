/** What a tool is. Running one never throws: see `runTool`. */
import type { Id, SessionId } from '../log/entry.ts'
import type { ReadPage, World, LogStore } from '../ports.ts'

/** What a tool may use while it runs. */
export type ToolContext = {
  session: SessionId
  store: LogStore
  world: World
  readPage: ReadPage
  signal: AbortSignal
  /** Most that one answer may have (C7.6). */
  maxBytes: number
  maxSearchTokens: number
  /** Passages that memory_search gave in this turn already: never given twice. */
  given: Set<Id>
}

type Base = {
  name: string
  description: string
  parameters: Record<string, unknown>       // JSON schema of an object
  /** Throws AgentError or anything; the caller makes an error result of it. */
  run(args: Record<string, unknown>, context: ToolContext): Promise<string>
  /** C12: clocks and polling tools are exempt from the rule of identical calls. */
  polls?: true
  /** C5.1: its results always carry the read-on line. */
  readsPages?: true
  /** C5.1: its text can be read again by the same call. */
  rereadable?: true
}

/** A tool says by its type whether it needs permission: one that acts asks first, one that reads does not. */
export type Tool =
  | Base & { kind: 'reads' }
  | Base & { kind: 'acts'; explain(args: Record<string, unknown>): { text: string; host?: string }; writes?: true }
