/** Use cases of Put back: what it would do, and the newest part of what left where not all of it fits. */
import { requestSize, weighedFacts } from '../../context/size/measure.ts'
import type { StepEnv } from '../../context/strategy.ts'
import { AgentError } from '../../errors.ts'
import type { Entry, Id, Log } from '../../log/entry.ts'
import { factsRemovedBy, factsRestoredBy } from '../../log/model-view/removed-counts.ts'
import { effectiveEdits } from '../../log/query.ts'
import type { AgentApi } from '../api/api.ts'
import type { PutBackPreview } from '../api/context-api.ts'
import { noteTexts } from '../i18n/note-texts.ts'
import { statusFromLog } from '../lifecycle/status-from-log.ts'
import type { SessionTasks } from '../lifecycle/session-tasks.ts'
import { runCompaction } from '../request/compaction-run.ts'
import { simulateNext } from '../request/forecast.ts'
import { progressReporter } from '../request/progress-reporter.ts'
import { setUpRequest, type RequestSetup, type StepEnvOverrides } from '../request/request-setup.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import type { Session } from '../session/session.ts'

/**
 * What a part that is put back may fill of what makes the strategy act, 0…1: the next question and its answer are still
 * to come.
 */
const partShare = 0.9

export function puttingBack(
  runtime: AgentRuntime,
  tasks: SessionTasks,
): Pick<AgentApi, 'previewPutBack' | 'putBackPart'> {
  return {
    previewPutBack: async (id, group) => preview(runtime, await runtime.session(id), group),
    putBackPart: (id, group) =>
      tasks.runTask(
        id,
        async (session, signal) => {
          const setup = await setUpRequest(runtime, session)
          runtime.setStatus(session.id, { state: 'compacting', share: 0 })
          const added = await partOf(session.log, setup, group, {
            signal,
            progress: progressReporter(runtime, session),
          })
          if (added === undefined) throw new AgentError('bad_input', noteTexts(runtime).nothingFits)
          await session.append(added)
          return statusFromLog(runtime, session)
        },
        { alone: true },
      ),
  }
}

async function preview(runtime: AgentRuntime, session: Session, group: Id): Promise<PutBackPreview> {
  const { log } = session
  const edits = effectiveEdits(log).filter(edit => edit.group === group)
  if (edits.length === 0) throw new AgentError('bad_input', noteTexts(runtime).undoneAlready)
  const setup = await setUpRequest(runtime, session)
  const env = setup.env('onCall')
  const back = lifted(log, group, env)
  const restored = factsRestoredBy(log, [back])
  const next = await simulateNext([...log, back], setup)
  const after = requestSize([...log, back], env).total
  // It fits if the next message leaves alone what came back: messages, and texts that are whole again.
  const touched = new Set(factsRemovedBy(next.asked, next.added).map(({ id }) => id))
  for (const entry of next.added) if (entry.type === 'shorten') touched.add(entry.target)
  const came = [
    ...restored.map(({ id }) => id),
    ...edits.flatMap(edit => (edit.type === 'shorten' ? [edit.target] : [])),
  ]
  const fits = !next.tooLong && !came.some(id => touched.has(id))
  const part = fits || restored.length === 0 ? undefined : await partOf(log, setup, group, { ask: undefined })
  const messages = part === undefined ? 0 : factsRestoredBy(log, part).length
  return {
    messages: restored.length,
    before: requestSize(log, env).total,
    after,
    fits,
    ...(part !== undefined && messages > 0
      ? { part: { messages, after: requestSize([...log, ...part], env).total } }
      : {}),
  }
}

/** The undo of the group, a cut further back and its summary, as one act; undefined where nothing of it would fit. */
async function partOf(
  log: Log,
  setup: RequestSetup,
  group: Id,
  more: StepEnvOverrides,
): Promise<readonly Entry[] | undefined> {
  const env = setup.env('onCall', { ...more, forced: true })
  const back = lifted(log, group, env)
  const grown = [...log, back]
  const keep = keptOf(log, grown, setup, env)
  if (keep <= 0) return undefined
  const { added, summary } = await runCompaction(grown, setup.strategy, env, keep)
  return summary === undefined ? undefined : [back, ...added]
}

function lifted(log: Log, group: Id, env: StepEnv): Entry {
  return {
    type: 'undo',
    target: group,
    act: true,
    group: env.group,
    id: env.newId(),
    parent: log.at(-1)?.id ?? null,
    at: env.now(),
  }
}

/** How many tokens of the newest messages may stay so that the strategy does nothing by itself. */
function keptOf(
  log: Log,
  grown: Log,
  { strategy, model, requestWindow, outputReserve }: RequestSetup,
  env: StepEnv,
): number {
  const acts = strategy.threshold(requestWindow, model.local) ?? requestWindow - outputReserve
  const { system, tools, summary } = requestSize(log, env)
  const room = Math.floor(partShare * Math.min(acts, requestWindow - outputReserve)) - system - tools - summary
  if (strategy.turnLimit === undefined) return room
  // one more turn comes with the next message
  const { facts } = weighedFacts(requestSize(grown, env))
  const questions = facts.flatMap(({ type }, at) => (type === 'user' ? [at] : []))
  const from = questions.at(-Math.max(1, strategy.turnLimit - 1)) ?? 0
  return Math.min(
    room,
    facts.slice(from).reduce((sum, { tokens }) => sum + tokens, 0),
  )
}
