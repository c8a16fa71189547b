/** The tools of one answer: run in order, each result stored before the next begins. */
import { AgentError } from '../../errors.ts'
import type { ToolCall } from '../../log/message.ts'
import { parsePath } from '../../log/paths.ts'
import type { LogStore, SessionInfo } from '../../ports/ports.ts'
import type { Plan, PermissionRequest, Status } from '../api/api.ts'
import { syntheticResultTexts, deniedReadText } from './synthetic-results.ts'
import { isRepeatedCall, repeatedCallText } from './loop-guard.ts'
import { egressGrants, egressRequestForTool, type toolReadAccess } from '../privacy/egress.ts'
import type { EntryToAppend, Session } from '../session/session.ts'
import { parseArguments, toolRefusal, runTool, type Tool, type ToolContext } from '../tools/tool.ts'
import { newestTurnState } from '../session/turn-state.ts'
import type { NoteTexts } from '../i18n/note-texts.ts'

export type PermissionDecision = 'allow' | 'deny'

export type RunCalls = {
  session: Session
  store: LogStore
  tools: readonly Tool[]
  /**
   * What the person just said to a call that asked, by call id. Taken out once used: ids may come again in a later
   * step.
   */
  decisions: Map<string, PermissionDecision>
  context: Omit<ToolContext, 'archive' | 'search' | 'compact'>
  /** A compaction that the agent asks for: what it says, and what is appended with that. */
  compact: (keep: string) => Promise<{ text: string; added: readonly EntryToAppend[] }>
  /** What a call may read; `file`: one that the person has allowed it to change. */
  access: (file?: string) => ReturnType<typeof toolReadAccess>
  words: NoteTexts
  setStatus: (status: Status) => void
  /** The model that reads the results is remote. */
  remote: boolean
  /** The steps of `onResult`. */
  afterResult: () => Promise<void>
}

/** Runs every call that has no result. Stops at the first one that needs a permission, and returns its request. */
export async function runCalls(run: RunCalls): Promise<{ asking: PermissionRequest } | 'done'> {
  const exempt = new Set(
    run.tools.filter(tool => tool.polls || (tool.kind === 'acts' && tool.writes)).map(tool => tool.name),
  )
  for (const call of newestTurnState(run.session.log).calls) {
    throwIfTurnStopped(run.context.signal)
    const tool = run.tools.find(tool => tool.name === call.name)
    const allowed = run.session.info.allowed ?? []
    const question = tool && (await permissionFor(run.store, tool, call, { info: run.session.info, away: run.remote }))
    const decision = run.decisions.get(call.id)
    // Checking the files would itself reveal something that a remote model may not have without consent.
    const looks = !run.remote || allowed.includes(egressGrants.local)
    const refused = question?.plan && decision === undefined && looks ? await refusalOf(run, tool!, call) : undefined
    if (question && decision === undefined && refused === undefined) {
      run.setStatus({ state: 'asking', question })
      return { asking: question }
    }
    run.decisions.delete(call.id)
    const { fresh, gotStaying } = await resultOf(run, {
      call,
      tool,
      exempt,
      denied:
        decision !== 'deny'
          ? undefined
          : question?.egress === undefined
            ? syntheticResultTexts.denied
            : deniedReadText(run.session.id),
      refused,
    })
    await run.session.append(
      fresh,
      gotStaying && !run.session.info.readStaying ? { changes: { readStaying: true } } : {},
    )
    await run.afterResult()
  }
  return 'done'
}

/**
 * What a call would ask the person, or undefined where it may simply run: it only reads, it is allowed in this chat, or
 * it can never be allowed and will not run at all. `away`: a model elsewhere reads the result, now or when it next
 * answers here.
 */
export async function permissionFor(
  store: LogStore,
  tool: Tool,
  call: ToolCall,
  { info, away }: { info: Pick<SessionInfo, 'id' | 'allowed'>; away: boolean },
): Promise<PermissionRequest | undefined> {
  if (tool.kind === 'reads') return away ? egressRequestForTool(store, tool, call, info) : undefined
  const parsed = parseArguments(call.arguments)
  if ('fault' in parsed) return undefined
  const plan = planOf(tool, parsed.args)
  if (plan === undefined) return undefined
  const question: PermissionRequest = { call, tool: tool.name, plan }
  return info.allowed?.includes(grantFor(question)) ? undefined : question
}

