/** Decides which notices the page shows, and which actions each offers. Pure. */
import type { StorageState } from '../../core/agent/api/api.ts'
import type { Code } from '../../core/errors.ts'

export type NoticeKind =
  | 'offline'
  | 'update'
  | 'updateBusy'
  | 'chunkLost'
  | 'nearlyFull'
  | 'full'
  | 'memory'
  | 'memoryFull'
  | 'memoryBroken'
  | 'blocked'
  | 'newer'
  | 'replaced'
  | 'lost'
  | 'cleared'
  | 'deleted'
  | 'dropped'
  | 'evicted'
  | 'insecure'
  | 'paused'
  | 'restarted'
  | 'gaveUp'
  | 'notStarted'
  | 'private'
  | 'keep'
  | 'keepRefused'
  | 'notify'
  | 'notifyRefused'
  | 'retention'
export type NoticeAction =
  | 'reload'
  | 'save'
  | 'export'
  | 'import'
  | 'keep'
  | 'install'
  | 'dismiss'
  | 'continue'
  | 'storage'
  | 'notify'
/**
 * `alert` is read out at once; the others are read when the reader gets there. `detail` is what the browser said, word
 * for word.
 */
export type Notice = {
  kind: NoticeKind
  tone: 'alert' | 'warn' | 'plain'
  actions: readonly NoticeAction[]
  detail?: string
}

/** All that the notices are decided by. */
export type NoticeInputs = {
  online: boolean
  secure: boolean // https or localhost
  storage: StorageState
  siteCleared: boolean // what the page keeps outside the database went with it
  update: boolean // a new version waits
  chunkLost: boolean // a lazy part is gone since an update
  answering: boolean // something is being written
  attached: boolean // a file waits in the message box; what is typed there is kept, this is not
  chats: number | undefined // undefined: not read yet
  hadChats: number // what a marker outside the database remembers
  hasStoredChat: boolean // a chat with something said is stored
  paused: boolean // woke up from a pause that cut an answer
  restarted: boolean
  gaveUp: boolean // the worker died again and again and is not started any more
  startError: string | undefined // what ended the worker as it began; none is started any more
  cutOff: boolean // the chat says that an answer was cut off, and offers to continue it
  askedToKeep: boolean // the person was asked whether the browser shall keep the chats, now or in an earlier visit
  keepRefused: boolean // the browser said no, just now
  canInstall: boolean // the browser offers to install the app
  asksToNotify: boolean // an answer took long, and the person was never asked about notifications
  notifyRefused: boolean // the browser blocks them, as it said just now
  asksToForget: boolean // something is due by the rules of retention, and the person was never asked
  dismissed: ReadonlySet<NoticeKind>
}

/** Share of the quota from which storage counts as nearly full, 0…1; and bytes that are always enough. */
const nearlyFullAt = 0.9
const plenty = 512 * 1024 * 1024

