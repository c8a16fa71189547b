/** The face of the agent: every verb of the contract, over one store, for one tab. */
import type { AgentApi, AgentEvent } from './api.ts'
import { choices } from './choices.ts'
import { runCommand } from './commands/run.ts'
import { compacting } from './compacting.ts'
import { contextInfo } from './context-info.ts'
import { conversation } from './conversation.ts'
import { deleting } from './deleting.ts'
import { editing } from './editing.ts'
import { exporting } from './exporting.ts'
import { importing } from './importing.ts'
import { Jobs } from './jobs.ts'
import { Kit, type AgentParts } from './kit.ts'
import { library } from './library.ts'
import { modelsAndServers } from './models-and-servers.ts'
import { permissions } from './permissions.ts'
import { reading } from './reading.ts'
import { Tender } from './tend.ts'
import { Work } from './work.ts'

export type { AgentParts } from './kit.ts'

export type Agent = AgentApi & {
  /** Told by another tab's agent: memory is refreshed, and then the page of this tab hears it. */
  heard(event: AgentEvent): void
}

/** An agent over these bodies. It does nothing by itself until a chat is opened. */
export function createAgent(parts: AgentParts): Agent {
  const kit = new Kit(parts)
  const work = new Work(kit)
  const jobs = new Jobs(kit, work)
  work.hooks = { begins: jobs.makeRoom, ended: jobs.schedule }
  const tender = new Tender(kit, work, jobs.schedule)
  const agent: Agent = {
    subscribe: async tell => { kit.listen(tell) },
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
    ...exporting(kit),
    ...importing(kit, work),
    command: (id, line) => runCommand(kit, work, agent, id, line),
    heard: event => { hear(kit, event) },
  }
  return agent
}

function hear(kit: Kit, event: AgentEvent): void {
  if ('session' in event && (event.type === 'appended' || event.type === 'leaf')) {
    // A chat that is not in memory is read when it is needed; a failing read is reported by whoever needs it then.
    kit.loaded(event.session)?.then(session => session.refresh(event.type === 'leaf')).catch(() => { kit.forget(event.session) })
  }
  if (event.type === 'sessions') for (const loading of kit.allLoaded()) loading.then(session => session.refresh()).catch(() => undefined) // removed there: found out when it is used
  kit.pass(event)
}
