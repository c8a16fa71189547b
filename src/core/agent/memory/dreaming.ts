/** Use cases of long-term memory: the notes, the page and where its lines came from, and proposals of what to keep. */
import { AgentError } from '../../errors.ts'
import type { Id, SessionId } from '../../log/entry.ts'
import { dayOf } from '../../text/day.ts'
import { readDefaults } from '../session/defaults.ts'
import { requireText, type AgentRuntime } from '../session/agent-runtime.ts'
import { memoryFilePath } from '../archive/long-term-memory.ts'
import type { MemoryApi, MemoryLine, MemoryNote, MemoryProposal, MemorySource } from '../api/memory-api.ts'
import { withSuperseded } from '../archive/memory-text.ts'
import { memoryWriterFor } from '../request/request-setup.ts'
import type { SessionTasks } from '../lifecycle/session-tasks.ts'
import { mergeByModel } from './merge-by-model.ts'
import { mergeByRule } from './merge-by-rule.ts'
import { memoryNotes, notesSince } from './notes.ts'
import { updateDreamState, readDreamState, type DreamState } from './dream-state.ts'

/** Notes that the first merge looks back for, and the most that any without a number does. Unit: days. */
const firstDays = 7
const mostDays = 31
/** Revisions that are looked through for where a line came in. */
const mostRevisions = 100

const never = new AbortController().signal

export type DreamApi = MemoryApi & {
  /** At the first start of a new day, where that is switched on: a proposal of what was noted since. */
  daily(): Promise<void>
}

