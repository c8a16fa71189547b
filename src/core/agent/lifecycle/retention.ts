/** Use case: retention. Old things are removed by rule, after the person agreed to it once (C10). */
import { defaultsOf, type Config } from '../../context/config/config.ts'
import { effectiveConfig } from '../../context/config/effective-config.ts'
import { bytesOfFact, daysBefore, removableResults, hasPins } from './retention-policy.ts'
import type { Id, SessionId } from '../../log/entry.ts'
import type { SessionInfo } from '../../ports/ports.ts'
import { dayOf } from '../../text/day.ts'
import type { AgentApi, Retention } from '../api/api.ts'
import { readDefaults, strategyOf } from '../session/defaults.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import { sessionLock, openedLock, type SessionTasks } from './session-tasks.ts'

const key = 'retention'
/** Texts that one transaction removes: short enough that nobody waits for it. */
const atOnce = 50
/** Time between two checks: each reads everything that is stored. Unit: ms. */
const lookEvery = 6 * 60 * 60 * 1000

type Answer = { agreed: boolean; at: number }
type Due = { id: SessionId; hide: boolean; results: { id: Id; bytes: number }[]; days: number }

export function retention(
  runtime: AgentRuntime,
  tasks: SessionTasks,
): Pick<AgentApi, 'retention' | 'setRetentionConsent'> & { run(): Promise<void> } {
  const { store, world } = runtime.deps
  let lookedAt = -Infinity

  /** Removes what is due, under the locks of the chats. Without the person's consent it does nothing. */
  async function run(): Promise<void> {
    const answer = await answered(runtime)
    if (answer?.agreed !== true || world.now() - lookedAt < lookEvery) return
    lookedAt = world.now()
    await runtime.deps.locks.tryRun('retention', async () => {
      for (const info of await store.sessions())
        await notOpen(info.id, async () => {
          await forget(runtime, await dueOf(runtime, info))
        })
    })
  }

  /** Runs the task if nobody has the chat open, in whatever tab, and nobody can open it to work in it meanwhile. */
  async function notOpen(id: SessionId, task: () => Promise<void>): Promise<void> {
    if (tasks.isRunning(id)) return
    const { locks } = runtime.deps
    await locks.tryRun(openedLock(id), () => locks.tryRun(sessionLock(id), task))
  }

  return {
    run,
    retention: () => planned(runtime),
    setRetentionConsent: async agreed => {
      await store.saveSetting(key, { agreed, at: world.now() } satisfies Answer)
      lookedAt = -Infinity
      if (agreed) await run()
    },
  }
}

async function answered(runtime: AgentRuntime): Promise<Answer | undefined> {
  const kept = await runtime.deps.store.setting(key)
  return typeof kept === 'object' && kept !== null && typeof (kept as Answer).agreed === 'boolean'
    ? (kept as Answer)
    : undefined
}

/** What the person is asked, or has agreed to: the rules, and what is due by them now. */
async function planned(runtime: AgentRuntime): Promise<Retention> {
  const answer = await answered(runtime)
  const plan: Retention = { ...(answer ? { agreed: answer.agreed } : {}), rules: [], sessions: 0, results: 0, bytes: 0 }
  for (const info of await runtime.deps.store.sessions()) {
    const config = await configOf(runtime, info)
    if (info.hidden !== true) count(plan, 'sessions', config.session_retention_days)
    count(plan, 'results', config.offload_retention_days)
    const due = await dueOf(runtime, info)
    if ((due.hide || due.results.length > 0) && (await isOpen(runtime, info.id))) continue // spared, so not told
    if (due.hide) plan.sessions++
    plan.results += due.results.length
    for (const { bytes } of due.results) plan.bytes += bytes
  }
  return plan
}

/** Whether it is open in any tab. */
async function isOpen(runtime: AgentRuntime, id: SessionId): Promise<boolean> {
  return !(await runtime.deps.locks.tryRun(openedLock(id), async () => undefined)).free
}

function count(plan: Retention, of: 'sessions' | 'results', days: number): void {
  if (days === 0) return
  const known = plan.rules.find(rule => rule.of === of && rule.days === days)
  if (known) known.chats++
  else plan.rules.push({ of, days, chats: 1 })
}

async function configOf(runtime: AgentRuntime, info: SessionInfo): Promise<Config> {
  const defaults = await readDefaults(runtime.deps.store)
  return effectiveConfig(defaultsOf(strategyOf(info, defaults)), defaults.config, info.config)
}

/** What has to be removed of a chat now. Only chats that may have something old are read. */
async function dueOf(runtime: AgentRuntime, info: SessionInfo): Promise<Due> {
  const { store, world } = runtime.deps
  const config = await configOf(runtime, info)
  const days = config.offload_retention_days
  const isIdle =
    config.session_retention_days > 0 &&
    info.hidden !== true &&
    info.pinned !== true &&
    info.updatedAt < daysBefore(world.now(), config.session_retention_days)
  const mayBeOld = days > 0 && info.createdAt < daysBefore(world.now(), days)
  if (!isIdle && !mayBeOld) return { id: info.id, hide: false, results: [], days }
  const rows = await store.read(info.id)
  const results = mayBeOld ? removableResults(rows, info.leaf, daysBefore(world.now(), days)) : []
  return {
    id: info.id,
    hide: isIdle && !hasPins(rows) && !info.queued?.length,
    results: results.map(fact => ({ id: fact.id, bytes: bytesOfFact(fact) })),
    days,
  }
}

async function forget(runtime: AgentRuntime, { id, hide, results, days }: Due): Promise<void> {
  const { store, world } = runtime.deps
  const tombstone = { day: dayOf(world.now()), why: `by the ${days}-day rule` }
  for (let from = 0; from < results.length; from += atOnce) {
    const ids = results.slice(from, from + atOnce).map(result => result.id)
    await runtime.search.withRemoval({ entries: ids }, () => store.removeTexts(ids, tombstone))
    await world.sleep(0, new AbortController().signal)
  }
  if (hide) await store.updateSession(id, { hidden: true })
  if (!hide && results.length === 0) return
  const session = await runtime.loadedSession(id)
  await session?.refresh(true)
  if (results.length > 0) runtime.emit({ type: 'leaf', session: id, leaf: (await store.session(id))?.leaf ?? null })
  if (hide) runtime.emit({ type: 'sessions' })
}
