/** Use cases of the library: chats, their names and drafts, their entries. */
import { AgentError } from '../../errors.ts'
import type { Entry, SessionId } from '../../log/entry.ts'
import { pathTo } from '../../log/query.ts'
import type { SessionInfo } from '../../ports/ports.ts'
import { dayOf } from '../../text/day.ts'
import { givenTitle } from '../../text/display/title.ts'
import type { AgentApi, OpenedSession } from '../api/api.ts'
import { requireText, type AgentRuntime } from '../session/agent-runtime.ts'
import { statusFromLog } from '../lifecycle/status-from-log.ts'
import { shownLeaf } from '../session/session.ts'
import { infoForPage } from './info-for-page.ts'
import type { SessionTasks } from '../lifecycle/session-tasks.ts'

/** Entries that `open` gives at once: more than fills a screen, few enough to be there in a moment. */
const firstEntries = 400

type Library = Pick<
  AgentApi,
  | 'sessions'
  | 'create'
  | 'rename'
  | 'pinChat'
  | 'remove'
  | 'open'
  | 'leave'
  | 'entries'
  | 'saveDraft'
  | 'sessionSnapshots'
>

export function library(runtime: AgentRuntime, tasks: SessionTasks, tend: (id: SessionId) => void): Library {
  const { store, world } = runtime.deps
  return {
    sessions: async () => (await store.sessions()).filter(info => !info.hidden && !isEmpty(info)).map(infoForPage),

    create: async wanted => {
      const now = world.now()
      const title = givenTitle(wanted ?? '')
      const info: SessionInfo = {
        id: world.newId(),
        title: title || runtime.untitled,
        createdAt: now,
        updatedAt: now,
        leaf: null,
        ...(title === '' ? {} : { titled: true }),
      }
      await store.createSession(info)
      runtime.emit({ type: 'sessions' })
      return info
    },

    rename: async (id, title) => {
      const session = await runtime.session(id)
      await session.update({ title: requireText(givenTitle(title), 'The title'), titled: true })
    },

    pinChat: async (id, pinned) => {
      const session = await runtime.session(id)
      await session.update({ pinned: pinned ? true : undefined })
    },

    remove: async id => {
      await tasks.stop(id)
      await tasks.withSession(id, async session => {
        await runtime.search.withRemoval({ session: session.id }, () =>
          store.removeSession(session.id, { day: dayOf(world.now()), why: 'deleted' }),
        )
      })
      runtime.unloadSession(id)
      runtime.emit({ type: 'sessions' })
      runtime.emit({ type: 'memory' })
    },

    open: async (id, { begin = false } = {}) => {
      if (begin) runtime.beginSession(id) // before anything is waited for: the next call may be the first message
      const opened = await read(runtime, tasks, id)
      if (!runtime.unstoredSession(id)) tend(id)
      return opened
    },

    leave: async id => {
      const left = runtime.unstoredSession(id) ? undefined : await store.session(id)
      if (!left || !isEmpty(left)) return
      await tasks.withSession(id, async session => {
        if (!isEmpty(session.info) || session.rows.length > 0) return
        await store.removeSession(id, { day: dayOf(world.now()), why: 'deleted' })
        runtime.unloadSession(id)
        runtime.beginSession(id) // the page may come back to it
        runtime.emit({ type: 'sessions' })
      })
    },

    entries: async (id, from, to) =>
      entriesOf(await store.read(id, { from: Math.max(0, from), limit: Math.max(0, to - from) })),

    sessionSnapshots: async () => {
      const loaded = await Promise.allSettled(runtime.loadedSessions())
      return loaded.flatMap(found => {
        if (found.status === 'rejected') return []
        const { info, rows, reply } = found.value
        return [
          {
            info,
            entries: entriesOf(rows),
            ...(reply ? { reply: { ...reply, calls: [...reply.calls] } } : {}),
          },
        ]
      })
    },

    saveDraft: async (id, draft) => {
      if (!runtime.unstoredSession(id)) {
        await store.updateSession(id, { draft })
        const seen = runtime.drafts.get(id)
        if (seen !== undefined && seen.draft !== draft && Math.max(seen.draft.length, draft.length) > seen.unseen)
          runtime.emit({ type: 'context', session: id })
      } else if (draft !== '') await (await runtime.session(id)).update({ draft })
    },
  }
}

/** Reads the newest entries and nothing else; the whole chat is read afterwards, when somebody needs it. */
async function read(runtime: AgentRuntime, tasks: SessionTasks, id: SessionId): Promise<OpenedSession> {
  const { store } = runtime.deps
  const stored = (await store.session(id)) ?? runtime.unstoredSession(id)
  if (!stored) throw new AgentError('not_found', `There is no chat ${id}`)
  const total = await store.count(id)
  const from = Math.max(0, total - firstEntries)
  const rows = await store.read(id, { from })
  const entries = entriesOf(rows)
  const info = { ...infoForPage(stored), leaf: shownLeaf(stored, rows) }
  const running = tasks.isRunning(id) ? await runtime.session(id) : undefined
  const kept = running?.reply ?? (await store.partial(id))
  const status = runtime.status(id) ?? (await statusFromLog(runtime, { log: pathTo(entries, info.leaf), info }))
  return {
    info,
    entries,
    from,
    total: from + entries.length,
    status,
    ...(kept ? { partial: { text: kept.text, reasoning: kept.reasoning } } : {}),
  }
}

/** Whether it holds nothing from the person: no entry, draft, title, pin or setting. */
function isEmpty({
  leaf,
  size = 0,
  titled,
  pinned,
  draft,
  queued,
  strategy,
  model,
  summariser,
  config,
  allowed,
}: SessionInfo): boolean {
  return (
    leaf === null &&
    size === 0 &&
    !titled &&
    !pinned &&
    !draft &&
    !queued &&
    ![strategy, model, summariser, config, allowed].some(set => set !== undefined)
  )
}

const entriesOf = (rows: readonly { entry: Entry }[]): Entry[] => rows.map(row => row.entry)
