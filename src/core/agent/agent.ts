/** The face of the agent: every verb of the contract, over one store, for one tab. */
import { codeOf } from '../errors.ts'
import type { SessionId } from '../log/entry.ts'
import type { Acting } from './chat-api.ts'
import type { AgentApi, AgentEvent } from './api/api.ts'
import type { Dreaming } from './memory/dreaming.ts'
import { Kit, type AgentParts } from './session/agent-runtime.ts'
import { library } from './use-cases/library.ts'
import type { MemoryApi } from './api/memory-api.ts'
import { modelsAndServers } from './use-cases/models-and-servers.ts'
import { permissions } from './use-cases/permissions.ts'
import { reading } from './use-cases/archive-api.ts'
import { Work } from './lifecycle/session-tasks.ts'

export type { AgentParts } from './session/agent-runtime.ts'

type Tidying = Pick<AgentApi, 'retention' | 'agreeToRetention'> & { run(): Promise<void> }
type Importing = Pick<AgentApi, 'importStart' | 'importLines' | 'importEnd'>

const actingVerbs = [
  'send',
  'enqueue',
  'takeBack',
  'sendQueued',
  'stop',
  'resume',
  'regenerate',
  'editMessage',
  'switchLeaf',
  'answer',
  'context',
  'restart',
  'keepWhole',
  'view',
  'compact',
  'preview',
  'undo',
  'redo',
  'pin',
  'editSummary',
  'deleteMessage',
  'choose',
  'config',
  'setConfig',
] as const

const memoryVerbs = [
  'memoryNotes',
  'editNote',
  'forgetNote',
  'memoryLines',
  'memoryRevision',
  'dream',
  'proposal',
  'settleProposal',
] as const satisfies readonly (keyof MemoryApi)[]

export type Agent = AgentApi & {
  /** Told by another tab's agent: memory is refreshed, and then the page of this tab hears it. */
  heard(event: AgentEvent): void
}

/** An agent over these bodies. It does nothing by itself until a chat is opened. */
export function createAgent(parts: AgentParts): Agent {
  const kit = new Kit(parts)
  const work = new Work(kit)
  const tidy = kept<Tidying>(() => import('./lifecycle/retention.ts').then(({ retention }) => retention(kit, work)))
  const dreams = kept<Dreaming>(() => import('./memory/dreaming.ts').then(({ dreaming }) => dreaming(kit, work)))
  const idle = whenIdle(parts, async () => {
    if (work.isBusy) return
    await (await tidy()).run()
    await (await dreams()).daily()
    await kit.search.catchUp(() => !work.isBusy)
  })
  const acts = kept<Acting>(() => import('./chat-api.ts').then(({ acting }) => acting(kit, work, idle)))
  const tend = (id: SessionId): void => {
    acts().then(
      ({ tend }) => {
        tend(id)
      },
      (thrown: unknown) => {
        work.tellFailure(id, thrown)
      },
    )
  }
  const exports = kept<Pick<AgentApi, 'exportLines'>>(() =>
    import('./transfer/exporting.ts').then(({ exporting }) => exporting(kit)),
  )
  const imports = kept<Importing>(() => import('./transfer/importing.ts').then(({ importing }) => importing(kit, work)))
  const agent: Agent = {
    subscribe: async tell => {
      kit.listen(tell)
      idle()
    },
    ping: async () => undefined,
    setLanguage: async language => {
      kit.language = language
    },
    ...library(kit, work, tend),
    ...later(acts, actingVerbs),
    ...later(dreams, memoryVerbs),
    ...permissions(kit, work),
    ...modelsAndServers(kit),
    ...reading(kit),
    // Loaded when they are first used: the app is there sooner without them.
    command: async (id, line) => (await import('./commands/run.ts')).runCommand(kit, work, agent, id, line),
    exportLines: async (...args) => (await exports()).exportLines(...args),
    importStart: async options => (await imports()).importStart(options),
    importLines: async (handle, lines) => (await imports()).importLines(handle, lines),
    retention: async () => (await tidy()).retention(),
    agreeToRetention: async agreed => (await tidy()).agreeToRetention(agreed),
    importEnd: async handle => {
      const report = await (await imports()).importEnd(handle)
      idle() // what came in is taken into the search when there is time
      return report
    },
    heard: event => {
      if (event.type !== 'stop') hear(kit, event)
      else if (work.isWorking(event.session)) void work.stop(event.session)
    },
  }
  return agent
}

/** Loads once. A load that failed (an update removed the file, the network was gone) is tried again the next time. */
function kept<Part>(load: () => Promise<Part>): () => Promise<Part> {
  let loading: Promise<Part> | undefined
  return () =>
    (loading ??= load().catch((thrown: unknown) => {
      loading = undefined
      throw thrown
    }))
}

/** Verbs that load the half they belong to before they do anything. */
function later<Half, Verb extends keyof Half>(load: () => Promise<Half>, verbs: readonly Verb[]): Pick<Half, Verb> {
  const call =
    (verb: Verb) =>
    async (...args: unknown[]): Promise<unknown> =>
      ((await load())[verb] as (...args: unknown[]) => unknown)(...args)
  return Object.fromEntries(verbs.map(verb => [verb, call(verb)])) as Pick<Half, Verb>
}

/** Runs the task when nothing was begun for a while. Its failure is nobody's: it is tried again the next time. */
function whenIdle({ idleAfter, world }: AgentParts, task: () => Promise<void>): () => void {
  if (idleAfter === undefined) return () => undefined
  const never = new AbortController().signal
  let newest = 0
  return () => {
    const own = ++newest
    world
      .sleep(idleAfter, never)
      .then(() => (own === newest ? task() : undefined))
      .catch(() => undefined)
  }
}

function hear(kit: Kit, event: AgentEvent): void {
  if ('session' in event && (event.type === 'appended' || event.type === 'leaf')) {
    // A chat that is not in memory is read when it is needed; a failing read is reported by whoever needs it then.
    kit
      .loaded(event.session)
      ?.then(session => session.refresh(event.type === 'leaf'))
      .catch((thrown: unknown) => {
        if (codeOf(thrown) !== 'storage_gone') kit.forget(event.session) // else memory is all there is of it
      })
  }
  if (event.type === 'sessions')
    // removed there: found out when it is used
    for (const loading of kit.allLoaded()) loading.then(session => session.refresh()).catch(() => undefined)
  kit.pass(event)
}
