/**
 * The part of the API that works on an open chat: turns, compaction, edits, jobs. Loaded when the first chat is opened,
 * so that the list of chats appears sooner.
 */
import type { SessionId } from '../log/entry.ts'
import type { AgentApi } from './api/api.ts'
import { createSessionSettings } from './use-cases/session-settings.ts'
import { compacting } from './use-cases/compacting.ts'
import { contextInfo } from './use-cases/context-info.ts'
import { conversation } from './use-cases/conversation.ts'
import { deleting } from './use-cases/deleting.ts'
import { editing } from './use-cases/editing.ts'
import { puttingBack } from './use-cases/put-back.ts'
import { BackgroundJobs } from './lifecycle/background-jobs.ts'
import type { AgentRuntime } from './session/agent-runtime.ts'
import { createMessageQueue } from './use-cases/message-queue.ts'
import { IdleTrims } from './lifecycle/idle-trim.ts'
import { SessionRecovery } from './lifecycle/session-recovery.ts'
import type { SessionTasks } from './lifecycle/session-tasks.ts'
import { timelines } from './use-cases/timeline-api.ts'

type ChatVerbs =
  | 'send'
  | 'enqueue'
  | 'withdrawQueued'
  | 'sendQueued'
  | 'stop'
  | 'resume'
  | 'sendAwaiting'
  | 'regenerate'
  | 'editMessage'
  | 'switchLeaf'
  | 'resolvePermission'
  | 'context'
  | 'idleTrim'
  | 'skipIdleTrim'
  | 'view'
  | 'timeline'
  | 'timelineMessage'
  | 'compact'
  | 'preview'
  | 'undo'
  | 'redo'
  | 'previewPutBack'
  | 'putBackPart'
  | 'happened'
  | 'pin'
  | 'editSummary'
  | 'deleteMessage'
  | 'choose'
  | 'config'
  | 'setConfig'

export type ChatApi = Pick<AgentApi, ChatVerbs> & {
  /** Repairs the chat after a crash and makes its pending summaries: now, or when the tab that works on it is done. */
  recover(id: SessionId): void
}

/** `idle` is called when a long task has ended. */
export function createChatApi(runtime: AgentRuntime, tasks: SessionTasks, idle: () => void): ChatApi {
  const jobs = new BackgroundJobs(runtime, tasks)
  const idleTrims = new IdleTrims(runtime)
  const queue = createMessageQueue(runtime, tasks, idleTrims)
  tasks.hooks = {
    begins: jobs.yieldToTurn,
    ended: (id, answered) => {
      jobs.schedule(id, answered ? 'answered' : 'owed')
      if (answered) queue.next(id)
      idle()
    },
    without: jobs.withoutJobs,
  }
  const tender = new SessionRecovery(runtime, tasks, {
    idleTrims,
    afterwards: id => {
      jobs.schedule(id, 'owed')
    },
  })
  return {
    ...conversation(runtime, tasks, idleTrims),
    enqueue: queue.enqueue,
    withdrawQueued: queue.withdrawQueued,
    sendQueued: queue.sendQueued,
    ...contextInfo(runtime, idleTrims),
    ...timelines(runtime),
    idleTrim: idleTrims.idleTrim,
    skipIdleTrim: idleTrims.skipIdleTrim,
    ...compacting(runtime, tasks, idleTrims),
    ...editing(runtime, tasks),
    ...puttingBack(runtime, tasks),
    ...deleting(runtime, tasks),
    ...createSessionSettings(runtime, tasks),
    recover: tender.recover,
  }
}