/** The notices, the most pressing first. */
export function noticesOf(known: NoticeInputs): Notice[] {
  const found: (Notice | false)[] = [
    known.chunkLost && known.storage.state !== 'gone' && notice('chunkLost', 'alert', 'reload'),
    known.gaveUp && notice('gaveUp', 'alert', 'reload'),
    known.startError !== undefined && { ...notice('notStarted', 'alert', 'reload'), detail: known.startError },
    known.storage.state === 'replaced' && notice('replaced', 'alert', 'save', 'reload'),
    known.storage.state === 'gone' &&
      notice(
        known.storage.reason === 'deleted' ? 'deleted' : known.siteCleared ? 'cleared' : 'dropped',
        'alert',
        'save',
        'reload',
      ),
    known.storage.state === 'newer' && notice('newer', 'alert', 'reload', 'export'),
    known.storage.state === 'blocked' && notice('blocked', 'alert', 'reload'),
    known.storage.state === 'lost' && notice('lost', 'alert', 'save', 'reload'),
    known.storage.state === 'full' && notice('full', 'alert', 'save', 'export', 'storage'),
    evicted(known) && notice('evicted', 'alert', 'import', 'dismiss'),
    known.storage.state === 'memory' &&
      (known.storage.why === undefined
        ? notice('memory', 'warn', 'export', 'dismiss')
        : notice(known.storage.why === 'full' ? 'memoryFull' : 'memoryBroken', 'alert', 'export', 'reload')),
    known.storage.state === 'kept' && known.storage.private === true && notice('private', 'warn', 'export', 'dismiss'),
    nearlyFull(known.storage) && notice('nearlyFull', 'warn', 'export', 'storage', 'dismiss'),
    !known.secure && notice('insecure', 'warn', 'dismiss'),
    // The chat may offer to continue it already.
    known.paused &&
      (known.cutOff ? notice('paused', 'plain', 'dismiss') : notice('paused', 'plain', 'continue', 'dismiss')),
    // The chat that it cut off says so.
    known.restarted && !known.gaveUp && !known.cutOff && notice('restarted', 'plain', 'dismiss'),
    // With the data of the site its files went too: the version that waits is the one that is open.
    known.update &&
      known.storage.state !== 'gone' &&
      (known.answering || known.attached
        ? notice('updateBusy', 'plain', 'dismiss')
        : notice('update', 'plain', 'reload', 'dismiss')),
    !known.online && notice('offline', 'plain', 'dismiss'),
    known.asksToNotify && notice('notify', 'plain', 'notify', 'dismiss'),
    known.notifyRefused && notice('notifyRefused', 'plain', 'dismiss'),
    known.keepRefused && !known.storage.persisted && notice('keepRefused', 'plain', 'export', 'dismiss'),
    // Browsers keep the data of an installed app more readily: it is one question.
    asksToKeep(known) &&
      notice('keep', 'plain', 'keep', ...(known.canInstall ? (['install'] as const) : []), 'dismiss'),
    known.asksToForget && notice('retention', 'plain', 'storage', 'dismiss'),
  ]
  return found.filter(item => item !== false).filter(({ kind }) => !known.dismissed.has(kind))
}

/** The notices that say as much as an error of this code, and more: where one of them stands, the error need not. */
const saidBy: Partial<Record<Code, readonly NoticeKind[]>> = {
  worker_lost: ['gaveUp', 'notStarted', 'restarted'],
  new_version: ['replaced'],
  storage_blocked: ['blocked'],
  storage_newer: ['newer'],
  storage_lost: ['lost'],
  storage_full: ['full'],
  storage_gone: ['cleared', 'deleted', 'dropped'],
}

/** Whether one of these notices says it already. */
export function isCovered(code: Code, notices: readonly Notice[]): boolean {
  return notices.some(({ kind }) => saidBy[code]?.includes(kind))
}

/**
 * There were chats, the database is the ordinary one, and now there are none: the browser took them. Two markers
 * outside the database tell it, because a browser may take one of them too: the storage's own, and the page's number of
 * chats.
 */
function evicted({ storage, chats, hadChats }: NoticeInputs): boolean {
  return storage.state === 'kept' && chats === 0 && (storage.reason === 'evicted' || hadChats > 0)
}

function nearlyFull({ state, usage, quota }: StorageState): boolean {
  if (state !== 'kept' || usage === undefined || quota === undefined || quota === 0) return false
  return usage / quota >= nearlyFullAt && quota - usage < plenty
}

/**
 * Asked once in the life of a profile, when something is worth keeping, and never where the browser could not say yes,
 * or all goes with the window anyway. Settings, Storage asks again.
 */
function asksToKeep(known: NoticeInputs): boolean {
  return (
    known.hasStoredChat &&
    known.secure &&
    known.storage.state === 'kept' &&
    known.storage.private !== true &&
    known.storage.persisted === false &&
    !known.askedToKeep
  )
}

function notice(kind: NoticeKind, tone: Notice['tone'], ...actions: NoticeAction[]): Notice {
  return { kind, tone, actions }
}
