/** The agent of one tab: every method of the API, over one store. */
import { codeOf } from '../errors.ts'
import type { SessionId } from '../log/entry.ts'
import type { ChatApi } from './chat-api.ts'
import type { AgentApi, AgentEvent } from './api/api.ts'
import type { DreamApi } from './memory/dreaming.ts'
import { AgentRuntime, type AgentDeps } from './session/agent-runtime.ts'
import { library } from './use-cases/library.ts'
import type { MemoryApi } from './api/memory-api.ts'
import type { ShareApi } from './api/share-api.ts'
import { modelsAndServers } from './use-cases/models-and-servers.ts'
import { permissions } from './use-cases/permissions.ts'
import { createArchiveApi } from './use-cases/archive-api.ts'
import { SessionTasks } from './lifecycle/session-tasks.ts'

export type { AgentDeps } from './session/agent-runtime.ts'

type RetentionApi = Pick<AgentApi, 'retention' | 'setRetentionConsent'> & { run(): Promise<void> }
type ImportApi = Pick<AgentApi, 'importStart' | 'importLines' | 'importEnd'>

const chatVerbs = [
  'send',
  'enqueue',
  'withdrawQueued',
  'sendQueued',
  'stop',
  'resume',
  'sendAwaiting',
  'regenerate',
  'editMessage',
  'switchLeaf',
  'resolvePermission',
  'context',
  'idleTrim',
  'skipIdleTrim',
  'view',
  'timeline',
  'timelineMessage',
  'compact',
  'preview',
  'undo',
  'redo',
  'previewPutBack',
  'putBackPart',
  'happened',
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
  'resolveProposal',
] as const satisfies readonly (keyof MemoryApi)[]

export type Agent = AgentApi & {
  /** Takes an event of another tab's agent: refreshes what is in memory, then passes it to the page of this tab. */
  onPeerEvent(event: AgentEvent): void
}

/** Makes an agent from its dependencies. It does nothing by itself until a chat is opened. */
export function createAgent(parts: AgentDeps): Agent {
  const runtime = new AgentRuntime(parts)
  const tasks = new SessionTasks(runtime)
  const tidy = lazy<RetentionApi>(() =>
    import('./lifecycle/retention.ts').then(({ retention }) => retention(runtime, tasks)),
  )
  const dreams = lazy<DreamApi>(() => import('./memory/dreaming.ts').then(({ dreaming }) => dreaming(runtime, tasks)))
  const idle = whenIdle(parts, async () => {
    if (tasks.isBusy) return
    await (await tidy()).run()
    await (await dreams()).daily()
    await runtime.search.catchUp(() => !tasks.isBusy)
  })
  const acts = lazy<ChatApi>(() =>
    import('./chat-api.ts').then(({ createChatApi }) => createChatApi(runtime, tasks, idle)),
  )
  const tend = (id: SessionId): void => {
    acts().then(
      ({ recover }) => {
        recover(id)
      },
      (thrown: unknown) => {
        tasks.emitFailure(id, thrown)
      },
    )
  }
  const exports = lazy<Pick<AgentApi, 'exportLines'>>(() =>
    import('./transfer/exporting.ts').then(({ exporting }) => exporting(runtime)),
  )
  const imports = lazy<ImportApi>(() =>
    import('./transfer/importing.ts').then(({ importing }) => importing(runtime, tasks)),
  )
  const shares = lazy<ShareApi>(() => import('./share/sharing.ts').then(({ sharing }) => sharing(runtime)))
  const agent: Agent = {
    subscribe: async tell => {
      runtime.addListener(tell)
      idle()
    },
    ping: async () => undefined,
    setLanguage: async language => {
      runtime.language = language
    },
    setOnline: async online => {
      runtime.network.setOnline(online)
    },
    ...library(runtime, tasks, tend),
    ...lazyVerbs(acts, chatVerbs),
    ...lazyVerbs(dreams, memoryVerbs),
    ...permissions(runtime, tasks),
    ...modelsAndServers(runtime),
    ...createArchiveApi(runtime),
    // Loaded when they are first used: the app is there sooner without them.
    command: async (id, line) => (await import('./commands/run.ts')).runCommand(runtime, tasks, agent, id, line),
    exportLines: async (...args) => (await exports()).exportLines(...args),
    reviewShare: async (...args) => (await shares()).reviewShare(...args),
    sharedLines: async (...args) => (await shares()).sharedLines(...args),
    importStart: async options => (await imports()).importStart(options),
    importLines: async (handle, lines) => (await imports()).importLines(handle, lines),
    retention: async () => (await tidy()).retention(),
    setRetentionConsent: async agreed => (await tidy()).setRetentionConsent(agreed),
    importEnd: async handle => {
      const report = await (await imports()).importEnd(handle)
      idle() // what came in is taken into the search when there is time
      return report
    },
    onPeerEvent: event => {
      if (event.type !== 'stop') applyPeerEvent(runtime, event)
      else if (tasks.isWorking(event.session)) void tasks.stop(event.session)
    },
  }
  return agent
}

/**
 * Loads a module once. After a failure (an update removed the file, the network was down) the next call tries again.
 */
function lazy<Part>(load: () => Promise<Part>): () => Promise<Part> {
  let loading: Promise<Part> | undefined
  return () =>
    (loading ??= load().catch((thrown: unknown) => {
      loading = undefined
      throw thrown
    }))
}

/** Methods that load their module before they do anything. */
function lazyVerbs<Half, Verb extends keyof Half>(load: () => Promise<Half>, verbs: readonly Verb[]): Pick<Half, Verb> {
  const call =
    (verb: Verb) =>
    async (...args: unknown[]): Promise<unknown> =>
      ((await load())[verb] as (...args: unknown[]) => unknown)(...args)
  return Object.fromEntries(verbs.map(verb => [verb, call(verb)])) as Pick<Half, Verb>
}

/** Runs the task when nothing was started for a while. A failure is ignored, because the next idle time tries again. */
function whenIdle({ idleAfter, world }: AgentDeps, task: () => Promise<void>): () => void {
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

function applyPeerEvent(runtime: AgentRuntime, event: AgentEvent): void {
  if ('session' in event && (event.type === 'appended' || event.type === 'leaf')) {
    // A chat that is not in memory is read when it is needed; a failing read is reported by whoever needs it then.
    runtime
      .loadedSession(event.session)
      ?.then(session => session.refresh(event.type === 'leaf'))
      .catch((thrown: unknown) => {
        if (codeOf(thrown) !== 'storage_gone') runtime.unloadSession(event.session) // else memory is all there is of it
      })
  }
  if (event.type === 'sessions')
    // removed there: found out when it is used
    for (const loading of runtime.loadedSessions()) loading.then(session => session.refresh()).catch(() => undefined)
  runtime.emitLocally(event)
}