/**
 * What "Always in this chat" allows: the tool, and where it would contact a host, the tool with this host and port
 * only, over http as little as over https where that was allowed: `fetch_url example.org`, `fetch_url
 * http://example.org`.
 */
export function grantFor({ tool, plan, egress }: PermissionRequest): string {
  if (egress !== undefined) return egress
  if (plan?.does !== 'fetch') return tool
  const { encrypted, host, origin } = plan.address
  return `${tool} ${encrypted ? host : origin}`
}

/**
 * What the call would do; undefined where it can never be allowed: it is not asked for, and running it tells the model
 * why.
 */
function planOf(tool: Tool & { kind: 'acts' }, args: Record<string, unknown>): Plan | undefined {
  try {
    return tool.plan(args)
  } catch {
    return undefined
  }
}

/** `gotStaying`: what stays on this device may be in it, as the names of files that a refusal offers instead. */
type Given<T> = T & { gotStaying?: boolean }

/** Why a call that could be allowed cannot be done as things are. */
async function refusalOf(run: RunCalls, tool: Tool, call: ToolCall): Promise<Given<{ text: string }> | undefined> {
  const parsed = parseArguments(call.arguments)
  if ('fault' in parsed) return undefined
  const { gotStaying, ...seen } = run.access()
  const text = await toolRefusal(tool, parsed.args, { ...run.context, ...seen })
  return text === undefined ? undefined : { text, gotStaying: gotStaying() }
}

type Case = {
  call: ToolCall
  tool: Tool | undefined
  exempt: ReadonlySet<string>
  denied: string | undefined
  refused: Given<{ text: string }> | undefined
}

async function resultOf(
  run: RunCalls,
  { call, tool, exempt, denied, refused }: Case,
): Promise<Given<{ fresh: EntryToAppend[] }>> {
  const result = (text: string, isError: boolean): EntryToAppend => ({
    type: 'result',
    callId: call.id,
    tool: call.name,
    text,
    isError,
  })
  const only = (text: string): { fresh: EntryToAppend[] } => ({ fresh: [result(text, true)] })
  if (!tool) {
    const names = run.tools.map(tool => tool.name).join(', ')
    return only(`There is no tool "${call.name}". The tools are: ${names === '' ? '(none)' : names}.`)
  }
  const parsed = parseArguments(call.arguments)
  // A message about broken JSON would make the model write the same overlong call again.
  if ('fault' in parsed) return only(newestTurnState(run.session.log).atLimit ? cutOff : parsed.fault)
  if (denied !== undefined) return only(denied)
  if (isRepeatedCall(newestTurnState(run.session.log).since, call, exempt)) {
    return {
      fresh: [
        result(repeatedCallText, true),
        { type: 'note', code: 'loop_broken', text: run.words.loopBroken(call.name), data: { tool: call.name } },
      ],
    }
  }
  if (refused) return { ...only(refused.text), gotStaying: refused.gotStaying ?? false }
  run.setStatus({ state: 'running', call })
  const path = tool.kind === 'acts' && tool.writes ? parsed.args['path'] : undefined
  const file = typeof path === 'string' ? parsePath(path.trim()) : undefined
  const { gotStaying, ...seen } = run.access(file?.kind === 'workspace' ? file.path : undefined)
  const before: EntryToAppend[] = []
  const compact = async (keep: string): Promise<string> => {
    const { text, added } = await run.compact(keep)
    before.push(...added)
    return text
  }
  const { text, isError } = await runTool(tool, parsed.args, { ...run.context, ...seen, compact })
  return { fresh: [...before, result(text, isError)], gotStaying: gotStaying() }
}

/** Of a call that the output limit ended. */
const cutOff =
  'Not run: the call was cut off at the output limit, in the middle of its arguments. Write less in one call, or do it in several smaller calls.'

/** Throws `stopped` when the person has stopped the turn. */
export function throwIfTurnStopped(signal: AbortSignal): void {
  if (signal.aborted) throw new AgentError('stopped', 'Stopped by the user')
}
