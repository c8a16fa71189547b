/**
 * The half of the agent that works on chats: turns, compaction, edits, jobs. Loaded when the first chat is opened, so
 * that the library is there sooner.
 */
import type { SessionId } from '../log/entry.ts'
import type { AgentApi } from './api/api.ts'
import { choices } from './use-cases/session-settings.ts'
import { compacting } from './use-cases/compacting.ts'
import { contextInfo } from './use-cases/context-info.ts'
import { conversation } from './use-cases/conversation.ts'
import { deleting } from './use-cases/deleting.ts'
import { editing } from './use-cases/editing.ts'
import { Jobs } from './lifecycle/background-jobs.ts'
import type { Kit } from './session/agent-runtime.ts'
import { queueing } from './use-cases/message-queue.ts'
import { Restarts } from './lifecycle/idle-trim.ts'
import { Tender } from './lifecycle/session-recovery.ts'
import type { Work } from './lifecycle/session-tasks.ts'

type Verbs =
  | 'send'
  | 'enqueue'
  | 'takeBack'
  | 'sendQueued'
  | 'stop'
  | 'resume'
  | 'regenerate'
  | 'editMessage'
  | 'switchLeaf'
  | 'answer'
  | 'context'
  | 'restart'
  | 'keepWhole'
  | 'view'
  | 'compact'
  | 'preview'
  | 'undo'
  | 'redo'
  | 'pin'
  | 'editSummary'
  | 'deleteMessage'
  | 'choose'
  | 'config'
  | 'setConfig'

export type Acting = Pick<AgentApi, Verbs> & {
  /** Repairs the chat and does what it owes, now or when the tab that works on it is done. */
  tend(id: SessionId): void
}

/** `idle` is told when a long task has ended. */
export function acting(kit: Kit, work: Work, idle: () => void): Acting {
  const jobs = new Jobs(kit, work)
  const restarts = new Restarts(kit)
  const queue = queueing(kit, work, restarts)
  work.hooks = {
    begins: jobs.makeRoom,
    ended: (id, answered) => {
      jobs.schedule(id, answered ? 'answered' : 'owed')
      if (answered) queue.next(id)
      idle()
    },
    without: jobs.without,
  }
  const tender = new Tender(kit, work, {
    restarts,
    afterwards: id => {
      jobs.schedule(id, 'owed')
    },
  })
  return {
    ...conversation(kit, work, restarts),
    enqueue: queue.enqueue,
    takeBack: queue.takeBack,
    sendQueued: queue.sendQueued,
    ...contextInfo(kit, restarts),
    restart: restarts.restart,
    keepWhole: restarts.keepWhole,
    ...compacting(kit, work, restarts),
    ...editing(kit, work),
    ...deleting(kit, work),
    ...choices(kit, work),
    tend: tender.tend,
  }
}
