/** Use cases that change what the model sees without asking a model: undo, redo, pin, a summary's wording, clear. */
import { AgentError } from '../../errors.ts'
import { answerParts } from '../../log/answer-parts.ts'
import type { EditEntry, Id, Log } from '../../log/entry.ts'
import { isAct, redoTarget, effectiveEdits, storedSummary, undoTarget, type SummaryEntry } from '../../log/query.ts'
import { factsRestoredBy, factsRemovedBy } from '../../log/model-view/removed-counts.ts'
import type { AgentApi } from '../api/api.ts'
import { requireText, type AgentRuntime } from '../session/agent-runtime.ts'
import type { Session } from '../session/session.ts'
import { setUpRequest } from '../request/request-setup.ts'
import { requestSize } from '../../context/size/measure.ts'
import { noteTexts, type UndoCounts } from '../i18n/note-texts.ts'
import type { SessionTasks } from '../lifecycle/session-tasks.ts'

/** Share of the window that pinned messages may take together. */
const pinShare = 0.2

type Editing = Pick<AgentApi, 'undo' | 'redo' | 'pin' | 'editSummary'>

export function editing(runtime: AgentRuntime, tasks: SessionTasks): Editing {
  return {
    undo: async (id, group) => {
      if ((await tasks.withSession(id, session => undo(runtime, session, group))) === undefined)
        throw new AgentError(
          'bad_input',
          group === undefined ? noteTexts(runtime).nothingToUndo : noteTexts(runtime).undoneAlready,
        )
    },
    redo: async id => {
      if ((await tasks.withSession(id, session => redo(runtime, session))) === undefined)
        throw new AgentError('bad_input', redoRefusal(runtime, (await runtime.session(id)).log))
    },
    pin: (id, entry, on) => tasks.withSession(id, session => pin(runtime, session, entry, on)),
    editSummary: (id, entry, text) => tasks.withSession(id, session => editSummary(runtime, session, entry, text)),
  }
}

/**
 * Lifts a group of edits, without one the newest; undefined where there is none. What a person names is put back, an
 * act of its own (log.md, `act`).
 */
export async function undo(runtime: AgentRuntime, session: Session, group?: Id): Promise<UndoCounts | undefined> {
  const target = group ?? undoTarget(session.log)
  const lifted = effectiveEdits(session.log).filter(edit => edit.group === target)
  if (target === null || lifted.length === 0) return undefined
  const { log } = session
  const [edit] = await session.append([
    { type: 'undo', group: runtime.deps.world.newId(), target, ...(group === undefined ? {} : { act: true as const }) },
  ])
  const cuts = new Set<Id>(lifted.flatMap(edit => (edit.type === 'cut' ? [edit.id] : [])))
  const notes = session.rows.filter(
    ({ entry }) => entry.type === 'memory' && !entry.gone && entry.cut !== undefined && cuts.has(entry.cut),
  ).length
  return {
    messages: factsRestoredBy(log, [edit!]).length,
    left: factsRemovedBy(log, [edit!]).length,
    texts: textsOf(lifted),
    notes,
  }
}

/** Brings back what was undone last; undefined where nothing was. */
export async function redo(runtime: AgentRuntime, session: Session): Promise<UndoCounts | undefined> {
  const target = redoTarget(session.log)
  if (target === null) return undefined
  const { log } = session
  const undone = log.find(entry => entry.type === 'undo' && entry.group === target)
  const [edit] = await session.append([{ type: 'undo', group: runtime.deps.world.newId(), target }])
  return {
    messages: factsRemovedBy(log, [edit!]).length,
    left: factsRestoredBy(log, [edit!]).length,
    texts: textsOf(
      effectiveEdits(session.log).filter(({ group }) => undone?.type === 'undo' && group === undone.target),
    ),
    notes: 0,
  }
}

function textsOf(edits: readonly EditEntry[]): number {
  return new Set(edits.flatMap(edit => (edit.type === 'shorten' ? [edit.target] : []))).size
}

/** Why nothing can be brought back. */
export function redoRefusal(runtime: AgentRuntime, log: Log): string {
  const undos = new Set(log.flatMap(entry => (entry.type === 'undo' && !isAct(entry) ? [entry.group] : [])))
  // An undo whose target is an undo has brought something back.
  const isUndone = effectiveEdits(log).some(edit => edit.type === 'undo' && !isAct(edit) && !undos.has(edit.target))
  return isUndone ? noteTexts(runtime).redoIsPast : noteTexts(runtime).nothingToRedo
}

/**
 * Cuts everything before now; answers with the number of messages that are no longer sent, 0 where only a summary was;
 * undefined where nothing was in the window.
 */
export async function clearContext(runtime: AgentRuntime, session: Session): Promise<number | undefined> {
  const cut = { type: 'cut', before: null, reason: 'clear', group: runtime.deps.world.newId() } as const
  const took = factsRemovedBy(session.log, [
    { ...cut, id: cut.group, parent: session.leaf, at: runtime.deps.world.now() },
  ])
  if (took.length === 0 && storedSummary(session.log) === null) return undefined
  await session.append([cut])
  return took.length
}

async function pin(runtime: AgentRuntime, session: Session, target: Id, on: boolean): Promise<void> {
  const fact = session.find(target)
  if (!fact || (fact.type !== 'user' && fact.type !== 'assistant' && fact.type !== 'result'))
    throw new AgentError('not_found', 'There is no such message in this chat')
  const group = runtime.deps.world.newId()
  const edits = answerParts(session.log, target).map(part => ({ type: 'pin' as const, target: part, on, group }))
  if (!on) {
    await session.append(edits)
    return
  }
  const setup = await setUpRequest(runtime, session)
  const pinned: Log = [
    ...session.log,
    ...edits.map(edit => ({
      ...edit,
      id: `${group} ${edit.target}`,
      parent: session.leaf,
      at: runtime.deps.world.now(),
    })),
  ]
  const size = requestSize(pinned, setup.env('onCall'))
  const tokens = size.parts.reduce((sum, part) => sum + (part.view.pinned ? part.tokens : 0), 0)
  const most = Math.floor(setup.window * pinShare)
  if (tokens <= most) await session.append(edits)
  else
    await session.append([
      {
        type: 'note',
        code: 'pins_capped',
        text: noteTexts(runtime).pinsCapped(tokens, most),
        tokens,
        data: { tokens, most },
      },
    ])
}

async function editSummary(runtime: AgentRuntime, session: Session, id: Id, text: string): Promise<void> {
  const summary = session.find(id)
  if (summary?.type !== 'summary') throw new AgentError('not_found', 'There is no such summary in this chat')
  const { of, place, guide, covers, stats }: SummaryEntry = summary
  await session.append([
    {
      type: 'summary',
      of,
      text: requireText(text, 'The summary'),
      by: 'person',
      place,
      guide,
      covers,
      stats,
      group: runtime.deps.world.newId(),
    },
  ])
}
