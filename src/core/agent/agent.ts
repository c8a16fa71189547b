/** The face of the agent: every verb of the contract, over one store, for one tab. */
import type { AgentApi, AgentEvent } from './api.ts'
import { choices } from './choices.ts'
import { compacting } from './compacting.ts'
import { contextInfo } from './context-info.ts'
import { conversation } from './conversation.ts'
import { deleting } from './deleting.ts'
import { editing } from './editing.ts'
import { Jobs } from './jobs.ts'
import { Kit, type AgentParts } from './kit.ts'
import { library } from './library.ts'
import { modelsAndServers } from './models-and-servers.ts'
import { permissions } from './permissions.ts'
import { reading } from './reading.ts'
import { Tender } from './tend.ts'
import { Work } from './work.ts'

export type { AgentParts } from './kit.ts'

type Tidying = Pick<AgentApi, 'retention' | 'agreeToRetention'> & { run(): Promise<void> }
type Importing = Pick<AgentApi, 'importStart' | 'importLines' | 'importEnd'>

export type Agent = AgentApi & {
  /** Told by another tab's agent: memory is refreshed, and then the page of this tab hears it. */
  heard(event: AgentEvent): void
}

/** An agent over these bodies. It does nothing by itself until a chat is opened. */
export function createAgent(parts: AgentParts): Agent {
  const kit = new Kit(parts)
  const work = new Work(kit)
  const jobs = new Jobs(kit, work)
  work.hooks = { begins: jobs.makeRoom, ended: (id, answered) => {
    jobs.schedule(id, answered ? 'answered' : 'owed')
    idle()
  }, without: jobs.without }
  const tender = new Tender(kit, work, id => { jobs.schedule(id, 'owed') })
  let tidying: Promise<Tidying> | undefined
  const tidy = (): Promise<Tidying> => tidying ??= import('./retention.ts').then(({ retention }) => retention(kit, work))
  const idle = whenIdle(parts, async () => { if (!work.isBusy) await (await tidy()).run() })
  let importing: Promise<Importing> | undefined
  const imports = (): Promise<Importing> => importing ??= import('./importing.ts').then(({ importing }) => importing(kit, work))
  const agent: Agent = {
    subscribe: async tell => {
      kit.listen(tell)
      idle()
    },
    ping: async () => undefined,
    setLanguage: async language => { kit.language = language },
    ...library(kit, work, tender.tend),
    ...conversation(kit, work),
    ...contextInfo(kit),
    ...compacting(kit, work),
    ...editing(kit, work),
    ...deleting(kit, work),
    ...permissions(kit, work),
    ...choices(kit, work),
    ...modelsAndServers(kit),
    ...reading(kit),
    // Loaded when they are first used: the app is there sooner without them.
    command: async (id, line) => (await import('./commands/run.ts')).runCommand(kit, work, agent, id, line),
    exportLines: async (...args) => (await import('./exporting.ts')).exporting(kit).exportLines(...args),
    importStart: async options => (await imports()).importStart(options),
    importLines: async (handle, lines) => (await imports()).importLines(handle, lines),
    retention: async () => (await tidy()).retention(),
    agreeToRetention: async agreed => (await tidy()).agreeToRetention(agreed),
    importEnd: async handle => (await imports()).importEnd(handle),
    heard: event => { hear(kit, event) },
  }
  return agent
}

/** Runs the task when nothing was begun for a while. Its failure is nobody's: it is tried again the next time. */
function whenIdle({ idleAfter, world }: AgentParts, task: () => Promise<void>): () => void {
  if (idleAfter === undefined) return () => undefined
  const never = new AbortController().signal
  let newest = 0
  return () => {
    const own = ++newest
    world.sleep(idleAfter, never).then(() => (own === newest ? task() : undefined)).catch(() => undefined)
  }
}

function hear(kit: Kit, event: AgentEvent): void {
  if ('session' in event && (event.type === 'appended' || event.type === 'leaf')) {
    // A chat that is not in memory is read when it is needed; a failing read is reported by whoever needs it then.
    kit.loaded(event.session)?.then(session => session.refresh(event.type === 'leaf')).catch(() => { kit.forget(event.session) })
  }
  if (event.type === 'sessions') for (const loading of kit.allLoaded()) loading.then(session => session.refresh()).catch(() => undefined) // removed there: found out when it is used
  kit.pass(event)
}
