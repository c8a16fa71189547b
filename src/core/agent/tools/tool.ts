/** What a tool is, and how it is run. */
import { AgentError, codeOf } from '../../errors.ts'
import type { SwitchName } from '../../context/config/config.ts'
import type { Id, SessionId } from '../../log/entry.ts'
import type { CompilePattern, ReadPage, World } from '../../ports/ports.ts'
import type { Plan } from '../api/api.ts'
import type { ReadableArchive } from '../archive/readable-archive.ts'
import type { SearchOptions } from '../search/search-index.ts'
import type { SearchResult } from '../search/search-result.ts'

/** What a tool may use while it runs. */
export type ToolContext = {
  session: SessionId
  /** The only access to the store that a tool has. */
  archive: ReadableArchive
  world: World
  readPage: ReadPage
  compilePattern: CompilePattern
  /** The search over the same. */
  search: { find(query: string, options: Omit<SearchOptions, 'view' | 'localOnly'>): Promise<SearchResult[]> }
  signal: AbortSignal
  /** Most that one answer may have (C7.6). */
  maxBytes: number
  maxSearchTokens: number
  /** Passages that memory_search gave in this turn already: never given twice. */
  givenPassages: Set<Id>
  /**
   * Compacts the chat that is being answered and says what came of it (C5.8); `keep`: what matters most. Absent where
   * tools run without a chat, in benchmarks.
   */
  compact?: (keep: string) => Promise<string>
}

type Base = {
  name: string
  description: string
  parameters: Record<string, unknown> // JSON schema of an object
  /** Throws AgentError or anything; the caller makes an error result of it. */
  run(args: Record<string, unknown>, context: ToolContext): Promise<string>
  /** Whether a search finds its results. What repeats a stored text would be found twice. */
  indexed: boolean
  /** C12: clocks and polling tools are exempt from the rule of identical calls. */
  polls?: true
  /**
   * C5.1: its results always carry the read-on line; what failed has nothing to read on.
   */
  hasReadOnLine?: true
  /** C5.1: its text can be read again by the same call, so the newest results are left whole. */
  rereadable?: true
  /** The setting that has to be on for it to be offered; absent: it always is. */
  needs?: SwitchName
  /** C7.6: it is left in a small window; how it is described in a tiny one, and the arguments that are told there. */
  inSmallWindows?: { description: string; keys: readonly string[] }
}

/**
 * Looks at all that this call would be given, in an archive that tells where something is not this chat's own; a model
 * elsewhere is given that only after a yes. What it throws is ignored, except `new_version`.
 */
export type DryRun = (
  args: Record<string, unknown>,
  context: Pick<ToolContext, 'archive' | 'session'>,
) => Promise<unknown>

/** A tool says by its type whether it needs permission: one that acts asks first, one that reads does not. */
export type Tool =
  | (Base & { kind: 'reads'; dryRun: DryRun | 'reads nothing stored' })
  | (Base & {
      kind: 'acts'
      /**
       * Pure: the same arguments give the same plan, when it is shown and when it is done. Throws for what can never be
       * allowed; nobody is asked then, and nothing runs.
       */
      plan(args: Record<string, unknown>): Plan
      /** Throws where it cannot be done as things are; nobody is asked then. */
      check?(args: Record<string, unknown>, context: ToolContext): Promise<void>
      writes?: true
    })

/**
 * Runs a tool on the arguments as the model wrote them. Whatever goes wrong becomes an error text that the model can
 * act on. It throws only `stopped`, by the person, and `new_version`: a part of the app is gone, after a reload the
 * call can run.
 */
export async function runTool(
  tool: Tool,
  args: Record<string, unknown>,
  context: ToolContext,
): Promise<{ text: string; isError: boolean }> {
  try {
    if (tool.kind === 'acts') tool.plan(args) // what cannot be asked for is not done either
    return { text: await tool.run(args, context), isError: false }
  } catch (thrown) {
    return { text: failureText(thrown, context), isError: true }
  }
}

/**
 * Why a call cannot work, found before the person is asked; undefined if nothing speaks against it. Throws as `runTool`
 * does.
 */
export async function toolRefusal(
  tool: Tool,
  args: Record<string, unknown>,
  context: ToolContext,
): Promise<string | undefined> {
  if (tool.kind === 'reads') return undefined
  try {
    await tool.check?.(args, context)
    return undefined
  } catch (thrown) {
    return failureText(thrown, context)
  }
}

function failureText(thrown: unknown, { signal }: ToolContext): string {
  if (signal.aborted) throw new AgentError('stopped', 'Stopped by the user', { cause: thrown })
  if (codeOf(thrown) === 'new_version') throw thrown
  return thrown instanceof Error && thrown.message !== '' ? thrown.message : String(thrown)
}

/** The arguments as an object, or why they are not one. An empty text means no arguments. Never throws. */
export function parseArguments(text: string): { args: Record<string, unknown> } | { fault: string } {
  if (text.trim() === '') return { args: {} }
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { args: value as Record<string, unknown> }
    return {
      fault: `The arguments must be a JSON object, but they are ${Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`}.`,
    }
  } catch (thrown) {
    return { fault: `The arguments are not valid JSON: ${thrown instanceof Error ? thrown.message : String(thrown)}` }
  }
}
