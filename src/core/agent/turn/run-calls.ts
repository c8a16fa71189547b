/** The tools of one answer: run in order, each result stored before the next begins. */
import { AgentError } from '../../errors.ts'
import type { ToolCall } from '../../log/message.ts'
import { parsePath } from '../../log/paths.ts'
import type { LogStore, SessionInfo } from '../../ports/ports.ts'
import type { Plan, Question, Status } from '../api/api.ts'
import { closedBecause, deniedReading } from './synthetic-results.ts'
import { isLoop, sameAgain } from './loop-guard.ts'
import { grants, reachQuestion, type toolReading } from '../privacy/egress.ts'
import type { Fresh, Session } from '../session/session.ts'
import { parseArguments, refusal, runTool, type Tool, type ToolContext } from '../tools/tool.ts'
import { newestTurn } from '../session/turn-state.ts'
import type { Words } from '../i18n/note-texts.ts'

export type Decision = 'allow' | 'deny'

export type RunCalls = {
  session: Session
  store: LogStore
  tools: readonly Tool[]
  /**
   * What the person just said to a call that asked, by call id. Taken out once used: ids may come again in a later
   * step.
   */
  decisions: Map<string, Decision>
  context: Omit<ToolContext, 'archive' | 'search'>
  /** What a call may read; `file`: one that the person has allowed it to change. */
  read: (file?: string) => ReturnType<typeof toolReading>
  words: Words
  tell: (status: Status) => void
  /** The model that reads the results runs elsewhere. */
  away: boolean
  /** The steps of `onResult`. */
  afterResult: () => Promise<void>
}

/** Runs every call that has no result. Stops at the first one that needs a yes, and answers with its question. */
export async function runCalls(run: RunCalls): Promise<{ asking: Question } | 'done'> {
  const exempt = new Set(
    run.tools.filter(tool => tool.polls || (tool.kind === 'acts' && tool.writes)).map(tool => tool.name),
  )
  for (const call of newestTurn(run.session.log).calls) {
    throwIfStopped(run.context.signal)
    const tool = run.tools.find(tool => tool.name === call.name)
    const allowed = run.session.info.allowed ?? []
    const question = tool && (await questionOf(run.store, tool, call, { info: run.session.info, away: run.away }))
    const decision = run.decisions.get(call.id)
    // What a look at the files would say is itself something that a model elsewhere may not have before a yes.
    const looks = !run.away || allowed.includes(grants.local)
    const refused = question?.plan && decision === undefined && looks ? await refusalOf(run, tool!, call) : undefined
    if (question && decision === undefined && refused === undefined) {
      run.tell({ state: 'asking', question })
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
          : question?.reach === undefined
            ? closedBecause.denied
            : deniedReading(run.session.id),
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
export async function questionOf(
  store: LogStore,
  tool: Tool,
  call: ToolCall,
  { info, away }: { info: Pick<SessionInfo, 'id' | 'allowed'>; away: boolean },
): Promise<Question | undefined> {
  if (tool.kind === 'reads') return away ? reachQuestion(store, tool, call, info) : undefined
  const parsed = parseArguments(call.arguments)
  if ('fault' in parsed) return undefined
  const plan = planOf(tool, parsed.args)
  if (plan === undefined) return undefined
  const question: Question = { call, tool: tool.name, plan }
  return info.allowed?.includes(grantOf(question)) ? undefined : question
}

/**
 * What "Always in this chat" allows: the tool, and where it would contact a host, the tool with this host and port
 * only, over http as little as over https where that was allowed: `fetch_url example.org`, `fetch_url
 * http://example.org`.
 */
export function grantOf({ tool, plan, reach }: Question): string {
  if (reach !== undefined) return reach
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
  const { gotStaying, ...seen } = run.read()
  const text = await refusal(tool, parsed.args, { ...run.context, ...seen })
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
): Promise<Given<{ fresh: Fresh[] }>> {
  const result = (text: string, isError: boolean): Fresh => ({
    type: 'result',
    callId: call.id,
    tool: call.name,
    text,
    isError,
  })
  const only = (text: string): { fresh: Fresh[] } => ({ fresh: [result(text, true)] })
  if (!tool) {
    const names = run.tools.map(tool => tool.name).join(', ')
    return only(`There is no tool "${call.name}". The tools are: ${names === '' ? '(none)' : names}.`)
  }
  const parsed = parseArguments(call.arguments)
  // The model would write the same too long call again if it were told of a slip in its JSON.
  if ('fault' in parsed) return only(newestTurn(run.session.log).atLimit ? cutOff : parsed.fault)
  if (denied !== undefined) return only(denied)
  if (isLoop(newestTurn(run.session.log).since, call, exempt)) {
    return {
      fresh: [
        result(sameAgain, true),
        { type: 'note', code: 'loop_broken', text: run.words.loopBroken(call.name), data: { tool: call.name } },
      ],
    }
  }
  if (refused) return { ...only(refused.text), gotStaying: refused.gotStaying ?? false }
  run.tell({ state: 'running', call })
  const path = tool.kind === 'acts' && tool.writes ? parsed.args['path'] : undefined
  const file = typeof path === 'string' ? parsePath(path.trim()) : undefined
  const { gotStaying, ...seen } = run.read(file?.kind === 'workspace' ? file.path : undefined)
  const { text, isError } = await runTool(tool, parsed.args, { ...run.context, ...seen })
  return { fresh: [result(text, isError)], gotStaying: gotStaying() }
}

/** Of a call that the output limit ended. */
const cutOff =
  'Not run: the call was cut off at the output limit, in the middle of its arguments. Write less in one call, or do it in several smaller calls.'

/** Throws `stopped` when the person has stopped the turn. */
export function throwIfStopped(signal: AbortSignal): void {
  if (signal.aborted) throw new AgentError('stopped', 'Stopped by the user')
}