export function dreaming(runtime: AgentRuntime, tasks: SessionTasks): DreamApi {
  const { store, world, locks } = runtime.deps
  const kept = (): Promise<DreamState> => readDreamState(store)
  const keep = async (changes: Partial<DreamState>): Promise<void> => {
    await updateDreamState(store, changes)
    runtime.emit({ type: 'memory' })
  }

  /** `until`: notes up to then are decided on when the proposal is settled. */
  async function make(
    since: number,
    now: number,
    until: number,
    info: { model?: string; summariser?: string },
  ): Promise<MemoryProposal | null> {
    const notes = await notesSince(store, since, now, () => world.sleep(0, never))
    const page = await store.document(memoryFilePath)
    const before = page?.text ?? ''
    const writer =
      notes.length > 0
        ? await memoryWriterFor(
            runtime,
            info,
            notes.map(({ session }) => session),
          )
        : undefined
    const byModel = writer && (await mergeByModel(before, notes, writer, runtime.language, never))
    const { text, sources } = byModel ?? mergeByRule(before, notes, runtime.language)
    if (text.trimEnd() === before.trimEnd()) {
      await keep({ proposal: undefined, until })
      return null
    }
    const days = [...new Set(notes.map(({ day }) => day))]
    await keep({
      proposal: {
        at: world.now(),
        text,
        revision: page?.revision ?? 0,
        days,
        until,
        sources,
        entries: notes.map(({ entry }) => entry),
        by: byModel ? 'model' : 'rule',
        ...(byModel && writer ? { model: writer.name } : {}),
      },
    })
    return merged()
  }

  async function proposal(): Promise<MemoryProposal | null> {
    return (await fromFile()) ?? merged()
  }

  /**
   * The oldest text that came with a file and says something else than MEMORY.md does. It is always compared with what
   * stands there now.
   */
  async function fromFile(): Promise<MemoryProposal | null> {
    const { imported = [] } = await kept()
    const page = await store.document(memoryFilePath)
    const before = page?.text ?? ''
    const from = imported.findIndex(({ text }) => text.trimEnd() !== before.trimEnd())
    if (from !== 0 && imported.length > 0) await keep({ imported: from < 0 ? undefined : imported.slice(from) })
    const first = imported[from]
    return first
      ? { at: first.at, before, text: first.text, revision: page?.revision ?? 0, isOld: false, days: [], by: 'import' }
      : null
  }

  /** What was made of the notes. */
  async function merged(): Promise<MemoryProposal | null> {
    const { proposal: waiting } = await kept()
    if (!waiting) return null
    for (const id of waiting.entries) {
      const found = await store.find(id)
      if (found && !found.row.entry.gone) continue
      await keep({ proposal: undefined }) // it tells what was deleted meanwhile
      return null
    }
    const { at, text, revision, days, by, model } = waiting
    const page = await store.document(memoryFilePath)
    const before = revision === 0 ? '' : ((await store.document(memoryFilePath, revision))?.text ?? '')
    return {
      at,
      before,
      text,
      revision,
      isOld: (page?.revision ?? 0) !== revision,
      days,
      by,
      ...(model === undefined ? {} : { model }),
    }
  }

  async function noteOf(entry: Id): Promise<{ session: SessionId; note: MemoryNote }> {
    const found = await store.find(entry)
    const note = found && (await memoryNotes(store, found.row.day)).find(note => note.entry === entry)
    if (!note) throw new AgentError('not_found', 'There is no such note any more')
    return { session: note.session, note }
  }

  return {
    memoryNotes: async () => {
      const days = new Map<string, MemoryNote[]>()
      for (const note of await memoryNotes(store)) days.set(note.day, [...(days.get(note.day) ?? []), note])
      return [...days].map(([day, notes]) => ({ day, notes })).sort((a, b) => (a.day < b.day ? 1 : -1))
    },

    editNote: async (entry, text) => {
      const { session, note } = await noteOf(entry)
      await tasks.withSession(session, session =>
        session.append([{ type: 'memory', text: requireText(text, 'The note'), supersedes: entry, at: note.at }]),
      )
      runtime.emit({ type: 'memory' })
    },

    forgetNote: async entry => {
      const { session } = await noteOf(entry)
      await tasks.withSession(session, async session => {
        const ids = withSuperseded(
          session.rows.map(row => ({ session: session.id, entry: row.entry, day: row.day })),
          entry,
        )
        await runtime.search.withRemoval({ entries: ids }, () =>
          store.removeTexts(ids, { day: dayOf(world.now()), why: 'deleted' }),
        )
        await session.refresh(true)
        // where the chat is open, the note is read anew
        runtime.emit({ type: 'leaf', session: session.id, leaf: session.leaf })
      })
      runtime.emit({ type: 'memory' })
    },

    memoryLines: async () => {
      const newest = await store.document(memoryFilePath)
      if (!newest) return []
      const titles = new Map((await store.sessions()).map(({ id, title }) => [id, title]))
      const { sources = new Map<string, MemorySource[]>() } = await kept()
      const lines = newest.text
        .trimEnd()
        .split('\n')
        .map((text): MemoryLine => ({
          text,
          at: newest.at,
          sources: (sources.get(text) ?? []).flatMap(source => {
            const title = titles.get(source.session)
            return title === undefined ? [] : [{ ...source, title }]
          }),
        }))
      // A line came with the oldest revision from which on all have it.
      let open = lines
      for (
        let revision = newest.revision - 1;
        revision > 0 && revision >= newest.revision - mostRevisions && open.length > 0;
        revision--
      ) {
        const document = await store.document(memoryFilePath, revision)
        const known = new Set(document?.text.split('\n'))
        open = open.filter(line => known.has(line.text))
        for (const line of open) line.at = document?.at ?? line.at
      }
      return lines
    },

    memoryRevision: async revision => {
      const document = await store.document(memoryFilePath, revision)
      return document ? { text: document.text, at: document.at } : null
    },

    dream: async (days, session) => {
      const now = world.now()
      const info = session === undefined ? undefined : await store.session(session)
      const { until = startOf(now, firstDays) } = await kept()
      const open = Math.max(until, startOf(now, mostDays))
      const since = days === undefined ? open : startOf(now, days)
      return make(since, now, since > open ? until : now, info ?? {}) // what a shorter time leaves out is still open
    },

    proposal,

    resolveProposal: async (text, shown) => {
      const {
        proposal: waiting,
        imported: [page, ...later] = [],
        sources = new Map<string, MemorySource[]>(),
      } = await kept()
      if (page && (!shown || shown.at === page.at)) {
        const seen = shown?.revision ?? (await store.document(memoryFilePath))?.revision ?? 0
        const revision =
          text === null ? seen : await store.saveDocument(memoryFilePath, text, world.now(), seen, 'asks')
        await keep({
          imported: later.length > 0 ? later : undefined,
          ...(text === null ? {} : { sources: sourcesOf(text, sources) }),
        })
        return revision
      }
      if (!waiting || (shown && shown.at !== waiting.at))
        throw new AgentError('not_found', 'There is no proposal any more')
      if (text === null) {
        await keep({ proposal: undefined, until: waiting.until })
        return waiting.revision
      }
      const revision = await store.saveDocument(memoryFilePath, text, world.now(), waiting.revision, 'asks')
      await keep({
        proposal: undefined,
        until: waiting.until,
        sources: sourcesOf(text, new Map([...sources, ...waiting.sources])),
      })
      return revision
    },

    daily: async () => {
      const now = world.now()
      const today = dayOf(now)
      if (await proposal()) runtime.emitLocally({ type: 'memory' }) // the page of this tab has not heard of it yet
      if (!(await readDefaults(store)).dream) return
      await locks.tryRun('dream', async () => {
        const { tried, until = startOf(now, firstDays) } = await kept()
        if (tried === today || (await proposal())) return
        await keep({ tried: today }) // once a day, also where it fails
        await make(Math.max(until, startOf(now, mostDays)), now, now, {})
      })
    },
  }
}

/** The sources of the lines that a text still has. */
function sourcesOf(text: string, sources: ReadonlyMap<string, MemorySource[]>): Map<string, MemorySource[]> {
  const lines = new Set(text.split('\n'))
  return new Map([...sources].filter(([line]) => lines.has(line)))
}

/** The beginning of the day, so many days ago, today included; ms. */
function startOf(now: number, days: number): number {
  const date = new Date(now)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - Math.max(0, days - 1)).getTime() - 1
}
